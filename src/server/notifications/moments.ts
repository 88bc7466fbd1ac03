import { mails } from '#texts/mails.ts';
import { fill } from '#locales/fill.ts';
import { language } from '#texts/language.ts';

/** Returns a clock time only in a zone that the operator configured: the reader's zone is unknown. */
export function whenText(at: Date, timeZone: string | null): string {
  if (timeZone === null) return mails.whenJustNow;
  return fill(mails.whenAt, { date: dateText(at, timeZone), time: timeText(at, timeZone) });
}

/** Created once for each time zone: creating one costs more than a mail. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string, shape: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${timeZone} ${Object.keys(shape).join(' ')}`;
  const known = formats.get(name) ?? new Intl.DateTimeFormat(language, { ...shape, timeZone });
  formats.set(name, known);
  return known;
}

export function timeText(at: Date, timeZone: string): string {
  return formatFor(timeZone, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
    .format(at)
    .replace(/\s/g, ' ');
}

export function dateText(at: Date, timeZone: string | null): string {
  return formatFor(timeZone ?? 'UTC', { dateStyle: 'full' }).format(at);
}
