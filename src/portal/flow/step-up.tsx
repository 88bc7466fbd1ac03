import { type ReactNode, useEffect, useState } from 'react';
import { myAccount as t } from '#texts/my-account.ts';
import { otp } from '#texts/otp.ts';
import { fill } from '#locales/fill.ts';
import type { AccountData } from '#contract/my-account.ts';
import { useProblem } from './account.tsx';
import { Contacts, fillNodes, maskedPhoneText } from '../ui/contacts.tsx';
import { Note } from '../ui/note.tsx';
import { NativeForm, Submit } from '../ui/submit.tsx';
import { TextField } from '../ui/text-field.tsx';
import { OtpBoxes } from '../ui/otp-boxes.tsx';

type StepUpProps = {
  readonly account: AccountData;
  /** The sentence before anything was sent. */
  readonly why?: string;
};

const noProofOf = ({ organisation }: AccountData) =>
  organisation?.linkedAs ? t.noProofAtWork : t.noProof;

/** Asks for one code on the page of a change that needs it; a plain form, with script or without. */
export function StepUp({ account, why = t.stepUp }: StepUpProps) {
  const { code, asksApp, call, phone, keys } = account;
  const keyStep = useKeyStep(keys !== null && keys.list.length > 0);
  const problem = useProblem('code');
  if (asksApp) {
    return (
      <NativeForm id="step-up">
        <Note icon="shield-check">{t.stepUpByApp}</Note>
        <TextField
          name="code"
          label={otp.legend}
          hint={t.orRecovery}
          inputMode="numeric"
          autoComplete="one-time-code"
          error={problem}
        />
        <Submit name="step" value="check">
          {t.goOn}
        </Submit>
        {keyStep}
      </NativeForm>
    );
  }
  if (!code.canBeSent) {
    return (
      <>
        <Note icon="clock">{noProofOf(account)}</Note>
        {keyStep}
      </>
    );
  }
  return (
    <NativeForm id="step-up">
      <Note icon="shield-check">
        {code.sentTo === null
          ? why
          : (code.lost ?? fillNodes(t.codeSentTo, { to: <Contacts to={code.sentTo} /> }))}
      </Note>
      {code.sentTo === null ? (
        <Submit name="step" value="send">
          {t.sendCode}
        </Submit>
      ) : (
        <>
          <OtpBoxes name="code" legend={otp.legend} hint={otp.hint} error={problem} />
          <Submit name="step" value="check">
            {t.goOn}
          </Submit>
          <Submit name="step" value="send" variant="secondary" wide>
            {t.newCode}
          </Submit>
          {call?.state && (
            <p role="status">{fill(t.calls[call.state], { phone: maskedPhoneText(phone) })}</p>
          )}
          {call?.againMs === 0 && (
            <Submit name="step" value="call" variant="secondary" wide>
              {t.callMe}
            </Submit>
          )}
        </>
      )}
      {code.sentTo === null && problem && <p role="alert">{problem}</p>}
      {keyStep}
    </NativeForm>
  );
}

/** Returns the button for a passkey, which needs script, once it has loaded. */
function useKeyStep(hasKeys: boolean): ReactNode {
  const [button, setButton] = useState<ReactNode>(null);
  useEffect(() => {
    if (!hasKeys) return;
    import('./key-button.tsx').then(
      ({ KeyButton }) =>
        setButton(
          <KeyButton
            label={t.useKey}
            variant="secondary"
            act={({ stepUpWithKey }, api) => stepUpWithKey(api)}
            onDone={() => location.reload()}
          />,
        ),
      // A code does the same.
      () => undefined,
    );
  }, [hasKeys]);
  return button;
}
