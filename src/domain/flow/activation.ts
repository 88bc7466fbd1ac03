import { enterOtp } from './enter-otp.ts';
import {
  type FlowState,
  GENERAL,
  generalToast,
  limitProblem,
  to,
  type Transition,
} from './state.ts';
import type { FlowEvent } from './event.ts';
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
export function reduceActivation(state: Activation, event: FlowEvent, now: number): Transition {
  switch (event.type) {
    case 'linkOtpAsked':
      if (state.step !== 'ready') return to(state);
      return to(
        { ...state, step: 'sendingOtp', problem: null },
        { do: 'sendOtp', userId: state.link.userId, otpType: 'USER_ACTIVATION' },
      );
    case 'otpSent':
      return enterOtp(event.otp, now, null, state.link);
    case 'linkConfirmAsked':
      if (state.step !== 'ready') return to(state);
      return to(
        { ...state, step: 'confirming', problem: null },
        { do: 'confirmLink', link: state.link },
      );
    case 'linkConfirmed':
      if (state.step !== 'confirming') return to(state);
      if (event.proof === null) return finish(state);
      return to(
        { ...state, step: 'activating', proof: event.proof },
        { do: 'checkAuthUser', email: event.proof.email },
      );
    case 'linkRefused': {
      const say = { text: event.text };
      return to({ ...state, step: 'ready', problem: { where: 'form', say, canRetry: false } });
    }
    case 'authUserChecked':
      return state.proof ? afterProof(state, state.proof, event.isAuthUser) : to(state);
    case 'activated':
      return state.step === 'activating' ? finish(state) : to(state);
    case 'stepLost':
      // The page validates its link again, and shows its state.
      return to({ ...state, step: 'ready' }, { do: 'restart', fallback: 'signIn' });
    case 'limited':
      return to({ ...state, step: 'ready', problem: limitProblem(event.minutes) });
    case 'offline':
      return to({ ...state, step: 'ready', problem: { where: 'offline', canRetry: false } });
    case 'failed':
    case 'sessionEnded':
      return to({ ...state, step: 'ready', problem: GENERAL }, generalToast);
    default:
      return to(state);
  }
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
