import type { Entrance } from '../people/role-routing.ts';
import type { ScreenName } from './screens.ts';
import type { SignInStage, VisitState } from './visit.ts';
import { otpState } from './enter-otp.ts';
import type { FlowState } from './state.ts';

type At<Name extends FlowState['at']> = Extract<FlowState, { at: Name }>;

/*
 * Where the steps begin. Apart from what happens in them: a page needs its first state at once, and the rest only when
 * somebody does something.
 */

export const EMPTY_SIGN_IN: At<'signIn'> = {
  at: 'signIn',
  step: 'ready',
  entrance: 'portal',
  credentials: null,
  failures: 0,
  problem: null,
};

export const EMPTY_SIGN_UP: At<'signUp'> = {
  at: 'signUp',
  step: 'ready',
  request: null,
  account: null,
  data: null,
  problem: null,
};

/** Returns the state of the processing screen at its start. */
export function redirectState(
  from: Pick<At<'redirect'>, 'entrance' | 'email' | 'isOtpVerified'>,
): At<'redirect'> {
  const { entrance, email, isOtpVerified } = from;
  return {
    at: 'redirect',
    entrance,
    email,
    isOtpVerified,
    shown: 0,
    isPaused: true,
    session: null,
    login: null,
    isForClient: false,
    nextPage: null,
    isSendingOtp: false,
    problem: null,
  };
}

const IDLE: At<'idle'> = { at: 'idle' };
const OTP_VERIFIED = new Set<SignInStage | undefined>(['verified', 'complete']);

/** Returns the first state of a screen from the server's data: reload, Back and a second tab work by this rule. */
export function stateFor(
  screen: ScreenName,
  entrance: Entrance,
  visit: VisitState,
  now: number,
): FlowState {
  const { code, signIn, proof, login } = visit;
  switch (screen) {
    case 'signIn':
    case 'clientSignIn':
      return { ...EMPTY_SIGN_IN, entrance };
    case 'signUp':
      return EMPTY_SIGN_UP;
    case 'verifyOtp':
      return code ? otpState(code, now) : IDLE;
    case 'redirect':
      return redirectState({
        entrance,
        email: signIn?.email ?? null,
        isOtpVerified: OTP_VERIFIED.has(signIn?.stage),
      });
    case 'setPassword':
      return proof ? { at: 'setPassword', step: 'ready', proof, problem: null } : IDLE;
    case 'selectRoles':
      return login ? { at: 'selectRole', step: 'ready', login, entrance, problem: null } : IDLE;
    default:
      return IDLE;
  }
}
