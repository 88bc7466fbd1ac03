import { hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { RATE_LIMITS } from '../config/limits.ts';
import { DEMO_PASSWORD, demoEmail, seedDemo } from '../demo/seed.ts';
import { createTestApp, createTestContext, PASSWORD, type Visitor } from '../testing/test-app.ts';
import { createPasswordCheck, isPasswordOf } from './password-check.ts';
import { untilHolds } from '../testing/until.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

/** argon2's other kind. */
const ARGON2I = 1;
const { max: MOST } = RATE_LIMITS.passwordPerAccountAndIp;
const MINUTE = 60;

const testApp = closeAtEnd(await createTestApp());

const wrongPasswords = async () => {
  const { total } = await testApp.db
    .selectFrom('audit_events')
    .select((eb) => eb.fn.countAll().as('total'))
    .where('kind', '=', 'signIn.wrongPassword')
    .executeTakeFirstOrThrow();
  return Number(total);
};
const atOnce = async (count: number, ip: string, email: string, password: string) => {
  const tries = Array.from({ length: count }, () =>
    testApp.visitor(ip).authenticate(email, password),
  );
  return (await Promise.all(tries)).map(({ status }) => status);
};

let count = 0;
/** Somebody with an account, in the browser that signed up and, if it `isKnown`, has signed in. */
async function person({ isKnown = false, ip }: { isKnown?: boolean; ip?: string } = {}) {
  const email = `password-${(count += 1)}@example.test`;
  const visitor = testApp.visitor(ip);
  await visitor.register({ emailAddress: email });
  if (isKnown) {
    testApp.clock.advance(1);
    await visitor.signIn(email, PASSWORD);
    visitor.state.token = null;
  }
  return { email, visitor };
}

const wrong = async (visitor: Visitor, email: string, times: number) => {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) {
    statuses.push((await visitor.authenticate(email, `Wrong-${n}-x`)).status);
  }
  return statuses;
};
/** Hands in a proof of work ahead of the password. */
const work = async (visitor: Visitor) =>
  visitor.call(
    'beginSession',
    { body: { entrance: 'portal', isFresh: true } },
    await visitor.prove('signIn'),
  );

test('[R18] [PRF-04] of many wrong passwords at once no more are compared than one after the other', async () => {
  const before = await wrongPasswords();
  const statuses = await atOnce(32, '203.0.113.7', demoEmail('member'), 'Wrong-Pass-1');
  expect((await wrongPasswords()) - before).toBe(MOST);
  expect(statuses.filter((status) => status === 429)).toHaveLength(32 - MOST);
});

test('[R51] [R52] counts keep no address that somebody typed or came from', async () => {
  const [email, ip] = ['typed-by-a-stranger@example.test', '203.0.113.99'];
  const counts = testApp.db.selectFrom('limits').select('key');
  const before = (await counts.execute()).length;
  await atOnce(1, ip, email, 'Wrong-Pass-1');
  const keys = (await counts.execute()).map(({ key }) => key);
  expect(keys.length).toBeGreaterThan(before);
  for (const address of [email, ip]) expect(keys.join(' ')).not.toContain(address);
});

test(
  '[PRF-04] a right password costs its network nothing, however often',
  { tags: 'long' },
  async () => {
    const ip = '203.0.113.8';
    for (let n = 0; n < 2 * RATE_LIMITS.passwordPerIp.max; n += 1) {
      const [status] = await atOnce(1, ip, demoEmail('top'), DEMO_PASSWORD);
      expect([n, status]).toEqual([n, 200]);
    }
    const statuses = await atOnce(MOST, ip, demoEmail('top'), DEMO_PASSWORD);
    expect(new Set(statuses)).toEqual(new Set([200]));
  },
);

test('[R1] [SEC-02] a weaker hash of before is replaced at the next right password, and by that alone', async () => {
  const email = demoEmail('counter');
  const stored = async () => {
    const users = testApp.db.selectFrom('users').select('password_hash');
    return (await users.where('email', '=', email).executeTakeFirstOrThrow()).password_hash;
  };
  const weak = await hash(DEMO_PASSWORD, {
    algorithm: ARGON2I,
    memoryCost: 8,
    timeCost: 1,
  });
  await testApp.db
    .updateTable('users')
    .set({ password_hash: weak })
    .where('email', '=', email)
    .execute();
  await testApp.visitor().authenticate(email, 'Wrong-Pass-1');
  expect(await stored()).toBe(weak);
  expect((await testApp.visitor().authenticate(email, DEMO_PASSWORD)).status).toBe(200);
  const renewed = await stored();
  expect(renewed).toMatch(/^\$argon2id\$/);
  expect((await testApp.visitor().authenticate(email, DEMO_PASSWORD)).status).toBe(200);
  expect(await stored()).toBe(renewed);
});

test('[SEC-02] a password that is set while the one of before is hashed anew stays', async () => {
  const context = await createTestContext();
  const { db, clock } = context;
  await seedDemo(db, clock, async () => 'weak');
  const set = db.updateTable('users').set({ password_hash: 'new' });
  const { verify } = createPasswordCheck(context, {
    knownBrowsers: { limitSubjectOf: async () => null },
    verifyHash: async () => true,
    // Whoever resets the password is faster.
    renewHash: async () => {
      await set.where('email', '=', demoEmail('member')).execute();
      return 'stronger';
    },
    isChallengeRequired: async () => false,
    onManyFailures: async () => undefined,
  });
  const caller = { ip: '203.0.113.9', consumeSolution: async () => false };
  expect(await verify(demoEmail('member'), DEMO_PASSWORD, caller)).toMatchObject({ kind: 'ok' });
  const users = db.selectFrom('users').select('password_hash');
  expect(await users.where('email', '=', demoEmail('member')).execute()).toEqual([
    { password_hash: 'new' },
  ]);
  await context.database.close();
});

describe('[PRF-05] [T16] no stranger keeps an owner out', () => {
  test(
    '[LIM-01] a browser that has signed in counts by itself, also behind the address of who tries',
    { tags: 'long' },
    async () => {
      const { email, visitor } = await person({ isKnown: true, ip: '203.0.113.20' });
      const stranger = testApp.visitor(visitor.ip);
      expect(await wrong(stranger, email, MOST + 1)).toEqual([
        ...Array<number>(MOST).fill(403),
        429,
      ]);
      expect((await stranger.authenticate(email, PASSWORD)).status).toBe(429);
      expect((await visitor.authenticate(email, PASSWORD)).status).toBe(200);
      // Nor is it asked to work for what strangers did, from wherever.
      for (let network = 0; network < 4; network += 1) await wrong(testApp.visitor(), email, 5);
      expect((await testApp.visitor().authenticate(email, PASSWORD)).status).toBe(401);
      expect((await visitor.authenticate(email, PASSWORD)).status).toBe(200);
    },
  );

  test(
    '[LIM-01] the browser of one account is a stranger to another, and a copied name of a cookie is none',
    { tags: 'long' },
    async () => {
      const one = await person({ isKnown: true });
      const other = await person({ isKnown: true });
      await wrong(testApp.visitor(one.visitor.ip), other.email, MOST);
      expect((await one.visitor.authenticate(other.email, PASSWORD)).status).toBe(429);
      const forger = testApp.visitor(one.visitor.ip);
      forger.cookies.set('device', 'x'.repeat(43));
      expect((await forger.authenticate(other.email, PASSWORD)).status).toBe(429);
    },
  );

  test(
    '[LIM-01] a known browser has a limit of its own, which holds nobody else up',
    { tags: 'long' },
    async () => {
      const { email, visitor } = await person({ isKnown: true });
      expect(await wrong(visitor, email, MOST + 1)).toEqual([
        ...Array<number>(MOST).fill(403),
        429,
      ]);
      expect((await visitor.authenticate(email, PASSWORD)).status).toBe(429);
      expect((await testApp.visitor().authenticate(email, PASSWORD)).status).toBe(200);
    },
  );

  test(
    '[LIM-02] after 120 wrong ones from everywhere the right one with the work done gets in',
    { tags: 'long' },
    async () => {
      const { email } = await person();
      for (let network = 0; network < 24; network += 1) {
        const stranger = testApp.visitor();
        for (let n = 0; n < 5; n += 1) {
          if (network >= 4) await work(stranger);
          expect((await stranger.authenticate(email, `Wrong-${n}-x`)).status).toBe(403);
        }
      }
      const owner = testApp.visitor();
      await owner.ok('getVisit', {});
      expect((await owner.authenticate(email, PASSWORD)).status).toBe(401);
      await work(owner);
      expect((await owner.authenticate(email, PASSWORD)).status).toBe(200);
    },
  );

  test(
    '[LIM-02] [R18] the wait of one network doubles: 15 minutes, 30, 60; a right password ends that',
    { tags: 'long' },
    async () => {
      const { email } = await person();
      const stranger = testApp.visitor();
      const waits: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        for (let n = 0; n < MOST; n += 1) {
          await work(stranger);
          expect((await stranger.authenticate(email, `Wrong-${n}-x`)).status).toBe(403);
        }
        const { headers } = await stranger.authenticate(email, PASSWORD);
        waits.push(Number(headers.get('retry-after')));
        testApp.clock.advance(waits.at(-1) ?? 0);
      }
      expect(waits).toEqual([15 * MINUTE, 30 * MINUTE, 60 * MINUTE]);
      await work(stranger);
      expect((await stranger.authenticate(email, PASSWORD)).status).toBe(200);
      for (let n = 0; n < MOST; n += 1) {
        await work(stranger);
        await stranger.authenticate(email, `Wrong-${n}-x`);
      }
      const { headers } = await stranger.authenticate(email, PASSWORD);
      expect(Number(headers.get('retry-after'))).toBe(15 * MINUTE);
    },
  );

  // PGlite answers one statement at a time: only PostgreSQL can lose this race.
  test('[LIM-02] [R19] 64 networks at once: no more than twenty passwords are compared without work', async () => {
    const { email } = await person();
    const before = await wrongPasswords();
    const tries = Array.from({ length: 64 }, () => wrong(testApp.visitor(), email, 1));
    const statuses = (await Promise.all(tries)).flat();
    expect((await wrongPasswords()) - before).toBe(RATE_LIMITS.passwordProofPerAccount.max);
    expect(statuses.filter((status) => status === 401)).toHaveLength(44);
  });
});

test(
  '[LIM-09] [AUD-06] a limit that refuses is in the audit log by its name, and each refusal there once',
  { tags: 'long' },
  async () => {
    const stranger = testApp.visitor();
    testApp.clock.pin(new Date(testApp.clock.now()));
    const refusals = async () =>
      testApp.db
        .selectFrom('audit_events')
        .select(['kind', 'reason', 'details'])
        .where('ip', '=', stranger.ip)
        .where('kind', 'in', ['limit.refused', 'request.refused'])
        .orderBy('id')
        .execute();
    const noted = (count: number) => ({
      kind: 'request.refused',
      reason: 'TOO_MANY',
      details: { path: '/idp/co/authenticate', count, limit: 'passwordPerAccountAndIp' },
    });
    await wrong(stranger, demoEmail('agent'), MOST + 3);
    await untilHolds(async () => expect(await refusals()).toEqual([noted(1)]));
    testApp.clock.advance(61 * MINUTE);
    await wrong(stranger, demoEmail('agent'), MOST + 1);
    // The two that were only counted, and the first one of now.
    await untilHolds(async () => expect(await refusals()).toEqual([noted(1), noted(3)]));
  },
);

test.each([
  ['blocked', 1],
  ['proofNeeded', 1],
  ['wrong', 0],
] as const)(
  '[SEC-19] of somebody who is not signed in, a password that is %s costs %i comparison of nothing',
  async (kind, count) => {
    let compared = 0;
    const verify = async () => ({ kind, retryAfterSeconds: 1 }) as never;
    const verifyHash = async () => {
      compared += 1;
      return false;
    };
    const typed = { email: 'a@x.test', password: PASSWORD, ip: '192.0.2.1' };
    expect(await isPasswordOf({ verify }, verifyHash, typed)).toBe(false);
    expect(compared).toBe(count);
  },
);
