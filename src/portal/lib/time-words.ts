import { stillPage as t } from '#locales/en/still-page.ts';
import { fill } from '#locales/fill.ts';

// Where no script runs nothing ticks, and the server does not know the visitor's time of day: times are told in words.

/** How long ago, such as "2 minutes ago". @param ms at least 0 */
export function agoText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes === 0) return t.momentAgo;
  return minutes === 1 ? t.minuteAgo : fill(t.minutesAgo, { minutes });
}

/** How long still, such as "1 minute 40 seconds"; whole seconds, rounded up. @param ms more than 0 */
export function durationText(ms: number): string {
  const total = Math.ceil(ms / 1000);
  const [minutes, seconds] = [Math.floor(total / 60), total % 60];
  return [
    minutes > 0 && (minutes === 1 ? t.oneMinute : fill(t.minutes, { minutes })),
    seconds > 0 && (seconds === 1 ? t.oneSecond : fill(t.seconds, { seconds })),
  ]
    .filter(Boolean)
    .join(' ');
}
