import { activationState, AT_ACTIVATION } from './activation.ts';
import { AT_OTP } from './otp.ts';
import { redirectState } from './initial-state.ts';
import { AT_REDIRECT } from './redirect.ts';
import { AT_SIGN_IN } from './sign-in.ts';
import { AT_SIGN_UP } from './sign-up.ts';
import { type FlowState, to, type Transition } from './state.ts';
import type { FlowEvent } from './event.ts';
import { AT_SET_PASSWORD } from './set-password.ts';
import { AT_SELECT_ROLE } from './select-role.ts';
import type { Steps } from './steps.ts';

const STEPS: { readonly [At in FlowState['at']]: Steps<Extract<FlowState, { at: At }>> } = {
  signUp: AT_SIGN_UP,
  otp: AT_OTP,
  signIn: AT_SIGN_IN,
  redirect: AT_REDIRECT,
  selectRole: AT_SELECT_ROLE,
  activation: AT_ACTIVATION,
  setPassword: AT_SET_PASSWORD,
  idle: {},
  done: {},
  left: {},
};

type Step = (state: FlowState, event: FlowEvent, now: number) => Transition;

/**
 * Reduces the whole journey: returns the next state and the effects of an event. It is pure. `now` is any monotonic
 * clock in milliseconds, the same one at every call.
 */
export function reduce(given: FlowState, event: FlowEvent, now: number): Transition {
  if (event.type === 'linkFollowed') return to(activationState(event.link));
  const state = event.type === 'redirectOpened' ? redirectState(event) : given;
  const step = STEPS[state.at][event.type] as Step | undefined;
  return step ? step(state, event, now) : to(state);
}
