/** Whether the browser knows that it has no line. Anything else counts as online. */
export const isOffline = (): boolean => globalThis.navigator?.onLine === false;

/** Calls the listener whenever that changes. @returns the way to stop. */
export function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
