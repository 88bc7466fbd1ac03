import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAudit } from '../audit/audit.ts';
import { createSealing } from '../audit/sealing.ts';
import { verifyAudit } from '../audit/verify.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { createTestApp, signUpBody, type TestApp } from '../testing/test-app.ts';
import { createCleanup } from './cleanup.ts';

const DAY_SECONDS = 24 * 60 * 60;

let testApp: TestApp;
const told: number[] = [];
const counts: Readonly<Record<string, number>>[] = [];
const failed: string[] = [];
let leadDays = 30;
const sealing = () =>
  createSealing({ ...testApp, secretBox: createSecretBox(testApp.config.secret) });
const clean = () =>
  createCleanup({
    leadDays,
    sealing: sealing(),
    db: testApp.db,
    clock: testApp.clock,
    auditDays: 365,
    onDone: (deleted) => void counts.push(deleted),
    onDeadLetters: (count) => void told.push(count),
    onError: (_error, table) => void failed.push(table),
  }).run();

beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

async function count(
  table: 'otp_codes' | 'limits' | 'visits' | 'users' | 'registrations',
): Promise<number> {
  const { total } = await testApp.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** A sign-up that stops at the code. */
async function leaveAtTheCode(email: string): Promise<void> {
  const visitor = testApp.visitor();
  const body = signUpBody({ emailAddress: email, userName: email });
  const created = await visitor.call('createUser', { body });
  await visitor.call('sendOtp', {
    body: { createdBy: created.data?.userId ?? 0, otpSendMedium: 4, otpType: 'USER_ACTIVATION' },
  });
}

test('what is over goes, what counts stays', async () => {
  const accounts = await count('users');
  await leaveAtTheCode('left.behind@example.test');
  await clean();
  expect([await count('users'), await count('otp_codes')]).toEqual([accounts + 1, 1]);

  testApp.clock.advance(DAY_SECONDS + 1);
  await clean();
  // The code is over; the account still waits for its owner, and a wait that doubled is remembered for a day.
  expect(await count('otp_codes')).toBe(0);
  expect(await count('limits')).toBeGreaterThan(0);
  expect(await count('users')).toBe(accounts + 1);

  testApp.clock.advance(7 * DAY_SECONDS);
  await clean();
  expect(await count('limits')).toBe(0);
  // With it goes the demo's account that never finished its sign-up.
  expect(await count('users')).toBe(accounts - 1);
  expect(await count('visits')).toBe(1);

  testApp.clock.advance(30 * DAY_SECONDS);
  await clean();
  expect(await count('visits')).toBe(0);
});

test('an address that was given up signs up anew, and one that was typed again keeps its account', async () => {
  await leaveAtTheCode('slow@example.test');
  testApp.clock.advance(6 * DAY_SECONDS);
  await leaveAtTheCode('slow@example.test');
  const before = await count('users');
  testApp.clock.advance(2 * DAY_SECONDS);
  await clean();
  expect(await count('users')).toBe(before);
});

test('[R52] a dead letter is told each time, and is kept for thirty days', async () => {
  const { db, clock } = testApp;
  const job = (id: string, payload: object) => ({
    id,
    kind: 'lead',
    payload: JSON.stringify(payload),
    idempotency_key: id,
    created_at: clock.now(),
    run_at: clock.now(),
    locked_until: null,
    expires_at: null,
    give_up_at: null,
    done_at: null,
    dead_at: clock.now(),
    last_error: 'no',
  });
  await db.deleteFrom('outbox').execute();
  await db
    .insertInto('outbox')
    .values([
      job('00000000-0000-4000-8000-000000000001', { sealed: 'x' }),
      job('00000000-0000-4000-8000-000000000002', {}),
    ])
    .execute();
  told.length = 0;
  await clean();
  testApp.clock.advance(29 * DAY_SECONDS);
  await clean();
  // What expired is wiped: nobody has to look at it.
  expect(told).toEqual([1, 1]);
  testApp.clock.advance(2 * DAY_SECONDS);
  await clean();
  expect(told).toEqual([1, 1]);
  expect(await db.selectFrom('outbox').select('id').execute()).toEqual([]);
});

test('[R52] the log of a year and an expired session of the provider go, in more than one batch', async () => {
  const { db, clock } = testApp;
  await sql`insert into audit_events (at, kind, details)
    select ${clock.now()}, 'old', '{}' from generate_series(1, 1200)`.execute(db);
  const old = await db.selectFrom('audit_events').orderBy('id').select('id').execute();
  clock.advance(366 * DAY_SECONDS);
  await sql`insert into hosted_payloads (model, id, payload, expires_at)
    values ('Session', 'over', '{}', now() - interval '1 second'), ('Session', 'alive', '{}', now() + interval '1 hour')`.execute(
    db,
  );
  await clean();
  expect(counts.at(-1)).toMatchObject({ audit_events: old.length, hosted_payloads: 1 });
  const left = await sql<{
    id: string;
  }>`select id from hosted_payloads where id in ('over', 'alive')`.execute(db);
  expect(left.rows).toEqual([{ id: 'alive' }]);
});

test('a table that fails keeps no other from its turn', async () => {
  const { db } = testApp;
  await sql`alter table limits rename to limits_away`.execute(db);
  await sql`insert into hosted_tickets (hash, account_id, client_id, co_id_hash, expires_at)
    values ('over', '1', 'c', 'h', now() - interval '1 second')`.execute(db);
  failed.length = 0;
  await clean();
  await sql`alter table limits_away rename to limits`.execute(db);
  expect(failed).toEqual(['limits']);
  expect(counts.at(-1)).toMatchObject({ hosted_tickets: 1 });
});

test('every column that clean-up looks for, and every foreign key, has an index', async () => {
  // The first column of an index that is partial on its own being there serves as well.
  const { rows } = await sql<{ at: string }>`
    select c.conrelid::regclass || '.' || a.attname as at
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confdeltype in ('c', 'n')
    and not exists (select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = a.attnum
      and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = '(' || a.attname || ' IS NOT NULL)'))
    order by 1`.execute(testApp.db);
  expect(rows).toEqual([]);
});

test('[AUD-05] [R50] after thirty days the audit log keeps the network of an address', async () => {
  const { db, clock } = testApp;
  const audit = createAudit({ db, clock });
  const rows = () =>
    db
      .selectFrom('audit_events')
      .select(['ip', 'network'])
      .where('kind', '=', 'addressed')
      .orderBy('id')
      .execute();
  await audit({ kind: 'addressed', ip: '203.0.113.77' });
  await audit({ kind: 'addressed', ip: '2001:db8:12:34::5' });
  testApp.clock.advance(29 * DAY_SECONDS);
  await clean();
  expect((await rows()).map(({ ip }) => ip)).toEqual(['203.0.113.77', '2001:db8:12:34::5']);
  testApp.clock.advance(2 * DAY_SECONDS);
  await clean();
  expect(await rows()).toEqual([
    { ip: null, network: '203.0.113.0/24' },
    { ip: null, network: '2001:db8:12::/48' },
  ]);
  const secretBox = createSecretBox(testApp.config.secret);
  expect(await verifyAudit({ db, secretBox }, () => undefined)).toMatchObject({ faultCount: 0 });
});

test('[PRV-04] leads that nobody is sent go after the days of the setting', async () => {
  const { db, clock } = testApp;
  leadDays = 12;
  await db
    .insertInto('received_leads')
    .values({ idempotency_key: 'kept', lead: '{}', received_at: clock.now() })
    .execute();
  const count = async () => (await db.selectFrom('received_leads').select('lead').execute()).length;
  testApp.clock.advance(11 * DAY_SECONDS);
  await clean();
  expect(await count()).toBe(1);
  testApp.clock.advance(2 * DAY_SECONDS);
  await clean();
  expect(await count()).toBe(0);
});
