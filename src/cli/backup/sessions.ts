import { backupCommand as texts } from '#locales/operator/backup-command.ts';
import { fill } from '#locales/fill.ts';
import { type CommandOf, output } from '../command.ts';
import { endAllAccess, type Ended } from './end-all-access.ts';

/** `porchlight sessions end --all`: the last step of a restore, for a restore with other tools. */
export const sessions: CommandOf<'sessions'> = {
  end: () => (at) =>
    at.withDatabase(
      async ({ db, clock, audit }) => {
        const ended = await db.transaction().execute(async (transaction) => {
          const counts = await endAllAccess(transaction, clock.now());
          await audit({ kind: 'sessions.ended', details: { ended: counts } }, transaction);
          return counts;
        });
        return output(endedLines(ended), { ended });
      },
      { isLong: true },
    ),
};

/** Returns the ended sessions and codes, in words. */
export const endedLines = (ended: Ended): readonly string[] => [
  texts.ended,
  ...Object.entries(ended).map(([table, count]) => fill(texts.endedRow, { table, count })),
];
