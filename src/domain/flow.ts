import { nextInCode } from './flow/code.ts';
import { codeState } from './flow/enter-code.ts';
import { nextInRedirect, redirectState } from './flow/redirect.ts';
import { EMPTY_SIGN_IN, nextInSignIn } from './flow/sign-in.ts';
import { EMPTY_SIGN_UP, nextInSignUp } from './flow/sign-up.ts';
import { type FlowEvent, type FlowState, to, type Transition } from './flow/state.ts';
import { nextInSwitcher } from './flow/switcher.ts';
import type { Entrance } from './role-routing.ts';
import type { ScreenName } from './screens.ts';
import type { VisitState } from './visit.ts';

/**
 * The whole journey as one pure function: a fact comes in, the next state and the wishes go out.
 * `now` is any steady clock in milliseconds, the same one at every call.
 */
export function next(state: FlowState, event: FlowEvent, now: number): Transition {
  if (event.type === 'redirectOpened') return nextInRedirect(redirectState(event), event, now);
  switch (state.at) {
    case 'signUp':
      return nextInSignUp(state, event, now);
    case 'code':
      return nextInCode(state, event, now);
    case 'signIn':
      return nextInSignIn(state, event);
    case 'redirect':
      return nextInRedirect(state, event, now);
    case 'switcher':
      return nextInSwitcher(state, event);
    case 'idle':
    case 'done':
    case 'left':
      return to(state);
  }
}

/** The state a screen starts in, drawn from what the server knows: reload, Back and a second tab work by this rule. */
export function stateFor(
  screen: ScreenName,
  entrance: Entrance,
  visit: VisitState,
  now: number,
): FlowState {
  switch (screen) {
    case 'signIn':
      return { ...EMPTY_SIGN_IN, entrance };
    case 'signUp':
      return EMPTY_SIGN_UP;
    case 'verifyOtp':
      return visit.code ? codeState(visit.code, now) : { at: 'idle' };
    case 'redirect':
      return redirectState({
        entrance,
        email: visit.signIn?.email ?? null,
        isOtpVerified: visit.signIn?.stage === 'verified' || visit.signIn?.stage === 'complete',
      });
    case 'selectRoles':
      return visit.login
        ? { at: 'switcher', step: 'ready', login: visit.login, entrance, problem: null }
        : { at: 'idle' };
    default:
      return { at: 'idle' };
  }
}
