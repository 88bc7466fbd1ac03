import { shell } from '#texts/shell.ts';
import { Address, Phone } from '../ui/contacts.tsx';
import { useAppContext } from './app-context.ts';
import styles from './help-lines.module.css';

/** Shows the help contacts beside each refusal, because a second try may be refused as well. */
export function HelpLines() {
  const { phone, email } = useAppContext().boot.settings.help;
  return (
    <span className={styles.lines}>
      {shell.helpLead} <Phone number={phone} isLink /> <br /> <Address email={email} isLink />
    </span>
  );
}
