/** The seconds at which a countdown speaks. */
const PHASES = [60, 30, 10, 0] as const;

/** Which of the spoken moments lie between two looks at the clock; of several, only the last still matters. */
export function phasesPassed(beforeMs: number, nowMs: number): readonly (typeof PHASES)[number][] {
  return PHASES.filter((seconds) => beforeMs > seconds * 1000 && nowMs <= seconds * 1000).slice(-1);
}
