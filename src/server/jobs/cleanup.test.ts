import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { createAudit } from '../audit/audit.ts';
import { readOpen } from '../audit/audit-store.ts';
import { later } from '../core/clock.ts';
import { demoEmail } from '../demo/seed.ts';
import { createSealing, type Sealing } from '../audit/sealing.ts';
import { verifyAudit } from '../audit/verify.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { createTestApp, signUpBody } from '../testing/test-app.ts';
import { defaultTimers, timersWith } from '../testing/timers.ts';
import { createCleanup } from './cleanup.ts';
import { untilHolds } from '../testing/until.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const DAY_SECONDS = 24 * 60 * 60;

const told: number[] = [];
const counts: Readonly<Record<string, number>>[] = [];
const failed: string[] = [];
let leadDays = 30;
let timers = defaultTimers;
const sealing = () =>
  createSealing({ ...testApp, secretBox: createSecretBox(testApp.config.secret) });
const clean = (sealed: Sealing = sealing()) =>
  createCleanup({
    leadDays,
    timers,
    sealing: sealed,
    db: testApp.db,
    clock: testApp.clock,
    auditDays: 365,
    onDone: (deleted) => void counts.push(deleted),
    onDeadLetters: (count) => void told.push(count),
    onError: (_error, table) => void failed.push(table),
  }).run();

const testApp = closeAtEnd(await createTestApp());

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
  // The server seals by itself, too, and who comes second leaves it to the first.
  await untilHolds(async () => {
    await sealing().seal();
    expect(await readOpen(db, 1)).toEqual([]);
  });
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

test(
  '[SEC-20] [R34] [R52] however much is over, no statement takes more than 500 rows',
  { tags: 'long' },
  async () => {
    const { db, clock } = testApp;
    await clean();
    // The database itself notes what each statement took: a limit on that is what keeps it within its time.
    await sql`create table taken (statement integer generated always as identity, by text, rows integer)`.execute(
      db,
    );
    await sql`create function note_taken() returns trigger language plpgsql as $$ begin
    insert into taken (by, rows) select tg_op || ' ' || tg_table_name, count(*) from gone having count(*) > 0;
    return null; end $$`.execute(db);
    const watched = ['delete on visits', 'delete on users', 'update on audit_events'];
    for (const [at, what] of watched.entries()) {
      await sql`create trigger ${sql.ref(`note_${at}`)} after ${sql.raw(what)} referencing old table as gone
      for each statement execute function note_taken()`.execute(db);
    }
    const ids = sql`generate_series(1, 1200) as given (id)`;
    await sql`insert into visits (id, token_hash, created_at, seen_at)
    select gen_random_uuid(), 'over' || id, ${clock.now()}, ${clock.now()} from ${ids}`.execute(db);
    await sql`insert into users (id, email, email_canonical, first_name, last_name, dial_code, mobile, status, created_at, subtenant_id, sign_up_platform)
    select 1000000 + id, id || '@over.test', id || '@over.test', '', '', '', '', 'pending', ${clock.now()}, 742, 1
    from ${ids}`.execute(db);
    await sql`insert into audit_events (at, kind, details, ip)
    select ${clock.now()}, 'old', '{}', '203.0.113.5' from ${ids}`.execute(db);
    await clean();
    clock.advance(31 * DAY_SECONDS);
    await clean();
    const { rows } = await sql<{ by: string; most: number }>`
    select by, max(rows) as most from taken group by by order by by`.execute(db);
    await sql`drop function note_taken cascade`.execute(db);
    await sql`drop table taken`.execute(db);
    expect(rows).toEqual([
      { by: 'DELETE users', most: 500 },
      { by: 'DELETE visits', most: 500 },
      { by: 'UPDATE audit_events', most: 500 },
    ]);
    // No total of the statements: the server seals by itself, too, and who comes second leaves it to the first.
    await untilHolds(async () => {
      await clean();
      const left = await sql`select token_hash as what from visits where token_hash like 'over%'
        union all select email from users where email like '%@over.test'
        union all select kind from audit_events where kind = 'old' and ip is not null`.execute(db);
      expect(left.rows).toEqual([]);
    });
  },
);

test('[R52] [PRF-05] each table keeps what is over for its time, and no longer', async () => {
  const { db, clock } = testApp;
  const visitor = testApp.visitor();
  await visitor.signIn('agent');
  await leaveAtTheCode('kept.for.its.time@example.test');
  const email = demoEmail('agent');
  await testApp.visitor().ok('forgotPassword', { body: { userName: email, emailID: email } });
  await testApp.app.outbox.settle();
  await sql`insert into client_requests (id, visit_id, interaction, client_id, step, is_fresh, scopes, created_at, expires_at)
    select 'kept', id, '', '', '', false, '{}', seen_at, seen_at from visits limit 1`.execute(db);
  // What hangs on others comes first: it would go with them.
  const kept = [
    ['limits', 'expires_at', DAY_MS],
    ['auth_tokens', 'expires_at', DAY_MS],
    ['authorizations', 'expires_at', 0],
    ['client_requests', 'expires_at', DAY_MS],
    ['messages', 'queued_at', 30 * DAY_MS],
    ['inbox_messages', 'sent_at', 30 * DAY_MS],
    ['outbox', 'done_at', 30 * DAY_MS],
    ['otp_codes', 'sent_at', DAY_MS],
    ['reset_links', 'expires_at', DAY_MS],
    ['activation_links', 'expires_at', 365 * DAY_MS],
    ['known_devices', 'seen_at', 400 * DAY_MS],
    ['visits', 'seen_at', 30 * DAY_MS],
  ] as const;
  const seen: unknown[] = [];
  type Count = { readonly total: number };
  for (const [table, column, keptMs] of kept) {
    const total = async () => {
      const { rows } = await sql<Count>`select count(*) as total from ${sql.table(table)}`.execute(
        db,
      );
      return Number(rows[0]?.total);
    };
    const aged = async (ms: number) => {
      const moment = later(clock.now(), -ms);
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${moment}`.execute(db);
      await clean();
      return total();
    };
    const before = await total();
    const young = await aged(keptMs - MINUTE_MS);
    seen.push([table, before > 0 && young === before, await aged(keptMs + MINUTE_MS)]);
  }
  expect(seen).toEqual(kept.map(([table]) => [table, true, 0]));
});

test('a table that fails keeps no other from its turn', async () => {
  const { db } = testApp;
  await sql`alter table limits rename to limits_away`.execute(db);
  await sql`insert into hosted_tickets (hash, account_id, client_id, co_id_hash, expires_at)
    values ('over', '1', 'c', 'h', now() - interval '1 second')`.execute(db);
  await sql`insert into hosted_challenges (hash, client_id, details, expires_at)
    values ('over', 'c', '{}', now() - interval '1 second')`.execute(db);
  failed.length = 0;
  await expect(clean()).rejects.toThrow('limits');
  await sql`alter table limits_away rename to limits`.execute(db);
  expect(failed).toEqual(['limits']);
  expect(counts.at(-1)).toMatchObject({ hosted_tickets: 1, hosted_challenges: 1 });
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
      .where('kind', '=', 'signIn.refused')
      .orderBy('id')
      .execute();
  await audit({ kind: 'signIn.refused', ip: '203.0.113.77' });
  await audit({ kind: 'signIn.refused', ip: '2001:db8:12:34::5' });
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

test('[AUD-05] an address stays until its network is in the log, however long another instance seals', async () => {
  const { db, clock } = testApp;
  await createAudit({ db, clock })({ kind: 'reset.heldBack', ip: '203.0.113.77' });
  testApp.clock.advance(31 * DAY_SECONDS);
  await clean({ ...sealing(), seal: async () => 0 });
  await sealing().seal();
  const rows = await db
    .selectFrom('audit_events')
    .select('network')
    .where('kind', '=', 'reset.heldBack')
    .orderBy('id')
    .execute();
  expect(rows).toEqual([{ network: '203.0.113.0/24' }]);
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

test(
  '[OPS-81] [R52] an unproven account and what is kept of messages go as soon as is set',
  { tags: 'long' },
  async () => {
    timers = timersWith({ PORCHLIGHT_UNPROVEN_DAYS: '2', PORCHLIGHT_MESSAGE_DAYS: '7' });
    const { db, clock } = testApp;
    const email = 'left.for.two.days@example.test';
    await leaveAtTheCode(email);
    await untilHolds(async () => expect(await testApp.inbox(email)).toHaveLength(1));
    const sinceDays = async (days: number) => {
      clock.advance(days * DAY_SECONDS);
      await clean();
      const user = await db
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirst();
      return [user !== undefined, (await testApp.inbox(email)).length];
    };
    expect(await sinceDays(1)).toEqual([true, 1]);
    expect(await sinceDays(2)).toEqual([false, 1]);
    expect(await sinceDays(5)).toEqual([false, 0]);
  },
);
