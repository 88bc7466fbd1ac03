/** [R41] [SEC-05] Two real processes on one database, of which one is killed. */

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HttpReceiver, startHttpReceiver } from '../testing/receivers.ts';
import type { ServerProcess } from '../testing/server-process.ts';
import { serversForEachTest } from '../testing/start-folder.ts';
import { SECRET } from '../testing/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { until } from '../testing/until.ts';

const SLOW_MS = 300_000;
const PHONE = '2025550123';

const { start } = serversForEachTest();
let database: TestDatabase;
let texts: Record<'first' | 'second', HttpReceiver>;
beforeEach(async () => {
  database = await openTestDatabase();
  texts = { first: await startHttpReceiver(), second: await startHttpReceiver() };
});
afterEach(async () => {
  await texts.first.close();
  await texts.second.close();
  await database.close();
});

const startWith = async (receiver: HttpReceiver): Promise<ServerProcess> => {
  const server = await start({
    DATABASE_URL: database.url ?? '',
    PORCHLIGHT_SECRET: SECRET,
    SMS_WEBHOOK_URL: receiver.url,
    SMS_WEBHOOK_KEY: 'a key that is long enough',
  });
  expect(await server.started).toBeNull();
  return server;
};

/** A code by text that the first process's provider has got, and does not answer for. */
async function hangingCode(server: ServerProcess): Promise<void> {
  const hasCome = new Promise<void>((resolve) => {
    texts.first.watch((stage) => (stage === 'whole' ? resolve() : undefined));
  });
  await texts.first.setMood('hang');
  const visitor = server.visitor();
  const email = 'lease@example.test';
  const created = (await visitor.signUp({ emailAddress: email, mobileNumber: PHONE })).data;
  await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
  await hasCome;
}

/** How long the lease of the job has left, by the database's clock. */
async function leftOfLease(): Promise<number> {
  const { rows } = await sql<{ left: string }>`
    select extract(epoch from locked_until - clock_timestamp()) as left
    from outbox where done_at is null and locked_until is not null`.execute(database.db);
  return Number(rows[0]?.left);
}

test(
  'the code of a process that is killed is sent by the other one, without waiting out its life',
  async () => {
    const first = await startWith(texts.first);
    await hangingCode(first);
    first.kill('SIGKILL');
    await first.exited;
    // With the second in which the other one looks again: within 15 s.
    expect(await leftOfLease()).toBeLessThanOrEqual(10);
    await startWith(texts.second);
    await until(() => texts.second.received.length > 0);
    expect(texts.second.received).toHaveLength(1);
    const keys = [...texts.first.received, ...texts.second.received].map(
      ({ headers }) => headers['idempotency-key'],
    );
    expect(new Set(keys).size).toBe(1);
  },
  SLOW_MS,
);
