import type { Random } from './random.ts';
import type { Report } from './report.ts';

export const ENGINES = ['pglite', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

export type Run = {
  readonly report: Report;
  readonly random: Random;
  /** `null`: as many as the harness does of itself. */
  readonly rounds: number | null;
  /** For `scale`; `null`: a million. */
  readonly accounts: number | null;
  /** `null`: those the harness is for. */
  readonly engine: Engine | null;
  readonly signal: AbortSignal;
  /** Clean-ups at the end of the run, the last first. */
  onEnd(cleanUp: () => unknown): void;
};

/** @throws Error where the embedded database was asked for: one connection shows nothing here */
export function onPostgresOnly({ engine }: Run): void {
  if (engine === 'pglite') throw new Error('This harness runs on PostgreSQL only.');
}
