/** The seconds at which a countdown speaks. */
const PHASES = [60, 30, 10, 0] as const;

/** Which of the spoken moments lie between two looks at the clock; of several, only the last still matters. */
export function phasesPassed(beforeMs: number, nowMs: number): readonly (typeof PHASES)[number][] {
  return PHASES.filter((seconds) => beforeMs > seconds * 1000 && nowMs <= seconds * 1000).slice(-1);
}

/** 100 000 ms is "1:40"; a started second still counts. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
