import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { CAPTCHA_HEADER } from '#contract/routes.ts';
import { createSealing } from '../audit/sealing.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { defaultTimers } from '../testing/timers.ts';
import { createCleanup } from '../jobs/cleanup.ts';
import { createTestContext, createTestApp, PASSWORD, type Visitor } from '../testing/test-app.ts';
import { createCaptcha } from './captcha.ts';
import { sentBack } from '../testing/reset.ts';

/** Demands on everybody, so that a test needs no flood before it; and the real limits of a quiet day. */
const always = await createTestApp({ captcha: { isAlways: true, work: 2 }, limitFactor: 50 });
const testApp = await createTestApp();
afterAll(() => Promise.all([always.close(), testApp.close()]));

const MINUTE = 60;
let count = 0;
const newEmail = () => `captcha-${(count += 1)}@example.test`;
type Headers = Record<string, string>;

const NEEDED = { status: 200, succeeded: false, data: null, errorFlag: 'CAPTCHA_NEEDED' };

const forgot = (visitor: Visitor, headers?: Headers, email = newEmail()) =>
  visitor.call('forgotPassword', { body: { userName: email, emailID: email } }, headers);

/** The work of a header, changed and put back. */
function forged(proof: Headers, change: (read: Record<string, never>) => void): Headers {
  const read = JSON.parse(Buffer.from(proof[CAPTCHA_HEADER] ?? '', 'base64url').toString());
  change(read);
  return { [CAPTCHA_HEADER]: Buffer.from(JSON.stringify(read)).toString('base64url') };
}

describe('[R20] a proof of work', () => {
  test('opens the call that asked for one, and nothing without it', async () => {
    const visitor = always.visitor();
    const refused = await forgot(visitor);
    expect(refused).toMatchObject(NEEDED);
    expect(refused.messages).toEqual(['A security check is needed first.']);
    const answer = await forgot(visitor, await visitor.prove('forgotPassword'));
    expect(answer.errorFlag).toBeNull();
    expect(answer.messages).toEqual(['No account found with this email address.']);
  });

  test('counts once: a replay is refused, also when two arrive together', async () => {
    const visitor = always.visitor();
    const proof = await visitor.prove('signUp');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => visitor.signUp({ emailAddress: newEmail() }, proof)),
    );
    const flags = answers.map(({ errorFlag }) => errorFlag);
    expect(flags.filter((flag) => flag === null)).toHaveLength(1);
    expect(flags.filter((flag) => flag === 'CAPTCHA_NEEDED')).toHaveLength(5);
    expect(await visitor.signUp({ emailAddress: newEmail() }, proof)).toMatchObject(NEEDED);
  });

  test('counts five minutes', async () => {
    const visitor = always.visitor();
    const [first, second] = [
      await visitor.prove('forgotPassword'),
      await visitor.prove('forgotPassword'),
    ];
    always.clock.advance(4 * MINUTE);
    expect((await forgot(visitor, first)).errorFlag).toBeNull();
    always.clock.advance(MINUTE);
    expect(await forgot(visitor, second)).toMatchObject(NEEDED);
  });

  test('counts for its purpose', async () => {
    const visitor = always.visitor();
    expect(await forgot(visitor, await visitor.prove('signUp'))).toMatchObject(NEEDED);
  });

  test('counts in its own browser', async () => {
    const [worker, other] = [always.visitor(), always.visitor()];
    await other.ok('getVisit', {});
    const proof = await worker.prove('forgotPassword');
    expect(await forgot(other, proof)).toMatchObject(NEEDED);
    expect((await forgot(worker, proof)).errorFlag).toBeNull();
  });

  test('cannot be made up: every field is signed, and the key has to be found', async () => {
    const visitor = always.visitor();
    const proof = await visitor.prove('forgotPassword');
    type Read = {
      challenge: {
        parameters: { cost: number; nonce: string; data: { until: number }; keySignature: string };
        signature: string;
      };
      solution: { derivedKey: string };
    };
    const changes: ((read: Read) => void)[] = [
      ({ challenge }) => (challenge.parameters.cost = 1),
      ({ challenge }) => (challenge.parameters.nonce = '00'.repeat(16)),
      ({ challenge }) => (challenge.parameters.data.until += 1),
      ({ challenge }) => (challenge.parameters.keySignature = '00'.repeat(32)),
      ({ challenge }) => (challenge.signature = '00'.repeat(32)),
      ({ solution }) => (solution.derivedKey = '00'.repeat(32)),
      (read) => Object.assign(read, { challenge: null }),
    ];
    for (const change of changes) {
      expect(await forgot(visitor, forged(proof, change as never))).toMatchObject(NEEDED);
    }
    for (const junk of ['x', '%%%', 'e30', 'A'.repeat(5000)]) {
      expect(await forgot(visitor, { [CAPTCHA_HEADER]: junk })).toMatchObject(NEEDED);
    }
    expect((await forgot(visitor, proof)).errorFlag).toBeNull();
  });

  test('challenges have their limit', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    const ask = () => visitor.call('getChallenge', { body: { purpose: 'signIn' } });
    const answers = await Promise.all(Array.from({ length: 301 }, ask));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(300);
    expect(answers.filter(({ errorFlag }) => errorFlag === 'TOO_MANY')).toHaveLength(1);
  });

  test('the book of proofs is cleaned, and leaves no gap for a replay', async () => {
    const visitor = always.visitor();
    const proof = await visitor.prove('forgotPassword');
    await forgot(visitor, proof);
    const rows = async () =>
      (await always.db.selectFrom('captcha_solutions').select('id').execute()).length;
    expect(await rows()).toBeGreaterThan(0);
    always.clock.advance(2 * 60 * MINUTE);
    const { db, clock, config } = always;
    const nobody = () => undefined;
    await createCleanup({
      db,
      clock,
      auditDays: 365,
      leadDays: 30,
      timers: defaultTimers,
      sealing: createSealing({ db, clock, secretBox: createSecretBox(config.secret) }),
      onDone: nobody,
      onDeadLetters: nobody,
      onError: nobody,
    }).run();
    expect(await rows()).toBe(0);
    expect(await forgot(visitor, proof)).toMatchObject(NEEDED);
  });
});

describe('[R20] nobody works on a quiet day', () => {
  test('the sixth forgotten password of an hour from one network does', async () => {
    const { ip } = testApp.visitor();
    for (let n = 0; n < 5; n += 1) {
      expect((await forgot(testApp.visitor(ip))).errorFlag).toBeNull();
    }
    const sixth = testApp.visitor(ip);
    expect(await forgot(sixth)).toMatchObject(NEEDED);
    expect((await forgot(sixth, await sixth.prove('forgotPassword'))).status).toBe(200);
    expect((await forgot(testApp.visitor())).errorFlag).toBeNull();
    testApp.clock.advance(60 * MINUTE);
    expect((await forgot(sixth)).errorFlag).toBeNull();
  });

  test('the sixth sign-up of an hour does, at the academy too', async () => {
    const { ip } = testApp.visitor();
    for (let n = 0; n < 5; n += 1) {
      const answer = await testApp.visitor(ip).signUp({ emailAddress: newEmail() });
      expect(answer.errorFlag).toBeNull();
    }
    const sixth = testApp.visitor(ip);
    expect(await sixth.signUp({ emailAddress: newEmail() })).toMatchObject(NEEDED);
    const proof = await sixth.prove('signUp');
    expect((await sixth.signUp({ emailAddress: newEmail() }, proof)).errorFlag).toBeNull();
  });

  test('authSettings tells each visitor the truth', async () => {
    const isNeeded = async (visitor: Visitor) =>
      (await visitor.ok('getSettings', {})).isCaptchaNeeded;
    const [quiet, busy] = [testApp.visitor(), testApp.visitor()];
    expect(await isNeeded(busy)).toBe(false);
    for (let n = 0; n < 5; n += 1) await forgot(busy);
    expect(await isNeeded(busy)).toBe(true);
    expect(await isNeeded(quiet)).toBe(false);
    expect(await isNeeded(always.visitor())).toBe(true);
  });
});

describe('[PWD-08] after a failed reset', () => {
  /** A visitor before the form of a fresh account's reset link. */
  async function atForm() {
    const visitor = testApp.visitor();
    const email = newEmail();
    await visitor.register({ emailAddress: email });
    testApp.clock.advance(1);
    await forgot(visitor, undefined, email);
    const link = (await testApp.inbox(email)).find((message) =>
      message.link?.includes('resetLinkKey'),
    );
    const resetKey = new URL(link?.link ?? 'x:').searchParams.get('resetLinkKey') ?? '';
    const user = await visitor.ok('getResetUser', { params: { resetKey, ip: '::1' } });
    if (!user) throw new Error('The link is dead');
    const update = (password: string, headers?: Headers) =>
      visitor.call('updatePassword', { body: { ...sentBack(user), password } }, headers);
    return { visitor, update };
  }

  test('the next try needs a proof; the first needs none', async () => {
    const { visitor, update } = await atForm();
    const isNeeded = async () => (await visitor.ok('getSettings', {})).isCaptchaNeeded;
    expect(await isNeeded()).toBe(false);
    expect((await update(PASSWORD)).errorFlag).toBe('SAME_PASSWORD');
    expect(await isNeeded()).toBe(true);
    expect(await update('Fresh-Paint-8')).toMatchObject(NEEDED);
    // The refusal used up none of the five tries.
    for (let n = 0; n < 3; n += 1) {
      const proof = await visitor.prove('resetPassword');
      expect((await update(PASSWORD, proof)).errorFlag).toBe('SAME_PASSWORD');
    }
    const proof = await visitor.prove('resetPassword');
    expect(await update('Fresh-Paint-8', proof)).toMatchObject({ status: 200, succeeded: true });
    expect(await isNeeded()).toBe(false);
  });
});

describe('[R19] the password', () => {
  const begin = (visitor: Visitor, headers?: Headers) =>
    visitor.call('beginSession', { body: { entrance: 'portal', isFresh: true } }, headers);

  /** Wrong passwords from everywhere: five a network, so that none of them waits. */
  async function attack(email: string, times: number): Promise<void> {
    let attacker = testApp.visitor();
    for (let n = 0; n < times; n += 1) {
      if (n % 5 === 0) attacker = testApp.visitor();
      expect((await attacker.authenticate(email, `Wrong-${n}-x`)).status).toBe(403);
    }
  }

  test(
    'of an account that failed twenty times a day is looked at against a proof, once each',
    { tags: 'long' },
    async () => {
      const email = newEmail();
      await testApp.visitor().register({ emailAddress: email });
      await attack(email, 19);
      expect((await testApp.visitor().authenticate(email, PASSWORD)).status).toBe(200);
      await attack(email, 1);
      const owner = testApp.visitor();
      await owner.ok('getVisit', {});
      expect((await owner.authenticate(email, PASSWORD)).status).toBe(401);
      // Made for this, but for another browser; or made here, but for something else.
      const other = testApp.visitor();
      await begin(other, await other.prove('signIn'));
      expect((await owner.authenticate(email, PASSWORD)).status).toBe(401);
      expect(await begin(owner, await owner.prove('signUp'))).toMatchObject(NEEDED);
      expect((await owner.authenticate(email, PASSWORD)).status).toBe(401);

      const proof = await owner.prove('signIn');
      expect((await begin(owner, proof)).succeeded).toBe(true);
      expect(await begin(owner, proof)).toMatchObject(NEEDED);
      expect((await owner.authenticate(email, PASSWORD)).status).toBe(200);
      expect((await owner.authenticate(email, PASSWORD)).status).toBe(401);
      // A wrong password uses one up as well.
      await begin(owner, await owner.prove('signIn'));
      expect((await owner.authenticate(email, 'Wrong-again-1')).status).toBe(403);
      expect((await owner.authenticate(email, PASSWORD)).status).toBe(401);
      // Nobody else is asked, and after a day nobody is.
      expect((await testApp.visitor().authenticate(newEmail(), PASSWORD)).status).toBe(403);
      testApp.clock.advance(24 * 60 * MINUTE);
      expect((await owner.authenticate(email, PASSWORD)).status).toBe(200);
    },
  );

  test('a proof that waits for its password gets old', async () => {
    const visitor = always.visitor();
    const email = newEmail();
    await visitor.signUp({ emailAddress: email }, await visitor.prove('signUp'));
    await begin(visitor, await visitor.prove('signIn'));
    always.clock.advance(6 * MINUTE);
    expect((await visitor.authenticate(email, 'Wrong-1-x')).status).toBe(401);
    await begin(visitor, await visitor.prove('signIn'));
    expect((await visitor.authenticate(email, 'Wrong-1-x')).status).toBe(403);
  });

  test(
    'of a network that failed ten times in a quarter of an hour, too; unknown accounts alike',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      await visitor.ok('getVisit', {});
      for (let n = 0; n < 10; n += 1) {
        expect((await visitor.authenticate(newEmail(), PASSWORD)).status).toBe(403);
      }
      const answer = await visitor.authenticate(newEmail(), PASSWORD);
      expect(answer.status).toBe(401);
      await begin(visitor, await visitor.prove('signIn'));
      expect((await visitor.authenticate(newEmail(), PASSWORD)).status).toBe(403);
      testApp.clock.advance(15 * MINUTE);
      expect((await visitor.authenticate(newEmail(), PASSWORD)).status).toBe(403);
    },
  );
});

test('[R19] of parallel passwords with one proof one is looked at', async () => {
  const visitor = always.visitor();
  await visitor.ok('getVisit', {});
  const proof = await visitor.prove('signIn');
  await visitor.call('beginSession', { body: { entrance: 'portal', isFresh: true } }, proof);
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => visitor.authenticate(newEmail(), PASSWORD)),
  );
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
});

test('[R19] a proof that waits is used up by one of any number', async () => {
  const context = await createTestContext();
  const { db, clock, database } = context;
  const captcha = createCaptcha(context);
  const visit = { id: randomUUID(), subtenantId: null };
  const now = clock.now();
  await db
    .insertInto('visits')
    .values({ id: visit.id, token_hash: 'x', subtenant_id: null, created_at: now, seen_at: now })
    .execute();
  for (let round = 0; round < 20; round += 1) {
    await db
      .insertInto('captcha_solutions')
      .values({
        id: `solution-${round}`,
        visit_id: visit.id,
        purpose: 'signIn',
        expires_at: new Date(now.getTime() + 60_000),
        spent_at: null,
      })
      .execute();
    const spent = await Promise.all(
      Array.from({ length: 8 }, () => captcha.consume('signIn', visit)),
    );
    expect(spent.filter(Boolean)).toHaveLength(1);
  }
  await database.close();
});
