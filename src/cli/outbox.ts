import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import { createDeadLetters, type DeadLetter } from '#server/jobs/dead-letters.ts';
import { type Command, output, wrongUsage } from './command.ts';

/** `porchlight outbox list | retry ID|all`: the dead letters. */
export const outbox: Command = ([verb, id, ...rest]) => {
  const isMeant = verb === 'list' ? id === undefined : verb === 'retry' && id !== undefined;
  if (!isMeant || rest.length > 0) throw wrongUsage('outbox');
  return (at) =>
    at.withDatabase(async ({ db, clock, audit }) => {
      const letters = createDeadLetters({ db, clock });
      if (verb === 'list') {
        const rows = await letters.list();
        return output(rows.length > 0 ? rows.map(lineOf) : [texts.outboxEmpty], rows);
      }
      const count = await letters.retry(id ?? '', (transaction, retried) =>
        audit({ kind: 'outbox.retried', details: { id, count: retried } }, transaction),
      );
      return output([fill(texts.outboxRetried, { count })], { count }, count === 0 && id !== 'all');
    });
};

function lineOf({ id, kind, key, createdAt, deadAt, attempts, reason }: DeadLetter): string {
  return [id, kind, key, createdAt.toISOString(), deadAt.toISOString(), attempts, reason].join(
    '\t',
  );
}
