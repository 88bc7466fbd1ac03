import { expect, test } from 'vitest';
import { isConnectionLost, isDatabaseAway } from './availability.ts';

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Query read timeout',
])('[R42] what the driver says without a code is a lost connection: %s', (message) => {
  expect(isDatabaseAway(new Error(message))).toBe(true);
  expect(isConnectionLost(new Error(message))).toBe(true);
});

test('[R42] any other error is none', () => {
  expect(isDatabaseAway(new Error('syntax error at or near "x"'))).toBe(false);
  expect(isDatabaseAway(Object.assign(new Error('duplicate'), { code: '23505' }))).toBe(false);
});
