import { describe, expect, test } from 'vitest';
import type { RoleId } from '#domain/people/roles.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { defaultTimers } from '../testing/timers.ts';
import { authorizationExpiry, isAlive, isSlideDue, tokenExpiry } from './session-lifetime.ts';

const NOW = new Date('2026-01-01T12:00:00Z');
const before = (ms: number) => new Date(NOW.getTime() - ms);
const MEMBER: readonly RoleId[] = [1];
const STAFF: readonly RoleId[] = [1, 3];
const asked = (roleIds: readonly RoleId[] = []) => ({ now: NOW, timers: defaultTimers, roleIds });

describe('a sign-in attempt that waits for its OTP', () => {
  const pending = (ageMs: number) =>
    ({
      stage: 'otp',
      created_at: before(ageMs),
      seen_at: NOW,
      completed_at: null,
    }) as const;

  test('lives for half an hour from its start', () => {
    expect(isAlive(pending(30 * MINUTE_MS - 1), asked())).toBe(true);
    expect(isAlive(pending(30 * MINUTE_MS), asked())).toBe(false);
  });
});

describe('a complete sign-in', () => {
  const complete = ({ idleMs = 0, ageMs = HOUR_MS }) =>
    ({
      stage: 'complete',
      created_at: before(ageMs + HOUR_MS),
      seen_at: before(idleMs),
      completed_at: before(ageMs),
    }) as const;

  test('lives while it is used, whatever its start', () => {
    expect(isAlive(complete({ ageMs: 11 * HOUR_MS }), asked(MEMBER))).toBe(true);
  });

  test('ends after half an hour without a call', () => {
    expect(isAlive(complete({ idleMs: 30 * MINUTE_MS - 1 }), asked(MEMBER))).toBe(true);
    expect(isAlive(complete({ idleMs: 30 * MINUTE_MS }), asked(MEMBER))).toBe(false);
  });

  test('of staff ends after a quarter of an hour without a call', () => {
    expect(isAlive(complete({ idleMs: 15 * MINUTE_MS - 1 }), asked(STAFF))).toBe(true);
    expect(isAlive(complete({ idleMs: 15 * MINUTE_MS }), asked(STAFF))).toBe(false);
  });

  test('ends after twelve hours, however busy', () => {
    expect(isAlive(complete({ ageMs: 12 * HOUR_MS - 1 }), asked(MEMBER))).toBe(true);
    expect(isAlive(complete({ ageMs: 12 * HOUR_MS }), asked(MEMBER))).toBe(false);
  });
});

test('a bearer lives for a quarter of an hour, an authorization request for ten minutes', () => {
  expect(tokenExpiry(NOW).getTime() - NOW.getTime()).toBe(15 * MINUTE_MS);
  expect(authorizationExpiry(NOW).getTime() - NOW.getTime()).toBe(10 * MINUTE_MS);
});

test('a use is noted once a minute', () => {
  expect(isSlideDue(before(MINUTE_MS), NOW)).toBe(false);
  expect(isSlideDue(before(MINUTE_MS + 1), NOW)).toBe(true);
});
