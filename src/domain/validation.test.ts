import { describe, expect, it } from 'vitest';
import { checkSignIn, checkSignUp, isAllRequiredFailing, isEmail, tidyName } from './validation.ts';

const FILLED = {
  firstName: 'margaret',
  lastName: 'Okafor',
  phone: '(555) 014-2290',
  email: ' margaret@example.org ',
  password: 'Porchlight-1',
  confirmPassword: 'Porchlight-1',
};
const EMPTY = {
  firstName: '',
  lastName: ' ',
  phone: '',
  email: '',
  password: '',
  confirmPassword: '',
};

function problemsOf(change: Partial<typeof FILLED>) {
  const checked = checkSignUp({ ...FILLED, ...change });
  return checked.isValid ? {} : checked.problems;
}

describe('sign-up form', () => {
  it('[SUP-09] [SUP-10] [SUP-11] gives back tidy values', () => {
    expect(checkSignUp(FILLED)).toEqual({
      isValid: true,
      values: {
        ...FILLED,
        firstName: 'Margaret',
        phone: '5550142290',
        email: 'margaret@example.org',
      },
    });
  });

  it('[SUP-13] knows when all six required fields fail', () => {
    const checked = checkSignUp(EMPTY);
    expect(checked.isValid).toBe(false);
    if (checked.isValid) return;
    expect(checked.problems).toEqual({
      firstName: 'firstNameRequired',
      lastName: 'lastNameRequired',
      phone: 'phoneRequired',
      email: 'emailRequired',
      password: 'passwordRequired',
      confirmPassword: 'confirmRequired',
    });
    expect(isAllRequiredFailing(checked.problems)).toBe(true);
    expect(isAllRequiredFailing(problemsOf({ phone: '' }))).toBe(false);
  });

  it.each([
    ['[SUP-09] a name without a letter', { firstName: '42' }, { firstName: 'firstNameInvalid' }],
    ['[SUP-09] a name of another script', { lastName: 'Зоя' }, {}],
    ['[SUP-10] nine digits', { phone: '555014229' }, { phone: 'phoneInvalid' }],
    ['[SUP-10] sixteen digits', { phone: '5550142290555014' }, { phone: 'phoneInvalid' }],
    ['[SUP-11] two dots in a row', { email: 'a@b..org' }, { email: 'emailInvalid' }],
    [
      '[SUP-12] a weak password, repeated',
      { password: 'porchlight', confirmPassword: 'porchlight' },
      { password: 'passwordWeak' },
    ],
    [
      '[SUP-12] another confirmation beside another fault',
      { phone: '', confirmPassword: 'Porchlight-2' },
      { phone: 'phoneRequired', confirmPassword: 'confirmMismatch' },
    ],
  ])('%s', (_, change, expected) => {
    expect(problemsOf(change)).toEqual(expected);
  });
});

describe('sign-in form', () => {
  it('[SIN-05] asks for both, and for an address of the usual shape', () => {
    expect(checkSignIn({ email: '', password: '' })).toMatchObject({
      problems: { email: 'emailRequired', password: 'passwordRequired' },
    });
    expect(checkSignIn({ email: 'margaret', password: 'x' })).toMatchObject({
      problems: { email: 'emailInvalid' },
    });
  });

  it('[SIN-05] takes a password that today would be too weak', () => {
    expect(checkSignIn({ email: ' a@b.org', password: 'x' })).toEqual({
      isValid: true,
      values: { email: 'a@b.org', password: 'x' },
    });
  });
});

describe('pieces', () => {
  it('[SUP-09] capitalises the first letter only and strips spaces in front', () => {
    expect(tidyName('  van der Berg')).toBe('Van der Berg');
  });

  it('[SUP-11] refuses what is no address', () => {
    for (const text of ['a@b', 'a b@c.org', '@c.org', 'a@c.org>', `${'a'.repeat(65)}@c.org`]) {
      expect(isEmail(text), text).toBe(false);
    }
    expect(isEmail("o'brien+x@sub.example.co.uk")).toBe(true);
  });
});
