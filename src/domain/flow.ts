import { activationState, nextInActivation } from './flow/activation.ts';
import { nextInCode } from './flow/otp.ts';
import { redirectState } from './flow/initial-state.ts';
import { nextInRedirect } from './flow/redirect.ts';
import { nextInSignIn } from './flow/sign-in.ts';
import { nextInSignUp } from './flow/sign-up.ts';
import { type FlowEvent, type FlowState, to, type Transition } from './flow/state.ts';
import { nextInSetPassword } from './flow/set-password.ts';
import { nextInSwitcher } from './flow/select-role.ts';

/**
 * The whole journey as one pure function: a fact comes in, the next state and the wishes go out.
 * `now` is any steady clock in milliseconds, the same one at every call.
 */
export function next(state: FlowState, event: FlowEvent, now: number): Transition {
  if (event.type === 'redirectOpened') return nextInRedirect(redirectState(event), event, now);
  if (event.type === 'linkFollowed') return to(activationState(event.link));
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
    case 'activation':
      return nextInActivation(state, event, now);
    case 'setPassword':
      return nextInSetPassword(state, event);
    case 'idle':
    case 'done':
    case 'left':
      return to(state);
  }
}
