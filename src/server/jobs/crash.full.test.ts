/** Real processes that are killed: what the receivers' own ledgers say. */

import { rmSync } from 'node:fs';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../db/database.ts';
import {
  type HttpReceiver,
  type MailReceiver,
  type Stage,
  startHttpReceiver,
  startMailReceiver,
} from '../testing/receivers.ts';
import { makeDataDirectory } from '../testing/database-copies.ts';
import { endProcess, type ServerProcess, startProcess } from '../testing/server-process.ts';
import { openProcessDatabase, type ProcessDatabase } from '../testing/test-database.ts';
import { createVisitor } from '../testing/visitor.ts';
import { activation, SECRET } from '../testing/test-app.ts';
import { until } from '../testing/until.ts';

const SLOW_MS = 300_000;
const KEY = 'a key that is long enough';
/** A little longer than a lease. */
const LEASE_SECONDS = 11;

let database: ProcessDatabase;
let dir: string;
const running: ServerProcess[] = [];
const receivers: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  database = await openProcessDatabase();
  dir = await makeDataDirectory(database.url);
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
      await until(isHeldUp);
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
