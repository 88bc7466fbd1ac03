import { expect, test } from 'vitest';
import { maskEmail } from '../proofs/otp.ts';
import { nameKeys } from '../typed/names.ts';
import { browserName } from './browser-name.ts';
import { firstLetters } from './first-letters.ts';

/** Letters of two units, of several code points, and halves of letters. */
const LETTERS = ['\u{10330}', '\u{20BB7}', '👩‍👩‍👧', '🇪🇸', 'e\u0301', 'ñ', 'a'];
const HALVES = ['\uD800', '\uDF30'];

test.each(LETTERS)(
  '[OPS-109] S64: a text of %s is cut between letters, at every length',
  (letter) => {
    for (const before of ['', 'A', 'AB']) {
      const text = before + letter.repeat(40);
      for (let count = 0; count <= 90; count += 1) {
        const cut = firstLetters(text, count);
        expect(cut.isWellFormed()).toBe(true);
        expect([...cut]).toHaveLength(Math.min(count, [...text].length));
        expect(text.startsWith(cut)).toBe(true);
      }
      const { keys, words } = nameKeys(text, letter.repeat(30));
      expect([...keys, words].every((key) => key.isWellFormed())).toBe(true);
    }
    expect(maskEmail(`${letter}y@example.test`).isWellFormed()).toBe(true);
    expect(() => browserName(`${letter.repeat(499)} Windows`)).not.toThrow();
  },
);

test.each(HALVES)('[OPS-109] S64: a half letter stays what it is', (half) => {
  expect(firstLetters(`${half}ab`, 2)).toBe(`${half}a`);
});

test('[OPS-109] S66: a mask begins with a whole letter', () => {
  expect(maskEmail('\u{10330}y@example.test')).toBe('\u{10330}•••@example.test');
});
