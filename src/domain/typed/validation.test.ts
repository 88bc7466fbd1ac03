import { describe, expect, it, test } from 'vitest';
import { checkSignUp, isAllRequiredFailing, normalizeName } from './sign-up-form.ts';
import { canonicalEmail, checkSignIn, isEmail } from './validation.ts';

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
    const { phone: _, ...five } = checked.problems;
    expect(isAllRequiredFailing({ ...five, promoCode: 'promoInvalid' })).toBe(false);
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

describe('names', () => {
  test.each([
    ['margaret', 'Margaret'],
    ['  van der Berg', 'Van der Berg'],
    ['\t\n éloïse', 'Éloïse'],
    ['зоя', 'Зоя'],
    ['李', '李'],
    ['𐐨𐐩', '𐐀𐐩'],
    ['McDonald', 'McDonald'],
    ['iris', 'Iris'],
    ['', ''],
    ['   ', ''],
  ])('[SUP-09] %j is tidied to %j', (typed, tidy) => {
    expect(normalizeName(typed)).toBe(tidy);
  });

  test.each([
    ['nothing', '', 'firstNameRequired'],
    ['spaces only', '  \t ', 'firstNameRequired'],
    ['digits only', '42', 'firstNameInvalid'],
    ['signs only', "-'.", 'firstNameInvalid'],
    ['an emoji', '😀', 'firstNameInvalid'],
    ['one letter among digits', '4b2', undefined],
    ['a name of another script', 'Зоя', undefined],
    ['80 characters', 'b'.repeat(80), undefined],
    ['81 characters', 'b'.repeat(81), 'firstNameInvalid'],
    ['a line break', 'Ann\nWin a prize', 'firstNameInvalid'],
    ['a line separator', 'Ann\u2028Win a prize', 'firstNameInvalid'],
    ['64 KiB without a letter', '4'.repeat(65_536), 'firstNameInvalid'],
    ['64 KiB of spaces', ' '.repeat(65_536), 'firstNameRequired'],
  ])('[SUP-09] [SUP-22] %s', (_what, firstName, problem) => {
    expect(problemsOf({ firstName }).firstName).toBe(problem);
  });
});

describe('addresses', () => {
  test.each([
    'margaret@example.org',
    "o'brien+x@sub.example.co.uk",
    'a@b.co',
    '1@2.org',
    'm_m-m.m@ex-ample.org',
    'зоя@пример.рф',
    'ma@xn--e1afmkfd.xn--p1ai',
    `${'a'.repeat(64)}@example.org`,
  ])('[SUP-11] takes %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  test.each([
    'margaret',
    'a@b',
    '@c.org',
    'a@',
    'a b@c.org',
    'a@c .org',
    'a@c.org>',
    'a@@c.org',
    'a@b@c.org',
    'a@b..org',
    'a..b@c.org',
    'a@.org',
    'a@c.',
    'a@-c.org',
    'a@c-.org',
    'a@c.o',
    'a@c.--',
    'a@c.org-',
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    'a@c.org\n',
    'a@c.org\r\nBcc: x@y.org',
    'a,b@c.org',
    'Ma <a@c.org>',
    `${'a'.repeat(65)}@c.org`,
    `a@${'b'.repeat(64)}.org`,
    `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(4)}org`,
  ])('[SUP-11] [SIN-05] refuses %j', (text) => {
    expect(isEmail(text)).toBe(false);
  });

  // Accounts are found by the canonical form: it must be an address as well, and never two at once.
  test.each(['a＠b@c.org', 'a﹫b@c.org', 'a@c‥org', 'a@c.org․', '‥a@c.org', 'ﷺ@c.org'])(
    '[SUP-11] refuses %j, whose canonical form is no address',
    (text) => {
      expect(isEmail(text)).toBe(false);
    },
  );

  test.each([
    ['64 KiB of labels', `a@${'b.'.repeat(32_768)}`],
    ['64 KiB of hyphens', `a@b${'-'.repeat(65_536)}.org`],
    ['64 KiB before the @', `${'a'.repeat(65_536)}@c.org`],
    ['64 KiB without an @', 'a'.repeat(65_536)],
    ['as many labels as fit', `a@${'b-'.repeat(120)}!`],
  ])('[SUP-11] refuses %s', (_what, text) => {
    expect(isEmail(text)).toBe(false);
    expect(checkSignIn({ email: text, password: 'x' })).toMatchObject({
      problems: { email: 'emailInvalid' },
    });
  });

  test.each([
    ['a full-width letter', '\uff56ictim@example.org'],
    ['a ligature', '\ufb01ne@example.org'],
    ['the Kelvin sign', '\u212aate@example.org'],
    ['a control', 'kate\u0001@example.org'],
    ['a zero-width space', 'ka\u200bte@example.org'],
    ['a joiner', 'ka\u200dte@example.org'],
    ['an override of direction', 'ka\u202ete@example.org'],
    ['a soft hyphen', 'ka\u00adte@example.org'],
  ])('[SUP-11] S34: %s is in no address', (_what, text) => {
    expect(isEmail(text)).toBe(false);
  });

  test.each([
    'Kate@Example.org',
    '\u0130pek@example.org',
    'jos\u00e9@example.org',
    'k@m\u00fcller.de',
  ])('[SUP-11] S34: %j is an address', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  test('[SUP-11] S34: an accent that was typed apart from its letter is one with it', () => {
    const checked = checkSignIn({ email: 'jose\u0301@example.org', password: 'x' });
    expect(checked).toEqual({
      isValid: true,
      values: { email: 'jos\u00e9@example.org', password: 'x' },
    });
  });

  test.each([
    [' Margaret@Example.ORG ', 'margaret@example.org'],
    ['ｍargaret@example.org', 'margaret@example.org'],
    ['e\u0301@example.org', '\u00e9@example.org'],
    ['İ@example.org', 'i\u0307@example.org'],
  ])('[SUP-11] %j is found as %j', (email, canonical) => {
    expect(canonicalEmail(email)).toBe(canonical);
    expect(canonicalEmail(canonical)).toBe(canonical);
  });
});

describe('the sign-up table', () => {
  test.each([
    [
      '[SUP-10] nine digits in the shown form',
      { phone: '(555) 014-229' },
      { phone: 'phoneInvalid' },
    ],
    ['[SUP-10] ten digits', { phone: '(555) 014-2290' }, {}],
    ['[SUP-10] letters only', { phone: 'call me' }, { phone: 'phoneRequired' }],
    ['[SUP-10] ten digits and their dial code', { phone: '1 (555) 014-2290' }, {}],
    ['[SUP-10] eleven digits', { phone: '55501422901' }, { phone: 'phoneInvalid' }],
    ['[SUP-10] fifteen digits', { phone: '555014229012345' }, { phone: 'phoneInvalid' }],
    [
      '[SUP-10] nine digits and their dial code',
      { phone: '1555014229' },
      { phone: 'phoneInvalid' },
    ],
    ['[SUP-10] F8: an extension', { phone: '(555) 014-2290 x123' }, { phone: 'phoneExtension' }],
    ['[SUP-10] F8: a mark without an extension', { phone: '(555) 014-2290 x' }, {}],
    ['[SUP-11] no address', { email: 'margaret' }, { email: 'emailInvalid' }],
    ['[SUP-11] spaces only', { email: '  ' }, { email: 'emailRequired' }],
    [
      '[SUP-12] nothing typed twice',
      { password: '', confirmPassword: '' },
      { password: 'passwordRequired', confirmPassword: 'confirmRequired' },
    ],
    [
      '[SUP-12] a confirmation that differs in case',
      { confirmPassword: 'porchlight-1' },
      { confirmPassword: 'confirmMismatch' },
    ],
    [
      '[SUP-12] a confirmation with a space more',
      { confirmPassword: 'Porchlight-1 ' },
      { confirmPassword: 'confirmMismatch' },
    ],
    [
      '[SUP-12] a password is never trimmed',
      { password: ' Porchlight-1 ', confirmPassword: ' Porchlight-1 ' },
      {},
    ],
    [
      '[SUP-12] a password of spaces is typed, but weak',
      { password: '        ', confirmPassword: '        ' },
      { password: 'passwordWeak' },
    ],
  ] as const)('%s', (_what, change, problems) => {
    expect(problemsOf(change)).toEqual(problems);
  });

  it('[SUP-14] asks nothing of a promo code', () => {
    const withPromo = { ...FILLED, promoCode: '' };
    expect(checkSignUp(withPromo).isValid).toBe(true);
  });

  it('[SUP-13] five failing fields are not all six', () => {
    const five = problemsOf({
      ...EMPTY,
      confirmPassword: FILLED.confirmPassword,
      password: FILLED.password,
    });
    expect(Object.keys(five)).toHaveLength(4);
    expect(isAllRequiredFailing(five)).toBe(false);
    const wrong = problemsOf({
      firstName: '1',
      lastName: '1',
      phone: '1',
      email: '1',
      password: '1',
      confirmPassword: '2',
    });
    expect(Object.keys(wrong)).toHaveLength(6);
    expect(isAllRequiredFailing(wrong)).toBe(true);
  });
});
