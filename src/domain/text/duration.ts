export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns "1:40" for 100,000 ms; rounds up, so that the last shown second is a whole one. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Returns the wait of a limit's message: whole minutes, rounded up, at least one. */
export function waitMinutes(ms: number): number {
  return Math.max(1, Math.ceil(ms / MINUTE_MS));
}
