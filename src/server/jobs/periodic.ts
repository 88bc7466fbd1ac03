export type Periodic = ReturnType<typeof createPeriodic>;

/**
 * Runs a task at the start, or soon after it, and then at intervals; one run at a time, and a failure only waits for
 * the next.
 */
export function createPeriodic(
  everyMs: number,
  task: (signal: AbortSignal) => Promise<unknown>,
  onError: (error: unknown) => void,
  { firstAfterMs = 0 } = {},
) {
  let timer: NodeJS.Timeout | null = null;
  let first: NodeJS.Timeout | null = null;
  let running: Promise<unknown> | null = null;
  let doneAt = performance.now();
  const stopping = new AbortController();
  const run = () => {
    running ??= task(stopping.signal)
      .then(() => {
        doneAt = performance.now();
      })
      .catch(onError)
      .finally(() => {
        running = null;
      });
  };
  return {
    start(): void {
      if (firstAfterMs === 0) run();
      else if (firstAfterMs < everyMs) first = setTimeout(run, firstAfterMs).unref();
      timer = setInterval(run, everyMs).unref();
    },
    /** Starts no further run, signals the running one to stop, and resolves when it has ended. */
    async stop(): Promise<void> {
      if (first) clearTimeout(first);
      if (timer) clearInterval(timer);
      stopping.abort();
      await running;
    },
    /** Returns the milliseconds since a run was due that did all of its work; 0: none is due. */
    overdueMs: () => Math.max(0, performance.now() - doneAt - everyMs),
  };
}
