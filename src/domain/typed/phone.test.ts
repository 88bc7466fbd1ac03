import { describe, expect, it, test } from 'vitest';
import {
  type Country,
  DEFAULT_COUNTRY,
  FIRST_COUNTRIES,
  formatInCountry,
  formatPhone,
  isPhoneLength,
  phoneDigits,
  splitDialCode,
  withoutOwnDialCode,
} from './phone.ts';

const country = (iso: string, value: string, example = ''): Country => ({
  label: `(${value}) ${iso}`,
  value,
  iso,
  example,
});
const [, KENYA] = FIRST_COUNTRIES as [Country, Country];
const FRANCE = country('FR', '+33', '6 12 34 56 78');
const IVORY_COAST = country('CI', '+225', '01 23 45 67 89');

describe('[V8] a number of another country', () => {
  test.each([
    [KENYA, '712345678', '712 345678'],
    [KENYA, '0712345678', '0712 345678'],
    [KENYA, '7123', '712 3'],
    [KENYA, '', ''],
    [KENYA, '71234567890', '712 345678 90'],
    [FRANCE, '0612345678', '06 12 34 56 78'],
    [IVORY_COAST, '0123456789', '01 23 45 67 89'],
    [country('XX', '+999'), '12345', ' 12345'.trim()],
    [DEFAULT_COUNTRY, '5550142290', '(555) 014-2290'],
  ])('$iso: %j shows as %j', (of, typed, shown) => {
    expect(formatInCountry(of, typed).trim()).toBe(shown);
    expect(formatInCountry(of, shown).trim()).toBe(shown);
  });

  test.each([
    [KENYA, '254712345678', '712345678'],
    [KENYA, '712345678', '712345678'],
    [DEFAULT_COUNTRY, '1 (555) 014-2290', '5550142290'],
  ])('$iso: %j without its own dial code is %j', (of, typed, number) => {
    expect(phoneDigits(withoutOwnDialCode(of, typed))).toBe(number);
  });

  test.each([
    ['+254', '712345678', true],
    ['+254', '71234', false],
    ['+1', '555014229', false],
    ['+1', '5550142290', true],
    ['+49', '1'.repeat(14), false],
  ])('%s %s: long enough and not too long is %s', (dialCode, number, isRight) => {
    expect(isPhoneLength(dialCode, number)).toBe(isRight);
  });
});

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
    expect(phoneDigits('٥٥٥')).toBe('555');
  });

  it('[SUP-10] answers rightly to 64 KiB of anything', () => {
    expect(phoneDigits(`${'('.repeat(65_536)}7`)).toBe('7');
    expect(formatPhone('-'.repeat(65_536))).toBe('');
  });
});

describe('splitDialCode', () => {
  const COUNTRIES = [
    ...FIRST_COUNTRIES,
    country('XA', '+2'),
    country('XB', '+25'),
    country('BS', '+1242'),
    country('GG', '+44'),
    country('GB', '+44'),
  ];

  test.each([
    ['+1 555 014 2290', '+1', '5550142290'],
    [' +1 (555) 014-2290', '+1', '5550142290'],
    ['+254 712 345678', '+254', '712345678'],
    ['+25 812 345678', '+25', '812345678'],
    ['+20 812 345678', '+2', '0812345678'],
    ['+1 242 555 0142', '+1242', '5550142'],
    ['+91', '+91', ''],
    ['00254 712 345678', '+254', '712345678'],
  ])('[SUP-07] %j has the longest listed code, %s', (pasted, value, number) => {
    const split = splitDialCode(pasted, COUNTRIES);
    expect([split?.country.value, split?.number]).toEqual([value, number]);
  });

  it('[SUP-07] the longest code wins in any order of the list', () => {
    const split = splitDialCode('+254712345678', [...COUNTRIES].reverse());
    expect(split?.country.value).toBe('+254');
  });

  it('[V8] of countries with one code it takes the main one', () => {
    expect(splitDialCode('+44 20 7946 0018', COUNTRIES)?.country.iso).toBe('GB');
  });

  test.each(['5550142290', '+999 555', '', '+', '1 + 1'])(
    '[SUP-07] leaves %j as it is',
    (typed) => {
      expect(splitDialCode(typed, COUNTRIES)).toBeNull();
    },
  );
});

it('[SUP-07] USA +1, Kenya +254 and India +91 come first, (+1) USA by default', () => {
  expect(DEFAULT_COUNTRY).toMatchObject({ label: '(+1) USA', value: '+1' });
  expect(FIRST_COUNTRIES.map(({ label, value }) => `${label} ${value}`)).toEqual([
    '(+1) USA +1',
    '(+254) Kenya +254',
    '(+91) India +91',
  ]);
});
