import {
  DAY_MINUTES,
  type HoursNow,
  openingAt,
  type OpeningSpan,
  WEEK_DAYS,
  type WeekTime,
} from '#domain/text/opening-hours.ts';
import type { Texts } from '#locales/catalogue.ts';
import { fill } from '#locales/fill.ts';
import type { HelpHours } from '../config/config.ts';

/** The texts, and the name of a day of the week. */
type Words = { readonly t: Texts['hours']; readonly nameOf: (day: number) => string };

function wordsIn({ hours: t, language }: Texts): Words {
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  // The first of January 2024 was a Monday.
  return { t, nameOf: (day) => weekday.format(Date.UTC(2024, 0, 1 + day)) };
}

/** Returns a function that says in words whether the help line is open at a moment. */
export function createHoursNow(
  { spans, timeZone }: HelpHours,
  texts: Texts,
): (now: Date) => HoursNow {
  const words = wordsIn(texts);
  const { t, nameOf } = words;
  const week = spans.map((span) => spanText(words, span));
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const weekTimeOf = (now: Date): WeekTime => {
    const found = new Map(parts.formatToParts(now).map(({ type, value }) => [type, value]));
    const day = WEEK_DAYS.findIndex((name) => name === found.get('weekday'));
    return { day, minute: Number(found.get('hour')) * 60 + Number(found.get('minute')) };
  };
  return (now) => {
    const opening = openingAt(spans, weekTimeOf(now));
    if (opening.isOpen) {
      const { until } = opening;
      const text = until === null ? t.openLong : fill(t.openUntil, { time: timeText(t, until) });
      return { isOpen: true, now: text, week };
    }
    const { inDays, opens } = opening;
    const texts = [t.opensToday, t.opensTomorrow];
    const day = nameOf(opens.day);
    const text = fill(texts[inDays] ?? t.opensOn, { day, time: timeText(t, opens.minute) });
    return { isOpen: false, now: text, week };
  };
}

function spanText({ t, nameOf }: Words, { firstDay, lastDay, from, to }: OpeningSpan): string {
  const times = { from: timeText(t, from), to: timeText(t, to) };
  const first = nameOf(firstDay);
  const last = nameOf(lastDay);
  if (firstDay === lastDay) return fill(t.day, { day: first, ...times });
  const isEveryDay = (lastDay + 1) % WEEK_DAYS.length === firstDay;
  if (!isEveryDay) return fill(t.days, { first, last, ...times });
  return to - from === DAY_MINUTES ? t.always : fill(t.everyDay, times);
}

/** "8 am", "9:30 pm", "noon": figures alone leave open which twelve is meant. */
function timeText(t: Texts['hours'], minute: number): string {
  if (minute % DAY_MINUTES === 0) return t.midnight;
  if (minute === DAY_MINUTES / 2) return t.noon;
  const hour = Math.floor(minute / 60);
  const past = minute % 60;
  const time = `${hour % 12 || 12}${past > 0 ? `:${String(past).padStart(2, '0')}` : ''}`;
  return fill(hour < 12 ? t.am : t.pm, { time });
}
