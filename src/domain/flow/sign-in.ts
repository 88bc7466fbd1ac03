import { openRedirect } from './redirect.ts';
import {
  captchaProblem,
  type FlowState,
  GENERAL,
  generalToast,
  limitProblem,
  OFFLINE,
  to,
  type Transition,
} from './state.ts';
import type { FlowEvent } from './event.ts';

type SignIn = Extract<FlowState, { at: 'signIn' }>;

/** Reduces sign-in: whether the user exists, whether the password is right, then the redirect screen (SIN-06..08). */
export function reduceSignIn(state: SignIn, event: FlowEvent): Transition {
  switch (event.type) {
    case 'signInSubmitted': {
      if (state.step !== 'ready') return to(state);
      const { email, password, entrance } = event;
      return to(
        { ...state, step: 'checking', entrance, credentials: { email, password }, problem: null },
        { do: 'checkUser', email },
      );
    }
    case 'userChecked':
      if (!state.credentials || !event.isKnown) return refuse(state);
      return to(
        { ...state, step: 'authenticating' },
        { do: 'authenticate', entrance: state.entrance, ...state.credentials },
      );
    case 'passwordAccepted':
      return openRedirect({
        entrance: state.entrance,
        email: state.credentials?.email ?? null,
        isOtpVerified: false,
        loginTicket: event.loginTicket,
      });
    case 'passwordRefused':
      return refuse(state);
    case 'limited':
      return to({
        ...state,
        step: 'ready',
        credentials: null,
        problem: limitProblem(event.minutes),
      });
    case 'captchaFailed':
      return to({
        ...state,
        step: 'ready',
        credentials: null,
        problem: captchaProblem(event.text),
      });
    case 'offline':
      return to({ ...state, step: 'ready', credentials: null, problem: OFFLINE });
    case 'sessionEnded':
    case 'failed':
      return to({ ...state, step: 'ready', credentials: null, problem: GENERAL }, generalToast);
    default:
      return to(state);
  }
}

/** Refuses an unknown user and a wrong password alike (SIN-06, SIN-07). */
function refuse(state: SignIn): Transition {
  return to({
    ...state,
    step: 'ready',
    credentials: null,
    failures: state.failures + 1,
    problem: { where: 'form', say: { key: 'wrongCredentials' }, canRetry: false },
  });
}
