import { expect, test } from 'vitest';
import { nameKeys, nameWords } from './names.ts';

test.each([
  ['Núñez', 'nunez'],
  ['Søren Æbelø', 'soren aebelo'],
  ['IŞIK ışık İpek', 'isik isik ipek'],
  ['Strauß STRAUẞ', 'strauss strauss'],
  ['Łódź Đorđe Þór', 'lodz dorde thor'],
  ["O'Brien O’Brien OʻBrien", 'obrien obrien obrien'],
  ['Anne-Marie J. (Ann)', 'anne marie j ann'],
  ['Ａｎｎ ﬁn', 'ann fin'],
  ['मेरी', 'मेरी'],
  ["-- ' ", ''],
])('[CON-04] F16: the words of %s', (name, words) => {
  expect(nameWords(name).join(' ')).toBe(words);
  // Both forms of Unicode, and capitals, are the same name.
  for (const form of ['NFC', 'NFD'] as const) {
    expect(nameWords(name.normalize(form).toUpperCase()).join(' ')).toBe(words);
  }
});

test('[CON-04] F16: a name has a key for each two of its words, and one word for each of its parts', () => {
  expect(nameKeys('Ángela', 'Núñez')).toEqual({
    keys: ['angelanunez', 'nunezangela'],
    words: ' angela nunez',
  });
  const { keys, words } = nameKeys('Anne-Marie', 'García López');
  expect(keys).toHaveLength(12);
  expect(keys).toContain('lopezannemariegarcia');
  expect(words).toBe(' anne marie garcia lopez annemarie garcialopez');
  expect(nameKeys('', '')).toEqual({ keys: [], words: '' });
  expect(nameKeys('a '.repeat(1000), 'b'.repeat(1000)).keys.length).toBeLessThan(40);
});
