import { sendTrialReminders } from '../accounts/trial-reminders.ts';
import type { ServerContext } from '../core/context.ts';
import { forEachRow } from '../db/each-row.ts';
import { sendHelpReminders } from '../helpers/help-reminders.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { HOUR_MS, type Task } from '../core/task.ts';

/** Sends the mails about trials and helpers that end soon. @throws RowsFailed */
export async function sendReminders(
  context: ServerContext,
  notifications: Notifications,
  signal?: AbortSignal,
): Promise<void> {
  const trials = () => sendTrialReminders(context, notifications.trialEnds, signal);
  const helpers = () => sendHelpReminders(context, notifications, signal);
  await forEachRow([trials, helpers], (send) => send());
}

/** Reminds people of what ends soon. */
export const reminders = (context: ServerContext, notifications: Notifications): Task => ({
  everyMs: HOUR_MS,
  run: (signal) => sendReminders(context, notifications, signal),
  trace: 'reminders',
  failed: 'reminders will be tried again',
});
