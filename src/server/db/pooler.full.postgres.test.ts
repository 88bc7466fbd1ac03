/** [OPS-50] PgBouncer in transaction mode: what is set on one connection is not there on the next. */

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inCluster } from '../testing/cluster.ts';
import { type Pooler, startPooler } from '../testing/pooler.ts';
import { type ServerProcess, endProcess, startProcess } from '../testing/server-process.ts';
import { openTestDatabase } from '../testing/test-database.ts';
import { PASSWORD } from '../testing/visitor.ts';
import { openDatabase } from './database.ts';

const ROLE = `pooled_${process.pid}`;

let pooler: Pooler;

const database = await openTestDatabase('empty');
beforeAll(async () => {
  const direct = database.url ?? '';
  await inCluster(direct, `create role ${ROLE} login`);
  await inCluster(direct, `grant all on schema public to ${ROLE}`);
  pooler = await startPooler(direct, { role: ROLE, connections: 4 });
});
afterAll(async () => {
  await pooler?.stop();
  await inCluster(database.url ?? '', `drop owned by ${ROLE}`);
  await database.close();
  await inCluster(process.env.TEST_DATABASE_URL ?? '', `drop role ${ROLE}`);
});

test('[OPS-50] a role without a limit is refused, in words', async () => {
  await expect(openDatabase({ url: pooler.url })).rejects.toThrow(
    `ALTER ROLE ${ROLE} SET statement_timeout = 2500`,
  );
});

test('[OPS-50] with one it migrates, people sign up and in, and a long query ends', async () => {
  await inCluster(database.url ?? '', `alter role ${ROLE} set statement_timeout = 2500`);
  // The pooler's connections have what the role had when they were opened.
  pooler.reload();
  await inCluster(
    database.url ?? '',
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`,
  );
  let server: ServerProcess | undefined;
  try {
    server = await startProcess({
      DATABASE_URL: pooler.url,
      PORCHLIGHT_SECRET: 'the-secret-of-the-pooled-long-enough-000',
      PORCHLIGHT_DRAIN_SECONDS: '0',
    });
    expect(await server.started).toBeNull();
    const visitor = server.visitor();
    await visitor.register({ emailAddress: 'pooled@example.test' });
    await visitor.signIn('pooled@example.test', PASSWORD);
    const names = ['member', 'top', 'admin', 'counter', 'agent', 'partner'];
    await Promise.all(names.map(async (name) => server?.visitor().signIn(name)));
  } finally {
    if (server) await endProcess(server);
  }
  const { db, close } = await openDatabase({ url: pooler.url });
  await expect(sql`select pg_sleep(60)`.execute(db)).rejects.toThrow('statement timeout');
  await close();
});
