import { fill } from '#locales/fill.ts';
import { migrateCommand as texts } from '#locales/operator/migrate-command.ts';
import { openConfigured, openExisting } from '#server/db/database.ts';
import { migrate as migrateToLatest, readMigrationState } from '#server/db/migrate.ts';
import { type Command, output, readWords, wrongUsage } from './command.ts';

/** `porchlight migrate [--status]`: brings the database up to date, or tells what that would do. */
export const migrate: Command = (words) => {
  const { values, positionals } = readWords(words, { status: { type: 'boolean' } }, 'migrate');
  if (positionals.length > 0) throw wrongUsage('migrate');
  return async (at) => {
    const open = values.status ? openExisting : openConfigured;
    const database = await open(at.config());
    try {
      if (values.status) {
        const { applied, pending } = await readMigrationState(database.db);
        const lines = [
          ...pending.map((name) => fill(texts.waits, { name })),
          fill(texts.state, { applied: applied.length, pending: pending.length }),
        ];
        return output(lines, { applied, pending }, pending.length > 0);
      }
      const applied = await database.maintenance(migrateToLatest);
      const lines = applied.map((name) => fill(texts.applied, { name }));
      return output(lines.length > 0 ? lines : [texts.current], { applied });
    } finally {
      await database.close();
    }
  };
};
