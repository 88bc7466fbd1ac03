import { useSyncExternalStore } from 'react';

/** One observable value. */
export type Store<T> = {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns the value that the server rendered: hydration starts with it. */
  readonly getFirst: () => T;
};

/** Creates an observable value. */
export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    getFirst: () => first,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Subscribes a component to a store. */
export function useStore<T>(store: Pick<Store<T>, 'get' | 'getFirst' | 'subscribe'>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.getFirst);
}
