export type Periodic = { start(): void; stop(): void };

/** Does a task at the start and then again and again; one run at a time, and a failure only waits for the next. */
export function createPeriodic(
  everyMs: number,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Periodic {
  let timer: NodeJS.Timeout | null = null;
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
      run();
      timer = setInterval(run, everyMs);
      timer.unref();
    },
    stop() {
      if (timer) clearInterval(timer);
    },
  };
}
