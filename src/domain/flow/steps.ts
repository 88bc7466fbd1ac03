import type { FlowEvent } from './event.ts';
import {
  type FlowState,
  GENERAL,
  generalToast,
  limitProblem,
  OFFLINE,
  to,
  type Transition,
} from './state.ts';

/** What a step does at each event. An event without a row leaves it as it is. */
export type Steps<State extends FlowState> = {
  readonly [Type in FlowEvent['type']]?: (
    state: State,
    event: Extract<FlowEvent, { readonly type: Type }>,
    now: number,
  ) => Transition;
};

/** The rows of a failed call: the step is ready again, and shows the problem. */
export const FAILURES: Steps<
  Extract<FlowState, { at: 'selectRole' | 'setPassword' | 'activation' | 'otp' }>
> = {
  limited: (state, { minutes }) => to({ ...state, step: 'ready', problem: limitProblem(minutes) }),
  offline: (state) => to({ ...state, step: 'ready', problem: OFFLINE }),
  failed: (state) => to({ ...state, step: 'ready', problem: GENERAL }, generalToast),
};
