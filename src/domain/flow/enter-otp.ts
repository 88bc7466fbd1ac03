import type { PendingOtp } from './visit.ts';
import { OTP_MEDIUM } from '../proofs/otp.ts';
import { type Effect, type FlowState, to, type Transition } from './state.ts';
import type { FollowedLink, SignUpData } from './terms.ts';

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

/** Returns the toast about a sent code; of an app's nothing is sent. */
export const sentToast = ({ medium }: PendingOtp): readonly Effect[] =>
  medium === OTP_MEDIUM.app ? [] : [{ do: 'toast', tone: 'success', say: 'otpSent' }];

/** Shows the code screen for a code that was just sent (OTP-06). */
export function enterOtp(
  otp: PendingOtp,
  now: number,
  signUpData: SignUpData | null = null,
  link?: FollowedLink,
): Transition {
  return to(otpState(otp, now, signUpData, link), ...sentToast(otp), {
    do: 'show',
    screen: 'verifyOtp',
  });
}
