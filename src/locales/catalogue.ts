import * as en from './en/index.ts';
import * as es from './es/index.ts';
import type { Plural } from './counts.ts';
import { fill } from './fill.ts';
import { isTranslated, type Language, type Pseudo, type Translated } from './languages.ts';
import { pseudoTexts } from './pseudo.ts';
import type { InAnyLanguage } from './translation.ts';

/** Every text for people, in one language. Only the server has all languages at once: it writes mails in each. */
export type Texts = InAnyLanguage<typeof en>;

const TRANSLATED: Readonly<Record<Translated, Texts>> = { en, es };

const made = new Map<Pseudo, Texts>();

/** Returns the texts of a language. */
export function textsIn(language: Language): Texts {
  if (isTranslated(language)) return TRANSLATED[language];
  // Its dates and plural forms stay English, like the words that it is made from.
  const texts = made.get(language) ?? {
    ...pseudoTexts({ ...en }, language),
    language: en.language,
  };
  made.set(language, texts);
  return texts;
}

const rules = new Map<string, Intl.PluralRules>();

/** Returns a length of time in a language: "1 minute", "12 horas". */
export function spanText(
  { language, units }: Texts,
  count: number,
  unit: keyof Texts['units'],
): string {
  const forms: Plural = units[unit];
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  return fill(forms[rule.select(count)] ?? forms.other, { count });
}
