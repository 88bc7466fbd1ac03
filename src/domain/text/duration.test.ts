import { expect, test } from 'vitest';
import { clockText } from './duration.ts';

// The last second on show is a whole one: the text reaches 0:00 when the time is up, not before.
test.each([
  [120_000, '2:00'],
  [119_999, '2:00'],
  [119_000, '1:59'],
  [100_000, '1:40'],
  [60_001, '1:01'],
  [60_000, '1:00'],
  [9_001, '0:10'],
  [1, '0:01'],
  [0, '0:00'],
  [-1, '0:00'],
  [600_000, '10:00'],
])('[OTP-03] %i ms are %s', (ms, text) => {
  expect(clockText(ms)).toBe(text);
});
