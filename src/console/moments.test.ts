import { expect, test } from 'vitest';
import { timeText, momentText } from './moments.ts';

const now = Date.UTC(2026, 10, 25, 21, 33);
const HOUR = 60 * 60 * 1000;
const zone = { now, timeZone: 'UTC' };

test.each([
  [now + HOUR, '10:33 pm', 'today at 10:33 pm'],
  [now + 15 * HOUR, 'tomorrow at 12:33 pm', 'tomorrow at 12:33 pm'],
  [now - 22 * HOUR, 'yesterday at 11:33 pm', 'yesterday at 11:33 pm'],
  [now + 72 * HOUR, 'November 28 at 9:33 pm', 'November 28 at 9:33 pm'],
])('[CON-06] a time that is not today has its day: %d', (at, time, when) => {
  expect([timeText(at, zone), momentText(at, zone)]).toEqual([time, when]);
});
