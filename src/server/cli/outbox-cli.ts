import { server as texts } from '#locales/en/server.ts';
import { fill } from '#locales/fill.ts';
import { createAudit } from '../audit/audit.ts';
import { createClock } from '../clock.ts';
import { loadConfig } from '../config/config.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createDeadLetters, type DeadLetters } from '../jobs/dead-letters.ts';
import { OperatorError } from '../config/operator-error.ts';

/** `npm run outbox -- list | retry <id> | retry all`: the dead letters, with the settings that the server has. */
async function main([verb, id]: readonly string[]): Promise<void> {
  if (verb !== 'list' && !(verb === 'retry' && id)) throw new OperatorError(texts.outboxUsage);
  const config = loadConfig(process.env);
  const database = await openDatabase(
    config.databaseUrl ? { url: config.databaseUrl } : { directory: config.dataDirectory },
  );
  try {
    const { db } = database;
    await migrate(db);
    const clock = createClock();
    const letters = createDeadLetters({ db, clock });
    if (verb === 'list') return await list(letters);
    const count = await letters.retry(id ?? '');
    await createAudit({ db, clock })({ kind: 'outbox.retried', details: { id, count } });
    say(fill(texts.outboxRetried, { count }));
    if (count === 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

async function list(letters: DeadLetters): Promise<void> {
  const rows = await letters.list();
  if (rows.length === 0) return say(texts.outboxEmpty);
  for (const { id, kind, key, createdAt, deadAt, attempts, reason } of rows) {
    say(
      [id, kind, key, createdAt.toISOString(), deadAt.toISOString(), attempts, reason].join('\t'),
    );
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const text = error instanceof OperatorError ? error.message : (error as Error).stack;
  process.stderr.write(`${text}\n`, () => process.exit(1));
});
