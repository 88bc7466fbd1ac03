import { describe, expect, it, test } from 'vitest';
import {
  ACADEMY_SUBTENANT_ID,
  DEFAULT_SUBTENANT_ID,
  isAcademy,
  parseSubtenantId,
} from './subtenants.ts';

it('[GEN-04] 742 is the default and 3 the academy', () => {
  expect([DEFAULT_SUBTENANT_ID, ACADEMY_SUBTENANT_ID]).toEqual([742, 3]);
  expect([3, 742, 900].map(isAcademy)).toEqual([true, false, false]);
});

describe('parseSubtenantId', () => {
  test.each([
    ['742', 742],
    [742, 742],
    ['3', 3],
    ['003', 3],
    ['2147483647', 2_147_483_647],
    ['2147483648', null],
    ['0', null],
    [0, null],
    [-3, null],
    ['-3', null],
    [3.5, null],
    ['3.5', null],
    ['3e2', null],
    [' 3', null],
    ['3\n', null],
    ['', null],
    [null, null],
    [undefined, null],
    [true, null],
    [['3'], null],
    [{ toString: () => '3' }, null],
    [Number.NaN, null],
    ['٣', null],
    ['9'.repeat(65_536), null],
  ])('[GEN-04] reads %j as %j', (value, id) => {
    expect(parseSubtenantId(value)).toBe(id);
  });
});
