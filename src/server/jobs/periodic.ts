export type Periodic = { start(): void; stop(): void };

/** Does a task at the start, or soon after it, and then again and again; one run at a time, and a failure only waits for the next. */
export function createPeriodic(
  everyMs: number,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
  { firstAfterMs = 0 } = {},
): Periodic {
  let timer: NodeJS.Timeout | null = null;
  let first: NodeJS.Timeout | null = null;
  let running: Promise<unknown> | null = null;
  const run = () => {
    running ??= task()
      .catch(onError)
      .finally(() => {
        running = null;
      });
  };
  return {
    start() {
      if (firstAfterMs === 0) run();
      else first = setTimeout(run, firstAfterMs).unref();
      timer = setInterval(run, everyMs).unref();
    },
    stop() {
      if (first) clearTimeout(first);
      if (timer) clearInterval(timer);
    },
  };
}
