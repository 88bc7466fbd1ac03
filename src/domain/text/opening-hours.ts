/** Hours of a help line in a week, as an operator writes them: "Mon-Fri 8:00-18:00, Sat 9:00-12:00". */

/** Monday is 0. Minutes count from midnight; the end of a day is 1440. */
export type OpeningSpan = {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly from: number;
  readonly to: number;
};

/** A day and a minute of the week, by the clock of the place. */
export type WeekTime = { readonly day: number; readonly minute: number };

export type Opening =
  /** `until`: the minute of the day; `null` when it stays open for a day or longer. */
  | { readonly isOpen: true; readonly until: number | null }
  /** `inDays`: 0 is today. */
  | { readonly isOpen: false; readonly inDays: number; readonly opens: WeekTime };

/** Whether the help line is open, in words. */
export type HoursNow = {
  readonly isOpen: boolean;
  /** "Open now, until 8 pm", or when it opens. */
  readonly now: string;
  /** The hours of the week, a sentence each. */
  readonly week: readonly string[];
};

export const WEEK_DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export const DAY_MINUTES = 1440;
const DAYS = WEEK_DAYS.length;
const SPAN = /^([a-z]{3})(?:-([a-z]{3}))? +(\d{1,2}):(\d\d)-(\d{1,2}):(\d\d)$/i;

/** Returns the spans in their written order, or `null` for a text that is not of this form. */
export function parseOpeningHours(text: string): readonly OpeningSpan[] | null {
  const spans = text.split(',').map((part) => parseSpan(part.trim()));
  return spans.every((span) => span !== null) ? spans : null;
}

function parseSpan(text: string): OpeningSpan | null {
  const [, first = '', last = first, ...times] = SPAN.exec(text) ?? [];
  const [fromHour = NaN, fromMinute = NaN, toHour = NaN, toMinute = NaN] = times.map(Number);
  const firstDay = dayNumber(first);
  const lastDay = dayNumber(last);
  const from = fromHour * 60 + fromMinute;
  const to = toHour * 60 + toMinute;
  const isTime = fromMinute < 60 && toMinute < 60 && from < to && to <= DAY_MINUTES;
  return firstDay < 0 || lastDay < 0 || !isTime ? null : { firstDay, lastDay, from, to };
}

const dayNumber = (name: string) =>
  WEEK_DAYS.findIndex((day) => day.toLowerCase() === name.toLowerCase());

/** Returns whether the line is open, until when, or when it opens next. */
export function openingAt(spans: readonly OpeningSpan[], { day, minute }: WeekTime): Opening {
  const until = closingOf(spans, day, minute);
  if (until !== null) {
    // A span that ends at midnight continues when the next day begins open.
    const night = until === DAY_MINUTES ? closingOf(spans, (day + 1) % DAYS, 0) : null;
    const end = night ?? until;
    return { isOpen: true, until: night === DAY_MINUTES ? null : end };
  }
  const coming = [...Array(DAYS + 1).keys()].flatMap((inDays) => {
    const on = (day + inDays) % DAYS;
    const starts = spans
      .filter((span) => isOn(span, on) && (inDays > 0 || span.from > minute))
      .map(({ from }) => from);
    return starts.length > 0 ? [{ inDays, opens: { day: on, minute: Math.min(...starts) } }] : [];
  });
  const [{ inDays, opens } = { inDays: 0, opens: { day, minute } }] = coming;
  return { isOpen: false, inDays, opens };
}

/** Returns when an open span ends, with those that follow it without a break; `null` while closed. */
function closingOf(spans: readonly OpeningSpan[], day: number, minute: number): number | null {
  let end: number | null = null;
  for (;;) {
    const at = end ?? minute;
    const ends = spans.filter((span) => isOn(span, day) && span.from <= at && at < span.to);
    if (ends.length === 0) return end;
    end = Math.max(...ends.map(({ to }) => to));
  }
}

/** A range of days may go over the end of the week: "Sat-Mon". */
const isOn = ({ firstDay, lastDay }: OpeningSpan, day: number) =>
  (day - firstDay + DAYS) % DAYS <= (lastDay - firstDay + DAYS) % DAYS;
