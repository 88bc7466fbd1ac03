import { activationState, reduceActivation } from './activation.ts';
import { reduceOtp } from './otp.ts';
import { redirectState } from './initial-state.ts';
import { reduceRedirect } from './redirect.ts';
import { reduceSignIn } from './sign-in.ts';
import { reduceSignUp } from './sign-up.ts';
import { type FlowState, to, type Transition } from './state.ts';
import type { FlowEvent } from './event.ts';
import { reduceSetPassword } from './set-password.ts';
import { reduceSelectRole } from './select-role.ts';

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
      return reduceSignIn(state, event, now);
    case 'redirect':
      return reduceRedirect(state, event, now);
    case 'selectRole':
      return reduceSelectRole(state, event, now);
    case 'activation':
      return reduceActivation(state, event, now);
    case 'setPassword':
      return reduceSetPassword(state, event, now);
    case 'idle':
    case 'done':
    case 'left':
      return to(state);
  }
}
