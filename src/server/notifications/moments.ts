import type { Texts } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';
import { DAY_MS } from '#domain/text/duration.ts';

/** Returns a clock time only in a zone that the operator configured: the reader's zone is unknown. */
export function whenText(t: Texts, at: Date, timeZone: string | null): string {
  const { mails } = t;
  if (timeZone === null) return mails.whenJustNow;
  return fill(mails.whenAt, { date: dateText(t, at, timeZone), time: timeText(t, at, timeZone) });
}

/** Created once for each language and time zone: creating one costs more than a mail. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(
  { language }: Texts,
  timeZone: string,
  shape: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const name = `${language} ${timeZone} ${JSON.stringify(shape)}`;
  const known = formats.get(name) ?? new Intl.DateTimeFormat(language, { ...shape, timeZone });
  formats.set(name, known);
  return known;
}

export function timeText(t: Texts, at: Date, timeZone: string): string {
  return formatFor(t, timeZone, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
    .format(at)
    .replace(/\s/g, ' ');
}

export function dateText(t: Texts, at: Date, timeZone: string | null): string {
  return formatFor(t, timeZone ?? 'UTC', { dateStyle: 'full' }).format(at);
}

/** Returns when a past moment was: the weekday, or the date where that is a week ago; `null` without a time zone. */
export function momentText(
  t: Texts,
  { at, now }: { readonly at: Date; readonly now: Date },
  timeZone: string | null,
): string | null {
  if (timeZone === null) return null;
  const isNear = now.getTime() - at.getTime() < 6 * DAY_MS;
  const day = isNear
    ? ({ weekday: 'long' } as const)
    : ({ day: 'numeric', month: 'long' } as const);
  return formatFor(t, timeZone, { ...day, hour: 'numeric', minute: '2-digit' })
    .format(at)
    .replace(/\s/g, ' ');
}

/** Returns the weekday of a moment, and the short names of the days until then, today first. */
export function weekdaysUntil(t: Texts, until: Date, now: Date, timeZone: string | null) {
  const zone = timeZone ?? 'UTC';
  const days: string[] = [];
  for (let at = now.getTime(); at < until.getTime(); at += DAY_MS) {
    days.push(formatFor(t, zone, { weekday: 'short' }).format(at));
  }
  return { until: formatFor(t, zone, { weekday: 'long' }).format(until), days };
}
