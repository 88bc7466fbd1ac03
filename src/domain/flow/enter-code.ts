import type { PendingCode } from '../visit.ts';
import { type FlowState, to, type Transition } from './state.ts';

/** The state in which a code is asked for. */
export function codeState(code: PendingCode, now: number): Extract<FlowState, { at: 'code' }> {
  return {
    at: 'code',
    step: 'ready',
    code,
    deadline: now + code.remainingMs,
    hasOldPassword: false,
    problem: null,
  };
}

/** Shows the code screen for a code that was just sent (OTP-06). */
export function enterCode(code: PendingCode, now: number): Transition {
  return to(
    codeState(code, now),
    { do: 'toast', tone: 'success', say: 'codeSent' },
    { do: 'show', screen: 'verifyOtp' },
  );
}
