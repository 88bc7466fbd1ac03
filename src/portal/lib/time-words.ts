import { stillPage as t } from '#texts/still-page.ts';
import { language } from '#texts/language.ts';
import { spanText } from '#locales/counts.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/text/duration.ts';

// Without JavaScript no countdown runs, and the server does not know the visitor's time of day: times are given in
// words.

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/**
 * Returns how long ago, such as "2 minutes ago" or "3 days ago".
 * @param ms at least 0
 */
export function agoText(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? [];
  if (unit === undefined || length === undefined) return t.momentAgo;
  return new Intl.RelativeTimeFormat(language).format(-Math.floor(ms / length), unit);
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

/** Returns a day in words, such as "November 24, 2027". @param day as "2027-11-24" */
export function dayText(day: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${day}T00:00:00Z`));
}
