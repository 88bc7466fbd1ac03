import { carriesCredential, type Entrance, routeAfterLogin } from '../people/role-routing.ts';
import type { Login } from './visit.ts';
import {
  type Effect,
  type FlowState,
  GENERAL,
  generalToast,
  limitProblem,
  type Problem,
  to,
  type Transition,
} from './state.ts';
import type { Say } from './terms.ts';
import type { Steps } from './steps.ts';
import { enterOtp } from './enter-otp.ts';
import { redirectState } from './initial-state.ts';

type Redirect = Extract<FlowState, { at: 'redirect' }>;

const VALIDATE_SESSION_STEP = 2;
const MULTI_ROLE_STEP = 3;
const LAST_STEP = 4;

/** Nothing failed, so that it can be tried at once. */
const TOO_SLOW: Problem = { where: 'form', say: { key: 'tooSlow' }, canRetry: true };

const pause: Effect = { do: 'pause', ms: 'stepGap' };

/** Opens the processing screen (SIN-08, OTP-08). */
export function openRedirect(
  from: Pick<Redirect, 'entrance' | 'email' | 'isOtpVerified'> & { loginTicket: string | null },
): Transition {
  const { loginTicket, ...rest } = from;
  return to(
    { ...redirectState(rest), loginTicket },
    { do: 'show', screen: 'redirect', entrance: from.entrance },
    { do: 'checkSession', loginTicket },
    pause,
  );
}

/** Reduces the redirect flow: check the session, send a code or record the login, then route by role (RED-01..11). */
export const AT_REDIRECT: Steps<Redirect> = {
  redirectOpened: (_state, event) =>
    to(redirectState(event), { do: 'checkSession', loginTicket: null }, pause),
  // After a failure no check runs: the progress stays where it is.
  paused: (state) =>
    state.problem ? to({ ...state, isPaused: false }) : advance({ ...state, isPaused: false }),
  sessionFound: (state, { answer }) =>
    settle({ ...state, session: answer }, { do: 'recordLogin', answer }),
  loginRequired(state, { help }) {
    if (state.isOtpVerified) return to({ ...state, problem: { where: 'privacy', help } });
    return askForOtp(state.loginTicket ? { ...state, unseen: help } : state);
  },
  checkTimedOut: afterTimeout,
  otpStepRequired: askForOtp,
  noPendingSignIn: afterNoSignIn,
  userLoaded: (state, { userId, sendOn }) =>
    to(state, { do: 'sendOtp', userId, otpType: 'TWOFACTORAUTHENTICATION', sendOn }),
  otpSent: (_state, { otp }, now) => enterOtp(otp, now),
  loginRecorded: (state, { login, isForClient = false, nextPage = null, offersKey = false }) =>
    settle({ ...state, login, isForClient, nextPage, offersKey }),
  interactionOver: () => to({ at: 'idle' }, { do: 'show', screen: 'interactionOver' }),
  handoffIssued: (_state, { url }) => to({ at: 'left' }, { do: 'leave', url }),
  passwordWanted: () => to({ at: 'idle' }, { do: 'show', screen: 'appPassword' }),
  handoffRefused: (state, { say }) => to({ ...state, problem: failure(say) }),
  limited: (state, { minutes }) => to({ ...state, problem: limitProblem(minutes) }),
  sessionEnded: ({ entrance }) => to({ at: 'idle' }, { do: 'signInAgain', entrance }),
  offline: (state) => to({ ...state, problem: { where: 'offline', canRetry: false } }),
  failed,
};

/**
 * The password was right, yet no session is visible: the browser blocks the hosted login's cookies in its frame
 * (RED-05).
 */
function afterNoSignIn(state: Redirect): Transition {
  const { unseen, entrance } = state;
  const rest = { ...state, isSendingOtp: false };
  if (unseen) return to({ ...rest, problem: { where: 'privacy', help: unseen } });
  if (state.hasTimedOut) return checkAgain(rest);
  return to({ at: 'idle' }, { do: 'show', screen: 'signIn', entrance });
}

function failed(state: Redirect): Transition {
  return to({ ...state, problem: { ...GENERAL, canRetry: true } as Problem }, generalToast);
}

/** A slow answer is no failure: before the code, the code is the next step if the server knows the sign-in by then. */
function afterTimeout(state: Redirect): Transition {
  const late = { ...state, hasTimedOut: true };
  return state.isOtpVerified ? checkAgain(late) : askForOtp(late);
}

/** Repeats the session check once: the request itself may have been late on the line. */
function checkAgain(state: Redirect): Transition {
  const { isRepeated, loginTicket = null } = state;
  if (isRepeated) return to({ ...state, problem: { ...TOO_SLOW } });
  return to({ ...state, isRepeated: true }, { do: 'checkSession', loginTicket });
}

function failure(say: Say): Problem {
  return { where: 'form', say, canRetry: false };
}

/** Fetches the user's details, then sends the two-factor code (RED-03). */
function askForOtp(state: Redirect): Transition {
  if (state.isSendingOtp) return to(state);
  return to({ ...state, isSendingOtp: true }, { do: 'loadUser', email: state.email });
}

/** Returns the last step that the known data allows. */
function allowedStep(state: Redirect): number {
  if (state.login) return LAST_STEP;
  return state.session ? MULTI_ROLE_STEP : VALIDATE_SESSION_STEP;
}

/** Stores a result: if the progress was waiting for it, it continues. */
function settle(state: Redirect, ...effects: Effect[]): Transition {
  if (state.isPaused) return to(state, ...effects);
  const { state: next, effects: more } = advance(state);
  return to(next, ...effects, ...more);
}

function advance(state: Redirect): Transition {
  if (state.shown === LAST_STEP && state.login) return route(state, state.login);
  if (state.shown >= allowedStep(state)) return to(state);
  return to({ ...state, shown: state.shown + 1, isPaused: true }, pause);
}

function route(state: Redirect, login: Login): Transition {
  const { entrance } = state;
  // The page leads back to the processing screen, which then hands over.
  if (state.offersKey) return to({ at: 'idle' }, { do: 'show', screen: 'keyOffer', entrance });
  if (state.isForClient) return to({ ...state, isPaused: true }, { do: 'continueToClient' });
  if (state.nextPage) return to({ at: 'left' }, { do: 'leave', url: state.nextPage });
  const destination = routeAfterLogin(
    login.roles.map((role) => role.roleId),
    entrance,
  );
  switch (destination.kind) {
    case 'module':
      return to({ ...state, isPaused: true }, { do: 'issueHandoff', choice: null, entrance });
    case 'selectRole':
      return to(
        { at: 'selectRole', step: 'ready', login, entrance, problem: null },
        { do: 'show', screen: 'selectRoles' },
      );
    case 'notStaff':
      return to({ ...state, problem: failure({ key: 'notStaff' }) });
    case 'unauthorized':
      return to({ at: 'idle' }, { do: 'show', screen: 'unauthorized' });
  }
}

/** Returns whether any destination could need the encrypted credential; if not, it is deleted at once. */
export function mayNeedCredential(login: Login, entrance: Entrance): boolean {
  const roleIds = login.roles.map((role) => role.roleId);
  const destination = routeAfterLogin(roleIds, entrance);
  if (destination.kind === 'module') return carriesCredential(destination.roleId);
  return destination.kind === 'selectRole';
}
