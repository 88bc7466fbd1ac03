/** Work that no request asks for: what runs how often, and what the log says of a run that failed. */
export type Task = {
  readonly everyMs: number;
  /** Milliseconds until the first run, 0 if left out. A minute is after the work of a start. */
  readonly firstAfterMs?: number;
  readonly run: (signal: AbortSignal) => Promise<unknown>;
  /** The name of its trace. What runs all the time has none: it would bury the traces of requests. */
  readonly trace?: string;
  readonly failed: string;
  /** A warning, if left out. */
  readonly level?: 'warn' | 'error';
};
