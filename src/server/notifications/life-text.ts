import { spanText, type Texts } from '#locales/catalogue.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';

const MINUTES_OF_HOUR = 60;
const MINUTES_OF_DAY = 24 * MINUTES_OF_HOUR;

/** Returns a duration in the largest whole unit: "3 days", "12 hours", "30 minutes". */
export function lifeText(t: Texts, ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  const isWhole = (unit: number) => minutes >= unit && minutes % unit === 0;
  const days = minutes / MINUTES_OF_DAY;
  if (isWhole(MINUTES_OF_DAY)) return spanText(t, days, 'day');
  const hours = minutes / MINUTES_OF_HOUR;
  if (isWhole(MINUTES_OF_HOUR)) return spanText(t, hours, 'hour');
  return spanText(t, minutes, 'minute');
}
