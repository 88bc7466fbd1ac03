import { activationStep } from '../proofs/activation.ts';
import { OTP_MEDIUM, otpEntryProblem, RECOVERY_LENGTH } from '../proofs/otp.ts';
import type { PendingOtp, ActivationProof } from './visit.ts';
import { otpState, enterOtp, sentToast } from './enter-otp.ts';
import {
  type FlowState,
  GENERAL,
  generalToast,
  limitProblem,
  type Problem,
  to,
  type Transition,
} from './state.ts';
import type { FlowEvent } from './event.ts';
import { openRedirect } from './redirect.ts';

type Otp = Extract<FlowState, { at: 'otp' }>;

const otpProblem = (
  key: 'otpRequired' | 'otpInvalid' | 'otpWrong' | 'otpExpired' | 'otpDead',
): Problem => ({
  where: 'field',
  field: 'otp',
  say: { key },
});

const SUSPENDED: Problem = { where: 'form', say: { key: 'accountSuspended' }, canRetry: false };
const OTHER_SIGN_IN: Problem = { where: 'form', say: { key: 'otherSignIn' }, canRetry: true };
const TOO_SOON: Problem = { where: 'form', say: { key: 'tooSoon' }, canRetry: false };

/** Reduces code entry: verify, resend, more time, and the step after a right code (OTP-01..11). */
export function reduceOtp(state: Otp, event: FlowEvent, now: number): Transition {
  switch (event.type) {
    case 'otpSubmitted':
      return submit(state, event.digits, now);
    case 'otpVerified':
      return afterRightOtp(state);
    case 'otpRefused': {
      const problem = otpProblem(event.reason);
      const deadline = event.reason === 'otpWrong' ? state.deadline : now;
      return to(
        { ...state, step: 'ready', problem, deadline },
        { do: 'toast', tone: 'warning', say: { key: event.reason } },
      );
    }
    case 'accountSuspended':
      return to({ ...state, step: 'closed', problem: SUSPENDED });
    case 'otherSignInFound':
      return to({ ...state, step: 'closed', problem: OTHER_SIGN_IN });
    case 'resendAsked':
      if (state.step !== 'ready') return to(state);
      // No new code before the countdown is over (OTP-03). Without JavaScript, its button can be pressed earlier.
      if (now < state.deadline) return to({ ...state, problem: TOO_SOON });
      return to(
        { ...state, step: 'resending', problem: null },
        { do: 'resendOtp', otp: state.otp },
      );
    case 'otherWayAsked':
      // Offered only when no message is on its way; the server decides on that.
      if (state.step !== 'ready') return to(state);
      return to(
        { ...state, step: 'resending', problem: null },
        { do: 'resendOtp', otp: { ...state.otp, medium: event.medium } },
      );
    case 'resendTooSoon':
      return to({
        ...state,
        step: 'ready',
        deadline: now + event.waitMs,
        problem: TOO_SOON,
      });
    case 'otpSent':
      return to(otpState(event.otp, now, state.signUpData, state.link), ...sentToast(event.otp));
    case 'moreTimeAsked':
      if (state.step !== 'ready') return to(state);
      return to({ ...state, step: 'extending' }, { do: 'extendOtp', otp: state.otp });
    case 'otpExtended':
      return to(extended(state, event, now));
    case 'callAsked':
      if (state.step !== 'ready') return to(state);
      return to({ ...state, step: 'calling', problem: null }, { do: 'callOtp', otp: state.otp });
    case 'otpCalled':
      return to({ ...extended(state, event, now), calls: (state.calls ?? 0) + 1 });
    case 'callRefused': {
      const problem = { where: 'form', say: { text: event.text }, canRetry: false } as const;
      return to({ ...state, step: 'ready', problem });
    }
    case 'authUserChecked': {
      const step = activationStep(event.isAuthUser, state.otp.signUpPlatform);
      const proof = proofOf(state.otp);
      if (step === 'setPassword') {
        return to(
          {
            at: 'setPassword',
            step: 'ready',
            proof,
            ...(state.link && { link: state.link }),
            problem: null,
          },
          { do: 'show', screen: 'setPassword' },
        );
      }
      return to(
        { ...state, step: 'activating', hasOldPassword: event.isAuthUser },
        { do: 'activate', proof, password: null },
      );
    }
    case 'activated':
      return finish(state, event.isByPhone);
    case 'confirmedElsewhere':
      return state.otp.mode === 'signIn' ? to(state) : finish(state, event.isByPhone);
    case 'addressGiven':
      if (state.step !== 'ready' || state.otp.mode !== 'signUp') return to(state);
      return to(
        { ...state, step: 'moving', problem: null },
        { do: 'changeAddress', otp: state.otp, email: event.email, phone: event.phone },
      );
    case 'addressChanged': {
      const { otp, phone } = event;
      const data = state.signUpData;
      const email = otp.email ?? data?.email ?? '';
      return enterOtp(otp, now, data && { ...data, ...phone, email });
    }
    case 'addressRefused': {
      const field = event.reason === 'phoneImpossible' ? 'phone' : 'email';
      const problem = { where: 'field', field, say: { key: event.reason } } as const;
      return to({ ...state, step: 'ready', problem });
    }
    case 'stepLost':
      return to(
        { ...state, step: 'ready', problem: null },
        {
          do: 'restart',
          fallback: state.otp.mode === 'signUp' ? 'signUp' : 'signIn',
          entrance: state.otp.entrance,
        },
      );
    case 'limited':
      return to({ ...state, step: 'ready', problem: limitProblem(event.minutes) });
    case 'sessionEnded':
      return to({ at: 'idle' }, { do: 'signInAgain', entrance: state.otp.entrance });
    case 'offline': {
      // Only a submit of the form can be repeated by it.
      const canRetry = state.step === 'verifying';
      return to({ ...state, step: 'ready', problem: { where: 'offline', canRetry } });
    }
    case 'failed':
      return to({ ...state, step: 'ready', problem: GENERAL }, generalToast);
    default:
      return to(state);
  }
}

function extended(
  state: Otp,
  { remainingMs, canExtend }: { readonly remainingMs: number; readonly canExtend: boolean },
  now: number,
): Otp {
  const otp = { ...state.otp, remainingMs, canExtend };
  return { ...state, step: 'ready', otp, deadline: now + remainingMs };
}

function submit(state: Otp, digits: string, now: number): Transition {
  if (state.step !== 'ready') return to(state);
  const isRecovery = state.otp.medium === OTP_MEDIUM.app && digits.length === RECOVERY_LENGTH;
  const wrong = isRecovery ? null : otpEntryProblem(digits);
  if (wrong) return to({ ...state, problem: otpProblem(wrong) });
  if (now >= state.deadline) {
    return to(
      { ...state, problem: otpProblem('otpExpired') },
      { do: 'toast', tone: 'warning', say: { key: 'otpExpired' } },
    );
  }
  return to(
    { ...state, step: 'verifying', problem: null },
    { do: 'verifyOtp', otp: state.otp, digits },
  );
}

function finish(state: Otp, isByPhone = false): Transition {
  const fresh = state.otp.mode === 'signUp' ? 'created' : 'activated';
  const message = state.hasOldPassword ? 'oldPassword' : fresh;
  return to(
    { at: 'done', message, ...(isByPhone && { isByPhone }) },
    { do: 'toast', tone: 'success', say: message },
    { do: 'show', screen: 'congratulation' },
  );
}

function afterRightOtp(state: Otp): Transition {
  if (state.otp.mode === 'signIn') {
    const { email, entrance } = state.otp;
    return openRedirect({ email, entrance, isOtpVerified: true, loginTicket: null });
  }
  return to(
    { ...state, step: 'activating' },
    { do: 'checkAuthUser', email: state.otp.email ?? state.otp.sentTo.email },
  );
}

function proofOf(otp: PendingOtp): ActivationProof {
  const { id: otpId, userId, registrationId, signUpPlatform, email } = otp;
  return { otpId, userId, registrationId, signUpPlatform, email };
}
