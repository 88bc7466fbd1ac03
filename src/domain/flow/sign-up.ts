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

type SignUp = Extract<FlowState, { at: 'signUp' }>;

/** Milliseconds that the field of a known address shows its message, before the page moves on. */
const MAPPED_MS = 1000;
const EMAIL_IN_USE: Problem = { where: 'field', field: 'email', say: { key: 'emailInUse' } };

function sendOtp(userId: number): Effect {
  return { do: 'sendOtp', userId, otpType: 'USER_ACTIVATION' };
}

/** Reduces sign-up: create, save the survey, send a code (SUP-15 to SUP-21). */
export function reduceSignUp(state: SignUp, event: FlowEvent, now: number): Transition {
  switch (event.type) {
    case 'signUpSubmitted':
      if (state.step !== 'ready') return to(state);
      return to(
        // Each submit is a new attempt: "Try again" must never send a code for an earlier one.
        { ...EMPTY_SIGN_UP, step: 'creating', request: event.request },
        { do: 'createUser', request: event.request },
      );
    case 'userCreated':
      return afterCreation(state, event);
    case 'emailInUse':
      return to({ ...EMPTY_SIGN_UP, problem: EMAIL_IN_USE });
    case 'fieldRefused':
      return to({ ...EMPTY_SIGN_UP, problem: refusedField(event) });
    case 'paused':
      if (state.step !== 'leaving') return to(state);
      return to(
        { at: 'done', message: 'created', isKnown: true },
        { do: 'toast', tone: 'warning', say: { key: 'emailInUse' } },
        { do: 'show', screen: 'congratulation' },
      );
    case 'sendOtpAgain':
      if (!state.account || state.step !== 'ready') return to(state);
      return to({ ...state, step: 'sendingOtp', problem: null }, sendOtp(state.account.userId));
    case 'otpSent':
      return enterOtp(event.otp, now, state.data);
    case 'limited':
      return to({ ...state, step: 'ready', request: null, problem: limitProblem(event.minutes) });
    case 'captchaFailed':
      return to({ ...state, step: 'ready', request: null, problem: captchaProblem(event.text) });
    case 'offline':
      return to({ ...state, step: 'ready', request: null, problem: OFFLINE });
    case 'sessionEnded':
    case 'failed':
      return to(
        {
          ...state,
          step: 'ready',
          request: null,
          // Once the account exists only the sending can be repeated.
          problem: { where: 'form', say: { key: 'general' }, canRetry: state.account !== null },
        },
        generalToast,
      );
    default:
      return to(state);
  }
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
