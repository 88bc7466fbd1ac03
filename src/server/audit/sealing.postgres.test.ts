import type { KyselyPlugin } from 'kysely';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findAccount, insertAccounts } from '../accounts/account-store.ts';
import { erasePerson } from '../people/privacy/erase.ts';
import { createTestContext } from '../testing/test-app.ts';
import { lockChain } from './audit-store.ts';
import { createSealing } from './sealing.ts';
import { verifyAudit } from './verify.ts';
import { until } from '../testing/until.ts';

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeEach(async () => {
  context = await createTestContext();
});
afterEach(() => context.database.close());

test('[AUD-01] nobody waits for the chain: events are written while it is held, and late commits are sealed in turn', async () => {
  const { db, audit } = context;
  const sealing = createSealing(context);
  await db.transaction().execute(async (late) => {
    await audit({ kind: 'signUp.created', userId: 1 }, late);
    await audit({ kind: 'signOut', userId: 2 });
    // The later row is committed first.
    expect(await sealing.seal()).toBe(1);
    await db.transaction().execute(async (holder) => {
      await lockChain(holder);
      await audit({ kind: 'signOut', userId: 3 });
      expect(await sealing.seal()).toBe(0);
    });
  });
  expect(await sealing.seal()).toBe(2);
  expect(await verifyAudit(context, () => undefined)).toMatchObject({
    rows: 3,
    batches: 2,
    open: 0,
    faultCount: 0,
  });
});

test.each([
  ['retention', () => createSealing(context).clearBefore(context.clock.now())],
  ['erasure', () => erasePerson(context, 7)],
])('[AUD-01] %s waits for whoever seals', async (_, work) => {
  const { db } = context;
  let isDone = false;
  const begun = await db.transaction().execute(async (holder) => {
    await lockChain(holder);
    const way = work().finally(() => (isDone = true));
    await until(async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return isDone || rows.length > 0;
    });
    expect(isDone).toBe(false);
    return { way };
  });
  await begun.way;
});

test('[AUD-03] what retention takes while the chain is verified is no fault', async () => {
  const { db, audit, clock } = context;
  const sealing = createSealing(context);
  await audit({ kind: 'signOut' });
  await sealing.seal();
  clock.advanceMs(1000);
  let cleared = 0;
  const afterSeals: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const isSeals = result.rows.some((row) => 'last_hash' in row);
      if (isSeals && cleared === 0) cleared = await sealing.clearBefore(clock.now());
      return result;
    },
  };
  const watched = { db: db.withPlugin(afterSeals), secretBox: context.secretBox };
  expect(await verifyAudit(watched, () => undefined)).toMatchObject({ rows: 1, faultCount: 0 });
  expect(cleared).toBe(1);
});

describe('[PRV-02] S68: an account with more audit rows than a statement has time for', () => {
  const ROWS = 10_001;
  const own = async () => {
    const { db, audit, clock } = context;
    await db.insertInto('subtenants').values({ id: 742, name: 'House', logo_path: '' }).execute();
    const [account] = await insertAccounts(db, [
      {
        subtenant_id: 742,
        email: 'busy@example.test',
        first_name: 'Busy',
        last_name: 'Person',
        dial_code: '',
        mobile: '',
        status: 'active',
        created_at: clock.now(),
      },
    ]);
    const id = account?.id ?? 0;
    await audit({ kind: 'signOut', userId: id });
    await sql`insert into audit_events (at, kind, user_id, details)
      select at, kind, user_id, details from audit_events cross join generate_series(2, ${sql.lit(ROWS)})
      where user_id = ${id}`.execute(db);
    await createSealing(context).seal();
    return id;
  };
  const named = async (id: number) => {
    const { rows } = await sql`select 1 from audit_events where user_id = ${id}`.execute(
      context.db,
    );
    return rows.length;
  };

  test('is erased in statements of some thousand rows', async () => {
    const { db } = context;
    const id = await own();
    await sql`create function bounded() returns trigger language plpgsql as $$ begin
      if (select count(*) from touched) > 5000 then raise exception 'too many rows at once'; end if;
      return null; end $$`.execute(db);
    await sql`create trigger bounded after update on audit_events referencing new table as touched
      for each statement execute function bounded()`.execute(db);
    expect(await erasePerson(context, id)).toMatchObject({ audit_events: ROWS });
    expect(await named(id)).toBe(0);
    await createSealing(context).seal();
    expect(await verifyAudit(context, () => undefined)).toMatchObject({ faultCount: 0 });
  });

  test('is whole when the process dies between two of them, and is erased by the next run', async () => {
    const { db } = context;
    const id = await own();
    await sql`create function dies() returns trigger language plpgsql as $$ begin
      raise exception 'the process died'; end $$`.execute(db);
    await sql`create trigger dies before update on audit_events
      for each row when (old.id % 7000 = 0) execute function dies()`.execute(db);
    await expect(erasePerson(context, id)).rejects.toThrow('died');
    expect(await named(id)).toBe(ROWS);
    expect(await findAccount(db, id)).toBeDefined();
    expect(await verifyAudit(context, () => undefined)).toMatchObject({ faultCount: 0 });
    await sql`drop trigger dies on audit_events`.execute(db);
    expect(await erasePerson(context, id)).toMatchObject({ audit_events: ROWS });
    expect(await named(id)).toBe(0);
    await createSealing(context).seal();
    expect(await verifyAudit(context, () => undefined)).toMatchObject({ faultCount: 0 });
  });
});
