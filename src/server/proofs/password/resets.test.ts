import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAudit } from '../../audit/audit.ts';
import { later } from '../../core/clock.ts';
import { DEMO_PASSWORD, demoEmail } from '../../demo/seed.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import { createRateLimits, rateLimitKey } from '../../abuse/rate-limits.ts';
import { createSecretBox, hashToken } from '../../crypto/secret-box.ts';
import { watchStatements } from '../../testing/statements.ts';
import { createTestApp, type Visitor, type TestApp } from '../../testing/test-app.ts';
import { createHashing } from './hashing.ts';
import { createEndAccess } from '../../sign-in/end-access.ts';
import { createResets } from './resets.ts';
import { sentBack } from '../../testing/reset.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));
const passwordHash = await createHashing().hash(DEMO_PASSWORD);

const NEW = 'Fresh-Paint-8';
const MINUTE = 60;
let count = 0;

/** An account as it stands in the database; its password is the demo one. */
async function account(
  status: 'active' | 'pending' | 'inactive' = 'active',
  email = `reset-${(count += 1)}@example.test`,
  at: TestApp = testApp,
) {
  const id = 5_000_000_000 + (count += 1);
  await at.db
    .insertInto('users')
    .values({
      id,
      email,
      email_canonical: email.toLowerCase(),
      first_name: 'Rosa',
      last_name: 'Lind',
      dial_code: '+1',
      mobile: '5550142290',
      password_hash: status === 'pending' ? null : passwordHash,
      status,
      sign_up_platform: 1,
      subtenant_id: 900,
      created_at: at.clock.now(),
      activated_at: null,
      trial_ends_at: null,
    })
    .execute();
  await at.db.insertInto('user_roles').values({ user_id: id, role_id: 1 }).execute();
  return { id, email };
}

const ask = (visitor: Visitor, email: string, headers?: Record<string, string>) =>
  visitor.call(
    'forgotPassword',
    {
      body: {
        userName: email,
        emailID: email,
        requestedIP: '::1',
        commMedium: 'Email',
        commSendOn: email,
      },
    },
    headers,
  );

async function mailedKeys(email: string, at: TestApp = testApp): Promise<readonly string[]> {
  const messages = await at.inbox(email);
  return messages.flatMap(
    ({ link }) => new URL(link ?? 'x:').searchParams.get('resetLinkKey') ?? [],
  );
}

async function newKey(email: string, visitor = testApp.visitor()): Promise<string> {
  // Messages of one moment have no order.
  testApp.clock.advance(1);
  await ask(visitor, email);
  const [key] = await mailedKeys(email);
  if (!key) throw new Error(`No link was mailed to ${email}`);
  return key;
}

const open = (visitor: Visitor, resetKey: string) =>
  visitor.call('getResetUser', { params: { resetKey, ip: '::1' } });

/** A visitor before the form: an account, its link, and the handle of this visit. */
async function atForm() {
  const owner = await account();
  const key = await newKey(owner.email);
  const visitor = testApp.visitor();
  const user = (await open(visitor, key)).data;
  if (!user) throw new Error('The link is dead');
  return { ...owner, key, visitor, user };
}

type Form = Awaited<ReturnType<typeof atForm>>;
type Change = Partial<Form['user']> & { readonly password?: string };

/** As the portal does it: every try with the work that a failure before it makes due. */
const update = async ({ visitor, user }: Pick<Form, 'visitor' | 'user'>, change: Change = {}) => {
  const { subtenantId: _, request: _request, isFirst: _isFirst, ...shown } = user;
  const { subtenantId: __, request: ___, isFirst: ____, ...changed } = { password: NEW, ...change };
  const proof = await visitor.prove('resetPassword');
  return visitor.call('updatePassword', { body: { ...shown, accessIP: '::1', ...changed } }, proof);
};

const accepts = async (email: string, password: string) =>
  (await testApp.visitor().authenticate(email, password)).status === 200;

const INVALID = {
  status: 200,
  succeeded: false,
  data: null,
  messages: ['Invalid Link'],
  errorFlag: 'INVALID_LINK',
};
const SENT = {
  status: 200,
  succeeded: true,
  data: true,
  messages: [
    'A reset password link has been sent to your registered email address. Click the link to create a new password.',
  ],
  errorFlag: null,
};
const UNKNOWN = {
  status: 200,
  succeeded: false,
  data: false,
  messages: ['No account found with this email address.'],
  errorFlag: null,
};
const DONE = {
  status: 200,
  succeeded: true,
  data: true,
  messages: ['Your password has been changed successfully'],
};
const REFUSED = {
  status: 400,
  succeeded: false,
  data: null,
  messages: ['Invalid change password request'],
};
const UNAUTHORIZED = {
  status: 401,
  succeeded: false,
  data: null,
  messages: ['Unauthorized to change password.'],
};
const SAME = {
  status: 409,
  succeeded: false,
  data: null,
  messages: ['Your new password must be different from Old password'],
  errorFlag: 'SAME_PASSWORD',
};

describe('asking for a link', () => {
  test('[PWD-02] [PWD-03] an account: the link is sent, and the page says so', async () => {
    const { email } = await account();
    expect(await ask(testApp.visitor(), email)).toMatchObject(SENT);
    const [mail] = await testApp.inbox(email);
    expect(mail).toMatchObject({ channel: 'email', to: email, code: null });
    expect(mail?.subject).toBe('Set a new password for Harbor Point Care');
    expect(mail?.link).toMatch(/\/account\/resetPassword\?resetLinkKey=[\w-]{43}&subtenantId=900$/);
    expect(mail?.text).toContain(mail?.link);
  });

  test('[PWD-02] nobody: not found, and no mail', async () => {
    expect(await ask(testApp.visitor(), 'nobody@example.test')).toMatchObject(UNKNOWN);
    expect(await testApp.inbox('nobody@example.test')).toEqual([]);
  });

  test('[V9] [PRF-09] a suspended account: the answer of any account, and a mail that says whom to call', async () => {
    const { email } = await account('inactive');
    for (let n = 0; n < 2; n += 1) {
      expect(await ask(testApp.visitor(), email)).toMatchObject(SENT);
    }
    const [mail, ...others] = await testApp.inbox(email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Your Harbor Point Care account is switched off');
    expect(mail?.link).toBeNull();
    expect(mail?.text).toContain(testApp.config.help.phone);
    expect(mail?.text).toContain(testApp.config.help.email);
  });

  test('[PWD-02] an account that waits for its code: USER_NOT_ACTIVE first, and no mail', async () => {
    const { email } = await account('pending');
    const answer = await ask(testApp.visitor(), email);
    expect(answer).toMatchObject({ status: 200, succeeded: false, data: false });
    expect(answer.messages[0]).toBe('USER_NOT_ACTIVE');
    expect(await testApp.inbox(email)).toEqual([]);
  });

  test.each(['', 'x', 'a@b', 'two@example.test,three@example.test', `${'x'.repeat(250)}@a.test`])(
    '[PWD-02] %j is no address',
    async (email) => {
      expect((await ask(testApp.visitor(), email)).status).toBe(400);
    },
  );

  test('[D6] however it is typed, the mail goes to the stored address and no other', async () => {
    const stored = 'Stored.Name-1@Example.test';
    await account('active', stored);
    const typed = ' STORED.NAME-1@EXAMPLE.TEST ';
    const answer = await testApp.visitor().call('forgotPassword', {
      body: {
        userName: 'thief@example.test',
        emailID: typed,
        commMedium: 'Email',
        commSendOn: 'thief@example.test',
      },
    });
    expect(answer).toMatchObject(SENT);
    expect(await mailedKeys(stored)).toHaveLength(1);
    for (const other of ['thief@example.test', typed, typed.trim(), stored.toLowerCase()]) {
      // The inbox finds an address in any letter case; a mail has the one of its account.
      const addressed = (await testApp.inbox(other)).map(({ to }) => to);
      expect(addressed.filter((to) => to !== stored)).toEqual([]);
    }
  });

  test('[D9] what a request says about its host never reaches the link', async () => {
    const { email } = await account();
    const answer = await testApp.app.fastify.inject({
      method: 'POST',
      url: '/api/User/SendEmailForForgotPassword',
      headers: {
        host: 'evil.example',
        forwarded: 'host=evil.example;proto=https',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        'x-original-host': 'evil.example',
      },
      payload: { userName: email, emailID: email },
    });
    expect(answer.json()).toMatchObject({ data: true });
    const [mail] = await testApp.inbox(email);
    expect(new URL(mail?.link ?? '').origin).toBe(testApp.url);
    expect(JSON.stringify(mail)).not.toContain('evil');
  });

  test('[D9] of the key, only a hash is in the database', async () => {
    const { key, visitor, user } = await atForm();
    await open(testApp.visitor(), key);
    // The demo's inbox stands for people's mailboxes.
    await testApp.db.deleteFrom('inbox_messages').execute();
    const dump = await testApp.dump();
    expect(dump).toContain(hashToken(key));
    expect(dump).not.toContain(key);
    await update({ visitor, user });
    await testApp.app.outbox.settle();
    await testApp.db.deleteFrom('inbox_messages').execute();
    expect(await testApp.dump()).not.toContain(key);
  });
});

describe('[D5] [D6] limits of asking', () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await createTestApp();
  });
  afterAll(() => strict.close());

  test(
    'after five answers a visitor hears the same about everybody',
    { tags: 'long' },
    async () => {
      const [active, pending, closed] = [
        await account('active', undefined, strict),
        await account('pending', undefined, strict),
        await account('inactive', undefined, strict),
      ];
      const visitor = strict.visitor();
      for (let n = 0; n < 5; n += 1) {
        expect(await ask(visitor, `nobody-${n}@example.test`)).toMatchObject(UNKNOWN);
      }
      const asked = [active.email, pending.email, closed.email, 'nobody-6@example.test'];
      for (const email of asked) {
        const { headers: _, ...answer } = await ask(
          visitor,
          email,
          await visitor.prove('forgotPassword'),
        );
        expect(answer).toEqual(SENT);
        // Nor is there another way to hear more: 'Verify here.' is for those who were told.
        const user = await visitor.call('getLoginUser', { query: { emailId: email } });
        expect(user).toMatchObject({ succeeded: true, data: null });
        const link = await visitor.call('createActivationLink', { body: { userRegstrtnId: null } });
        expect(link).toMatchObject({ succeeded: true, data: null });
      }
      expect(await mailedKeys(active.email, strict)).toHaveLength(1);
      expect(await strict.inbox(pending.email)).toEqual([]);
    },
  );

  test(
    '[D6] S39: past them each address costs the same statements, and its job begins after the answer',
    { tags: 'long' },
    async () => {
      const statements = watchStatements();
      const guarded = await createTestApp({}, null, { plugins: [statements.plugin] });
      const { outbox } = guarded.app;
      // No job runs by itself: what is woken is woken by the call.
      await outbox.stop();
      const woken = vi.spyOn(outbox, 'wake');
      try {
        const asked = [
          (await account('active', undefined, guarded)).email,
          (await account('pending', undefined, guarded)).email,
          (await account('inactive', undefined, guarded)).email,
          'nobody-7@example.test',
        ];
        const visitor = guarded.visitor();
        for (let n = 0; n < 5; n += 1) await ask(visitor, `spent-${n}@example.test`);
        const seen = [];
        for (const email of asked) {
          const proof = await visitor.prove('forgotPassword');
          statements.take();
          woken.mockClear();
          expect(await ask(visitor, email, proof)).toMatchObject(SENT);
          seen.push(statements.take());
          expect(woken).not.toHaveBeenCalled();
        }
        expect(seen[0]?.length).toBeGreaterThan(0);
        for (const each of seen) expect(each).toEqual(seen[0]);
      } finally {
        await guarded.close();
      }
    },
  );

  /** What the page says of a mail that went out before. */
  const before = (minutes: string) => ({
    ...SENT,
    messages: [
      ...SENT.messages,
      `We sent the last one ${minutes} ago. Its link still works, so we did not send another.`,
    ],
  });
  const askTimes = async (email: string, times: number) => {
    for (let n = 0; n < times; n += 1) {
      strict.clock.advance(1);
      expect(await ask(strict.visitor(), email)).toMatchObject(SENT);
      // The work comes after the answer, and messages of one moment have no order.
      await mailedKeys(email, strict);
    }
  };

  test(
    '[LIM-07] [PRF-05] after five links in an hour no more are sent, the page says when, and the fifth works',
    { tags: 'long' },
    async () => {
      const { email } = await account('active', undefined, strict);
      await askTimes(email, 5);
      const [fifth = ''] = await mailedKeys(email, strict);
      expect(await ask(strict.visitor(), email.toUpperCase())).toMatchObject(before('1 minute'));
      strict.clock.advance(11.5 * MINUTE);
      expect(await ask(strict.visitor(), email)).toMatchObject(before('12 minutes'));
      expect(await mailedKeys(email, strict)).toHaveLength(5);
      expect((await open(strict.visitor(), fifth)).data).not.toBeNull();
      strict.clock.advance(60 * MINUTE);
      await askTimes(email, 1);
      expect(await mailedKeys(email, strict)).toHaveLength(6);
    },
  );

  test(
    '[LIM-07] [PRF-05] whoever asked before: once the newest link is about to end the owner gets another',
    { tags: 'long' },
    async () => {
      const { email } = await account('active', undefined, strict);
      await askTimes(email, 5);
      strict.clock.advance(25 * MINUTE);
      expect(await ask(strict.visitor(), email)).toMatchObject(SENT);
      const [newest = '', ...older] = await mailedKeys(email, strict);
      expect(older).toHaveLength(5);
      expect(await ask(strict.visitor(), email)).toMatchObject(before('1 minute'));
      expect((await open(strict.visitor(), newest)).data).not.toBeNull();
    },
  );

  test('[LIM-07] of many at once past the limit one sends', { tags: 'long' }, async () => {
    const { email } = await account('active', undefined, strict);
    await askTimes(email, 5);
    strict.clock.advance(26 * MINUTE);
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => ask(strict.visitor(), email)),
    );
    expect(answers.filter(({ messages }) => messages.length === 1)).toHaveLength(1);
    expect(await mailedKeys(email, strict)).toHaveLength(6);
  });

  test(
    '[LIM-07] [D6] who may not be told reads the same of an address without an account',
    { tags: 'long' },
    async () => {
      const known = await account('active', undefined, strict);
      const unknown = { email: 'never-there@example.test' };
      const answers: unknown[] = [];
      for (const { email } of [known, unknown]) {
        const visitor = strict.visitor();
        for (let n = 0; n < 5; n += 1) await ask(visitor, `spent-${n}@example.test`);
        const seen: unknown[] = [];
        for (let n = 0; n < 7; n += 1) {
          const { headers: _, ...answer } = await ask(
            visitor,
            email,
            await visitor.prove('forgotPassword'),
          );
          seen.push(answer);
        }
        answers.push(seen);
        strict.clock.advance(11 * MINUTE);
      }
      expect(answers[1]).toEqual(answers[0]);
      expect((answers[0] as { messages: string[] }[]).at(-1)?.messages).toHaveLength(2);
      // Who may be told hears that there is none, however often it was asked for.
      expect(await ask(strict.visitor(), unknown.email)).toMatchObject(UNKNOWN);
    },
  );

  test('[LIM-07] a new password begins the count anew', { tags: 'long' }, async () => {
    const { email } = await account('active', undefined, strict);
    await askTimes(email, 5);
    const visitor = strict.visitor();
    const [key = ''] = await mailedKeys(email, strict);
    const user = (await open(visitor, key)).data;
    expect(user && (await update({ visitor, user }))).toMatchObject(DONE);
    await askTimes(email, 1);
    expect(await mailedKeys(email, strict)).toHaveLength(6);
  });

  test('one network asks a hundred times an hour', { tags: 'long' }, async () => {
    const { ip } = strict.visitor();
    for (let n = 0; n < 100; n += 1) {
      const one = strict.visitor(ip);
      const proof = await one.prove('forgotPassword');
      expect(await ask(one, `n-${n}@example.test`, proof)).toMatchObject({
        status: 200,
        errorFlag: null,
      });
    }
    const late = strict.visitor(ip);
    const proof = await late.prove('forgotPassword');
    expect(await ask(late, 'n-100@example.test', proof)).toMatchObject({
      status: 429,
      errorFlag: 'TOO_MANY',
    });
  });

  test('[D9] ten wrong keys from one network are enough; others are not held up', async () => {
    const { email } = await account('active', undefined, strict);
    await ask(strict.visitor(), email);
    const [key = ''] = await mailedKeys(email, strict);
    const { ip } = strict.visitor();
    for (let n = 0; n < 10; n += 1) {
      expect(await open(strict.visitor(ip), `guess-${n}`)).toMatchObject(INVALID);
    }
    expect((await open(strict.visitor(ip), key)).status).toBe(429);
    expect((await open(strict.visitor(), key)).data).not.toBeNull();
  });
});

describe('opening a link', () => {
  test('[PWD-10] F54: whose password it sets: the address to sign in by, with a handle', async () => {
    const { email, id, key } = await atForm();
    const answer = await open(testApp.visitor(), key);
    expect(answer.data).toEqual({
      userId: id,
      userName: 'r•••@example.test',
      email,
      hostedUserId: String(id),
      forgotPasswordId: expect.stringMatching(/^[\w-]{22}$/),
      subtenantId: 900,
      isFirst: false,
      request: null,
    });
  });

  test(
    '[R31] twenty readings and HEADs by whoever scans mails use nothing up',
    { tags: 'long' },
    async () => {
      const { email } = await account();
      const key = await newKey(email);
      const rows = () => testApp.db.selectFrom('reset_links').selectAll().orderBy('id').execute();
      const before = await rows();
      const path = `/api/User/GetUserDetailsbyTokenKey/${key}/::1`;
      for (let n = 0; n < 20; n += 1) {
        expect((await testApp.visitor().request(path)).status).toBe(200);
        expect((await testApp.visitor().request(path, { method: 'HEAD' })).status).toBe(200);
      }
      expect(await rows()).toEqual(before);
      expect(await accepts(email, DEMO_PASSWORD)).toBe(true);
      const visitor = testApp.visitor();
      const user = (await open(visitor, key)).data;
      expect(user && (await update({ visitor, user }))).toMatchObject(DONE);
    },
  );

  test.each(['-', 'x'.repeat(43), 'x'.repeat(200), 'x'.repeat(1000), '%00', "' or 1=1 --", '☃'])(
    '[PWD-06] the key %j: Invalid Link',
    async (key) => {
      expect(await open(testApp.visitor(), key)).toMatchObject(INVALID);
    },
  );

  test.each([
    [-1, true],
    [0, false],
  ] as const)('[R31] half an hour and %i ms: %j', async (offset, isAlive) => {
    const form = await atForm();
    const link = await testApp.db
      .selectFrom('reset_links')
      .selectAll()
      .where('user_id', '=', form.id)
      .executeTakeFirstOrThrow();
    expect(link.expires_at.getTime() - link.created_at.getTime()).toBe(30 * MINUTE * 1000);
    testApp.clock.pin(later(link.expires_at, offset));
    const answer = await open(testApp.visitor(), form.key);
    expect(answer).toMatchObject(isAlive ? { data: { userId: form.id } } : INVALID);
    // A dead link is no way to try passwords either.
    expect(await update(form, { password: DEMO_PASSWORD })).toMatchObject(
      isAlive ? SAME : UNAUTHORIZED,
    );
    expect(await update(form)).toMatchObject(isAlive ? DONE : UNAUTHORIZED);
    expect(await accepts(form.email, NEW)).toBe(isAlive);
  });

  test('[R31] the newest link only, also for who has the form of an older one open', async () => {
    const form = await atForm();
    const newest = await newKey(form.email);
    expect(await open(testApp.visitor(), form.key)).toMatchObject(INVALID);
    expect(await update(form)).toMatchObject(UNAUTHORIZED);
    expect((await open(testApp.visitor(), newest)).data?.userId).toBe(form.id);
  });

  // PGlite answers one transaction at a time: only PostgreSQL can lose this race.
  test('[R31] of links that were asked for at once, one lives', async () => {
    const { email } = await account();
    await Promise.all(Array.from({ length: 8 }, () => ask(testApp.visitor(), email)));
    const keys = await mailedKeys(email);
    expect(keys).toHaveLength(8);
    const answers = await Promise.all(keys.map((key) => open(testApp.visitor(), key)));
    expect(answers.filter(({ data }) => data !== null)).toHaveLength(1);
  });

  test('[R31] a used link is dead', async () => {
    const form = await atForm();
    expect(await update(form)).toMatchObject(DONE);
    expect(await open(testApp.visitor(), form.key)).toMatchObject(INVALID);
    expect(await update(form, { password: 'Another-Coat-9' })).toMatchObject(UNAUTHORIZED);
    expect(await accepts(form.email, NEW)).toBe(true);
  });

  test('the link of an account that was closed meanwhile: Invalid Link', async () => {
    const { id, key } = await atForm();
    await testApp.db
      .updateTable('users')
      .set({ status: 'inactive' })
      .where('id', '=', id)
      .execute();
    expect(await open(testApp.visitor(), key)).toMatchObject(INVALID);
  });
});

describe('setting the password', () => {
  test('[PWD-09] the new password works, the old one does not, and the owner is told', async () => {
    const form = await atForm();
    expect(await update(form)).toMatchObject(DONE);
    expect(await accepts(form.email, NEW)).toBe(true);
    expect(await accepts(form.email, DEMO_PASSWORD)).toBe(false);
    const notifications = (await testApp.inbox(form.email)).filter(({ link }) => link === null);
    expect(notifications).toMatchObject([
      { to: form.email, subject: 'Your Harbor Point Care password was changed' },
    ]);
    expect(notifications[0]?.text).toContain(testApp.config.help.email);
    expect(notifications[0]?.text).not.toContain(NEW);
  });

  test('[D9] it signs nobody in, and the next sign-in still asks for a code', async () => {
    const form = await atForm();
    await update(form);
    expect(await form.visitor.ok('getVisit', {})).toMatchObject({ signIn: null, login: null });
    expect(form.visitor.cookies.has('idp_session')).toBe(false);
    const { silent } = await form.visitor.givePassword(form.email, NEW);
    expect(silent).toMatchObject({ code: '', error: 'login_required' });
    expect((await form.visitor.signIn(form.email, NEW)).loggedInUserId).toBe(form.id);
  });

  test('[R6] every session, token, code, hand-off, hosted session and other link is over', async () => {
    const { id, email } = await account();
    const [signedIn, waiting, proven] = [testApp.visitor(), testApp.visitor(), testApp.visitor()];
    await signedIn.signIn(email, DEMO_PASSWORD);
    const handOff = await signedIn.ok('issueHandoff', {
      body: { choice: null, entrance: 'portal' },
    });
    testApp.clock.advance(1);
    const code = await waiting.reachCode(email, DEMO_PASSWORD);
    const otp = await testApp.codeFor(email);
    testApp.clock.advance(1);
    const other = await proven.reachCode(email, DEMO_PASSWORD);
    // The newest code closed the one before it: it is the older one that a thief would still hold.
    const otherOtp = await testApp.codeFor(email);
    await proven.verify(other.otpId, other.userId, otherOtp);
    const ready = await proven.authorize((await proven.begin(false)).authorizeUrl);
    expect(ready.code).not.toBe('');
    await waiting.authenticate(email, DEMO_PASSWORD);
    const key = await newKey(email);
    const now = testApp.clock.now();
    // As another instance could have made it in the same moment.
    await testApp.db
      .insertInto('reset_links')
      .values({
        id: `other-${id}`,
        key_hash: hashToken(`other-${id}`),
        user_id: id,
        subtenant_id: 742,
        created_at: now,
        expires_at: later(now, MINUTE * 1000),
        used_at: null,
      })
      .execute();

    const visitor = testApp.visitor();
    const user = (await open(visitor, key)).data;
    expect(user && (await update({ visitor, user }))).toMatchObject(DONE);

    const issued = await signedIn.call('issueHandoff', {
      body: { choice: null, entrance: 'portal' },
    });
    expect(issued.status).toBe(401);
    expect(await signedIn.ok('getVisit', {})).toMatchObject({ signIn: null, login: null });
    expect((await signedIn.authorize((await signedIn.begin(false)).authorizeUrl)).error).toBe(
      'login_required',
    );
    expect((await waiting.verify(code.otpId, code.userId, otp)).succeeded).toBe(false);
    expect((await waiting.sendCode(id, 'TWOFACTORAUTHENTICATION')).status).toBe(403);
    expect((await proven.verify(other.otpId, other.userId, otherOtp)).succeeded).toBe(false);
    expect((await proven.record(ready)).status).toBe(401);
    expect(await redeem(handOff.url)).toBe(401);
    expect(await open(testApp.visitor(), `other-${id}`)).toMatchObject(INVALID);

    const tokens = await testApp.db
      .selectFrom('auth_tokens')
      .innerJoin('sign_ins', 'sign_ins.id', 'auth_tokens.sign_in_id')
      .select('token_hash')
      .where('user_id', '=', id)
      .execute();
    expect(tokens).toEqual([]);
    for (const table of ['hosted_payloads', 'hosted_tickets'] as const) {
      const rows = await testApp.db
        .selectFrom(table)
        .select('account_id')
        .where('account_id', '=', String(id))
        .execute();
      expect(rows).toEqual([]);
    }
  });

  /** As the module's own server would. */
  async function redeem(url: string): Promise<number> {
    const secret = createSecretBox(testApp.config.secret).hmac('demo-module', 'member-intake');
    const token = Buffer.from(new URL(url).searchParams.get('token') ?? '', 'base64').toString();
    const answer = await testApp.visitor().call(
      'redeemHandoff',
      { body: { token } },
      {
        authorization: `Basic ${Buffer.from(`member-intake:${secret}`).toString('base64')}`,
        origin: '',
        'sec-fetch-site': '',
      },
    );
    return answer.status;
  }

  test('[R6] other accounts keep what they have', { tags: 'long' }, async () => {
    const bystander = testApp.visitor();
    await bystander.signIn('member');
    const other = await atForm();
    await update(await atForm());
    expect((await bystander.ok('getVisit', {})).login?.memberName).toBe('Margaret Okafor');
    expect((await open(testApp.visitor(), other.key)).data?.userId).toBe(other.id);
    expect(await accepts(demoEmail('member'), DEMO_PASSWORD)).toBe(true);
  });

  test(
    '[PWD-08] [PWD-10] ids of somebody else are refused and change nobody',
    { tags: 'long' },
    async () => {
      const [form, victim] = [await atForm(), await atForm()];
      const changes: readonly Change[] = [
        { userId: victim.id },
        { userName: 'v•••@example.test' },
        { userName: form.email },
        { userName: victim.email },
        { hostedUserId: victim.user.hostedUserId },
      ];
      for (const change of changes) expect(await update(form, change)).toMatchObject(REFUSED);
      const forgotPasswordIds = [victim.user.forgotPasswordId, 'made-up', '', 'x'.repeat(200)];
      for (const forgotPasswordId of forgotPasswordIds) {
        expect(await update(form, { forgotPasswordId })).toMatchObject(REFUSED);
        expect(await update(form, { ...victim.user, forgotPasswordId })).toMatchObject(REFUSED);
      }
      for (const { email } of [form, victim]) {
        expect(await accepts(email, DEMO_PASSWORD)).toBe(true);
        expect(await accepts(email, NEW)).toBe(false);
      }
      // The victim's own form was not touched by any of it.
      expect(await update(victim)).toMatchObject(DONE);
    },
  );

  test('[PWD-08] the hosted id may be left out', async () => {
    const form = await atForm();
    const { userId, userName, forgotPasswordId } = form.user;
    const body = { userId: String(userId), userName, forgotPasswordId, password: NEW };
    expect(await form.visitor.call('updatePassword', { body })).toMatchObject(DONE);
  });

  test('[D9] the handle of one browser is none in another', async () => {
    const form = await atForm();
    const thief = testApp.visitor();
    await thief.ok('getVisit', {});
    expect(await update({ visitor: thief, user: form.user })).toMatchObject(REFUSED);
    expect(await update(form)).toMatchObject(DONE);
  });

  const WEAK = [
    'short-1',
    '',
    'porchlight-1',
    'Porchlight1',
    'PORCHLIGHT-1',
    `A-1${'a'.repeat(254)}`,
  ];
  for (const [index, password] of WEAK.entries()) {
    const tags = index === 0 ? [] : ['long'];
    test(`[PWD-05] the weak password '${password}' is refused`, { tags }, async () => {
      const form = await atForm();
      expect(await update(form, { password })).toMatchObject(REFUSED);
      expect(await update(form)).toMatchObject(DONE);
    });
  }

  test('[PWD-07] [D11] the old password again: told, not counted as a failed login, the link still good', async () => {
    const form = await atForm();
    expect(await update(form, { password: DEMO_PASSWORD })).toMatchObject(SAME);
    const counted = await testApp.db
      .selectFrom('limits')
      .selectAll()
      .where(
        'key',
        '=',
        rateLimitKey(createSecretBox(testApp.config.secret), [
          RATE_LIMITS.passwordProofPerAccount,
          form.email,
        ]),
      )
      .execute();
    expect(counted).toEqual([]);
    const failures = await testApp.db
      .selectFrom('audit_events')
      .orderBy('id')
      .selectAll()
      .where('kind', '=', 'signIn.wrongPassword')
      .where('user_id', '=', form.id)
      .execute();
    expect(failures).toEqual([]);
    expect(await update(form)).toMatchObject(DONE);
  });

  test(
    '[D11] five tries for a handle; the link then gives a new one',
    { tags: 'long' },
    async () => {
      const form = await atForm();
      for (let n = 0; n < 5; n += 1) {
        expect(await update(form, { password: DEMO_PASSWORD })).toMatchObject(SAME);
      }
      expect(await update(form)).toMatchObject(UNAUTHORIZED);
      const user = (await open(form.visitor, form.key)).data ?? form.user;
      expect(user.forgotPasswordId).not.toBe(form.user.forgotPasswordId);
      expect(await update({ ...form, user })).toMatchObject(DONE);
    },
  );

  // PGlite answers one statement at a time: only PostgreSQL can lose this race.
  test('[D11] a burst of guesses is five comparisons', { tags: 'long' }, async () => {
    const form = await atForm();
    const guesses = Array.from({ length: 32 }, () => update(form, { password: DEMO_PASSWORD }));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 409)).toHaveLength(5);
    expect(statuses.filter((status) => status === 401)).toHaveLength(27);
  });

  test('[R31] of fifty at once exactly one wins', async () => {
    const { visitor, ...form } = await atForm();
    const handles = await Promise.all(Array.from({ length: 50 }, () => open(visitor, form.key)));
    const attempts = handles.map(async ({ data }, index) => {
      const password = `${NEW}-${index}`;
      const { status } = await update({ visitor, user: data ?? form.user }, { password });
      return { status, password };
    });
    const answers = await Promise.all(attempts);
    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    // The losers find the link used, or too many passwords at once to hash.
    const lost = new Set(answers.filter((answer) => answer !== winner).map(({ status }) => status));
    expect([...lost].filter((status) => status !== 401 && status !== 503)).toEqual([]);
    expect(await accepts(form.email, winner?.password ?? '')).toBe(true);
    const notifications = (await testApp.inbox(form.email)).filter(({ link }) => link === null);
    expect(notifications).toHaveLength(1);
  });

  test('[PWD-08] an account that was closed meanwhile: 404', async () => {
    const form = await atForm();
    await testApp.db
      .updateTable('users')
      .set({ status: 'inactive' })
      .where('id', '=', form.id)
      .execute();
    for (const password of [NEW, DEMO_PASSWORD]) {
      expect(await update(form, { password })).toMatchObject({
        status: 404,
        succeeded: false,
        data: null,
        messages: ['User does not exist.'],
      });
    }
    const { password_hash } = await testApp.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', form.id)
      .executeTakeFirstOrThrow();
    expect(password_hash).toBe(passwordHash);
  });

  test('[D33] another site can neither read a link nor set a password', async () => {
    const form = await atForm();
    const path = `/api/User/GetUserDetailsbyTokenKey/${form.key}/::1`;
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await form.visitor.request(path, { headers: foreign })).status).toBe(403);
    const { subtenantId: _, request: _request, isFirst: _isFirst, ...shown } = form.user;
    const posted = await form.visitor.post(
      '/api/2/User/UpdateForgotPassword',
      { ...shown, password: NEW },
      { 'x-xsrf-token': '' },
    );
    expect(posted.status).toBe(403);
    expect(await update(form)).toMatchObject(DONE);
  });
});

describe('[R31] what happens while the new password is being hashed', () => {
  /** An update whose hashing takes long enough for something else to happen. */
  async function updateWhile(happens: (form: Form) => Promise<unknown>) {
    const form = await atForm();
    const { db, clock, config, app } = testApp;
    const secretBox = createSecretBox(config.secret);
    const context = {
      db,
      clock,
      config,
      secretBox,
      rateLimits: createRateLimits({
        db,
        clock,
        secretBox,
        config: { limitFactor: 1, limits: {} },
      }),
      audit: createAudit({ db, clock }),
      outbox: app.outbox,
    };
    const resets = createResets(context, {
      organisationOfInvitation: async () => null,
      passwords: {
        isCurrent: async () => false,
        async change() {
          await happens(form);
          return async () => undefined;
        },
      },
      isGuessable: async () => false,
      notifications: {
        resetLink: async () => undefined,
        passwordChanged: async () => undefined,
        suspended: async () => undefined,
        byOrganisation: async () => undefined,
      },
      queueHelp: async () => undefined,
      endAccess: createEndAccess(async () => undefined),
      endProviderSessions: async () => undefined,
      passwordCheck: { resetFailures: async () => undefined },
      removeNewWays: async () => [],
      requests: null,
    });
    const { visit_id: id } = await testApp.db
      .selectFrom('reset_handles')
      .select('visit_id')
      .where('id', '=', form.user.forgotPasswordId)
      .executeTakeFirstOrThrow();
    const caller = { visit: { id, subtenantId: null }, ip: '10.0.0.1' };
    const outcome = resets.update({ ...sentBack(form.user), password: NEW }, caller);
    return outcome.then(
      () => 'done',
      (error: unknown) => (error as Error).message,
    );
  }

  test('nothing', async () => {
    expect(await updateWhile(async () => undefined)).toBe('done');
  });

  test('the account is closed', async () => {
    const close = ({ id }: Form) =>
      testApp.db.updateTable('users').set({ status: 'inactive' }).where('id', '=', id).execute();
    expect(await updateWhile(close)).toBe('RESET_UNKNOWN');
  });

  test('a newer link is asked for', async () => {
    expect(await updateWhile(({ email }) => newKey(email))).toBe('RESET_UNAUTHORIZED');
  });

  test('the link is used', async () => {
    expect(await updateWhile((form) => update(form))).toBe('RESET_UNAUTHORIZED');
  });
});

test(
  '[T16] wrong passwords before a reset do not keep the owner out after it',
  { tags: 'long' },
  async () => {
    const real = await createTestApp();
    try {
      const { email } = await account('active', undefined, real);
      const visitor = real.visitor();
      for (let n = 0; n < 5; n += 1) await visitor.authenticate(email, 'Not-Mine-1');
      expect((await visitor.authenticate(email, DEMO_PASSWORD)).status).not.toBe(200);
      await ask(visitor, email);
      const [key = ''] = await mailedKeys(email, real);
      const user = (await open(visitor, key)).data;
      expect(user && (await update({ visitor, user }))).toMatchObject(DONE);
      expect((await visitor.authenticate(email, NEW)).status).toBe(200);
    } finally {
      await real.close();
    }
  },
);
