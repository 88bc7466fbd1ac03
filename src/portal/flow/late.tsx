import type { ReactNode } from 'react';
import { ui } from '#texts/ui.ts';
import { fill } from '#locales/fill.ts';
import { useAction } from '../lib/form-actions.ts';
import { BUTTONS_FORM, sendNatively } from '../lib/native-form.ts';
import type { Form } from '../lib/form.ts';
import { Button } from '../ui/button.tsx';
import { Submit } from '../ui/submit.tsx';
import { useView } from './app-context.ts';
import styles from './late.module.css';

type LateProps = {
  readonly say: string;
  /** Says that it takes long before the 8 s are over. */
  readonly isDue?: true | undefined;
  readonly children: ReactNode;
};

/**
 * Shown after 8 s of waiting, by the style sheet alone, so that a page without its scripts has a way on (decision 144).
 * Without JavaScript it is shown from the start.
 */
export function Late({ say, isDue, children }: LateProps) {
  return (
    <div className={styles.late} data-due={isDue}>
      <p className="script-only" role="status">
        <strong>{ui.late}</strong> {say}
      </p>
      {children}
    </div>
  );
}

/** Shows a button below an unanswered form that sends the form to the server as a no-JavaScript page does. */
export function StillWorking({ form }: { readonly form: Form<string> }) {
  if (!form.isSlow) return null;
  return (
    <>
      <p>
        {ui.stillWorking} {fill(ui.pressIt, { label: ui.goOn })}
      </p>
      <Button variant="secondary" wide onClick={form.sendNatively}>
        {ui.goOn}
      </Button>
    </>
  );
}

type ContinueProps = {
  readonly label?: string;
  /** The server's action; without it, the server answers the page's own query. */
  readonly onPress?: () => unknown;
  readonly isDue?: true | undefined;
};

/**
 * Shows Continue: the server does the page's next step. It uses no script, because the page's scripts may be broken.
 */
export function Continue({ label = ui.goOn, onPress = () => undefined, isDue }: ContinueProps) {
  const { path, search } = useView();
  // oxlint-disable-next-line react-hooks/rules-of-hooks -- a constant of each build
  if (import.meta.env.SSR) useAction('goOn', onPress);
  return (
    <Late say={fill(ui.lateHow, { label })} isDue={isDue}>
      <Submit
        form={BUTTONS_FORM}
        name="action"
        value="goOn"
        onClick={(event) => {
          event.preventDefault();
          // The key of a link has left the address bar, and the server needs it.
          sendNatively(event.currentTarget.form, 'goOn', path + search);
        }}
      >
        {label}
      </Submit>
    </Late>
  );
}
