import { describe, expect, it, test } from 'vitest';
import { type BrowserFacts, judgeBrowser, clockSpan } from './browser-check.ts';

const GOOD: BrowserFacts = {
  hasCookies: true,
  hasStorage: true,
  hasCrypto: true,
  clockOffsetMs: 0,
};
const verdicts = (change: Partial<BrowserFacts>) =>
  Object.fromEntries(judgeBrowser({ ...GOOD, ...change }));

describe('judgeBrowser', () => {
  it('finds nothing wrong with a browser that is all right', () => {
    expect(Object.values(verdicts({}))).toEqual(['good', 'good', 'good', 'good', 'good']);
  });

  test.each([
    ['cookies', { hasCookies: false }, 'bad'],
    ['cookies', { hasCookies: null }, 'unknown'],
    ['storage', { hasStorage: false }, 'bad'],
    ['crypto', { hasCrypto: false }, 'bad'],
    ['clock', { clockOffsetMs: null }, 'unknown'],
    ['clock', { clockOffsetMs: 60_000 }, 'good'],
    ['clock', { clockOffsetMs: 60_001 }, 'bad'],
    ['clock', { clockOffsetMs: -60_001 }, 'bad'],
  ] as const)('%s: %j is %s', (check, change, verdict) => {
    const found = verdicts(change);
    expect(found[check]).toBe(verdict);
    expect(Object.values(found).filter((each) => each !== 'good')).toHaveLength(
      verdict === 'good' ? 0 : 1,
    );
  });
});

describe('clockSpan', () => {
  test.each([
    [0, 0, 'second'],
    [-1400, 1, 'second'],
    [59_000, 59, 'second'],
    [60_000, 1, 'minute'],
    [-300_000, 5, 'minute'],
    [7_200_000, 2, 'hour'],
    [-93_600_000, 1, 'day'],
  ] as const)('%i ms are %i %s', (ms, count, unit) => {
    expect(clockSpan(ms)).toEqual({ count, unit });
  });
});
