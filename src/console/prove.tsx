import type { ConsoleFrame, StaffProof } from '#contract/console.ts';
import { consoleTexts as t } from '#locales/operator/console.ts';
import { buttonClass } from '#portal/ui/button.tsx';
import { Contacts, fillNodes } from '#portal/ui/contacts.tsx';
import { Note } from '#portal/ui/note.tsx';
import { Field } from './field.tsx';
import { Fields } from './frame.tsx';
import parts from './parts.module.css';
import { ButtonLink } from './parts.tsx';

type Props = {
  readonly page: ConsoleFrame & StaffProof;
  readonly problem: string | undefined;
  readonly cancel: string;
  /** The values of the form that waits, sent along so that none is lost. */
  readonly kept?: Readonly<Record<string, string>>;
};

/** Asks for the staff member's own code. */
export function Prove({ page, problem, cancel, kept = {} }: Props) {
  const { code, asksApp } = page;
  const isAsked = asksApp || code.sentTo !== null;
  const toSend = code.canBeSent ? t.stepUp : t.noProof;
  const words = asksApp ? t.stepUpByApp : toSend;
  return (
    <form method="post">
      <Fields page={page} />
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <h2>{t.stepUpTitle}</h2>
      <Note icon="shield-check">
        {code.sentTo === null || asksApp
          ? words
          : (code.lost ?? fillNodes(t.codeSent, { to: <Contacts to={code.sentTo} /> }))}
      </Note>
      {isAsked && (
        <Field
          field={{
            name: 'code',
            label: t.code,
            kind: 'text',
            problem,
            inputMode: 'numeric',
            autoComplete: 'one-time-code',
          }}
        />
      )}
      <p className={parts.buttons}>
        {!isAsked ? (
          code.canBeSent && <Step value="send">{t.sendCode}</Step>
        ) : (
          <>
            <Step value="check">{t.checkCode}</Step>
            {!asksApp && (
              <Step value="send" look="secondary">
                {t.newCode}
              </Step>
            )}
          </>
        )}
        <ButtonLink href={cancel}>{t.cancel}</ButtonLink>
      </p>
    </form>
  );
}

type StepProps = {
  readonly value: 'send' | 'check';
  readonly look?: 'primary' | 'secondary';
  readonly children: string;
};

const Step = ({ value, look = 'primary', children }: StepProps) => (
  <button type="submit" name="step" value={value} className={buttonClass(look, false)}>
    {children}
  </button>
);
