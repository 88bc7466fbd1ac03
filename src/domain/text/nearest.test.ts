import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test.each([
  ['usr', 'user'],
  ['suer', null],
  ['user', 'user'],
  ['tenants', 'tenant'],
  ['migrat', 'migrate'],
  ['xyz', null],
  ['', null],
])('[OPS-04] %j: %j', (word, meant) => {
  expect(nearest(word, ['tenant', 'user', 'migrate'])).toBe(meant);
});
