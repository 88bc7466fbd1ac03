import { environmentOf } from '../config/setting.ts';
import { type Timers, timerSettings, timersOf } from '../config/timers.ts';

/** The timers of an operator who sets these, by their names in the environment. */
export const timersWith = (
  given: Partial<Record<keyof typeof timerSettings, string>> = {},
): Timers => timersOf(environmentOf(timerSettings).parse(given));

/** The timers of an operator who sets none. */
export const defaultTimers = timersWith();
