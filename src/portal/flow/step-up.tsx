import { myAccount as t } from '#texts/my-account.ts';
import { otp } from '#texts/otp.ts';
import { fill } from '#locales/fill.ts';
import type { AccountData } from '#contract/my-account.ts';
import { useProblem } from './account.tsx';
import { useNativeForm } from '../lib/form-actions.ts';
import { buttonClass } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';
import { TextField } from '../ui/text-field.tsx';
import { OtpBoxes } from '../ui/otp-boxes.tsx';

/** Asks for one code on the page of a change that needs it; a plain form, with script or without. */
export function StepUp({ account }: { readonly account: AccountData }) {
  const { codeSentTo, asksApp, call, phone } = account;
  const problem = useProblem('code');
  useNativeForm('step-up');
  if (asksApp) {
    return (
      <form id="step-up" method="post">
        <Note icon="shield-check">{t.stepUpByApp}</Note>
        <TextField
          name="code"
          label={otp.legend}
          hint={t.orRecovery}
          inputMode="numeric"
          autoComplete="one-time-code"
          error={problem}
        />
        <Step value="check" label={t.goOn} />
      </form>
    );
  }
  return (
    <form id="step-up" method="post">
      <Note icon="shield-check">
        {codeSentTo === null ? t.stepUp : fill(t.codeSentTo, { to: codeSentTo })}
      </Note>
      {codeSentTo === null ? (
        <Step value="send" label={t.sendCode} />
      ) : (
        <>
          <OtpBoxes name="code" legend={otp.legend} hint={otp.hint} error={problem} />
          <Step value="check" label={t.goOn} />
          <Step value="send" label={t.newCode} isSecond />
          {call?.state && (
            <p role="status">{fill(t.calls[call.state], { digits: phone.slice(-2) })}</p>
          )}
          {call?.againMs === 0 && <Step value="call" label={t.callMe} isSecond />}
        </>
      )}
      {codeSentTo === null && problem && <p role="alert">{problem}</p>}
    </form>
  );
}

type StepProps = {
  readonly value: 'send' | 'check' | 'call';
  readonly label: string;
  readonly isSecond?: true;
};

function Step({ value, label, isSecond }: StepProps) {
  return (
    <button
      type="submit"
      name="step"
      value={value}
      className={isSecond ? buttonClass('secondary', true) : buttonClass()}
    >
      {label}
    </button>
  );
}
