import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import { createDeadLetters, type DeadLetter } from '#server/jobs/dead-letters.ts';
import { type CommandOf, output, table } from './command.ts';
import { onDatabase } from './on-database.ts';

/** `porchlight outbox`: the dead letters. */
export const outbox: CommandOf<'outbox'> = {
  list: () =>
    onDatabase(async (context) => {
      const rows = await createDeadLetters(context).list();
      if (rows.length === 0) return output([texts.outboxEmpty], rows);
      return output(table(texts.outboxHeader, rows.map(rowOf)), rows);
    }),

  retry: ([id = '']) =>
    onDatabase(async (context) => {
      const count = await createDeadLetters(context).retry(id, (transaction, retried) =>
        context.audit({ kind: 'outbox.retried', details: { id, count: retried } }, transaction),
      );
      const hasFailed = count === 0 && id !== 'all';
      return output([fill(texts.outboxRetried, { count })], { count }, hasFailed);
    }),
};

const rowOf = ({ id, kind, key, createdAt, deadAt, attempts, reason }: DeadLetter) => [
  id,
  kind,
  key,
  createdAt.toISOString(),
  deadAt.toISOString(),
  attempts,
  reason ?? '',
];
