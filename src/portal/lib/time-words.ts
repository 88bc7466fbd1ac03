import { stillPage as t } from '#texts/still-page.ts';
import { language } from '#texts/language.ts';
import { spanText } from '#locales/counts.ts';

// Without JavaScript no countdown runs, and the server does not know the visitor's time of day: times are given in
// words.

/**
 * Returns how long ago, such as "2 minutes ago".
 * @param ms at least 0
 */
export function agoText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return t.momentAgo;
  return new Intl.RelativeTimeFormat(language).format(-minutes, 'minute');
}

/**
 * Returns a remaining time, such as "1 minute 40 seconds"; whole seconds, rounded up.
 * @param ms more than 0
 */
export function durationText(ms: number): string {
  const total = Math.ceil(ms / 1000);
  const [minutes, seconds] = [Math.floor(total / 60), total % 60];
  return [minutes > 0 && spanText(minutes, 'minute'), seconds > 0 && spanText(seconds, 'second')]
    .filter(Boolean)
    .join(' ');
}
