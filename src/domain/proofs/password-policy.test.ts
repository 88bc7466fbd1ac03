import { describe, expect, it, test } from 'vitest';
import {
  isPasswordAcceptable,
  PASSWORD_MAX_LENGTH,
  PASSWORD_RULES,
  PASSWORD_SPECIALS,
  passwordChecklist,
} from './password-policy.ts';

const met = (password: string) =>
  passwordChecklist(password)
    .filter((rule) => rule.isMet)
    .map((rule) => rule.id);

describe('passwordChecklist', () => {
  it('[SUP-05] stands in the specified order', () => {
    expect(PASSWORD_RULES.map((rule) => rule.id)).toEqual([
      'length',
      'uppercase',
      'alphanumeric',
      'special',
    ]);
  });

  test.each([
    ['nothing', '', []],
    ['seven characters', 'aaaaaaa', []],
    ['eight characters', 'aaaaaaaa', ['length']],
    ['eight characters that take two units each', '😀😀😀😀😀😀😀😀', ['length']],
    ['four characters that take two units each', '😀😀😀😀', []],
    ['an uppercase letter', 'A', ['uppercase']],
    ['an uppercase letter that is no plain one', 'Ä', []],
    ['both cases without a digit', 'aA', ['uppercase']],
    ['a digit and lowercase only', 'a1', []],
    ['a digit and uppercase only', 'A1', ['uppercase']],
    ['a lowercase, an uppercase letter and a digit', 'aA1', ['uppercase', 'alphanumeric']],
    ['a digit of another script', 'aA١', ['uppercase']],
    ['a special', '-', ['special']],
    ['a character outside the fixed set', '§ é', []],
  ])('[SUP-05] [SUP-12] %s', (_what, password, rules) => {
    expect(met(password)).toEqual(rules);
  });

  test.each([...'!@#$%^&*()_-+={}[]|\\:;"\'<>,.?/~`'])(
    '[SUP-12] takes %s as a special',
    (special) => {
      expect(met(special)).toEqual(['special']);
    },
  );

  it('[SUP-12] the fixed set holds nothing beside', () => {
    expect([...PASSWORD_SPECIALS].sort()).toEqual([...'!@#$%^&*()_-+={}[]|\\:;"\'<>,.?/~`'].sort());
  });
});

describe('isPasswordAcceptable', () => {
  test.each([
    ['all four rules', 'Porchl-1', true],
    ['spaces and letters of any script beside', 'Porch Зоя 李 1!', true],
    ['no lowercase letter', 'PORCHL-1', false],
    ['no uppercase letter', 'porchl-1', false],
    ['no digit', 'Porchlig-', false],
    ['no special', 'Porchlig1', false],
    ['seven characters', 'Porch-1', false],
    ['nothing', '', false],
  ])('[SUP-12] %s', (_what, password, isAcceptable) => {
    expect(isPasswordAcceptable(password)).toBe(isAcceptable);
  });

  it('[SUP-12] takes long passwords, but none that makes hashing dear', () => {
    const ofLength = (length: number) => `Aa1!${'x'.repeat(length - 4)}`;
    expect(isPasswordAcceptable(ofLength(64))).toBe(true);
    expect(isPasswordAcceptable(ofLength(PASSWORD_MAX_LENGTH))).toBe(true);
    expect(isPasswordAcceptable(ofLength(PASSWORD_MAX_LENGTH + 1))).toBe(false);
    expect(isPasswordAcceptable(ofLength(65_536))).toBe(false);
  });
});
