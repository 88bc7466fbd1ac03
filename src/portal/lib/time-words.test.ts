import { expect, it } from 'vitest';
import { agoText, durationText } from './time-words.ts';

it('[NOS-09] tells times in words', () => {
  expect([0, 59_999, 60_000, 119_999, 120_000].map(agoText)).toEqual([
    'a moment ago',
    'a moment ago',
    '1 minute ago',
    '1 minute ago',
    '2 minutes ago',
  ]);
  expect([1, 1000, 59_001, 60_001, 100_000, 120_000].map(durationText)).toEqual([
    '1 second',
    '1 second',
    '1 minute',
    '1 minute 1 second',
    '1 minute 40 seconds',
    '2 minutes',
  ]);
});
