import { useAppContext } from '../../flow/app-context.ts';
import { Address, Phone } from '../../ui/contacts.tsx';
import styles from './choices.module.css';

/** Shows the help contacts in the dark band. */
export function CallUs({ lead }: { readonly lead: string }) {
  const { phone, email } = useAppContext().boot.settings.help;
  return (
    <p className={styles.call}>
      {lead} <Phone number={phone} isLink /> <Address email={email} isLink />
    </p>
  );
}
