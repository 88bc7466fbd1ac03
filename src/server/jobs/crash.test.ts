/** Real processes that are killed, and two that share a database: what the receivers' own ledgers say. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import {
  type HttpReceiver,
  type MailReceiver,
  type Stage,
  startHttpReceiver,
  startMailReceiver,
} from '../testing/receivers.ts';
import { endProcess, type ServerProcess, startProcess } from '../testing/server-process.ts';
import { createTestClock } from '../testing/test-clock.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createVisitor } from '../testing/visitor.ts';
import { activation, SECRET } from '../testing/test-app.ts';
import { createOutbox } from './outbox.ts';

const SLOW_MS = 300_000;
const WAIT = { timeout: 60_000, interval: 20 };
const KEY = 'a key that is long enough';
/** A little longer than a lease. */
const LEASE_SECONDS = 61;

let database: TestDatabase;
let dir: string;
const running: ServerProcess[] = [];
const receivers: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  database = await openTestDatabase();
  dir = mkdtempSync(join(tmpdir(), 'porchlight-crash-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map(endProcess));
  for (const receiver of receivers.splice(0)) await receiver.close();
  await database.close();
  rmSync(dir, { recursive: true, force: true });
});

const openOwn = () => openDatabase(database.url ? { url: database.url } : { directory: dir });

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startProcess({
    PORCHLIGHT_DATA_DIR: dir,
    PORCHLIGHT_SECRET: SECRET,
    ...(database.url && { DATABASE_URL: database.url }),
    ...env,
  });
  running.push(server);
  expect(await server.started).toBeNull();
  return server;
}

async function keep<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const receiver = await starting;
  receivers.push(receiver);
  return receiver;
}

describe('[R41] kill -9 at every step of a job', () => {
  type Step = 'acknowledged' | Stage;
  type Receiver = 'mail' | 'text' | 'lead';
  const STEPS: readonly Step[] = ['acknowledged', 'begun', 'whole', 'answered'];
  const RECEIVERS: readonly Receiver[] = ['lead', 'text', 'mail'];
  // A second process on PostgreSQL starts in a moment; the embedded database takes its time.
  const turns = () =>
    database.url
      ? RECEIVERS.flatMap((to) => STEPS.map((step) => ({ to, step })))
      : STEPS.map((step, n) => ({ to: RECEIVERS[n % 3] ?? 'lead', step }));

  let mail: MailReceiver;
  let text: HttpReceiver;
  let crm: HttpReceiver;
  let rounds = 0;
  /** What the server said yes to: the person's address or number. */
  const promised = { mail: [] as string[], text: [] as string[], lead: [] as string[] };

  const ledger = (): Readonly<
    Record<Receiver, readonly (readonly [key: string, whom: string])[]>
  > => ({
    mail: mail.mails.map((each) => [
      /^Message-ID: (.*)$/im.exec(each)?.[1] ?? '',
      /^To: (.*)$/im.exec(each)?.[1] ?? '',
    ]),
    text: text.received.map(({ headers, body }) => [
      String(headers['idempotency-key']),
      String(JSON.parse(body).to),
    ]),
    lead: crm.received.map(({ headers, body }) => [
      String(headers['idempotency-key']),
      String(JSON.parse(body).email),
    ]),
  });

  /** A new process goes on where the dead one was: by its clock the dead one's lease is over. */
  async function goOn(): Promise<ServerProcess> {
    const server = await start({
      SMTP_URL: mail.url,
      SMS_WEBHOOK_URL: text.url,
      SMS_WEBHOOK_KEY: KEY,
      CRM_URL: crm.url,
      CRM_KEY: KEY,
    });
    rounds += 1;
    await fetch(`${server.url}/dev/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceSeconds: rounds * LEASE_SECONDS }),
    });
    await settled(server);
    return server;
  }
  const settled = (server: ServerProcess) => fetch(`${server.url}/dev/leads.json`);

  /** On PostgreSQL a row that is held keeps the process from noting what it did, for as long as we like. */
  async function holdJobs(): Promise<() => Promise<void>> {
    if (!database.url) return async () => undefined;
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('begin');
    await client.query('select id from outbox where done_at is null for update');
    const isHeldUp = async () => {
      const { rowCount } = await client.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return Boolean(rowCount);
    };
    return async () => {
      await vi.waitUntil(isHeldUp, WAIT);
      void client.end();
    };
  }

  async function round(to: Receiver, step: Step): Promise<void> {
    const server = await goOn();
    const n = rounds;
    const emailAddress = `crash-${n}@example.test`;
    const mobileNumber = `2025${String(n).padStart(2, '0')}0123`;
    const codeFor = async (email: string) => {
      await settled(server);
      const found = mail.mails.findLast((each) => each.includes(`\nTo: ${email}\n`)) ?? '';
      return /^Subject: (\d{6})/m.exec(found)?.[1] ?? '';
    };
    const visitor = createVisitor({ url: server.url, codeFor });
    const created = (await visitor.signUp({ emailAddress, mobileNumber, subtenantId: 3 })).data;
    const { userId = 0, id = '' } = created ?? {};
    const receiver = { mail, text, lead: crm }[to];
    let free = async () => {};
    const arm = () =>
      receiver.watch(async (stage) => {
        if (step === 'answered' && stage === 'whole') free = await holdJobs();
        if (stage !== step) return;
        await free();
        server.kill('SIGKILL');
        // Nobody is there to be answered; at "answered" it is out already.
        if (stage === 'whole') await server.exited;
      });
    const isYes = ({ status }: { readonly status: number }) => status === 200;
    if (to !== 'lead') arm();
    const sent = await visitor.sendCode(userId, 'USER_ACTIVATION').catch(() => null);
    if (sent && isYes(sent)) {
      promised.mail.push(emailAddress);
      promised.text.push(`+1${mobileNumber}`);
    }
    if (to === 'lead') {
      const otpId = sent?.data?.id ?? '';
      await visitor.verify(otpId, userId, await codeFor(emailAddress));
      arm();
      const body = activation({ userId, id }, otpId);
      const activated = await visitor.call('activateUser', { body }).catch(() => null);
      if (activated && isYes(activated)) promised.lead.push(emailAddress);
    }
    if (step === 'acknowledged') server.kill('SIGKILL');
    await server.exited;
    receiver.watch(() => undefined);
  }

  test(
    'the receivers have every lead and every message; what came twice has the same key',
    async () => {
      mail = await keep(startMailReceiver());
      text = await keep(startHttpReceiver());
      crm = await keep(startHttpReceiver());
      for (const { to, step } of turns()) await round(to, step);
      const last = await goOn();
      await settled(last);
      last.kill('SIGTERM');
      expect(await last.exited).toBe(0);

      const all = ledger();
      for (const kind of RECEIVERS) {
        const whoms = new Set(all[kind].map(([, whom]) => whom));
        const missing = promised[kind].filter((whom) => !whoms.has(whom));
        expect([kind, missing]).toEqual([kind, []]);
        // One thing has one key, and one key one thing.
        const keys = new Set(all[kind].map(([key]) => key));
        const pairs = new Set(all[kind].map((pair) => pair.join(' ')));
        expect([kind, keys.size, whoms.size]).toEqual([kind, pairs.size, pairs.size]);
      }
      expect(promised.lead.length + promised.text.length).toBeGreaterThan(turns().length / 2);
      const after = await openOwn();
      const left = await after.db
        .selectFrom('outbox')
        .select(['kind', 'last_error'])
        .where('done_at', 'is', null)
        .execute();
      await after.close();
      expect(left).toEqual([]);
    },
    SLOW_MS,
  );
});

describe('[R45] a worker in every instance', () => {
  const JOBS = 1000;

  /** Written as the server writes them. */
  async function write(count: number): Promise<void> {
    const own = await openOwn();
    try {
      await migrate(own.db);
      const outbox = createOutbox({
        db: own.db,
        clock: createTestClock(),
        secretBox: createSecretBox(SECRET),
        onError: () => undefined,
      });
      await own.db.transaction().execute(async (transaction) => {
        for (let n = 1; n <= count; n += 1) {
          const payload = { email: `person-${n}@example.test` };
          await outbox.add(transaction, { kind: 'lead', payload, idempotencyKey: `lead:${n}` });
        }
      });
    } finally {
      await own.close();
    }
  }

  // On the embedded database one process does them all; two cannot open it.
  test(
    'a thousand jobs, two processes, one database: each job is done once',
    async () => {
      const crm = await keep(startHttpReceiver());
      const instances = database.url ? ['a', 'b'] : ['a'];
      const env = (name: string) => ({ CRM_URL: `${crm.url}/${name}`, CRM_KEY: KEY });
      if (!database.url) await write(JOBS);
      await Promise.all(instances.map((name) => start(env(name))));
      if (database.url) await write(JOBS);
      await vi.waitUntil(() => crm.received.length >= JOBS, { ...WAIT, timeout: 120_000 });
      for (const server of running) {
        server.kill('SIGTERM');
        expect(await server.exited).toBe(0);
      }
      const keys = crm.received.map(({ headers }) => headers['idempotency-key']);
      expect([keys.length, new Set(keys).size]).toEqual([JOBS, JOBS]);
      const shares = instances.map(
        (name) => crm.received.filter(({ path }) => path === `/${name}`).length,
      );
      for (const share of shares) expect(share).toBeGreaterThan(0);
      const own = await openOwn();
      const undone = await own.db
        .selectFrom('outbox')
        .select('id')
        .where((eb) => eb.or([eb('done_at', 'is', null), eb('attempts', '!=', 1)]))
        .execute();
      await own.close();
      expect(undone).toEqual([]);
    },
    SLOW_MS,
  );
});
