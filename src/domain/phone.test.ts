import { describe, expect, it, test } from 'vitest';
import {
  DEFAULT_COUNTRY,
  FIRST_COUNTRIES,
  formatPhone,
  phoneDigits,
  splitDialCode,
} from './phone.ts';

describe('formatPhone', () => {
  const WHILE_TYPING = [
    ['', ''],
    ['5', '5'],
    ['55', '55'],
    ['555', '555'],
    ['5550', '(555) 0'],
    ['55501', '(555) 01'],
    ['555014', '(555) 014'],
    ['5550142', '(555) 014-2'],
    ['55501422', '(555) 014-22'],
    ['555014229', '(555) 014-229'],
    ['5550142290', '(555) 014-2290'],
    ['55501422901', '(555) 014-2290 1'],
    ['555014229012345', '(555) 014-2290 12345'],
  ] as const;

  test.each(WHILE_TYPING)('[SUP-10] "%s" shows as "%s"', (typed, shown) => {
    expect(formatPhone(typed)).toBe(shown);
  });

  it('[SUP-10] formats what it formatted before into the same text', () => {
    const shown = WHILE_TYPING.map(([, text]) => text);
    expect(shown.map(formatPhone)).toEqual(shown);
  });

  it('[SUP-10] loses no digit of a number and takes none past the E.164 limit', () => {
    const digits = WHILE_TYPING.map(([text]) => text);
    expect(digits.map((text) => phoneDigits(formatPhone(text)))).toEqual(digits);
    expect(phoneDigits(formatPhone('1'.repeat(65_536)))).toHaveLength(15);
  });

  test.each([
    ['555.014.2290', '(555) 014-2290'],
    ['555 014 2290 ', '(555) 014-2290'],
    ['(555)0142290', '(555) 014-2290'],
    ['call 555-014-2290', '(555) 014-2290'],
    ['no number', ''],
  ])('[SUP-10] reads %j as %s', (typed, shown) => {
    expect(formatPhone(typed)).toBe(shown);
  });
});

describe('phoneDigits', () => {
  it('[SUP-10] keeps digits only', () => {
    expect(phoneDigits('+1 (555) 014-2290')).toBe('15550142290');
    expect(phoneDigits('٥٥٥')).toBe('');
  });

  it('[SUP-10] answers rightly to 64 KiB of anything', () => {
    expect(phoneDigits(`${'('.repeat(65_536)}7`)).toBe('7');
    expect(formatPhone('-'.repeat(65_536))).toBe('');
  });
});

describe('splitDialCode', () => {
  const COUNTRIES = [
    ...FIRST_COUNTRIES,
    { label: '(+2) Nowhere', value: '+2' },
    { label: '(+25) Nowhere else', value: '+25' },
    { label: '(+1242) Bahamas', value: '+1242' },
  ];

  test.each([
    ['+1 555 014 2290', '+1', '5550142290'],
    [' +1 (555) 014-2290', '+1', '5550142290'],
    ['+254 712 345678', '+254', '712345678'],
    ['+25 812 345678', '+25', '812345678'],
    ['+20 812 345678', '+2', '0812345678'],
    ['+1 242 555 0142', '+1242', '5550142'],
    ['+91', '+91', ''],
  ])('[SUP-07] %j has the longest listed code, %s', (pasted, value, number) => {
    const split = splitDialCode(pasted, COUNTRIES);
    expect([split?.country.value, split?.number]).toEqual([value, number]);
  });

  it('[SUP-07] the longest code wins in any order of the list', () => {
    const split = splitDialCode('+254712345678', [...COUNTRIES].reverse());
    expect(split?.country.value).toBe('+254');
  });

  test.each(['5550142290', '00 1 555 014 2290', '+999 555', '', '+', '1 + 1'])(
    '[SUP-07] leaves %j as it is',
    (typed) => {
      expect(splitDialCode(typed, COUNTRIES)).toBeNull();
    },
  );
});

it('[SUP-07] USA +1, Kenya +254 and India +91 come first, (+1) USA by default', () => {
  expect(DEFAULT_COUNTRY).toEqual({ label: '(+1) USA', value: '+1' });
  expect(FIRST_COUNTRIES.map(({ label, value }) => `${label} ${value}`)).toEqual([
    '(+1) USA +1',
    '(+254) Kenya +254',
    '(+91) India +91',
  ]);
});
