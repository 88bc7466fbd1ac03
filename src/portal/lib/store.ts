import { useSyncExternalStore } from 'react';

/** One observable value. */
export type Store<T> = {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
  /** The value that the server drew: hydration starts with it. */
  readonly getFirst: () => T;
};

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

export function useStore<T>(store: Pick<Store<T>, 'get' | 'getFirst' | 'subscribe'>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.getFirst);
}
