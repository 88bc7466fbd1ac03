import { noScript } from '#locales/en/no-script.ts';
import { fill } from '#locales/fill.ts';
import { Alert } from '../ui/alert.tsx';
import { useAppContext } from './app-context.ts';

type CheckingProps = {
  /** What is being checked. */
  readonly children: string;
  /** The text where scripts do not run. */
  readonly withoutScript?: string;
};

/** "Checking…"; where scripts do not run, why nothing happens and whom to ask. */
export function Checking({ children, withoutScript = noScript.text }: CheckingProps) {
  const { phone, email } = useAppContext().boot.settings.help;
  return (
    <>
      <p role="status" className="script-only">
        {children}
      </p>
      <noscript>
        <Alert tone="warning">
          <p>{withoutScript}</p>
          <p>{fill(noScript.contact, { phone, email })}</p>
        </Alert>
      </noscript>
    </>
  );
}
