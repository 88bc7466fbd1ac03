import { language } from '#texts/language.ts';
import { units } from '#texts/units.ts';
import { fill } from './fill.ts';

/** A text for each plural form of a language; English has `one` and `other`. */
export type Plural = { readonly [form in Intl.LDMLPluralRule]?: string } & {
  readonly other: string;
};

const rules = new Intl.PluralRules(language);

/** Returns the text in the plural form that the language has for this count: "1 country", "12 countries". */
export function countText(texts: Plural, count: number): string {
  return fill(texts[rules.select(count)] ?? texts.other, { count });
}

/** Returns a length of time: "1 minute", "12 hours". */
export const spanText = (count: number, unit: keyof typeof units): string =>
  countText(units[unit], count);
