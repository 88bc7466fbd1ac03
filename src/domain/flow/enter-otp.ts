import type { PendingCode } from '../visit.ts';
import { type FlowState, type SignUpData, to, type Transition } from './state.ts';

/** The state in which a code is asked for. */
export function codeState(
  code: PendingCode,
  now: number,
  signUpData: SignUpData | null = null,
): Extract<FlowState, { at: 'code' }> {
  return {
    at: 'code',
    step: 'ready',
    code,
    deadline: now + code.remainingMs,
    signUpData,
    hasOldPassword: false,
    problem: null,
  };
}

/** Shows the code screen for a code that was just sent (OTP-06). */
export function enterCode(
  code: PendingCode,
  now: number,
  signUpData: SignUpData | null = null,
): Transition {
  return to(
    codeState(code, now, signUpData),
    { do: 'toast', tone: 'success', say: 'codeSent' },
    { do: 'show', screen: 'verifyOtp' },
  );
}
