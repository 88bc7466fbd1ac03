import { enterCode } from './enter-code.ts';
import {
  type FlowEvent,
  type FlowState,
  type FollowedLink,
  GENERAL,
  generalToast,
  limitProblem,
  to,
  type Transition,
} from './state.ts';

type Activation = Extract<FlowState, { at: 'activation' }>;

export function activationState(link: FollowedLink): Activation {
  return { at: 'activation', step: 'ready', link, problem: null };
}

/** A followed activation link: nothing is sent before the visitor asks for it (ACT-03). */
export function nextInActivation(state: Activation, event: FlowEvent, now: number): Transition {
  switch (event.type) {
    case 'linkCodeAsked':
      if (state.step !== 'ready') return to(state);
      return to(
        { ...state, step: 'sendingCode', problem: null },
        { do: 'sendCode', userId: state.link.userId, otpType: 'USER_ACTIVATION' },
      );
    case 'codeSent':
      return enterCode(event.code, now);
    case 'limited':
      return to({ ...state, step: 'ready', problem: limitProblem(event.minutes) });
    case 'failed':
    case 'sessionEnded':
      return to({ ...state, step: 'ready', problem: GENERAL }, generalToast);
    default:
      return to(state);
  }
}
