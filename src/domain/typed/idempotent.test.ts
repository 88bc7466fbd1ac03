/** Page and server both apply the rules of typed text: a rule applied twice gives what it gave once. */

import { globSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { visibleAddress } from './address.ts';
import { digitsOf, latinDigits } from './digits.ts';
import { meantEmail } from './mail-domain.ts';
import { nameWords } from './names.ts';
import {
  DEFAULT_COUNTRY,
  FIRST_COUNTRIES,
  formatInCountry,
  formatPhone,
  phoneDigits,
  phoneRule,
  withoutOwnDialCode,
} from './phone.ts';
import { checkName, checkSignUp, normalizeName } from './sign-up-form.ts';
import { asTyped, canonicalEmail, checkSignIn, EMAIL_RULE, mailAddress } from './validation.ts';
import { titleCase } from './written-name.ts';

type Rule = (text: string) => string;

const FORM = {
  firstName: 'Ann',
  lastName: 'Lee',
  phone: '2125550142',
  email: 'ann@x.example',
  password: 'Quiet-Lantern-52',
  confirmPassword: 'Quiet-Lantern-52',
};
type Check = (form: typeof FORM) => { readonly isValid: boolean; readonly values?: object };
/** Returns the rules of single fields in a check of a form that is right but for them; a refused text is itself. */
const checked = (names: readonly (keyof typeof FORM)[], check: Check): readonly Rule[] =>
  names.map((name) => (text) => {
    const values = check({ ...FORM, [name]: text }).values as typeof FORM | undefined;
    return values?.[name] ?? text;
  });

const COUNTRIES = [DEFAULT_COUNTRY, ...FIRST_COUNTRIES];
/** Each export that makes a text of a text. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  visibleAddress: [visibleAddress],
  latinDigits: [latinDigits],
  digitsOf: [digitsOf],
  meantEmail: [(text) => meantEmail(text) ?? text],
  nameWords: [(text) => nameWords(text).join(' ')],
  phoneDigits: [phoneDigits],
  formatPhone: [formatPhone],
  formatInCountry: COUNTRIES.map((country) => (text) => formatInCountry(country, text)),
  withoutOwnDialCode: COUNTRIES.map((country) => (text) => withoutOwnDialCode(country, text)),
  phoneRule: COUNTRIES.map(({ value }) => phoneRule(value).normalize),
  normalizeName: [normalizeName],
  checkName: checked(['firstName', 'lastName'], checkName),
  checkSignUp: checked(['firstName', 'lastName', 'phone', 'email'], checkSignUp),
  canonicalEmail: [canonicalEmail],
  mailAddress: [mailAddress],
  asTyped: [asTyped],
  EMAIL_RULE: [EMAIL_RULE.normalize],
  checkSignIn: checked(['email'], checkSignIn),
  titleCase: [([first = '']) => titleCase(first)],
};
/** Exports that give a yes or no, a list, or a part that is not read again. */
const OTHERS = [
  'DEFAULT_COUNTRY',
  'FIRST_COUNTRIES',
  'PLAIN',
  'SIGN_UP_FIELDS',
  'check',
  'checkEmail',
  'phoneExtension',
  'isAllRequiredFailing',
  'isCommonDomain',
  'isEmail',
  'isMainCountry',
  'isPhoneLength',
  'isPlainlyWritten',
  'isWholePhone',
  'isWrittenName',
  'nameKeys',
  // Its parts are compared with what is stored, and read no more.
  'readSearch',
  // The rest of a number behind its dial code.
  'splitDialCode',
];

/** What rules look at, and letters that change more than once. */
const SIGNS = [
  ...'ǄǅǆǇǈǉǱǲǳᾳᾼßŉİıΐςσϲ\u{1D6D3}\u{10330}\u{10428}\u{20BB7}',
  '\u0301',
  '\u0308',
  '\u0345',
  '\u200B',
  '\u200C',
  '\u200D',
  '\u00AD',
  '\uFE0F',
  '\uD800',
  ...'aeAEbxX1230٠१+()-–—.。．､@＠﹫ \u00A0\u3000,;#’\'"',
  'com',
  'gmail',
  '@x.example',
  'e\u200B\u0301',
  '+1',
  '00',
];
const texts = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...SIGNS) },
      fc.string({ unit: 'binary', maxLength: 1 }),
    ),
    {
      maxLength: 14,
    },
  )
  .map((signs) => signs.join(''));

test.each(Object.entries(RULES))(
  '[SUP-09] F18: %s gives the same when applied twice',
  (_, rules) => {
    for (const rule of rules) {
      fc.assert(
        fc.property(texts, (text) => {
          const once = rule(text);
          expect(rule(once)).toBe(once);
        }),
        { numRuns: 4000, seed: 18 },
      );
    }
  },
);

test('[SUP-09] F18: each letter has one titlecase', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const once = titleCase(String.fromCodePoint(code));
    if (titleCase(once) !== once) wrong.push(`U+${code.toString(16)}`);
  }
  expect(wrong).toEqual([]);
});

test('[SUP-09] F18: every rule of the folder is in the table', async () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const modules = await Promise.all(
    files.map(async (file) => (await import(path.join(import.meta.dirname, file))) as object),
  );
  const names = modules.flatMap((module) => Object.keys(module)).toSorted();
  expect(names).toEqual([...Object.keys(RULES), ...OTHERS].toSorted());
});
