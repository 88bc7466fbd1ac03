import { isAcademy } from '../people/subtenants.ts';
import { enterOtp } from './enter-otp.ts';
import { EMPTY_SIGN_UP } from './initial-state.ts';
import {
  captchaProblem,
  type Effect,
  type FlowState,
  GENERAL,
  generalToast,
  limitProblem,
  OFFLINE,
  type Problem,
  refusedField,
  to,
  type Transition,
} from './state.ts';
import type { SignUpData, SignUpRequest } from './terms.ts';
import type { FlowEvent } from './event.ts';
import type { Steps } from './steps.ts';

type SignUp = Extract<FlowState, { at: 'signUp' }>;

/** Milliseconds that the field of a known address shows its message, before the page moves on. */
const MAPPED_MS = 1000;
const EMAIL_IN_USE: Problem = { where: 'field', field: 'email', say: { key: 'emailInUse' } };

function sendOtp(userId: number): Effect {
  return { do: 'sendOtp', userId, otpType: 'USER_ACTIVATION' };
}

/** Reduces sign-up: create, save the survey, send a code (SUP-15 to SUP-21). */
export const AT_SIGN_UP: Steps<SignUp> = {
  signUpSubmitted: (state, { request }) =>
    state.step === 'ready'
      ? // Each submit is a new attempt: "Try again" must never send a code for an earlier one.
        to({ ...EMPTY_SIGN_UP, step: 'creating', request }, { do: 'createUser', request })
      : to(state),
  userCreated: afterCreation,
  emailInUse: () => to({ ...EMPTY_SIGN_UP, problem: EMAIL_IN_USE }),
  fieldRefused: (_state, event) => to({ ...EMPTY_SIGN_UP, problem: refusedField(event) }),
  paused: (state) =>
    state.step === 'leaving'
      ? to(
          { at: 'done', message: 'created', isKnown: true },
          { do: 'toast', tone: 'warning', say: { key: 'emailInUse' } },
          { do: 'show', screen: 'congratulation' },
        )
      : to(state),
  sendOtpAgain: (state) =>
    state.account && state.step === 'ready'
      ? to({ ...state, step: 'sendingOtp', problem: null }, sendOtp(state.account.userId))
      : to(state),
  otpSent: ({ data }, { otp }, now) => enterOtp(otp, now, data),
  limited: (state, { minutes }) => refuse(state, limitProblem(minutes)),
  captchaFailed: (state, { text }) => refuse(state, captchaProblem(text)),
  offline: (state) => refuse(state, OFFLINE),
  sessionEnded: fail,
  failed: fail,
};

function refuse(state: SignUp, problem: Problem, ...effects: Effect[]): Transition {
  return to({ ...state, step: 'ready', request: null, problem }, ...effects);
}

/** Once the account exists only the sending can be repeated. */
function fail(state: SignUp): Transition {
  return refuse(
    state,
    { where: 'form', say: { key: 'general' }, canRetry: state.account !== null },
    generalToast,
  );
}

function withoutPassword(request: SignUpRequest): SignUpData {
  const { password: _password, ...data } = request;
  return data;
}

function afterCreation(
  state: SignUp,
  { account, mode }: Extract<FlowEvent, { type: 'userCreated' }>,
): Transition {
  const { request } = state;
  if (!request) return to({ ...state, step: 'ready', problem: GENERAL });
  if (mode === 'ACTIVATE_USER') return to({ ...EMPTY_SIGN_UP, problem: EMAIL_IN_USE });

  const survey: Effect[] =
    request.survey.length > 0
      ? [{ do: 'saveSurvey', userId: account.userId, answers: request.survey }]
      : [];
  if (mode === 'VERIFY_OTP') {
    return to(
      { ...state, step: 'sendingOtp', request: null, account, data: withoutPassword(request) },
      ...survey,
      sendOtp(account.userId),
    );
  }
  // ROLE_MAPPED: the academy continues to congratulation (the server has queued the lead); elsewhere the address is in
  // use.
  if (!isAcademy(request.subtenantId)) return to({ ...EMPTY_SIGN_UP, problem: EMAIL_IN_USE });
  return to({ ...EMPTY_SIGN_UP, step: 'leaving', problem: EMAIL_IN_USE }, ...survey, {
    do: 'pause',
    ms: MAPPED_MS,
  });
}
