import type { PendingOtp } from '../visit.ts';
import { type FlowState, to, type Transition } from './state.ts';
import type { SignUpData } from './terms.ts';
import type { FollowedLink } from './terms.ts';

/** Returns the state that waits for a code. */
export function otpState(
  otp: PendingOtp,
  now: number,
  signUpData: SignUpData | null = null,
  link?: FollowedLink,
): Extract<FlowState, { at: 'otp' }> {
  return {
    at: 'otp',
    step: 'ready',
    otp,
    deadline: now + otp.remainingMs,
    signUpData,
    hasOldPassword: false,
    problem: null,
    ...(link && { link }),
  };
}

/** Shows the code screen for a code that was just sent (OTP-06). */
export function enterOtp(
  otp: PendingOtp,
  now: number,
  signUpData: SignUpData | null = null,
  link?: FollowedLink,
): Transition {
  return to(
    otpState(otp, now, signUpData, link),
    { do: 'toast', tone: 'success', say: 'otpSent' },
    { do: 'show', screen: 'verifyOtp' },
  );
}
