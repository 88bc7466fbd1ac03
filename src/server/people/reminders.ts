import { HOUR_MS } from '#domain/text/duration.ts';
import { sendTrialReminders } from '../accounts/trial-reminders.ts';
import type { FullContext } from '../access/context.ts';
import { forEachRow } from '../db/each-row.ts';
import { sendHelpReminders } from '../helpers/help-reminders.ts';
import type { Task } from '../core/task.ts';

/** Sends the mails about trials and helpers that end soon. @throws RowsFailed */
export async function sendReminders(context: FullContext, signal?: AbortSignal): Promise<void> {
  const trials = () => sendTrialReminders(context, context.notifications.trialEnds, signal);
  const helpers = () => sendHelpReminders(context, signal);
  await forEachRow([trials, helpers], (send) => send());
}

/** Reminds people of what ends soon. */
export const reminders = (context: FullContext): Task => ({
  everyMs: HOUR_MS,
  run: (signal) => sendReminders(context, signal),
  trace: 'reminders',
  failed: 'reminders will be tried again',
});
