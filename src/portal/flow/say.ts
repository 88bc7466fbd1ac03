import type { Say } from '#domain/flow/terms.ts';
import { fields } from '#texts/fields.ts';
import { problems } from '#texts/problems.ts';
import { fill } from '#locales/fill.ts';
import { spanText } from '#locales/counts.ts';

const TEXTS = { ...fields, ...problems };

/** Returns the text of a problem: keys are looked up only here. */
export function sayText(say: Say): string {
  if ('text' in say) return say.text;
  return fill(TEXTS[say.key], { minutes: spanText(say.minutes ?? 1, 'minute') });
}
