import { describe, expect, test } from 'vitest';
import { textsIn } from './catalogue.ts';
import type { Translated } from './languages.ts';

/** Sentences of the specification: they are ours in no other language than English. */
const SPECIFIED =
  /OTP|Otp|Congratulations!|The link you are trying|reset password link has been sent|have been logged out|username or password you entered|already associated|does not meet our security|procees/;
/** Subjects that programs read, or developers. */
const NOT_FOR_PEOPLE = ['refusals', 'language'];
/** In a shorter sentence the figure is that of one word. */
const FEWEST_WORDS = 8;

const leaves = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(leaves);

const wordsOf = (text: string) =>
  text.replace(/\{\w+\}/g, 'one').match(/[\p{L}\d][\p{L}\d'’-]*/gu) ?? [];

function sentencesOf(language: Translated): readonly string[] {
  const subjects = Object.entries(textsIn(language)).filter(
    ([subject]) => !NOT_FOR_PEOPLE.includes(subject),
  );
  return subjects
    .flatMap(([, texts]) => leaves(texts))
    .flatMap((text) => text.split(/(?<=[.?!:…])\s+/))
    .filter((sentence) => /[.?!:…]$/.test(sentence) && !SPECIFIED.test(sentence))
    .filter((sentence) => wordsOf(sentence).length >= FEWEST_WORDS);
}

/** Groups of vowels, without a silent e at the end: near enough to what people say. */
function englishSyllables(word: string): number {
  const spoken = word.toLowerCase().replace(/(?:[^laeiouy]es|[^laeiouytd]ed|[^laeiouy]e)$/, '');
  return Math.max(1, (spoken.match(/[aeiouy]+/g) ?? []).length);
}

/** Each strong vowel is a syllable, and so is a group of weak ones; the u of que and gui is silent. */
function spanishSyllables(word: string): number {
  const spoken = word
    .toLowerCase()
    .replace(/([qg])u(?=[eiéí])/g, '$1')
    .replace(/y$/, 'i');
  const groups = spoken.match(/[aeiouáéíóúü]+/g) ?? [];
  return Math.max(
    1,
    groups.reduce((sum, group) => sum + Math.max(1, (group.match(/[aeoáéóíú]/g) ?? []).length), 0),
  );
}

type Measure = {
  readonly syllables: (word: string) => number;
  /** From words a sentence and syllables a word; a higher one is harder. */
  readonly hardness: (words: number, syllables: number) => number;
  readonly hardest: number;
};

const MEASURES: Readonly<Record<Translated, Measure>> = {
  // Grade of school, by Flesch and Kincaid.
  en: {
    syllables: englishSyllables,
    hardness: (words, syllables) => 0.39 * words + 11.8 * syllables - 15.59,
    hardest: 6,
  },
  // Perspicuity by Fernández-Huerta, where 75 is "fairly easy"; turned round.
  es: {
    syllables: spanishSyllables,
    hardness: (words, syllables) => -(206.84 - 1.02 * words - 60 * syllables),
    hardest: -75,
  },
};

function hardnessOf(sentences: readonly string[], { syllables, hardness }: Measure): number {
  const words = sentences.flatMap(wordsOf);
  const spoken = words.reduce((sum, word) => sum + syllables(word), 0);
  return hardness(words.length / sentences.length, spoken / words.length);
}

const LANGUAGES = Object.keys(MEASURES) as Translated[];

describe.each(LANGUAGES)('[LNG-08] %s', (language) => {
  const measure = MEASURES[language];
  const sentences = sentencesOf(language).toSorted(
    (a, b) => hardnessOf([b], measure) - hardnessOf([a], measure),
  );
  const tenth = sentences.slice(0, Math.floor(sentences.length / 10));

  test('the hardest tenth of our sentences is easy to read', () => {
    expect(sentences.length).toBeGreaterThan(60);
    const { hardest } = measure;
    expect({ hardness: hardnessOf(tenth, measure), tenth }).toSatisfy(
      ({ hardness }: { readonly hardness: number }) => hardness <= hardest,
    );
  });

  test('has at most 20 words in a sentence', () => {
    expect(sentences.filter((sentence) => wordsOf(sentence).length > 20)).toEqual([]);
  });
});

test('[LNG-08] syllables are counted as people say them', () => {
  const words = ['contraseña', 'cuenta', 'todavía', 'aéreo', 'quiere', 'muy', 'guía', 'vio'];
  expect(words.map(spanishSyllables)).toEqual([4, 2, 4, 4, 2, 1, 2, 1]);
  expect(['password', 'used', 'organisation'].map(englishSyllables)).toEqual([2, 1, 5]);
});

test('[LNG-04] a Spanish text message stays within the GSM alphabet', () => {
  const { codeSms, codeSmsShort, spent } = { ...textsIn('es').mails, spent: textsIn('es').units };
  const texts = [codeSms, codeSmsShort, ...Object.values(spent.minute)];
  // Of the accented letters: é, ñ, ü, and the marks that open a question.
  expect(texts.join(' ').replace(/[\x20-\x7e]|[éñü¿¡]/g, '')).toBe('');
});
