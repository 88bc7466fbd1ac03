import { expect, test } from 'vitest';
import {
  chooseLanguage,
  languageIn,
  type LanguageWishes,
  writeLanguage,
} from './language-choice.ts';

const OFFERED = ['en', 'es', 'sw'] as const;
type Code = (typeof OFFERED)[number] | 'xx';
const isKnown = (code: unknown): code is Code => code === 'xx' || OFFERED.includes(code as 'en');
const choose = (wishes: Partial<LanguageWishes>) => {
  const none = { chosen: null, account: null, link: null, subtenant: null, accepted: undefined };
  return chooseLanguage<Code>({ ...none, ...wishes }, OFFERED, isKnown);
};

test.each([
  [{}, 'en'],
  [{ accepted: 'es-MX,es;q=0.9,en;q=0.8' }, 'es'],
  [{ accepted: 'fr, sw;q=0.5, es;q=0.7' }, 'es'],
  [{ accepted: 'es;q=0, sw' }, 'sw'],
  // Nobody's browser asks for a pseudo-language.
  [{ accepted: 'xx' }, 'en'],
  [{ accepted: '*;q=0.1, \u0000' }, 'en'],
  [{ accepted: 'es', subtenant: 'sw' }, 'sw'],
  [{ subtenant: 'sw', link: 'es' }, 'es'],
  [{ link: 'es', account: 'sw' }, 'sw'],
  [{ account: 'sw', chosen: 'en' }, 'en'],
  // What nobody can read counts as nothing.
  [{ chosen: 'klingon', link: '../es', subtenant: 'es' }, 'es'],
] as const)('[LNG-02] %o gives %s', (wishes, language) => {
  expect(choose(wishes)).toBe(language);
});

test('[LNG-03] a choice is kept apart from what a link said', () => {
  const read = (value: string) => languageIn(`a=b; language=${value}; c=d`);
  expect(read(writeLanguage('es', false))).toEqual({ chosen: 'es', link: null });
  expect(read(writeLanguage('ar-XB', true))).toEqual({ chosen: null, link: 'ar-XB' });
  expect(languageIn('xlanguage=es')).toEqual({ chosen: null, link: null });
  expect(languageIn(undefined)).toEqual({ chosen: null, link: null });
});
