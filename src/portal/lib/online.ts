/** For this long after the line is back, what fails has failed for want of it. */
const STILL_FAILING_MS = 2000;

let backSince = Number.NEGATIVE_INFINITY;
globalThis.window?.addEventListener('online', () => {
  backSince = performance.now();
});

/** Whether the browser knows that it has no line. Anything else counts as online. */
export const isOffline = (): boolean => globalThis.navigator?.onLine === false;

/** Whether what failed just now failed for want of a line: a line can be back before the failure is told. */
export const failedOffline = (): boolean =>
  isOffline() || performance.now() - backSince < STILL_FAILING_MS;

/** Calls the listener whenever the line goes or comes. @returns the way to stop. */
export function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}
