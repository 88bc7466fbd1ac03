import { DAY_MS, HOUR_MS, MINUTE_MS } from '../text/duration.ts';

/** The findings about the page's browser; `null` where a check was impossible. */
export type BrowserFacts = {
  readonly hasCookies: boolean | null;
  readonly hasStorage: boolean;
  readonly hasCrypto: boolean;
  /** The browser's clock less the server's, in milliseconds. */
  readonly clockOffsetMs: number | null;
};

export type BrowserCheck = 'script' | 'cookies' | 'storage' | 'crypto' | 'clock';
export type Verdict = 'good' | 'bad' | 'unknown';

/** Milliseconds: the leeway of the hosted login's tokens (API-05). */
const CLOCK_LEEWAY_MS = MINUTE_MS;

/** Returns the checks in the order of the page. The first is that scripts run at all. */
export function judgeBrowser(
  facts: BrowserFacts,
): readonly (readonly [check: BrowserCheck, verdict: Verdict])[] {
  const { hasCookies, hasStorage, hasCrypto, clockOffsetMs } = facts;
  const isClockRight = clockOffsetMs === null ? null : Math.abs(clockOffsetMs) <= CLOCK_LEEWAY_MS;
  return [
    ['script', 'good'],
    ['cookies', verdictOf(hasCookies)],
    ['storage', verdictOf(hasStorage)],
    ['crypto', verdictOf(hasCrypto)],
    ['clock', verdictOf(isClockRight)],
  ];
}

function verdictOf(isGood: boolean | null): Verdict {
  if (isGood === null) return 'unknown';
  return isGood ? 'good' : 'bad';
}

export type Span = {
  readonly count: number;
  readonly unit: 'second' | 'minute' | 'hour' | 'day';
};

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** Returns a duration as people say it: 90 s are 2 minutes, 26 hours are 1 day. */
export function clockSpan(ms: number): Span {
  const length = Math.abs(ms);
  for (const [unit, unitMs] of UNITS) {
    if (length >= unitMs) return { count: Math.round(length / unitMs), unit };
  }
  return { count: Math.round(length / 1000), unit: 'second' };
}
