import { next } from '#domain/flow.ts';
import type { Effect, FlowEvent, FlowState } from '#domain/flow/state.ts';
import { createStore, type Store } from '../lib/store.ts';

/** Grants a wish and answers with the fact that came of it, if any. */
export type Perform = (effect: Effect, state: FlowState) => Promise<FlowEvent | null>;

export type Flow = Pick<Store<FlowState>, 'get' | 'getFirst' | 'subscribe'> & {
  /** Tells a fact. The promise ends when everything that the fact set off has come to rest. */
  readonly send: (event: FlowEvent) => Promise<void>;
  /** Starts afresh: answers to older wishes count no more. */
  readonly reset: (state: FlowState) => void;
};

/** The one runner: `next` decides, this grants the wishes and feeds the facts back. */
export function createFlow(first: FlowState, perform: Perform, now: () => number): Flow {
  const store = createStore(first);
  let epoch = 0;

  const tell = async (event: FlowEvent, since: number): Promise<void> => {
    if (since !== epoch) return;
    const { state, effects } = next(store.get(), event, now());
    if (state !== store.get()) store.set(state);
    await Promise.all(effects.map((effect) => grant(effect, since)));
  };

  const grant = async (effect: Effect, since: number): Promise<void> => {
    // One catch for every wish: whatever broke, the visitor is told and may try again.
    const event = await perform(effect, store.get()).catch((): FlowEvent => ({ type: 'failed' }));
    if (event) await tell(event, since);
  };

  return {
    get: store.get,
    getFirst: store.getFirst,
    subscribe: store.subscribe,
    send: (event) => tell(event, epoch),
    reset: (state) => {
      epoch += 1;
      store.set(state);
    },
  };
}
