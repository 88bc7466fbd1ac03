/** [OPS-64] Several hosts in one address: whoever is writable is found, and found again after a fail-over. */

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inCluster } from '../testing/cluster.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { isDatabaseAway } from './availability.ts';
import { openDatabase } from './database.ts';

let direct: TestDatabase;
let proxies: readonly TcpProxy[];
let both: string;
beforeEach(async () => {
  direct = await openTestDatabase();
  const { hostname, port, username, pathname } = new URL(direct.url ?? '');
  const host = { host: hostname, port: Number(port) };
  proxies = [await startTcpProxy(host), await startTcpProxy(host)];
  const hosts = proxies.map((proxy) => `127.0.0.1:${proxy.port}`).join(',');
  both = `postgres://${username}@${hosts}${pathname}?target_session_attrs=read-write`;
});
afterEach(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close().catch(() => undefined)));
  await direct.close();
});

test('[OPS-64] a host that is gone is left for the other one, by every connection', async () => {
  const { db, close } = await openDatabase({ url: both });
  const ask = () => sql`select 1`.execute(db);
  const many = Array.from({ length: 10 });
  await Promise.all(many.map(ask));
  await proxies[0]?.close();
  // What was open is lost with its host, once.
  await Promise.allSettled(many.map(ask));
  await expect(Promise.all(many.map(ask))).resolves.toHaveLength(10);
  await close();
});

test('[OPS-64] a start finds the second host where the first one is away', async () => {
  await proxies[0]?.close();
  const { db, close } = await openDatabase({ url: both });
  await expect(sql`select 1`.execute(db)).resolves.toBeDefined();
  await close();
});

test('[OPS-64] a host that is read-only is no host to write to', async () => {
  const name = new URL(direct.url ?? '').pathname.slice(1);
  const { db, close } = await openDatabase({ url: both });
  await inCluster(
    process.env.TEST_DATABASE_URL ?? '',
    `alter database ${name} set default_transaction_read_only = on`,
  );
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(direct.db);
  const ask = () => sql`select 1`.execute(db);
  await ask().catch(() => undefined);
  await expect(ask()).rejects.toSatisfy(isDatabaseAway);
  await expect(ask()).rejects.toThrow('read-only');
  await close();
});
