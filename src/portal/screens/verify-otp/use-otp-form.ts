import { useEffect, useRef } from 'react';
import { otp as t } from '#texts/otp.ts';
import { isRecoveryCode, recoveryDigits } from '#domain/proofs/authenticator.ts';
import type { FlowEvent } from '#domain/flow/event.ts';
import type { Problem } from '#domain/flow/state.ts';
import { codeIn } from '#domain/proofs/otp.ts';
import { doorAtCode } from '#domain/looks/porch-door.ts';
import { fieldProblem } from '../../flow/form-problem.tsx';
import { useAppContext } from '../../flow/app-context.ts';
import { sayText } from '../../flow/say.ts';
import { useForm } from '../../lib/form.ts';
import { announce } from '../../ui/live-region.tsx';
import type { OtpBoxesHandle } from '../../ui/otp-boxes.tsx';

/** Returns the text when only a new code helps: this one expired, or had too many tries. */
export function deadOtpText(problem: Problem | null): string | null {
  if (problem?.where !== 'field' || !('key' in problem.say)) return null;
  const isLost = problem.say.key === 'otpExpired' || problem.say.key === 'otpDead';
  return isLost ? sayText(problem.say) : null;
}

/**
 * Returns the form of the six digits, its boxes, and the function that asks for another code. Its hidden field `of` is
 * the account that the page asked for.
 */
export function useOtpForm() {
  const { flow, door } = useAppContext();
  const boxes = useRef<OtpBoxesHandle>(null);
  useEffect(() => boxes.current?.focus(), []);
  const send = useSendCode();
  const form = useForm<'otp' | 'of'>({
    id: 'code',
    onSubmit: (values) => send(codeIn(values.text('otp')), values.text('of')),
  });
  const askFor = async (event: FlowEvent, said: string) => {
    // Before the focused button is removed.
    boxes.current?.focus();
    await flow.send(event);
    const after = flow.get();
    if (after.at !== 'otp' || after.problem) return;
    boxes.current?.clear();
    door.set(doorAtCode(0));
    form.showProblems({});
    announce(said);
  };
  return { form, boxes, askFor };
}

/** Returns the form of a recovery code, in place of the digits of an app. */
export function useRecoveryForm() {
  const send = useSendCode();
  return useForm<'recovery' | 'of'>({
    id: 'recovery-code',
    validate(values) {
      const isWhole = isRecoveryCode(recoveryDigits(values.text('recovery')));
      return { recovery: isWhole ? undefined : t.recoveryShort };
    },
    async onSubmit(values) {
      const digits = recoveryDigits(values.text('recovery'));
      const { otp } = await send(digits, values.text('of'));
      return { recovery: otp && t.recoveryWrong };
    },
  });
}

/** Returns the function that sends a code, and returns the problem to show in its field. */
function useSendCode() {
  const { flow, door } = useAppContext();
  return async (digits: string, of = ''): Promise<{ readonly otp?: string | undefined }> => {
    announce(t.pendingSpoken);
    const before = flow.get();
    // Without script the server asks for the code of the newest sign-in, whichever page sends one.
    const isOther = of !== '' && before.at === 'otp' && of !== String(before.otp.userId);
    await flow.send(isOther ? { type: 'otherSignInFound' } : { type: 'otpSubmitted', digits });
    const after = flow.get();
    if (after.at !== 'otp') return {};
    const lost = deadOtpText(after.problem);
    if (after.problem) door.set(doorAtCode(0, lost !== null));
    // The focus goes to the button for a new code, not to the boxes, so the reason has to be announced.
    if (lost) announce(lost, 'assertive');
    return lost ? {} : fieldProblem(after.problem);
  };
}
