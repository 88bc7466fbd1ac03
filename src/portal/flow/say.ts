import type { Say } from '#domain/flow/state.ts';
import { fields } from '#locales/en/fields.ts';
import { problems } from '#locales/en/problems.ts';
import { fill } from '#locales/fill.ts';
import { minutesText } from '#locales/minutes-text.ts';

const TEXTS = { ...fields, ...problems };

/** The text of a problem: the key is looked up only here. */
export function sayText(say: Say): string {
  if ('text' in say) return say.text;
  return fill(TEXTS[say.key], { minutes: minutesText(say.minutes ?? 1) });
}
