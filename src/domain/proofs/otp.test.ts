import { describe, expect, it, test } from 'vitest';
import {
  codeIn,
  mediumChannels,
  extendedExpiry,
  maskEmail,
  maskPhone,
  mediumFor,
  normalizeOtp,
  OTP_COUNTDOWN_MS,
  OTP_EXTENSION_MS,
  OTP_LENGTH,
  OTP_MAX_LIFE_MS,
  OTP_MEDIUM,
  OTP_TRIES,
  OTP_TYPES,
  otpDigits,
  otpEntryProblem,
} from './otp.ts';

it('[OTP-01] [OTP-03] [SRV-05] [SRV-07] has the specified numbers', () => {
  expect([OTP_LENGTH, OTP_COUNTDOWN_MS, OTP_EXTENSION_MS, OTP_MAX_LIFE_MS, OTP_TRIES]).toEqual([
    6, 120_000, 120_000, 600_000, 5,
  ]);
});

it('[OTP-12] knows the types and media', () => {
  expect(OTP_TYPES).toEqual([
    'USER_ACTIVATION',
    'FORGOT_PASSWORD',
    'TWOFACTORAUTHENTICATION',
    'VERIFY_CONTACT',
  ]);
  expect(OTP_MEDIUM).toEqual({ sms: 1, whatsapp: 2, email: 3, both: 4, app: 5 });
  expect(([1, 2, 3, 4, 5] as const).map(mediumChannels)).toEqual([
    ['sms'],
    ['whatsapp'],
    ['email'],
    ['email', 'sms'],
    [],
  ]);
});

describe('otpDigits', () => {
  test.each([
    ['typed', '407291', '407291'],
    ['in two groups', '407 291', '407291'],
    ['with a dash', '407-291', '407291'],
    ['half typed', '40', '40'],
    ['leading zeros', '000 012', '000012'],
    ['more than six', '4072919', '407291'],
    [
      'a whole SMS',
      '407291 is your Rosewood code. Nobody will ask you for it.\n\n@x.test #407291',
      '407291',
    ],
    ['a sentence in front', 'Your code: 407291. It works for 2 minutes.', '407291'],
    ['one digit a line, as some keyboards dictate', '4\n0\n7\n2\n9\n1\n', '407291'],
    ['a name with a number in front', '55+ Living: your code is 407 291.', '407291'],
    ['letters', 'abc', ''],
    ['digits of another script', '٤٠٧٢٩١', '407291'],
    ['nothing', '', ''],
  ])('[OTP-04] %s', (_what, text, digits) => {
    expect(otpDigits(text)).toBe(digits);
  });

  it('[OTP-04] answers rightly to 64 KiB of anything', () => {
    expect(otpDigits('9'.repeat(65_536))).toBe('999999');
    expect(otpDigits(`${'x '.repeat(32_768)}407291`)).toBe('407291');
  });
});

describe('codeIn', () => {
  test.each([
    ['407291', '407291'],
    [' 407291', '407291'],
    ['407 291', '407291'],
    ['407-291', '407291'],
    ['407–291', '407291'],
    ['407\u00A0291', '407291'],
    ['407\u2009291', '407291'],
    ['407\u2212291', '407291'],
    ['4 0 7 2 9 1', '407291'],
    ['٤٠٧٢٩١', '407291'],
    ['Porchlight: your code is 407 291. It works for 2 minutes.', '407291'],
    ['40729', '40729'],
    ['4072911', '4072911'],
    ['407.291', '407291'],
    ['G-407291', '407291'],
    ['24 Hour Care: 407291 is your code', '407291'],
    ['Call 212-555-0142. Code: 407 291', '407291'],
    ['407291 is your Rosewood 55 code.\n\n@x.test #407291', '407291'],
    ['40729x', '40729x'],
    ['code', 'code'],
    ['', ''],
  ])('[OTP-05] F20: %j is %j', (typed, code) => {
    expect(codeIn(typed)).toBe(code);
  });
});

describe('otpEntryProblem', () => {
  test.each([
    ['', 'otpRequired'],
    ['4', 'otpInvalid'],
    ['40729', 'otpInvalid'],
    ['4072911', 'otpInvalid'],
    ['40729x', 'otpInvalid'],
    ['407291\n', 'otpInvalid'],
    ['407291', null],
    ['000000', null],
  ])('[OTP-05] %j: %s', (code, problem) => {
    expect(otpEntryProblem(code)).toBe(problem);
  });
});

describe('normalizeOtp', () => {
  test.each([
    [407_291, '407291'],
    ['407291', '407291'],
    [12, '000012'],
    ['12', '000012'],
    [0, '000000'],
    [' 000012 ', '000012'],
    [1_000_000, null],
    ['0000012', null],
    ['407 291', '407291'],
    ['407–291', '407291'],
    ['٤٠٧٢٩١', '407291'],
    ['', null],
    [-1, null],
    [1.5, null],
    [Number.NaN, null],
    [1e21, null],
    ['0x1F', null],
    ['1e3', null],
    ['40729a', null],
    ['9'.repeat(65_536), null],
  ])('[OTP-13] %j is %j', (otp, digits) => {
    expect(normalizeOtp(otp)).toBe(digits);
  });
});

describe('extendedExpiry', () => {
  const SENT = 1_000_000;

  test.each([
    ['two minutes more, whenever it is asked for', 120_000, 240_000],
    ['again', 240_000, 360_000],
    ['up to ten minutes from sending, to the millisecond', 480_000, 600_000],
    ['never past ten minutes', 590_000, 600_000],
    ['never shorter than it was', 600_000, 600_000],
  ])('[OTP-03] %s', (_what, expiresAt, until) => {
    expect(extendedExpiry(SENT, SENT + expiresAt) - SENT).toBe(until);
  });
});

describe('masks', () => {
  test.each([
    ['margaret@example.org', 'm•••@example.org'],
    ['m@example.org', 'm•••@example.org'],
  ])('[OTP-06] %s becomes %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });

  it('[OTP-06] never shows more of a number than its last two digits, nor its length', () => {
    expect(maskPhone('15550142290')).toBe('••• ••90');
    expect(maskPhone('254712345678')).toBe('••• ••78');
  });
});

describe('[PRF-02] whether a code goes by mail', () => {
  it.each([
    [1, 'asked', 1],
    [2, 'asked', 2],
    [1, 'always', 4],
    [2, 'always', 4],
    [3, 'always', 3],
    [4, 'always', 4],
    [1, 'only', 3],
    [4, 'only', 3],
  ] as const)('medium %i, %s: %i', (asked, rule, medium) => {
    expect(mediumFor(asked, rule, true)).toBe(medium);
  });

  it.each([
    [4, 'asked', 3],
    [1, 'always', 3],
    [4, 'only', 3],
    // Nothing else can prove a phone: the person is told that it fails.
    [1, 'asked', 1],
    [4, 'never', 1],
  ] as const)('where no texts are sent: medium %i, %s: %i', (asked, rule, medium) => {
    expect(mediumFor(asked, rule, false)).toBe(medium);
  });
});
