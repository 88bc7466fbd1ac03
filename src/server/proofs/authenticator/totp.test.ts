import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import { newKey, setUpAddress, codeStep } from './totp.ts';

/** RFC 6238, appendix B: SHA-1, the last six of the eight digits. */
const KEY = Secret.fromLatin1('12345678901234567890').base32;

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('[APP-02] RFC 6238: at second %i the code is %s', (second, code) => {
  const at = (seconds: number) => new Date((second + seconds) * 1000);
  const step = Math.floor(second / 30);
  // Right are the present step and its neighbours; up to two minutes off, the clock of a phone is wrong.
  for (const [seconds, isNow] of [
    [0, true],
    [30, true],
    [-30, true],
    [60, false],
    [-60, false],
    [120, false],
    [-120, false],
  ] as const) {
    expect(codeStep(KEY, code, at(seconds))).toEqual({ step, isNow });
  }
  expect([codeStep(KEY, code, at(150)), codeStep(KEY, code, at(-150))]).toEqual([null, null]);
});

test('[APP-02] each key is new, and an app reads it with house and address', () => {
  const key = newKey();
  expect(key).toMatch(/^[A-Z2-7]{32}$/);
  expect(newKey()).not.toBe(key);
  expect(setUpAddress(key, 'Rosewood Living', 'ruth@example.test')).toBe(
    `otpauth://totp/Rosewood%20Living:ruth%40example.test?issuer=Rosewood%20Living&secret=${key}&algorithm=SHA1&digits=6&period=30`,
  );
});
