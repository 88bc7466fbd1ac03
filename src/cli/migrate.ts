import { fill } from '#locales/fill.ts';
import { migrateCommand as texts } from '#locales/operator/migrate-command.ts';
import { openConfigured, openExisting } from '#server/db/database.ts';
import { migrate as migrateToLatest, readMigrationState } from '#server/db/migrate.ts';
import { type CommandOf, output } from './command.ts';

/** `porchlight migrate [--status]`: brings the database up to date, or lists the pending migrations. */
export const migrate: CommandOf<'migrate'> = {
  '':
    (_, { status }) =>
    async (at) => {
      const open = status ? openExisting : openConfigured;
      await using database = await open(at.config());
      if (status) {
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
    },
};
