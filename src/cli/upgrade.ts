import { doctorCommand as texts } from '#locales/operator/doctor-command.ts';
import { bad, type Finding, good } from '#server/core/finding.ts';
import type { Config } from '#server/config/config.ts';
import { openExisting } from '#server/db/database.ts';
import { readMigrationState, readPendingWork } from '#server/db/migrate.ts';
import type { CommandOf } from './command.ts';
import { lookAtAddresses } from './doctor/accounts.ts';
import { lookAtBackup, lookAtServer } from './doctor/database.ts';
import { lookAtSettings, report } from './doctor/doctor.ts';

/** Rows from which an operator should know that writers wait: seconds on the machines of docs/operations/sizing.md. */
const MANY_ROWS = 500_000;

/** `porchlight upgrade check`: by the new release, on the database of the old one that runs; it changes nothing. */
export const upgrade: CommandOf<'upgrade'> = {
  check: () => async (at) => {
    const { config, findings } = lookAtSettings(at.env());
    return report(config ? [...findings, ...(await lookAtUpgrade(config))] : findings);
  },
};

/** @throws OperatorError when the database is away, or a restore was not finished */
async function lookAtUpgrade(config: Config): Promise<readonly Finding[]> {
  await using database = await openExisting(config);
  const { db } = database;
  const { applied, pending } = await readMigrationState(db);
  if (applied.length === 0) return [good('migrations', texts.firstStart)];
  const long = (await readPendingWork(db)).filter(({ rows }) => rows >= MANY_ROWS);
  return [
    ...(await lookAtServer(db)),
    pending.length === 0
      ? good('migrations', texts.migrated)
      : good('migrations', texts.toRun, { count: pending.length, names: pending.join(', ') }),
    ...long.map(({ migration, table, rows }) =>
      bad('warning', 'migrations', 'longMigration', {
        migration,
        table,
        millions: (rows / 1e6).toFixed(1),
      }),
    ),
    ...(await lookAtAddresses(db)),
    await lookAtBackup(db),
  ];
}
