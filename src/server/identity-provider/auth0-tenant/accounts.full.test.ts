import { beforeEach, describe, expect, test } from 'vitest';
import { createTenantTestApp } from '../../testing/tenant-test-app.ts';
import { createTestContext, type Visitor } from '../../testing/test-app.ts';
import { createHashing } from '../../proofs/password/hashing.ts';
import type { TenantConfig } from '../../config/auth0-tenant-config.ts';
import { createTenantAccounts } from './accounts.ts';
import { createTenantApi } from './api.ts';
import { createTenantUsers } from './users.ts';
import { sentBack } from '../../testing/reset.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

let people = 0;
const PASSWORD = 'Porch-Swing-7';
const NEW = 'Fresh-Paint-8';

const testApp = closeAtEnd(await createTenantTestApp({ limitFactor: 50 }));
beforeEach(() => {
  testApp.tenant.faults.clear();
  testApp.tenant.users.jobs.polls = 1;
  testApp.tenant.calls.length = 0;
});

const newEmail = () => `account-${(people += 1)}@example.test`;
const rowOf = (email: string) =>
  testApp.db
    .selectFrom('users')
    .selectAll()
    .where('email_canonical', '=', email)
    .executeTakeFirstOrThrow();
const passwordOf = (email: string) => testApp.tenant.users.find(email)?.password;
const isRight = async (email: string, password: string) =>
  (await testApp.tenant.users.check(email, password)) !== null;

async function register(email = newEmail(), visitor = testApp.visitor()) {
  return { email, ...(await visitor.register({ emailAddress: email, password: PASSWORD })) };
}

async function registered(email = newEmail()) {
  const person = await register(email);
  await testApp.settle();
  return person;
}

/** Signs in by password and code. @returns the answer of the record */
async function firstAnswer(email: string, password: string, visitor = testApp.visitor()) {
  const { silent } = await visitor.givePassword(email, password);
  return silent && visitor.record(silent);
}

describe('[SUP-16] an account’s user at the tenant', () => {
  test('is made when the account becomes active, from the hash alone; then the hash goes', async () => {
    const { email } = await register();
    const before = await rowOf(email);
    expect(before).toMatchObject({ status: 'active', hosted_user_id: null });
    expect(before.password_hash).toMatch(/^\$argon2id\$/);
    await testApp.settle();
    const user = testApp.tenant.users.find(email);
    expect(user).toMatchObject({ email_verified: true, password: { hash: before.password_hash } });
    expect(await rowOf(email)).toMatchObject({
      hosted_user_id: user?.user_id,
      hosted_job_id: null,
      password_hash: null,
    });
    expect(await testApp.dump()).not.toContain(before.password_hash);
    expect(await isRight(email, PASSWORD)).toBe(true);
  });

  test('nobody who only typed an address has one', async () => {
    const email = newEmail();
    await testApp.visitor().signUp({ emailAddress: email, password: PASSWORD });
    await testApp.settle();
    expect(testApp.tenant.users.find(email)).toBeUndefined();
  });

  test.each(['cut', 'hang', 500, 429, 'garbage', 403] as const)(
    'a tenant that answers %s keeps nobody from signing up; the user is made when it is back',
    async (fault) => {
      const email = newEmail();
      testApp.tenant.faults.set('/api/v2', fault);
      await register(email);
      await testApp.app.outbox.settle();
      expect(await rowOf(email)).toMatchObject({ status: 'active', hosted_user_id: null });
      testApp.tenant.faults.clear();
      await testApp.settle();
      expect(await isRight(email, PASSWORD)).toBe(true);
      expect((await firstAnswer(email, PASSWORD))?.errorFlag).toBe('OTP_REQUIRED');
    },
  );

  test('until then a sign-in is told to try later, not that the password is wrong', async () => {
    testApp.tenant.users.jobs.polls = 3;
    const { email } = await register();
    const visitor = testApp.visitor();
    const check = () => visitor.call('checkUser', { params: { email } });
    expect(await check()).toMatchObject({ status: 503, errorFlag: 'UNAVAILABLE' });
    await testApp.settle();
    expect(await check()).toMatchObject({ status: 200, data: true });
  });

  test('is one, also when a job is done twice or its answer was lost', async () => {
    const { email } = await register();
    testApp.tenant.faults.set('/api/v2/jobs/', 'cut');
    await testApp.app.outbox.settle();
    testApp.tenant.faults.clear();
    await testApp.settle();
    const { id } = await rowOf(email);
    await testApp.app.outbox.add(testApp.db, {
      kind: 'hostedUser',
      payload: { userId: id },
      idempotencyKey: `again-${id}`,
    });
    await testApp.settle();
    expect(testApp.tenant.users.list.filter((user) => user.email === email)).toHaveLength(1);
    expect((await rowOf(email)).hosted_user_id).toBe(testApp.tenant.users.find(email)?.user_id);
  });
});

describe('who is there and not here, and the other way round', () => {
  test('[OTP-09] a proven user of the tenant signs up: linked, and the old password stays', async () => {
    const email = newEmail();
    testApp.tenant.users.add({ email, password: 'Old-Tenant-1' });
    const visitor = testApp.visitor();
    const created = (await visitor.signUp({ emailAddress: email, password: PASSWORD })).data;
    const sent = (await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION')).data;
    const ask = () => visitor.ok('isAuthUser', { params: { email } });
    expect(await ask()).toBe(false);
    const otp = await testApp.codeFor(email);
    const userId = created?.userId ?? 0;
    await visitor.ok('verifyOtp', { body: { id: sent?.id ?? '', createdBy: userId, otp } });
    expect(await ask()).toBe(true);
    await visitor.ok('activateUser', {
      body: {
        userId,
        userRegstrtnId: created?.id ?? '',
        otpId: sent?.id ?? '',
        signUpPlatform: 1,
      },
    });
    await testApp.settle();
    expect(passwordOf(email)).toEqual({ text: 'Old-Tenant-1' });
    expect((await firstAnswer(email, 'Old-Tenant-1'))?.errorFlag).toBe('OTP_REQUIRED');
  });

  test('one that never proved the address is not the owner: not linked, until a mailed link says so', async () => {
    const email = newEmail();
    const stranger = testApp.tenant.users.add({
      email,
      password: 'Stranger-1',
      isVerified: false,
    });
    await registered(email);
    expect((await rowOf(email)).hosted_user_id).toBeNull();
    expect(await firstAnswer(email, 'Stranger-1')).toMatchObject({ errorFlag: 'NO_SESSION' });
    expect(await reset(email, NEW)).toMatchObject({ succeeded: true });
    expect(stranger).toMatchObject({ email_verified: true, password: { text: NEW } });
    expect((await rowOf(email)).hosted_user_id).toBe(stranger.user_id);
    expect((await firstAnswer(email, NEW))?.errorFlag).toBe('OTP_REQUIRED');
  });

  test('a user of the tenant without an account here gets nowhere', async () => {
    const email = newEmail();
    testApp.tenant.users.add({ email, password: PASSWORD });
    const visitor = testApp.visitor();
    expect(await visitor.ok('checkUser', { params: { email } })).toBe(false);
    expect(await firstAnswer(email, PASSWORD, visitor)).toMatchObject({
      status: 401,
      errorFlag: 'NO_SESSION',
    });
    expect(await visitor.ok('getLoginUser', { query: { emailId: email } })).toBeNull();
  });

  test('an account here and a proven user there are tied at the first sign-in', async () => {
    const email = 'member@demo.porchlight.test';
    const user = testApp.tenant.users.add({ email, password: PASSWORD });
    expect((await firstAnswer(email, PASSWORD))?.errorFlag).toBe('OTP_REQUIRED');
    expect(await rowOf(email)).toMatchObject({
      hosted_user_id: user.user_id,
      password_hash: null,
    });
  });

  test('a user of another kind of connection is never tied', async () => {
    const email = 'top@demo.porchlight.test';
    testApp.tenant.users.add({ email, password: PASSWORD });
    testApp.tenant.tamper.claims = (claims) => ({ ...claims, sub: 'google-oauth2|1' });
    try {
      expect((await firstAnswer(email, PASSWORD))?.errorFlag).toBe('NO_SESSION');
    } finally {
      testApp.tenant.tamper.claims = (claims) => claims;
    }
    expect((await rowOf(email)).hosted_user_id).toBeNull();
  });

  test('an account from before the tenant gets its user with a new password', async () => {
    const email = 'agent@demo.porchlight.test';
    expect(await reset(email, NEW)).toMatchObject({ succeeded: true });
    expect(await isRight(email, NEW)).toBe(true);
    expect((await firstAnswer(email, NEW))?.errorFlag).toBe('OTP_REQUIRED');
  });

  test('a person blocked at the tenant cannot sign in', async () => {
    const { email } = await registered();
    const user = testApp.tenant.users.find(email);
    if (user) user.blocked = true;
    expect((await testApp.visitor().givePassword(email, PASSWORD)).status).toBe(403);
  });
});

/** Opens the mailed link. @returns the fields of its form */
async function atForm(email: string, visitor: Visitor) {
  testApp.clock.advance(1);
  await visitor.call('forgotPassword', {
    body: {
      userName: email,
      emailID: email,
      requestedIP: '::1',
      commMedium: 'Email',
      commSendOn: email,
    },
  });
  await testApp.app.outbox.settle();
  const links = (await testApp.inbox(email)).flatMap(({ link }) => link ?? []);
  const keys = links.flatMap((link) => new URL(link).searchParams.get('resetLinkKey') ?? []);
  const resetKey = keys[0] ?? '';
  const user = await visitor.ok('getResetUser', { params: { resetKey, ip: '::1' } });
  if (!user) throw new Error('The link is not valid');
  return sentBack(user);
}

type Form = Awaited<ReturnType<typeof atForm>>;

const update = (visitor: Visitor, form: Form, password: string) =>
  visitor.call('updatePassword', { body: { ...form, password } });

async function reset(email: string, password: string) {
  const visitor = testApp.visitor();
  return update(visitor, await atForm(email, visitor), password);
}

describe('[PWD-07] [PWD-08] a new password', () => {
  test('is set at the tenant, once, and ends every session there and here', async () => {
    const { email } = await registered();
    const visitor = testApp.visitor();
    const form = await atForm(email, visitor);
    expect(await update(visitor, form, NEW)).toMatchObject({ succeeded: true });
    expect(passwordOf(email)).toEqual({ text: NEW });
    expect((await update(visitor, form, 'Third-Time-9')).status).not.toBe(200);
    expect(passwordOf(email)).toEqual({ text: NEW });
    await testApp.settle();
    const paths = testApp.tenant.calls.map(({ method, path }) => `${method} ${path}`).join('\n');
    expect(paths).toMatch(/DELETE \/api\/v2\/users\/auth0%7C\w+\/sessions/);
    expect(paths).toMatch(/DELETE \/api\/v2\/users\/auth0%7C\w+\/refresh-tokens/);
    expect((await rowOf(email)).password_hash).toBeNull();
    expect(await testApp.dump()).not.toContain(NEW);
  });

  test('has to differ from the old one: asked once, with the visitor’s address, and no token is kept', async () => {
    const { email } = await registered();
    const visitor = testApp.visitor('10.9.8.7');
    const form = await atForm(email, visitor);
    testApp.tenant.calls.length = 0;
    const answer = await update(visitor, form, PASSWORD);
    expect(answer).toMatchObject({ status: 409, errorFlag: 'SAME_PASSWORD' });
    const grants = testApp.tenant.calls.filter(({ path }) => path === '/oauth/token');
    expect(grants.map(({ forwardedFor }) => forwardedFor)).toEqual(['10.9.8.7']);
    expect(await testApp.dump()).not.toContain('canary-access-token');
    // The link is still good for another password.
    expect(await isRight(email, PASSWORD)).toBe(true);
  });

  test.each([
    [400, 400, 'RESET_REFUSED'],
    [401, 401, 'RESET_UNAUTHORIZED'],
    [403, 401, 'RESET_UNAUTHORIZED'],
    [404, 404, 'RESET_UNKNOWN'],
    [409, 503, 'UNAVAILABLE'],
    [429, 503, 'UNAVAILABLE'],
    [500, 503, 'UNAVAILABLE'],
    [502, 503, 'UNAVAILABLE'],
    ['cut', 503, 'UNAVAILABLE'],
    ['hang', 503, 'UNAVAILABLE'],
  ] as const)(
    'that the tenant refuses with %s is refused with %i, and the link is not used up',
    async (fault, status, errorFlag) => {
      const { email } = await registered();
      const visitor = testApp.visitor();
      const form = await atForm(email, visitor);
      testApp.tenant.faults.set('/api/v2/users/', fault);
      expect(await update(visitor, form, NEW)).toMatchObject({ status, errorFlag });
      testApp.tenant.faults.clear();
      expect(await isRight(email, PASSWORD)).toBe(true);
      const link = await testApp.db
        .selectFrom('reset_links')
        .innerJoin('users', 'users.id', 'reset_links.user_id')
        .select('used_at')
        .where('users.email', '=', email)
        .executeTakeFirstOrThrow();
      expect(link.used_at).toBeNull();
    },
  );

  test('the tenant’s own rule for passwords counts as well', async () => {
    const { email } = await registered();
    expect(await reset(email, 'Weak-But-Ours-1')).toMatchObject({
      status: 400,
      errorFlag: 'RESET_REFUSED',
    });
  });

  test.each([
    ['counts too many tries', 429, true],
    ['is broken', 500, false],
  ] as const)('while the tenant %s at the check of the old one', async (_, fault, isSet) => {
    const { email } = await registered();
    const visitor = testApp.visitor();
    const form = await atForm(email, visitor);
    testApp.tenant.faults.set('/oauth/token', fault);
    expect((await update(visitor, form, NEW)).succeeded).toBe(isSet);
    testApp.tenant.faults.clear();
    expect(await isRight(email, NEW)).toBe(isSet);
  });

  test('of several at once one is set', async () => {
    const { email } = await registered();
    const visitor = testApp.visitor();
    const form = await atForm(email, visitor);
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => update(visitor, form, `Parallel-Try-${n}`)),
    );
    expect(answers.filter(({ succeeded }) => succeeded)).toHaveLength(1);
    const winner = answers.findIndex(({ succeeded }) => succeeded);
    expect(passwordOf(email)).toEqual({ text: `Parallel-Try-${winner}` });
  });
});

describe('accounts from before the tenant', () => {
  test('get their users at a start, from their hashes; closed ones do not', async () => {
    const context = await createTestContext();
    try {
      const settings = testApp.config.tenant as TenantConfig;
      const api = createTenantApi(settings, fetch, 5000);
      const accounts = createTenantAccounts(context, createTenantUsers(api, settings.realm));
      for (const job of accounts.jobs) context.outbox.define(job);
      await context.db
        .insertInto('subtenants')
        .values({ id: 742, name: 'Rosewood', logo_path: '/logos/742.svg', accent: null })
        .execute();
      const emails = [1, 2, 3, 4].map((n) => `before-${n}@example.test`);
      for (const [n, email] of emails.entries()) {
        await context.db
          .insertInto('users')
          .values({
            id: 7_000_000_000 + n,
            email,
            email_canonical: email,
            first_name: 'Rosa',
            last_name: 'Lind',
            dial_code: '+1',
            mobile: '5550142290',
            password_hash: await createHashing().hash(PASSWORD),
            status: n === 2 ? 'inactive' : 'active',
            sign_up_platform: 1,
            subtenant_id: 742,
            created_at: context.clock.now(),
            activated_at: null,
            trial_ends_at: null,
          })
          .execute();
      }
      // Came by an import, and is no hash that the tenant would read as ours.
      const foreign = '$2b$04$abcdefghijklmnopqrstuu3cgLde/SF8dwLRAsYAnUWYKraOQuBFS';
      const imported = 7_000_000_000 + emails.indexOf('before-4@example.test');
      await context.db
        .updateTable('users')
        .set({ password_hash: foreign })
        .where('id', '=', imported)
        .execute();
      await accounts.catchUp();
      await accounts.catchUp();
      const asked = await context.db.selectFrom('outbox').select('idempotency_key').execute();
      expect(asked.map((job) => job.idempotency_key)).not.toContain(`${imported}:hosted-user`);
      await accounts.activated(context.db, imported);
      for (const seconds of [1, 2, 4, 8]) {
        await context.outbox.settle();
        context.clock.advance(seconds);
      }
      await context.outbox.settle();
      expect(await Promise.all(emails.map((email) => isRight(email, PASSWORD)))).toEqual([
        true,
        true,
        false,
        false,
      ]);
      const [kept] = await context.db
        .selectFrom('users')
        .select(['password_hash', 'hosted_job_id'])
        .where('id', '=', imported)
        .execute();
      expect(kept).toEqual({ password_hash: foreign, hosted_job_id: null });
      expect(context.errors).toEqual([]);
    } finally {
      await context.outbox.stop();
      await context.database.close();
    }
  });
});

describe('the backend’s token', () => {
  test('is asked for once, kept, and asked for anew when the tenant refuses it', async () => {
    const own = await createTenantTestApp({ limitFactor: 50 });
    try {
      const emails = ['one@example.test', 'two@example.test', 'three@example.test'];
      for (const emailAddress of emails) await own.visitor().register({ emailAddress });
      await own.settle();
      const asked = () => own.tenant.calls.filter(({ path }) => path === '/oauth/token').length;
      expect(asked()).toBe(1);
      own.tenant.forgetTokens();
      await own.visitor().register({ emailAddress: 'four@example.test' });
      await own.settle();
      expect(asked()).toBe(2);
      expect(own.tenant.users.list).toHaveLength(4);
    } finally {
      await own.close();
    }
  });

  test('and its secret are nowhere in the database', async () => {
    const { email } = await registered();
    const dump = await testApp.dump();
    expect(dump).toContain(email);
    expect(dump).not.toContain('the secret of the backend client');
    expect(dump).not.toContain(PASSWORD);
  });
});
