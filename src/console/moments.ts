import { DAY_MS } from '#domain/text/duration.ts';

/** Dates and times as staff read them, in the zone of the service. */

type Zone = { readonly now: number; readonly timeZone: string };

const LANGUAGE = 'en-US';
const NEAR_DAYS = [
  ['today', 0],
  ['yesterday', -1],
  ['tomorrow', 1],
] as const;

function format(at: number, timeZone: string, shape: Intl.DateTimeFormatOptions): string {
  const text = new Intl.DateTimeFormat(LANGUAGE, { ...shape, timeZone }).format(at);
  return text.replaceAll(/\s/g, ' ').replace(' AM', ' am').replace(' PM', ' pm');
}

/** Returns "11:52 am". */
export const clockText = (at: number, { timeZone }: Zone): string =>
  format(at, timeZone, { hour: 'numeric', minute: '2-digit' });

/** Returns "March 4, 2024". */
export const dateText = (at: number, { timeZone }: Zone): string =>
  format(at, timeZone, { dateStyle: 'long' });

/** Returns "Today, Monday", or "Saturday, November 21". */
export function dayText(at: number, zone: Zone): string {
  const { now, timeZone } = zone;
  if (dateText(at, zone) === dateText(now, zone)) {
    return `Today, ${format(at, timeZone, { weekday: 'long' })}`;
  }
  return format(at, timeZone, { weekday: 'long', month: 'long', day: 'numeric' });
}

/** Returns "11:52 am", and the day as well when it is another one: "tomorrow at 11:52 am". */
export function timeText(at: number, zone: Zone): string {
  return dateText(at, zone) === dateText(zone.now, zone)
    ? clockText(at, zone)
    : momentText(at, zone);
}

/** Returns "today at 11:52 am", the same for yesterday and tomorrow, or "November 21 at 4:10 pm". */
export function momentText(at: number, zone: Zone): string {
  const near = NEAR_DAYS.find(
    ([, days]) => dateText(at, zone) === dateText(zone.now + days * DAY_MS, zone),
  );
  const day = near ? near[0] : format(at, zone.timeZone, { month: 'long', day: 'numeric' });
  return `${day} at ${clockText(at, zone)}`;
}
