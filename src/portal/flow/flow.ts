import {
  type Effect,
  type FlowEvent,
  type FlowState,
  GENERAL,
  type Transition,
} from '#domain/flow/state.ts';
import { createStore, type Store } from '../lib/store.ts';

/** What moves the flow: the rules, and the hands that carry out what the rules wish for. */
export type Mover = {
  readonly next: (state: FlowState, event: FlowEvent, now: number) => Transition;
  /** Grants a wish and answers with the fact that came of it, if any. */
  readonly perform: (effect: Effect, state: FlowState) => Promise<FlowEvent | null>;
};

export type Flow = Pick<Store<FlowState>, 'get' | 'getFirst' | 'subscribe'> & {
  /** Tells a fact. The promise ends when everything that the fact set off has come to rest. */
  readonly send: (event: FlowEvent) => Promise<void>;
  /** Starts afresh: answers to older wishes count no more. */
  readonly reset: (state: FlowState) => void;
};

type Input = {
  readonly first: FlowState;
  /** Fetched when something is sent: a page at rest needs only its state. */
  readonly mover: () => Promise<Mover>;
  readonly now: () => number;
};

/** The one runner: the rules decide, the hands do, and what came of it goes back to the rules. */
export function createFlow({ first, mover, now }: Input): Flow {
  const store = createStore(first);
  let epoch = 0;

  async function tell(event: FlowEvent, since: number): Promise<void> {
    const { next, perform } = await mover();
    if (since !== epoch) return;
    const { state, effects } = next(store.get(), event, now());
    if (state !== store.get()) store.set(state);
    const grant = async (effect: Effect) => {
      // One catch for every wish: whatever broke, the visitor is told and may try again.
      const fact = await perform(effect, store.get()).catch((): FlowEvent => ({ type: 'failed' }));
      if (fact) await tell(fact, since);
    };
    await Promise.all(effects.map(grant));
  }

  return {
    get: store.get,
    getFirst: store.getFirst,
    subscribe: store.subscribe,
    async send(event) {
      const since = epoch;
      try {
        await tell(event, since);
      } catch {
        // Not even the rules could be fetched.
        const state = store.get();
        if (since === epoch && 'problem' in state) store.set({ ...state, problem: { ...GENERAL } });
      }
    },
    reset(state) {
      epoch += 1;
      store.set(state);
    },
  };
}
