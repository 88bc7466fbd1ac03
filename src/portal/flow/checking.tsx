import { noScript } from '#locales/en/no-script.ts';
import { fill } from '#locales/fill.ts';
import { Alert } from '../ui/alert.tsx';
import { useAppContext } from './app-context.ts';
import { GoOn } from './go-on.tsx';

type CheckingProps = {
  /** What is being checked. */
  readonly children: string;
  /** Why it does not go on where scripts do not run; else a button leads on there. */
  readonly withoutScript?: string;
};

/** "Checking…"; where scripts do not run, a button in its place, or why nothing happens and whom to ask. */
export function Checking({ children, withoutScript }: CheckingProps) {
  return (
    <>
      <p role="status" className="script-only">
        {children}
      </p>
      <noscript>
        {import.meta.env.SSR && (withoutScript ? <WhomToAsk why={withoutScript} /> : <GoOn />)}
      </noscript>
    </>
  );
}

function WhomToAsk({ why }: { readonly why: string }) {
  const { phone, email } = useAppContext().boot.settings.help;
  return (
    <Alert tone="warning">
      <p>{why}</p>
      <p>{fill(noScript.contact, { phone, email })}</p>
    </Alert>
  );
}
