/** [R42] The database goes and comes back: no process ends, every query answers, the next connection works. */

import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { isDatabaseAway } from './availability.ts';
import { type Database, openDatabase } from './database.ts';
import { untilHolds } from '../testing/until.ts';

/** As many as the pool has connections, so that a single stuck one would show. */
const ALL = Array.from({ length: 10 });

let direct: TestDatabase;
let proxy: TcpProxy;
let database: Database;
beforeEach(async () => {
  direct = await openTestDatabase();
  const url = new URL(direct.url ?? '');
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  database = await openDatabase({ url: url.href });
});
afterEach(async () => {
  await database.close().catch(() => undefined);
  await proxy.close();
  await direct.close();
});

const ask = () => sql`select 1`.execute(database.db);
const outcomesOf = async (calls: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((call) =>
    call.status === 'fulfilled' ? 'answered' : isDatabaseAway(call.reason) ? 'away' : call.reason,
  );

/** Two statements with a moment between them, where the server can end the connection. */
const transaction = () =>
  database.db.transaction().execute(async (own) => {
    await sql`select 1`.execute(own);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await sql`select 1`.execute(own);
  });

const terminateAll = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(direct.db);

test('connections that the server ends, in and between statements, cost their own calls only', async () => {
  for (let round = 0; round < 5; round += 1) {
    const outcomes = outcomesOf(ALL.map(transaction));
    await terminateAll();
    expect((await outcomes).filter((kind) => kind !== 'answered' && kind !== 'away')).toEqual([]);
  }
  await outcomesOf(ALL.map(ask));
  expect(await outcomesOf(ALL.map(ask))).toEqual(ALL.map(() => 'answered'));
});

test('[R54] one that ends while a transaction thinks ends that transaction, and nothing else', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtException', note);
  const away = database.db.transaction().execute(async (own) => {
    await sql`select 1`.execute(own);
    await terminateAll();
    // Nobody listens for an answer now: what the server says last must find somebody all the same.
    await untilHolds(async () => {
      const { rows } = await sql`select pid from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(direct.db);
      expect(rows).toEqual([]);
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await sql`select 1`.execute(own);
  });
  expect(await outcomesOf([away])).toEqual(['away']);
  expect(await outcomesOf([ask()])).toEqual(['answered']);
  process.off('uncaughtException', note);
  expect(uncaught).toEqual([]);
});

describe('a host that vanishes without a word', () => {
  test('is asked nothing more by a transaction that lost it: no rollback that would wait as long again', async () => {
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    const away = database.db.transaction().execute(async (own) => {
      await sql`select 1`.execute(own);
      proxy.freeze();
      await sql`select 2`.execute(own);
    });
    expect(await outcomesOf([away])).toEqual(['away']);
    const texts = asked.mock.calls.map(([text]) => text as unknown);
    asked.mockRestore();
    expect(texts).toEqual(['begin', 'select 1', 'select 2']);
  });

  test('is given up, in a transaction too, and none of its connections is used again', async () => {
    await Promise.all(ALL.map(transaction));
    proxy.freeze();
    expect(await outcomesOf(ALL.map(transaction))).toEqual(ALL.map(() => 'away'));
    // New connections lead nowhere either.
    expect(await outcomesOf([ask()])).toEqual(['away']);
    proxy.heal();
    expect(await outcomesOf(ALL.map(ask))).toEqual(ALL.map(() => 'answered'));
  });
});

test('a connection to a server that became read-only is not used again', async () => {
  const write = () => sql`create table if not exists proof (id int)`.execute(database.db);
  await database.db.connection().execute(async (own) => {
    await sql`set default_transaction_read_only = on`.execute(own);
  });
  expect(await outcomesOf([write()])).toEqual(['away']);
  expect(await outcomesOf([write()])).toEqual(['answered']);
});
