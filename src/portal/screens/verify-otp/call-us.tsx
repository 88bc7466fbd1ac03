import { useAppContext } from '../../flow/app-context.ts';
import styles from './choices.module.css';

/** Shows the help contacts in the dark band. */
export function CallUs({ lead }: { readonly lead: string }) {
  const { phone, email } = useAppContext().boot.settings.help;
  return (
    <p className={styles.call}>
      {lead} <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>{' '}
      <a href={`mailto:${email}`}>{email}</a>
    </p>
  );
}
