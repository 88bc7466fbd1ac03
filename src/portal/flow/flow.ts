import {
  type Effect,
  type FlowState,
  GENERAL,
  OFFLINE,
  type Transition,
} from '#domain/flow/state.ts';
import type { FlowEvent } from '#domain/flow/event.ts';
import { ScriptMissing } from '../lib/lazily.ts';
import { failedOffline } from '../lib/online.ts';
import { createStore, type Store } from '../lib/store.ts';
import { dismissToast } from '../ui/toast.ts';

/** The reducer, which decides, and the handler of its effects. */
export type Runner = {
  readonly reduce: (state: FlowState, event: FlowEvent, now: number) => Transition;
  /**
   * Runs an effect.
   * @returns the event that results, if any
   */
  readonly run: (effect: Effect, state: FlowState) => Promise<FlowEvent | null>;
};

export type Flow = Pick<Store<FlowState>, 'get' | 'getFirst' | 'subscribe'> & {
  /**
   * Dispatches an event. The promise resolves when its effects, and the events that these cause, are done.
   * @throws ScriptMissing when a script did not load: the caller sends its form to the server
   */
  readonly send: (event: FlowEvent) => Promise<void>;
  /** Replaces the state. Results of running effects are dropped. */
  readonly reset: (state: FlowState) => void;
};

type Input = {
  readonly first: FlowState;
  /** Loads the runner at the first event: until then a page needs only its state. */
  readonly loadRunner: () => Promise<Runner>;
  readonly now: () => number;
};

/**
 * Creates the flow: each event goes through the reducer, its effects run, and their results are dispatched as events.
 */
export function createFlow({ first, loadRunner, now }: Input): Flow {
  const store = createStore(first);
  let epoch = 0;

  async function dispatch(event: FlowEvent, since: number): Promise<void> {
    const { reduce, run } = await loadRunner();
    if (since !== epoch) return;
    const { state, effects } = reduce(store.get(), event, now());
    if (state !== store.get()) store.set(state);
    const runEffect = async (effect: Effect) => {
      // One catch for all effects: after any error, the visitor gets a message and may try again.
      const result = await run(effect, store.get()).catch((error: unknown): FlowEvent => {
        if (failedOffline()) return { type: 'offline' };
        if (error instanceof ScriptMissing) throw error;
        return { type: 'failed' };
      });
      if (result) await dispatch(result, since);
    };
    await Promise.all(effects.map(runEffect));
  }

  return {
    get: store.get,
    getFirst: store.getFirst,
    subscribe: store.subscribe,
    async send(event) {
      // A new try closes the message of the earlier one.
      dismissToast();
      const since = epoch;
      try {
        await dispatch(event, since);
      } catch (error) {
        // A reset has dropped this request.
        if (since !== epoch) return;
        if (error instanceof ScriptMissing && !failedOffline()) {
          // The server handles it: results of running effects are dropped.
          epoch += 1;
          throw error;
        }
        const state = store.get();
        const problem = failedOffline() ? OFFLINE : GENERAL;
        if ('problem' in state) store.set({ ...state, problem: { ...problem } });
      }
    },
    reset(state) {
      epoch += 1;
      store.set(state);
    },
  };
}
