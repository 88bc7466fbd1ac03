/** Milliseconds after reconnecting in which failures still count as offline. */
const STILL_FAILING_MS = 2000;

let backSince = Number.NEGATIVE_INFINITY;
globalThis.window?.addEventListener('online', () => {
  backSince = performance.now();
});

/** Returns whether the browser is offline. Any other state counts as online. */
export const isOffline = (): boolean => globalThis.navigator?.onLine === false;

/** Returns whether a failure just now was for lack of a connection, which may be back before the failure arrives. */
export const failedOffline = (): boolean =>
  isOffline() || performance.now() - backSince < STILL_FAILING_MS;

/**
 * Calls the listener whenever the connection is lost or restored.
 * @returns the function that unsubscribes
 */
export function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
