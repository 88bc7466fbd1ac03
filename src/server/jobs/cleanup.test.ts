import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, signUpBody, type World } from '../testing/test-app.ts';
import { createCleanup } from './cleanup.ts';

const DAY_SECONDS = 24 * 60 * 60;

let world: World;
let purges = 0;
const told: number[] = [];
const clean = () =>
  createCleanup({
    db: world.db,
    clock: world.clock,
    purgeProvider: async () => {
      purges += 1;
    },
    onDeadLetters: (count) => void told.push(count),
    onError: () => undefined,
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
  expect(purges).toBe(4);
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
