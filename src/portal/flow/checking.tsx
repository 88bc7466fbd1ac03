import { noScript } from '#texts/no-script.ts';
import { ui } from '#texts/ui.ts';
import { Alert } from '../ui/alert.tsx';
import { Address, fillNodes, Phone } from '../ui/contacts.tsx';
import { useAppContext } from './app-context.ts';
import { HelpLines } from './help-lines.tsx';
import styles from './help-lines.module.css';
import { Continue, Late } from './late.tsx';

type CheckingProps = {
  /** The text: the subject of the check. */
  readonly children: string;
  /** The reason why it stops without JavaScript; without a reason, Continue leads on there. */
  readonly withoutScript?: string;
};

/** Shows "Checking…", and the way on if the check does not end: a button, or the reason and the help contacts. */
export function Checking({ children, withoutScript }: CheckingProps) {
  return (
    <>
      <p role="status" className="script-only">
        {children}
      </p>
      {withoutScript ? (
        <>
          <noscript>{import.meta.env.SSR && <WhomToAsk why={withoutScript} />}</noscript>
          <Late say={ui.lateAgain}>
            <p className="script-only">
              <HelpLines />
            </p>
          </Late>
        </>
      ) : (
        <Continue />
      )}
    </>
  );
}

function WhomToAsk({ why }: { readonly why: string }) {
  const { phone, email } = useAppContext().boot.settings.help;
  const contacts = {
    phone: <Phone number={phone} isLink />,
    email: <Address email={email} isLink />,
  };
  return (
    <Alert tone="warning">
      <p>{why}</p>
      <p className={styles.lines}>{fillNodes(noScript.contact, contacts)}</p>
    </Alert>
  );
}
