import type { FlowEvent } from './event.ts';
import { type FlowState, to, type Transition } from './state.ts';

/** What a step does at each event. An event without a row leaves it as it is. */
export type Steps<State extends FlowState> = {
  readonly [Type in FlowEvent['type']]?: (
    state: State,
    event: Extract<FlowEvent, { readonly type: Type }>,
    now: number,
  ) => Transition;
};

/** Returns the transition of an event by the rows of its step. */
export function reduceBy<State extends FlowState>(
  steps: Steps<State>,
  state: State,
  event: FlowEvent,
  now: number,
): Transition {
  type Step = (state: State, event: FlowEvent, now: number) => Transition;
  const step = steps[event.type] as Step | undefined;
  return step ? step(state, event, now) : to(state);
}
