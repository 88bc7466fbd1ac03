import * as z from 'zod';
import { configCommand as texts } from '#locales/operator/config-command.ts';
import { fill } from '#locales/fill.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { number, type ValuesOf } from './setting.ts';

/** A time may be shorter than the security rules ask for (R22, R31, R52), and never longer: the most is the default. */
const timer = (path: string, least: number, most: number) => {
  const error = fill(texts.timer, { least, most });
  const schema = z.coerce
    .number({ error })
    .int({ error })
    .min(least, { error })
    .max(most, { error });
  return number(`timers.${path}`, schema.default(most));
};

/** Their rows in the table of settings. */
export const timerSettings = {
  // A use is stored once a minute: a session of few minutes would end during its use.
  PORCHLIGHT_SESSION_IDLE_MINUTES: timer('sessionIdleMinutes', 5, 30),
  PORCHLIGHT_STAFF_IDLE_MINUTES: timer('staffIdleMinutes', 5, 15),
  PORCHLIGHT_SESSION_HOURS: timer('sessionHours', 1, 12),
  PORCHLIGHT_RESET_LINK_MINUTES: timer('resetLinkMinutes', 10, 30),
  PORCHLIGHT_ACTIVATION_LINK_HOURS: timer('activationLinkHours', 1, 24),
  PORCHLIGHT_INVITATION_DAYS: timer('invitationDays', 1, 3),
  // A form waits for its code for a day.
  PORCHLIGHT_UNPROVEN_DAYS: timer('unprovenAccountDays', 2, 7),
  // A message is tried for three days, and the operator needs time to check dead letters.
  PORCHLIGHT_MESSAGE_DAYS: timer('messageDays', 7, 30),
};

export type Timers = Readonly<ReturnType<typeof timersOf>>;

/** Returns how long what people hold is good for, in milliseconds. */
export function timersOf(values: ValuesOf<typeof timerSettings>) {
  const idle = values.PORCHLIGHT_SESSION_IDLE_MINUTES;
  return {
    /** Without a call. */
    sessionIdleMs: idle * MINUTE_MS,
    /** The same for staff; never longer than for others. */
    staffIdleMs: Math.min(idle, values.PORCHLIGHT_STAFF_IDLE_MINUTES) * MINUTE_MS,
    /** From the sign-in, however busy. */
    sessionMs: values.PORCHLIGHT_SESSION_HOURS * HOUR_MS,
    resetLinkMs: values.PORCHLIGHT_RESET_LINK_MINUTES * MINUTE_MS,
    /** Of a link by mail that finishes a sign-up. */
    activationLinkMs: values.PORCHLIGHT_ACTIVATION_LINK_HOURS * HOUR_MS,
    /** Of an operator's mail whose link sets the first password. */
    invitationMs: values.PORCHLIGHT_INVITATION_DAYS * DAY_MS,
    /** Until an unproven account is deleted. */
    unprovenAccountMs: values.PORCHLIGHT_UNPROVEN_DAYS * DAY_MS,
    /** What is kept of messages, and of what could not be sent. */
    messagesMs: values.PORCHLIGHT_MESSAGE_DAYS * DAY_MS,
  };
}
