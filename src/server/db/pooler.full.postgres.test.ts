/** [OPS-50] PgBouncer in transaction mode: what is set on one connection is not there on the next. */

import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inCluster } from '../testing/cluster.ts';
import { freePort } from '../testing/free-port.ts';
import { type ServerProcess, endProcess, startProcess } from '../testing/server-process.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { PASSWORD } from '../testing/visitor.ts';
import { openDatabase } from './database.ts';

const ROLE = `pooled_${process.pid}`;

let folder: string;
let database: TestDatabase;
let pooled: string;
let pooler: ChildProcess;

beforeAll(async () => {
  database = await openTestDatabase('empty');
  const direct = new URL(database.url ?? '');
  await inCluster(direct.href, `create role ${ROLE} login`);
  await inCluster(direct.href, `grant all on schema public to ${ROLE}`);
  const port = await freePort();
  folder = mkdtempSync(join(tmpdir(), 'porchlight-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${direct.hostname} port=${direct.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
`.replace('* = host', `${direct.pathname.slice(1)} = user=${ROLE} host`),
  );
  // It does not run as root.
  const user = process.getuid?.() === 0 ? idsOf('nobody') : null;
  if (user) for (const path of [folder, file]) chownSync(path, user.uid, user.gid);
  pooler = spawn('pgbouncer', [file], {
    ...user,
    env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
    stdio: 'ignore',
  });
  pooled = `postgres://${ROLE}@127.0.0.1:${port}${direct.pathname}`;
  await vi.waitUntil(
    () =>
      inCluster(pooled, 'select 1').then(
        () => true,
        () => false,
      ),
    {
      timeout: 30_000,
    },
  );
});
afterAll(async () => {
  pooler?.kill('SIGKILL');
  await inCluster(database.url ?? '', `drop owned by ${ROLE}`);
  await database.close();
  await inCluster(process.env.TEST_DATABASE_URL ?? '', `drop role ${ROLE}`);
  rmSync(folder, { recursive: true, force: true });
});

function idsOf(name: string) {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

test('[OPS-50] a role without a limit is refused, in words', async () => {
  await expect(openDatabase({ url: pooled })).rejects.toThrow(
    `ALTER ROLE ${ROLE} SET statement_timeout = 2500`,
  );
});

test('[OPS-50] with one it migrates, people sign up and in, and a long query ends', async () => {
  await inCluster(database.url ?? '', `alter role ${ROLE} set statement_timeout = 2500`);
  // The pooler's connections have what the role had when they were opened.
  pooler.kill('SIGHUP');
  await inCluster(
    database.url ?? '',
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`,
  );
  let server: ServerProcess | undefined;
  try {
    server = await startProcess({
      DATABASE_URL: pooled,
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
  const { db, close } = await openDatabase({ url: pooled });
  await expect(sql`select pg_sleep(60)`.execute(db)).rejects.toThrow('statement timeout');
  await close();
});
