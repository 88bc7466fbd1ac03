import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/en/server.ts';
import { OperatorError } from '../config/operator-error.ts';
import { createDeadLetters, type DeadLetter } from '../jobs/dead-letters.ts';
import { type Command, output } from './command.ts';

/** `npm run outbox -- list | retry <id> | retry all`: the dead letters. */
export const outbox: Command = ([verb, id]) => {
  if (verb !== 'list' && !(verb === 'retry' && id)) throw new OperatorError(texts.outboxUsage);
  return (at) =>
    at.withDatabase(async ({ db, clock, audit }) => {
      const letters = createDeadLetters({ db, clock });
      if (verb === 'list') {
        const rows = await letters.list();
        return output(rows.length > 0 ? rows.map(lineOf) : [texts.outboxEmpty]);
      }
      const count = await letters.retry(id ?? '');
      await audit({ kind: 'outbox.retried', details: { id, count } });
      return output([fill(texts.outboxRetried, { count })], count === 0);
    });
};

function lineOf({ id, kind, key, createdAt, deadAt, attempts, reason }: DeadLetter): string {
  return [id, kind, key, createdAt.toISOString(), deadAt.toISOString(), attempts, reason].join(
    '\t',
  );
}
