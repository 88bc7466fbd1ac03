/**
 * A row at which each run fails, because it is wrong or because it is slow: every periodic task does its other rows, and
 * the metric says which task is overdue.
 */

import { type RawBuilder, sql } from 'kysely';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { sendHelpReminders } from '../../helpers/help-reminders.ts';
import { sendTrialReminders } from '../../accounts/trial-reminders.ts';
import { eraseClosed } from '../../people/close-account.ts';
import { clearOverdue } from '../../counter/devices.ts';
import { applyDueChanges } from '../../contacts/apply-staff-change.ts';
import { foldAllNames } from '../../accounts/name-keys.ts';
import { createSealing } from '../../audit/sealing.ts';
import { later } from '../../core/clock.ts';
import { createRateLimits } from '../../abuse/rate-limits.ts';
import { openDatabase } from '../../db/database.ts';
import { createSecretBox } from '../../crypto/secret-box.ts';
import { createCleanup } from '../../jobs/cleanup.ts';
import { createPeriodic } from '../../jobs/periodic.ts';
import { createTestApp, type TestApp } from '../test-app.ts';
import { defaultTimers } from '../timers.ts';
import { adminContextOf } from '../admin-context.ts';
import type { FullContext } from '../../access/context.ts';

const TOKEN = 'a-metrics-token-of-these-tests-0123456789';
const HOUR = 60 * 60 * 1000;
/** With the time limits of the product: other tests have patience with a busy machine. */
const testApp = await createTestApp({ metricsToken: TOKEN });
const database = await openDatabase({ url: testApp.database.url ?? '' });
const context = contextOf(testApp);
afterAll(async () => {
  await database.close();
  await testApp.close();
});

/** The context of a command beside the running server. */
function contextOf({ clock, config, app }: TestApp): FullContext {
  const command = adminContextOf({ db: database.db, clock, config, outbox: app.outbox });
  return { ...command, rateLimits: createRateLimits(command) };
}

let count = 0;
const newUser = async () => {
  const emailAddress = `poison-${(count += 1)}@account.test`;
  return (await testApp.visitor().register({ emailAddress })).userId;
};
const three = async () => [await newUser(), await newUser(), await newUser()] as const;
const newId = () => crypto.randomUUID();
const ago = () => later(testApp.clock.now(), -1000);

type Poison = (table: string, column: string, value: string) => Promise<() => Promise<unknown>>;

/** Lets a trigger do something before each change of a row. @returns what ends it */
async function trigger(deed: string, ...[table, column, value]: Parameters<Poison>) {
  const name = `poison_${(count += 1)}`;
  await sql`create function ${sql.ref(name)}() returns trigger language plpgsql as $$
    begin ${sql.raw(deed)}; end $$`.execute(testApp.db);
  await sql`create trigger ${sql.ref(name)} before update or delete on ${sql.table(table)}
    for each row when (old.${sql.ref(column)}::text = ${sql.lit(value)})
    execute function ${sql.ref(name)}()`.execute(testApp.db);
  return () => sql`drop trigger ${sql.ref(name)} on ${sql.table(table)}`.execute(testApp.db);
}

/** Begins a transaction that holds a lock. @returns what ends it */
async function hold(lock: RawBuilder<unknown>): Promise<() => Promise<unknown>> {
  const transaction = await testApp.db.startTransaction().execute();
  await lock.execute(transaction);
  return () => transaction.rollback().execute();
}

const LOCK = 4_711;
const POISONS: Readonly<Record<string, Poison>> = {
  wrong: (...row) => trigger(`raise exception 'a poisoned row'`, ...row),
  slow: async (...row) => {
    const release = await hold(sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`);
    const cure = await trigger(`perform pg_advisory_xact_lock(${LOCK})`, ...row);
    return () => release().then(cure);
  },
  locked: (table, column, value) =>
    hold(sql`select 1 from ${sql.table(table)}
      where ${sql.ref(column)}::text = ${value} for update`),
};

/** Rows that are due, the poisoned one first; and how to run the task. */
type Task = {
  readonly table: string;
  readonly column: string;
  due(): Promise<readonly string[]>;
  run(): Promise<unknown>;
  /** A row for which the work is done. */
  readonly isDone: string;
  /** Poisons that it passes by without a word. */
  readonly passesBy?: readonly string[];
};

const cleaned = () =>
  createCleanup({
    ...testApp,
    db: database.db,
    auditDays: 365,
    leadDays: 30,
    timers: defaultTimers,
    sealing: createSealing(context),
    onDone: () => undefined,
    onDeadLetters: () => undefined,
    onError: () => undefined,
  }).run();

const TASKS: Readonly<Record<string, Task>> = {
  cleaning: {
    table: 'limits',
    column: 'key',
    async due() {
      const keys = ['a poisoned', 'a second', 'a third'].map((which) => `${which} ${newId()}`);
      const rows = keys.map((key) => ({ key, points: 1, expires_at: new Date(0) }));
      await testApp.db.insertInto('limits').values(rows).execute();
      return keys;
    },
    run: cleaned,
    isDone: 'false',
    passesBy: ['locked'],
  },
  reminders: {
    table: 'users',
    column: 'id',
    async due() {
      const ids = await three();
      await testApp.db
        .updateTable('users')
        .set({ trial_ends_at: later(testApp.clock.now(), 2 * HOUR) })
        .where('id', 'in', ids)
        .execute();
      return ids.map(String);
    },
    run: () => sendTrialReminders(context, async () => undefined),
    isDone: 'trial_told = 1',
  },
  helpReminders: {
    table: 'helpers',
    column: 'id',
    async due() {
      const member_id = await newUser();
      const rows = await Promise.all(
        [1, 2, 3].map(async (nth) => ({
          id: newId(),
          member_id,
          helper_id: null,
          email: `helper-${nth}@account.test`,
          email_canonical: `helper-${nth}@account.test`,
          relation: 'daughter',
          asked_at: ago(),
          added_at: ago(),
          ends_at: later(testApp.clock.now(), HOUR),
        })),
      );
      await testApp.db.insertInto('helpers').values(rows).execute();
      return rows.map(({ id }) => id);
    },
    run: () => sendHelpReminders(context),
    isDone: 'end_told_at is not null',
  },
  erasures: {
    table: 'users',
    column: 'id',
    async due() {
      const ids = await three();
      await testApp.db
        .updateTable('users')
        .set({ closing_at: ago() })
        .where('id', 'in', ids)
        .execute();
      return ids.map(String);
    },
    run: () => eraseClosed(context),
    isDone: 'false',
  },
  staffChanges: {
    table: 'staff_changes',
    column: 'id',
    async due() {
      const rows = (await three()).map((user_id) => ({
        id: newId(),
        user_id,
        what: 'appCode' as const,
        email: '',
        dial_code: '',
        mobile: '',
        credential_id: null,
        asked_by: user_id,
        asked_at: ago(),
        link_key_hash: newId(),
        due_at: ago(),
      }));
      await testApp.db.insertInto('staff_changes').values(rows).execute();
      return rows.map(({ id }) => id);
    },
    run: () => applyDueChanges(context),
    isDone: 'done_at is not null',
  },
  clearings: {
    table: 'shared_devices',
    column: 'id',
    async due() {
      const rows = [1, 2, 3].map((nth) => ({
        id: newId(),
        subtenant_id: 742,
        name: `Device ${nth}`,
        token_hash: newId(),
        switched_on_by: null,
        created_at: ago(),
        seen_at: ago(),
        started_at: ago(),
        clears_at: ago(),
      }));
      await testApp.db.insertInto('shared_devices').values(rows).execute();
      return rows.map(({ id }) => id);
    },
    run: () => clearOverdue(context),
    isDone: 'clears_at is null',
  },
  nameKeys: {
    table: 'names_to_fold',
    column: 'id',
    async due() {
      await foldAllNames(testApp.db);
      await three();
      const notes = await testApp.db
        .selectFrom('names_to_fold')
        .select('id')
        .orderBy('id')
        .execute();
      return notes.map(({ id }) => String(id));
    },
    run: () => foldAllNames(database.db),
    isDone: 'false',
  },
  keyRefresh: {
    table: 'server_keys',
    column: 'kid',
    async due() {
      return [];
    },
    run: () => testApp.app.keys.refresh(),
    isDone: 'true',
  },
};

/** Tasks that work on no rows, or on a chain, whose order a row that fails must not break (decision 232). */
const WITHOUT_ROWS = ['clockSyncs', 'auditHead', 'auditSealing'];

describe('[OPS-98] S55: a row at which each run fails', () => {
  const cells = Object.entries(TASKS)
    .filter(([name]) => name !== 'keyRefresh')
    .flatMap(([name, task]) => Object.entries(POISONS).map((poison) => ({ name, task, poison })));
  for (const {
    name,
    task,
    poison: [kind, poison],
  } of cells) {
    const tags = name === 'clearings' && kind !== 'locked' ? [] : ['long'];
    test(`S68: does not keep the other rows of the task: ${name}, ${kind}`, { tags }, async () => {
      const [bad = '', ...good] = await task.due();
      const cure = await poison(task.table, task.column, bad);
      const outcome = await task.run().then(
        () => 'done',
        (error: unknown) => String(error),
      );
      await cure();
      expect(outcome).toMatch(task.passesBy?.includes(kind) ? 'done' : /failed/);
      const { rows } = await sql<{ key: string; done: boolean }>`
        select ${sql.ref(task.column)}::text as key, ${sql.raw(task.isDone)} as done
        from ${sql.table(task.table)}
        where ${sql.ref(task.column)}::text in (${sql.join([bad, ...good])})`.execute(testApp.db);
      expect(rows.filter(({ done }) => done !== true).map(({ key }) => key)).toEqual([bad]);
    });
  }

  test('a key that this instance cannot decrypt keeps no other from being read', async () => {
    const { keys } = testApp.app;
    const [own] = await testApp.db.selectFrom('server_keys').selectAll().limit(1).execute();
    if (!own) throw new Error('no key');
    const kid = 'of-another-secret';
    const sealed = createSecretBox('another secret that has thirty-two characters').encrypt(
      'server-key',
      JSON.stringify({ kid }),
    );
    await testApp.db
      .insertInto('server_keys')
      .values({ ...own, kid, sealed, generation: own.generation + 1000 })
      .execute();
    await expect(keys.refresh()).rejects.toThrow('PORCHLIGHT_SECRET');
    expect(keys.current(own.key_use).map((key) => key.kid)).toContain(own.kid);
    expect(keys.current(own.key_use).map((key) => key.kid)).not.toContain(kid);
    await testApp.db.deleteFrom('server_keys').where('kid', '=', kid).execute();
  });

  test('is tried for each task that runs by itself', async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const text = await (await fetch(`${testApp.url}/metrics`, { headers })).text();
    const found = text.matchAll(/^porchlight_task_overdue_seconds\{task="(\w+)"\}/gm);
    const known = [...Object.keys(TASKS), ...WITHOUT_ROWS].filter(
      (name) => name !== 'helpReminders',
    );
    expect(new Set([...found].map(([, name]) => name))).toEqual(new Set(known));
  });
});

test('[OPS-98] S55: a task that fails is overdue until a run does all of its rows', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  let fails = true;
  const run = async () => {
    if (fails) throw new Error('a row failed');
  };
  const task = createPeriodic(1000, run, () => undefined);
  task.start();
  await vi.advanceTimersByTimeAsync(5500);
  expect(task.overdueMs()).toBe(4500);
  fails = false;
  await vi.advanceTimersByTimeAsync(500);
  expect(task.overdueMs()).toBe(0);
  await task.stop();
  vi.useRealTimers();
});
