/** [R42] [R37] [R34] The real process while its database is away, and while it is told to stop. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServerProcess } from '../server-process.ts';
import { serversForEachTest } from '../start-folder.ts';
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts';
import { openTestDatabase, type TestDatabase } from '../test-database.ts';
import { untilHolds } from '../until.ts';

const SLOW_MS = 120_000;
const { start } = serversForEachTest();

let direct: TestDatabase;
let proxy: TcpProxy;
let server: ServerProcess;
beforeEach(async () => {
  direct = await openTestDatabase('empty');
  const url = new URL(direct.url ?? '');
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  server = await start({ DATABASE_URL: url.href, PORCHLIGHT_DRAIN_SECONDS: '0' });
  const said = await server.started;
  if (said !== null) throw new Error(said);
}, SLOW_MS);
afterEach(async () => {
  await proxy.close();
  await direct.close();
});

const ready = () => fetch(new URL('/api/health/ready', server.url));
const page = () => fetch(new URL('/account/signin', server.url), { redirect: 'manual' });
const isRunning = () => Promise.race([server.exited.then(() => false), Promise.resolve(true)]);

test(
  'connections that are ended under load: 200 or 503, the process lives, what was acknowledged is there',
  async () => {
    const acknowledged: string[] = [];
    const statuses = new Set<number>();
    let isOver = false;
    const people = Array.from({ length: 6 }, async (_, n) => {
      for (let turn = 0; !isOver; turn += 1) {
        const emailAddress = `outage-${n}-${turn}@example.test`;
        const answer = await server.visitor().signUp({ emailAddress });
        statuses.add(answer.status);
        if (answer.data) acknowledged.push(emailAddress);
      }
    });
    for (let round = 0; round < 10; round += 1) {
      const before = acknowledged.length;
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()`.execute(direct.db);
      // People get in again before it happens once more.
      await untilHolds(() => expect(acknowledged.length).toBeGreaterThan(before));
    }
    isOver = true;
    await Promise.all(people);
    expect(await isRunning()).toBe(true);
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const rows = await direct.db.selectFrom('users').select('email_canonical').execute();
    const kept = new Set(rows.map((row) => row.email_canonical));
    expect(acknowledged.filter((email) => !kept.has(email))).toEqual([]);
  },
  SLOW_MS,
);

test(
  'a host that vanishes: 503 with a time to come back, a kind page, not ready; and everything again when it is back',
  async () => {
    const visitor = server.visitor();
    const { hostedLogin } = await visitor.ok('getSettings', {});
    const { authorizeUrl } = await visitor.begin(true);
    proxy.freeze();
    const away = await ready();
    expect(away.status).toBe(503);
    const refused = await visitor.call('forgotPassword', {
      body: { userName: 'member@demo.porchlight.test', emailID: 'member@demo.porchlight.test' },
    });
    expect([refused.status, refused.errorFlag]).toEqual([503, 'UNAVAILABLE']);
    expect(refused.headers.get('retry-after')).toBe('2');
    const kind = await page();
    expect(kind.status).toBe(503);
    expect(kind.headers.get('retry-after')).toBe('2');
    expect(await kind.text()).toContain('We will be back in a moment');
    const client = { client_id: hostedLogin.clientId };
    const hosted = await Promise.all([
      visitor.post('/idp/co/authenticate', {
        ...client,
        credential_type: 'http://auth0.com/oauth/grant-type/password-realm',
        realm: hostedLogin.realm,
        username: 'member@demo.porchlight.test',
        password: 'Sunny-Porch-7',
      }),
      visitor.post('/idp/oauth/token', {
        ...client,
        grant_type: 'authorization_code',
        code: 'never-issued',
        redirect_uri: 'http://localhost/',
        code_verifier: 'v'.repeat(43),
      }),
      visitor.request(authorizeUrl.replace('prompt=none', 'prompt=login'), {
        headers: { accept: 'text/html' },
      }),
      visitor.request('/idp/oidc/logout', { headers: { accept: 'text/html' } }),
    ]);
    expect(hosted.map((each) => [each.status, each.headers.get('retry-after')])).toEqual(
      hosted.map(() => [503, '2']),
    );
    // A visitor by a link gets a page.
    expect(await hosted.at(-1)?.text()).toContain('Nothing you sent before is lost.');

    proxy.heal();
    await untilHolds(async () => expect((await ready()).status).toBe(200));
    expect((await page()).status).toBe(200);
    expect(await isRunning()).toBe(true);
  },
  SLOW_MS,
);

test(
  'a standby that is read-only is not ready, and no process ends for it',
  async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
      direct.db,
    );
    const set = (mode: string) =>
      sql
        .raw(`alter database ${rows[0]?.name} set default_transaction_read_only = ${mode}`)
        .execute(direct.db);
    const drop = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`.execute(direct.db);
    await set('on');
    await drop();
    await untilHolds(async () => expect((await ready()).status).toBe(503));
    const answer = await server.visitor().signUp({ emailAddress: 'standby@example.test' });
    expect(answer.status).toBe(503);
    await set('off');
    await untilHolds(async () => {
      const again = await server.visitor().signUp({ emailAddress: 'standby@example.test' });
      expect(again.status).toBe(200);
    });
  },
  SLOW_MS,
);

test(
  'three signals are one stop, and a body that never ends does not hold it up',
  async () => {
    const { hostname, port } = new URL(server.url);
    const stalled = connect(Number(port), hostname);
    stalled.on('error', () => undefined);
    stalled.write(
      'POST /api/User/CreateUser HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    await once(stalled, 'connect');
    await ready();
    for (let n = 0; n < 3; n += 1) server.kill('SIGTERM');
    expect(await server.exited).toBe(0);
    stalled.destroy();
  },
  SLOW_MS,
);
