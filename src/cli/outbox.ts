import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import { createDeadLetters, type DeadLetter } from '#server/jobs/dead-letters.ts';
import { type CommandOf, tableLines, onDatabase, output } from './command.ts';

/** `porchlight outbox`: the dead letters. */
export const outbox: CommandOf<'outbox'> = {
  list: () =>
    onDatabase(async (context) =>
      tableLines(
        await createDeadLetters(context).list(),
        texts.outboxHeader,
        deadLetterCells,
        texts.outboxEmpty,
      ),
    ),

  retry: ([id = '']) =>
    onDatabase(async (context) => {
      const count = await createDeadLetters(context).retry(id, (transaction, retried) =>
        context.audit({ kind: 'outbox.retried', details: { id, count: retried } }, transaction),
      );
      const hasFailed = count === 0 && id !== 'all';
      return output([fill(texts.outboxRetried, { count })], { count }, hasFailed);
    }),
};

const deadLetterCells = ({ id, kind, key, createdAt, deadAt, attempts, reason }: DeadLetter) => [
  id,
  kind,
  key,
  createdAt.toISOString(),
  deadAt.toISOString(),
  attempts,
  reason ?? '',
];
