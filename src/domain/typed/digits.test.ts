import { expect, test } from 'vitest';
import { digitsOf, latinDigits } from './digits.ts';

test('[OTP-04] F6: every digit of Unicode is its digit', () => {
  const runs: string[][] = [];
  for (let code = 0; code <= 0x10_ff_ff; code += 1) {
    if (code >= 0xd8_00 && code <= 0xdf_ff) continue;
    const sign = String.fromCodePoint(code);
    if (!/^\p{Nd}$/u.test(sign)) continue;
    const value = latinDigits(sign);
    if (value === '0') runs.push([]);
    runs.at(-1)?.push(value);
  }
  expect(runs.length).toBeGreaterThan(60);
  for (const run of runs) expect(run.join('')).toBe('0123456789');
});

test.each([
  ['٢١٢٥٥٥٠١٤٢', '2125550142'],
  ['۲۱۲۵۵۵۰۱۴۲', '2125550142'],
  ['२१२५५५०१४२', '2125550142'],
  ['２１２－５５５－０１４２', '2125550142'],
  ['𝟗𝟎 (12)', '9012'],
  ['½ ² Ⅳ no digit', '122'],
])('[SUP-10] F6: %s is read as %s', (typed, digits) => {
  expect(digitsOf(typed)).toBe(digits);
});
