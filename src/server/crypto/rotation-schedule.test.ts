import { describe, expect, test } from 'vitest';
import { DAY_MS } from '#domain/text/duration.ts';
import { later } from '../core/clock.ts';
import {
  dueSuccessor,
  signingKeyEnd,
  inOrder,
  signingKeyAt,
  signingKeyState,
} from './rotation-schedule.ts';

const START = new Date('2026-03-01T12:00:00Z');
const at = (days: number) => later(START, days * DAY_MS);
const key = (generation: number, signsFrom: Date, endsAt: Date | null = null) => ({
  generation,
  signsFrom,
  endsAt,
});

const keys = [key(1, at(0), at(92)), key(2, at(90), at(182)), key(3, at(180))];

describe('[R30] who signs, who verifies', () => {
  test.each([
    [0, ['signs', 'next', 'next']],
    [89.9, ['signs', 'next', 'next']],
    [90, ['verifies', 'signs', 'next']],
    [91.9, ['verifies', 'signs', 'next']],
    [92, ['over', 'signs', 'next']],
    [181, ['over', 'verifies', 'signs']],
    [182, ['over', 'over', 'signs']],
  ])('day %d: %j', (day, states) => {
    expect(keys.map((each) => signingKeyState(each, keys, at(day)))).toEqual(states);
  });

  test('the one that signs is published first, what is over not at all', () => {
    const generations = inOrder(keys, at(91)).map(({ generation }) => generation);
    expect(generations).toEqual([2, 3, 1]);
    expect(inOrder(keys, at(181)).map(({ generation }) => generation)).toEqual([3, 2]);
  });

  test('a first key signs although the clock of its maker was ahead', () => {
    expect(signingKeyAt([key(1, at(1))], at(0))?.generation).toBe(1);
  });
});

describe('[R30] rotation by age', () => {
  test('the next key is published a day before it signs', () => {
    expect(dueSuccessor(key(1, at(0)), later(at(89), -1), 90 * DAY_MS)).toBeNull();
    expect(dueSuccessor(key(1, at(0)), at(89), 90 * DAY_MS)).toEqual(at(90));
  });

  test('after a long sleep it is still published for a day first', () => {
    expect(dueSuccessor(key(1, at(0)), at(400), 90 * DAY_MS)).toEqual(at(401));
  });

  test('an old key goes when its last token has ended and nobody caches it any more', () => {
    expect(signingKeyEnd('es256', at(90))).toEqual(at(91.5));
    expect(signingKeyEnd('handoff', at(90))).toEqual(later(at(91), 120_000));
  });
});
