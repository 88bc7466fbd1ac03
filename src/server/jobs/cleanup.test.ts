import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, signUpBody, type World } from '../testing/test-app.ts';
import { createCleanup } from './cleanup.ts';

const DAY_SECONDS = 24 * 60 * 60;

let world: World;
const told: number[] = [];
const counts: Readonly<Record<string, number>>[] = [];
const failed: string[] = [];
const clean = () =>
  createCleanup({
    db: world.db,
    clock: world.clock,
    auditDays: 365,
    onDone: (deleted) => void counts.push(deleted),
    onDeadLetters: (count) => void told.push(count),
    onError: (_error, table) => void failed.push(table),
  }).run();

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function count(
  table: 'otp_codes' | 'limits' | 'visits' | 'users' | 'registrations',
): Promise<number> {
  const { total } = await world.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** A sign-up that stops at the code. */
async function leaveAtTheCode(email: string): Promise<void> {
  const visitor = world.visitor();
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

  world.clock.advance(DAY_SECONDS + 1);
  await clean();
  // The code and its limits are over; the account still waits for its owner.
  expect([await count('otp_codes'), await count('limits')]).toEqual([0, 0]);
  expect(await count('users')).toBe(accounts + 1);

  world.clock.advance(7 * DAY_SECONDS);
  await clean();
  expect(await count('users')).toBe(accounts);
  expect(await count('visits')).toBe(1);

  world.clock.advance(30 * DAY_SECONDS);
  await clean();
  expect(await count('visits')).toBe(0);
});

test('an address that was given up signs up anew, and one that was typed again keeps its account', async () => {
  await leaveAtTheCode('slow@example.test');
  world.clock.advance(6 * DAY_SECONDS);
  await leaveAtTheCode('slow@example.test');
  const before = await count('users');
  world.clock.advance(2 * DAY_SECONDS);
  await clean();
  expect(await count('users')).toBe(before);
});

test('[R52] a dead letter is told each time, and is kept for thirty days', async () => {
  const { db, clock } = world;
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
  world.clock.advance(29 * DAY_SECONDS);
  await clean();
  // What expired is wiped: nobody has to look at it.
  expect(told).toEqual([1, 1]);
  world.clock.advance(2 * DAY_SECONDS);
  await clean();
  expect(told).toEqual([1, 1]);
  expect(await db.selectFrom('outbox').select('id').execute()).toEqual([]);
});

test('[R52] the log of a year and an expired session of the provider go, in more than one batch', async () => {
  const { db, clock } = world;
  const old = new Date(clock.now().getTime() - 366 * DAY_SECONDS * 1000);
  await sql`insert into audit_events (at, kind, details)
    select ${old}, 'old', '{}' from generate_series(1, 1200)`.execute(db);
  await sql`insert into hosted_payloads (model, id, payload, expires_at)
    values ('Session', 'over', '{}', now() - interval '1 second'), ('Session', 'alive', '{}', now() + interval '1 hour')`.execute(
    db,
  );
  await clean();
  expect(counts.at(-1)).toMatchObject({ audit_events: 1200, hosted_payloads: 1 });
  const left = await sql<{
    id: string;
  }>`select id from hosted_payloads where id in ('over', 'alive')`.execute(db);
  expect(left.rows).toEqual([{ id: 'alive' }]);
});

test('a table that fails keeps no other from its turn', async () => {
  const { db } = world;
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
    order by 1`.execute(world.db);
  expect(rows).toEqual([]);
});
