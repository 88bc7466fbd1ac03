import { activationStep } from '../proofs/activation.ts';
import {
  OTP_MEDIUM,
  type OtpEntryProblem,
  otpEntryProblem,
  RECOVERY_LENGTH,
} from '../proofs/otp.ts';
import type { PendingOtp, ActivationProof } from './visit.ts';
import { otpState, enterOtp, sentToast } from './enter-otp.ts';
import { type Effect, type FlowState, type Problem, to, type Transition } from './state.ts';
import type { FlowEvent, OtpRefusal } from './event.ts';
import { FAILURES, type Steps } from './steps.ts';
import { openRedirect } from './redirect.ts';

type Otp = Extract<FlowState, { at: 'otp' }>;

function otpProblem(key: OtpEntryProblem | OtpRefusal): Problem {
  return { where: 'field', field: 'otp', say: { key } };
}

const SUSPENDED: Problem = { where: 'form', say: { key: 'accountSuspended' }, canRetry: false };
const OTHER_SIGN_IN: Problem = { where: 'form', say: { key: 'otherSignIn' }, canRetry: true };
const TOO_SOON: Problem = { where: 'form', say: { key: 'tooSoon' }, canRetry: false };

/** Reduces code entry: verify, resend, more time, and the step after a right code (OTP-01..11). */
export const AT_OTP: Steps<Otp> = {
  ...FAILURES,
  otpSubmitted: (state, { digits }, now) => submit(state, digits, now),
  otpVerified: afterRightOtp,
  otpRefused: (state, { reason }, now) =>
    to(
      {
        ...state,
        step: 'ready',
        problem: otpProblem(reason),
        deadline: reason === 'otpExpired' || reason === 'otpDead' ? now : state.deadline,
      },
      { do: 'toast', tone: 'warning', say: { key: reason } },
    ),
  accountSuspended: (state) => to({ ...state, step: 'closed', problem: SUSPENDED }),
  otherSignInFound: (state) => to({ ...state, step: 'closed', problem: OTHER_SIGN_IN }),
  resendAsked(state, _event, now) {
    // No new code before the countdown is over (OTP-03). Without JavaScript, its button can be pressed earlier.
    if (state.step === 'ready' && now < state.deadline) return to({ ...state, problem: TOO_SOON });
    return whenReady(state, 'resending', { do: 'resendOtp', otp: state.otp });
  },
  // Offered only when no message is on its way; the server decides on that.
  otherWayAsked: (state, { medium }) =>
    whenReady(state, 'resending', { do: 'resendOtp', otp: { ...state.otp, medium } }),
  resendTooSoon: (state, { waitMs }, now) =>
    to({ ...state, step: 'ready', deadline: now + waitMs, problem: TOO_SOON }),
  otpSent: ({ signUpData, link }, { otp }, now) =>
    to(otpState(otp, now, signUpData, link), ...sentToast(otp)),
  moreTimeAsked: (state) =>
    state.step === 'ready'
      ? to({ ...state, step: 'extending' }, { do: 'extendOtp', otp: state.otp })
      : to(state),
  otpExtended: (state, event, now) => to(extended(state, event, now)),
  callAsked: (state) => whenReady(state, 'calling', { do: 'callOtp', otp: state.otp }),
  otpCalled: (state, event, now) =>
    to({ ...extended(state, event, now), calls: (state.calls ?? 0) + 1 }),
  callRefused: (state, { text }) =>
    to({ ...state, step: 'ready', problem: { where: 'form', say: { text }, canRetry: false } }),
  authUserChecked: afterUserCheck,
  activated: (state, { isByPhone }) => finish(state, isByPhone),
  confirmedElsewhere: (state, { isByPhone }) =>
    state.otp.mode === 'signIn' ? to(state) : finish(state, isByPhone),
  addressGiven: (state, { email, phone }) =>
    state.otp.mode === 'signUp'
      ? whenReady(state, 'moving', { do: 'changeAddress', otp: state.otp, email, phone })
      : to(state),
  addressChanged({ signUpData: data }, { otp, phone }, now) {
    const email = otp.email ?? data?.email ?? '';
    return enterOtp(otp, now, data && { ...data, ...phone, email });
  },
  addressRefused(state, { reason }) {
    const field = reason === 'phoneImpossible' ? 'phone' : 'email';
    const problem = { where: 'field', field, say: { key: reason } } as const;
    return to({ ...state, step: 'ready', problem });
  },
  stepLost(state) {
    const { mode, entrance } = state.otp;
    const fallback = mode === 'signUp' ? 'signUp' : 'signIn';
    return to({ ...state, step: 'ready', problem: null }, { do: 'restart', fallback, entrance });
  },
  sessionEnded: ({ otp }) => to({ at: 'idle' }, { do: 'signInAgain', entrance: otp.entrance }),
  // Only a submit of the form can be repeated by it.
  offline: (state) =>
    to({
      ...state,
      step: 'ready',
      problem: { where: 'offline', canRetry: state.step === 'verifying' },
    }),
};

/** Begins what was asked for, unless something is under way. */
function whenReady(state: Otp, step: Otp['step'], effect: Effect): Transition {
  return state.step === 'ready' ? to({ ...state, step, problem: null }, effect) : to(state);
}

function afterUserCheck(
  state: Otp,
  { isAuthUser }: Extract<FlowEvent, { type: 'authUserChecked' }>,
): Transition {
  const { otp, link } = state;
  const proof = proofOf(otp);
  if (activationStep(isAuthUser, otp.signUpPlatform) === 'setPassword') {
    return to(
      { at: 'setPassword', step: 'ready', proof, ...(link && { link }), problem: null },
      { do: 'show', screen: 'setPassword' },
    );
  }
  return to(
    { ...state, step: 'activating', hasOldPassword: isAuthUser },
    { do: 'activate', proof, password: null },
  );
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
