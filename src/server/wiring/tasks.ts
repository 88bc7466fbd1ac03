import { nameFolding } from '../accounts/name-keys.ts';
import { erasures } from '../people/close-account.ts';
import { reminders } from '../people/reminders.ts';
import { auditSealing } from '../audit/sealing.ts';
import { dueStaffChanges } from '../contacts/apply-staff-change.ts';
import { clearings } from '../counter/shared-devices.ts';
import { keyRefresh } from '../crypto/signing-keys.ts';
import { clockSyncs } from '../db/database-clock.ts';
import { cleaning } from '../jobs/cleanup.ts';
import { createPeriodic, type Periodic } from '../jobs/periodic.ts';
import { auditHead, reportCleanup } from '../jobs/reports.ts';
import type { Task } from '../core/task.ts';
import type { Parts } from './parts.ts';

/** Creates the work that no request asks for, by name; nothing of it is started. */
export function createTasks(parts: Parts): Readonly<Record<string, Periodic>> {
  const { context, config, tracer, metrics, sealing } = parts;
  const { log } = parts.fastify;
  const tasks: Readonly<Record<string, Task>> = {
    cleaning: cleaning({ ...config, ...context, sealing, ...reportCleanup(log, metrics) }),
    nameKeys: nameFolding(context),
    reminders: reminders(context),
    erasures: erasures(context),
    staffChanges: dueStaffChanges(context),
    clearings: clearings(parts.sharedDevices),
    keyRefresh: keyRefresh(parts.keys),
    clockSyncs: clockSyncs(parts.databaseClock),
    auditSealing: auditSealing(sealing),
    auditHead: auditHead(context.db, log),
  };
  const begin = ({ run, trace, failed, level = 'warn', ...times }: Task) =>
    createPeriodic(
      times.everyMs,
      (signal) => (trace && tracer ? tracer.periodic(trace, () => run(signal)) : run(signal)),
      (error) => log[level]({ err: error }, failed),
      times,
    );
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, begin(task)]));
}
