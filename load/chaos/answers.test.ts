import { expect, test } from 'vitest';
import { createAnswers } from './answers.ts';
import { createRandom } from './random.ts';

const faultsOf = (status: number, { retryAfter, isStrict, isDisturbed }: Case) => {
  const answers = createAnswers({ isStrict: isStrict ?? false });
  if (isDisturbed) answers.disturb();
  // Long after any disturbance.
  else answers.calm(-60_000);
  answers.note(status, '/api/x?secret', retryAfter);
  return answers.faults();
};
type Case = { retryAfter?: string; isStrict?: boolean; isDisturbed?: boolean };

test.each<[number, Case, readonly string[]]>([
  [200, {}, []],
  [503, { retryAfter: '2' }, []],
  [503, { isDisturbed: true }, ['503 without Retry-After: /api/x']],
  [500, { isDisturbed: true }, ['500 /api/x']],
  [502, { isDisturbed: true }, []],
  [502, { isDisturbed: true, isStrict: true }, ['nobody answered /api/x']],
  [502, {}, ['nobody answered /api/x']],
  [401, { isDisturbed: true }, []],
  [401, { isDisturbed: true, isStrict: true }, ['401 /api/x']],
  [401, {}, ['401 /api/x']],
  [409, {}, []],
])('[HRN-03] an answer of %i, %j: %j', (status, given, faults) => {
  expect(faultsOf(status, given)).toEqual(faults);
});

test('[HRN-01] a seed gives the same numbers again, within their bounds', () => {
  const numbers = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 200 }, () => random.between(3, 9));
  };
  expect(numbers(7)).toEqual(numbers(7));
  expect(numbers(7)).not.toEqual(numbers(8));
  expect(new Set(numbers(7))).toEqual(new Set([3, 4, 5, 6, 7, 8, 9]));
});
