import { enterOtp } from './enter-otp.ts';
import {
  type Effect,
  type FlowState,
  GENERAL,
  generalToast,
  to,
  type Transition,
} from './state.ts';
import { FAILURES, type Steps } from './steps.ts';
import type { FollowedLink } from './terms.ts';
import { activationStep } from '../proofs/activation.ts';
import type { ActivationProof } from './visit.ts';

type Activation = Extract<FlowState, { at: 'activation' }>;

/** Returns the state of an opened activation link. */
export function activationState(link: FollowedLink): Activation {
  const step = 'ready';
  return { at: 'activation', step, link, proof: null, hasOldPassword: false, problem: null };
}

/**
 * Reduces an opened activation link: nothing is sent or confirmed before the visitor asks for it (ACT-03). The button
 * of a mailed link is as good as its code, and continues as the code does (OTP-09..11).
 */
export const AT_ACTIVATION: Steps<Activation> = {
  ...FAILURES,
  linkOtpAsked: (state) =>
    whenReady(state, 'sendingOtp', {
      do: 'sendOtp',
      userId: state.link.userId,
      otpType: 'USER_ACTIVATION',
    }),
  otpSent: ({ link }, { otp }, now) => enterOtp(otp, now, null, link),
  linkConfirmAsked: (state) =>
    whenReady(state, 'confirming', { do: 'confirmLink', link: state.link }),
  linkConfirmed(state, { proof }) {
    if (state.step !== 'confirming') return to(state);
    if (proof === null) return finish(state);
    return to({ ...state, step: 'activating', proof }, { do: 'checkAuthUser', email: proof.email });
  },
  linkRefused: (state, { text }) =>
    to({ ...state, step: 'ready', problem: { where: 'form', say: { text }, canRetry: false } }),
  authUserChecked: (state, { isAuthUser }) =>
    state.proof ? afterProof(state, state.proof, isAuthUser) : to(state),
  activated: (state) => (state.step === 'activating' ? finish(state) : to(state)),
  // The page validates its link again, and shows its state.
  stepLost: (state) => to({ ...state, step: 'ready' }, { do: 'restart', fallback: 'signIn' }),
  offline: (state) =>
    to({ ...state, step: 'ready', problem: { where: 'offline', canRetry: false } }),
  sessionEnded: (state) => to({ ...state, step: 'ready', problem: GENERAL }, generalToast),
};

function whenReady(state: Activation, step: Activation['step'], effect: Effect): Transition {
  return state.step === 'ready' ? to({ ...state, step, problem: null }, effect) : to(state);
}

function afterProof(state: Activation, proof: ActivationProof, isAuthUser: boolean): Transition {
  if (activationStep(isAuthUser, proof.signUpPlatform) === 'setPassword') {
    return to(
      { at: 'setPassword', step: 'ready', proof, link: state.link, problem: null },
      { do: 'show', screen: 'setPassword' },
    );
  }
  return to({ ...state, hasOldPassword: isAuthUser }, { do: 'activate', proof, password: null });
}

function finish(state: Activation): Transition {
  const message = state.hasOldPassword ? 'oldPassword' : 'activated';
  return to(
    { at: 'done', message },
    { do: 'toast', tone: 'success', say: message },
    { do: 'show', screen: 'congratulation' },
  );
}
