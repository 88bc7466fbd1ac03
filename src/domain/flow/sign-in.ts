import { openRedirect } from './redirect.ts';
import {
  captchaProblem,
  type FlowState,
  GENERAL,
  generalToast,
  limitProblem,
  OFFLINE,
  type Problem,
  to,
  type Transition,
} from './state.ts';
import type { Steps } from './steps.ts';

type SignIn = Extract<FlowState, { at: 'signIn' }>;

/** Reduces sign-in: whether the user exists, whether the password is right, then the redirect screen (SIN-06..08). */
export const AT_SIGN_IN: Steps<SignIn> = {
  signInSubmitted(state, { email, password, entrance }) {
    if (state.step !== 'ready') return to(state);
    return to(
      { ...state, step: 'checking', entrance, credentials: { email, password }, problem: null },
      { do: 'checkUser', email },
    );
  },
  userChecked(state, { isKnown }) {
    if (!state.credentials || !isKnown) return refuse(state);
    return to(
      { ...state, step: 'authenticating' },
      { do: 'authenticate', entrance: state.entrance, ...state.credentials },
    );
  },
  passwordAccepted: ({ entrance, credentials }, { loginTicket }) =>
    openRedirect({
      entrance,
      email: credentials?.email ?? null,
      isOtpVerified: false,
      loginTicket,
    }),
  passwordRefused: refuse,
  limited: (state, { minutes }) => to(readyWith(state, limitProblem(minutes))),
  captchaFailed: (state, { text }) => to(readyWith(state, captchaProblem(text))),
  offline: (state) => to(readyWith(state, OFFLINE)),
  sessionEnded: fail,
  failed: fail,
};

function readyWith(state: SignIn, problem: Problem): SignIn {
  return { ...state, step: 'ready', credentials: null, problem };
}

function fail(state: SignIn): Transition {
  return to(readyWith(state, GENERAL), generalToast);
}

/** Refuses an unknown user and a wrong password alike (SIN-06, SIN-07). */
function refuse(state: SignIn): Transition {
  const wrong: Problem = { where: 'form', say: { key: 'wrongCredentials' }, canRetry: false };
  return to({ ...readyWith(state, wrong), failures: state.failures + 1 });
}
