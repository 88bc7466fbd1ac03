import { mails } from '#locales/en/mails.ts';
import { fill } from '#locales/fill.ts';
import { minutesText } from '#locales/minutes-text.ts';

const MINUTES_OF_HOUR = 60;
const MINUTES_OF_DAY = 24 * MINUTES_OF_HOUR;

/** How long something works, in the largest unit that is whole: "3 days", "12 hours", "30 minutes". */
export function lifeText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const isWhole = (unit: number) => minutes >= unit && minutes % unit === 0;
  const days = minutes / MINUTES_OF_DAY;
  if (isWhole(MINUTES_OF_DAY)) return days === 1 ? mails.day : fill(mails.days, { count: days });
  const hours = minutes / MINUTES_OF_HOUR;
  if (isWhole(MINUTES_OF_HOUR))
    return hours === 1 ? mails.hour : fill(mails.hours, { count: hours });
  return minutesText(minutes);
}
