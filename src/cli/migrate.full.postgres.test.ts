import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { runCommand } from '#server/testing/command.ts';
import { startProcess } from '#server/testing/server-process.ts';
import { openTestDatabase } from '#server/testing/test-database.ts';
import { closeAtEnd } from '#server/testing/close-at-end.ts';

const run = (...words: string[]) => runCommand({ DATABASE_URL: database.url ?? '' }, ...words);
const database = closeAtEnd(await openTestDatabase('empty'));

/** The key of kysely's advisory lock around migrations. */
const LOCK = sql.lit('3853314791062309107');
/** Longer than a statement of a request may take. */
const SECONDS = 3;

test('[OPS-07] who finds another one migrating waits for it, longer than a request may take', async () => {
  const before = await run('migrate', '--status', '--json');
  expect(before).toMatchObject({ code: 1, err: '' });
  const { pending } = JSON.parse(before.out) as { pending: string[] };
  expect(pending).toContain('0051_notes_set_aside');

  const refused = await run('serve', '--no-migrate');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(
    /Migrations that wait: \d+, from 0051_notes_set_aside on\..*porchlight migrate/,
  );

  const migrating = await database.maintenance((db) =>
    db.transaction().execute(async (first) => {
      await sql`select pg_advisory_xact_lock(${LOCK}::bigint)`.execute(first);
      const ended = run('migrate', '--json');
      await vi.waitUntil(
        async () => {
          // Outside of the transaction, in which the picture would stand still.
          const { rows } = await sql`
            select 1 from pg_stat_activity where datname = current_database()
            and wait_event_type = 'Lock' and wait_event = 'advisory'
            and clock_timestamp() - query_start > make_interval(secs => ${SECONDS})`.execute(
            database.db,
          );
          return rows.length > 0;
        },
        { timeout: 60_000, interval: 200 },
      );
      return { ended };
    }),
  );
  const after = await migrating.ended;
  expect(after).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(after.out)).toEqual({ applied: pending });
  expect((await run('migrate')).out).toBe('The database is up to date.\n');
  expect(await run('migrate', '--status')).toMatchObject({ code: 0 });
});

test('[OPS-104] N28: a database that is slow or away is named with host and mend, by a start and a command', async () => {
  const real = new URL(database.url ?? '');
  const held = new Set<Socket>();
  let count = 0;
  // Every second connection gets no answer: the first one opens, and the migrations wait.
  const slow = createServer((socket) => {
    held.add(socket.on('error', () => undefined));
    count += 1;
    if (count % 2 === 0) return;
    const onward = connect(Number(real.port), real.hostname).on('error', () => undefined);
    held.add(onward);
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const { port } = slow.address() as { port: number };
  const url = new URL(real);
  url.host = `127.0.0.1:${port}`;
  url.password = 'not-to-be-told';
  const env = { DATABASE_URL: url.href };
  const away = { DATABASE_URL: 'postgres://us:not-to-be-told@127.0.0.1:9/none' };

  const start = async (more: Record<string, string>) => (await startProcess(more)).started;
  const slowStart = await start(env);
  count = 0;
  const told: readonly (readonly [said: string | null, database: string])[] = [
    [slowStart, `${url.pathname.slice(1)} at 127.0.0.1:${port}`],
    [(await runCommand(env, 'migrate')).err, `${url.pathname.slice(1)} at 127.0.0.1:${port}`],
    [await start(away), 'none at 127.0.0.1:9'],
    [(await runCommand(away, 'user', 'list')).err, 'none at 127.0.0.1:9'],
  ];
  for (const [said, where] of told) {
    expect(said).toContain(`The database ${where} cannot be reached, or is too slow: `);
    expect(said).toContain('Look at DATABASE_URL');
    expect(said).not.toMatch(/^ +at |not-to-be-told/m);
  }
  for (const socket of held) socket.destroy();
  slow.close();
});
