import { activationState, reduceActivation } from './flow/activation.ts';
import { reduceOtp } from './flow/otp.ts';
import { redirectState } from './flow/initial-state.ts';
import { reduceRedirect } from './flow/redirect.ts';
import { reduceSignIn } from './flow/sign-in.ts';
import { reduceSignUp } from './flow/sign-up.ts';
import { type FlowState, to, type Transition } from './flow/state.ts';
import type { FlowEvent } from './flow/event.ts';
import { reduceSetPassword } from './flow/set-password.ts';
import { reduceSelectRole } from './flow/select-role.ts';

/**
 * Reduces the whole journey: returns the next state and the effects of an event. It is pure. `now` is any monotonic
 * clock in milliseconds, the same one at every call.
 */
export function reduce(state: FlowState, event: FlowEvent, now: number): Transition {
  if (event.type === 'redirectOpened') return reduceRedirect(redirectState(event), event, now);
  if (event.type === 'linkFollowed') return to(activationState(event.link));
  switch (state.at) {
    case 'signUp':
      return reduceSignUp(state, event, now);
    case 'otp':
      return reduceOtp(state, event, now);
    case 'signIn':
      return reduceSignIn(state, event);
    case 'redirect':
      return reduceRedirect(state, event, now);
    case 'selectRole':
      return reduceSelectRole(state, event);
    case 'activation':
      return reduceActivation(state, event, now);
    case 'setPassword':
      return reduceSetPassword(state, event);
    case 'idle':
    case 'done':
    case 'left':
      return to(state);
  }
}
