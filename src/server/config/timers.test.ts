import { expect, test } from 'vitest';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { defaultTimers } from '../testing/timers.ts';
import { readConfig } from './config.ts';
import { timerSettings } from './timers.ts';

/** A demo that reads no file. */
const read = (env: NodeJS.ProcessEnv) =>
  readConfig({ PORCHLIGHT_CONFIG: 'none', PORCHLIGHT_SECRET: 's'.repeat(32), ...env });
/** Each with the security rule that bounds it from above. */
const BOUNDS: readonly (readonly [keyof typeof timerSettings, least: number, most: number])[] = [
  ['PORCHLIGHT_SESSION_IDLE_MINUTES', 5, 30],
  ['PORCHLIGHT_STAFF_IDLE_MINUTES', 5, 15],
  ['PORCHLIGHT_SESSION_HOURS', 1, 12],
  ['PORCHLIGHT_RESET_LINK_MINUTES', 10, 30],
  ['PORCHLIGHT_ACTIVATION_LINK_HOURS', 1, 24],
  ['PORCHLIGHT_INVITATION_DAYS', 1, 3],
  ['PORCHLIGHT_UNPROVEN_DAYS', 2, 7],
  ['PORCHLIGHT_MESSAGE_DAYS', 7, 30],
];

test('[OPS-81] every timer has its bounds here', () => {
  expect(BOUNDS.map(([name]) => name)).toEqual(Object.keys(timerSettings));
});

test.each(BOUNDS)('[OPS-81] [R22] [R31] [R52] %s: %d to %d', (name, least, most) => {
  for (const good of [least, most]) expect(read({ [name]: String(good) }).faults).toEqual([]);
  for (const bad of [least - 1, most + 1, 'long']) {
    expect(read({ [name]: String(bad) }).faults).toEqual([
      `${name}: must be a whole number from ${least} to ${most}: it may be shorter than the security rules ask for, not longer`,
    ]);
  }
});

test('[OPS-81] who sets none has the longest', () => {
  const longest = Object.fromEntries(BOUNDS.map(([name, , most]) => [name, String(most)]));
  expect(read({}).config?.timers).toEqual(defaultTimers);
  expect(read(longest).config?.timers).toEqual(defaultTimers);
});

test('[OPS-81] [R22] staff are never left alone for longer than anybody', () => {
  const { config } = read({ PORCHLIGHT_SESSION_IDLE_MINUTES: '10' });
  expect(config?.timers).toMatchObject({
    sessionIdleMs: 10 * MINUTE_MS,
    staffIdleMs: 10 * MINUTE_MS,
  });
});
