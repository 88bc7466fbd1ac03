import { useAppContext } from '../../flow/app-context.ts';
import styles from './choices.module.css';

/** Whom to call or write to, in the dark band in which the house speaks. */
export function CallUs({ lead }: { readonly lead: string }) {
  const { phone, email } = useAppContext().boot.settings.help;
  return (
    <p className={styles.call}>
      {lead} <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>{' '}
      <a href={`mailto:${email}`}>{email}</a>
    </p>
  );
}
