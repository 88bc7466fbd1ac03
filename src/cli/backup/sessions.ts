import { backupCommand as texts } from '#locales/operator/backup-command.ts';
import { fill } from '#locales/fill.ts';
import { type Command, output, readWords, wrongUsage } from '../command.ts';
import { endAllAccess, type Ended } from './end-all-access.ts';

/** `porchlight sessions end --all`: what a restore does last, for whoever restores with other tools. */
export const sessions: Command = (words) => {
  const { values, positionals } = readWords(words, { all: { type: 'boolean' } }, 'sessions');
  if (positionals.join(' ') !== 'end' || !values.all) throw wrongUsage('sessions');
  return (at) =>
    at.withDatabase(
      async ({ db, clock, audit }) => {
        const ended = await db.transaction().execute(async (transaction) => {
          const counts = await endAllAccess(transaction, clock.now());
          await audit({ kind: 'sessions.ended', details: { ended: counts } }, transaction);
          return counts;
        });
        return output(linesOf(ended), { ended });
      },
      { isLong: true },
    );
};

/** What was ended, in words. */
export const linesOf = (ended: Ended): readonly string[] => [
  texts.ended,
  ...Object.entries(ended).map(([table, count]) => fill(texts.endedRow, { table, count })),
];
