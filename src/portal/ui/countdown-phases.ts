/** The seconds at which a countdown announces the time. */
const PHASES = [60, 30, 10, 0] as const;

/** Returns the announced moment between two ticks; of several only the last. */
export function phasesPassed(beforeMs: number, nowMs: number): readonly (typeof PHASES)[number][] {
  return PHASES.filter((seconds) => beforeMs > seconds * 1000 && nowMs <= seconds * 1000).slice(-1);
}
