import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textsIn } from './catalogue.ts';
import type * as en from './en/index.ts';
import type * as es from './es/index.ts';
import { LANGUAGES, OFFERED } from './languages.ts';
import type { Translation, Unfilled } from './translation.ts';

const english = {
  plain: 'Sign in',
  filled: 'Call {phone} or write to {email}',
  deep: { list: ['one', 'two {n}'] },
  count: { one: '{count} day', other: '{count} days' },
} as const;
type Own = Translation<typeof english, 'one' | 'many' | 'other'>;

const right = {
  plain: 'Iniciar sesión',
  filled: 'Escriba a {email} o llame al {phone}',
  deep: { list: ['uno', 'dos {n}'] },
  count: { one: '{count} día', many: '{count} de días', other: '{count} días' },
} as const satisfies Own;

/** Accepts nothing but `never`: what is unfilled is named by the error. */
const allFilled = <Path extends string>(...none: [Path] extends [never] ? [] : [Path]) => none;

// One line a language: the error names the texts whose placeholders English has not.
allFilled<Unfilled<typeof en, typeof es>>();

// `npm run check` fails on an expected error that is none.
test('[LNG-01] what a translation lacks, or has too much, does not compile', () => {
  allFilled<Unfilled<typeof english, typeof right>>();
  const { filled: _filled, ...lacking } = right;
  // @ts-expect-error -- a missing text
  lacking satisfies Own;
  // @ts-expect-error -- an extra text
  ({ ...right, more: 'más' }) satisfies Own;
  // @ts-expect-error -- a missing placeholder
  ({ ...right, filled: 'Llame al {phone}' }) as const satisfies Own;
  // @ts-expect-error -- a missing plural form
  ({ ...right, count: { one: '{count} día', other: '{count} días' } }) as const satisfies Own;
  // @ts-expect-error -- a missing entry of a list
  ({ ...right, deep: { list: ['uno'] } }) as const satisfies Own;
  const extra = { ...right, plain: 'Iniciar {what}' } as const;
  // @ts-expect-error -- a placeholder that English has not
  allFilled<Unfilled<typeof english, typeof extra>>();
  const named: Unfilled<typeof english, typeof extra> = '/plain';
  expect(named).toBe('/plain');
});

test.each(OFFERED)('[LNG-01] %s has the plural forms that Intl asks for', (language) => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const { units } = textsIn(language);
  for (const unit of Object.values(units)) {
    expect(Object.keys(unit).toSorted()).toEqual([...forms].toSorted());
  }
});

test.each(OFFERED)('[LNG-02] %s says its own name', (language) => {
  expect(textsIn(language).language).toBe(language);
  const own = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? '';
  expect(LANGUAGES[language].name.toLowerCase()).toBe(own.toLowerCase());
});

test('[LNG-06] a pseudo-language changes each text and no placeholder', () => {
  const { widgets, privacy, units } = textsIn('en-XA');
  expect(widgets.countdown.secondsLeft).toBe('[{seconds} seécoónds leéft toó uúseé thiís coódeé]');
  expect(privacy.steps[1]).toHaveLength(4);
  expect(units.day.one).toBe('[{count} daáy]');
  expect(textsIn('ar-XB').units.day.one).toBe('{count}\u202e day\u202c');
});

/** Returns the words of the last column of the glossary in docs/translating.md. */
function neverWords() {
  const doc = readFileSync(new URL('../../docs/translating.md', import.meta.url), 'utf8');
  const [, table = ''] = doc.split('| Thing | Say | Never |');
  const rows = table.split('\n\n', 1)[0]?.split('\n').slice(2) ?? [];
  return rows.flatMap((row) => row.split('|')[3]?.split(',') ?? []).map((word) => word.trim());
}

function allTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(allTexts) : [];
}

test('[R31] no word that the glossary rules out stands in the Spanish', () => {
  const words = neverWords();
  expect(words).toContain('aparato');
  const faults = allTexts(textsIn('es')).flatMap((text) =>
    words
      .filter((word) => {
        const [start, end] = /\p{L}/u.test(word) ? ['(?<!\\p{L})', '(?!\\p{L})'] : ['', ''];
        return new RegExp(`${start}${word}${end}`, 'iu').test(text);
      })
      .map((word) => `${word}: ${text}`),
  );
  expect(faults).toEqual([]);
});
