import { describe, expect, test } from 'vitest';
import type { Body } from '#contract/index.ts';
import { demoEmail } from '../demo/seed.ts';
import {
  activation,
  createTestApp,
  PASSWORD,
  signUpBody,
  type TestApp,
} from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());
await testApp.db
  .insertInto('promo_codes')
  .values([
    { code: 'ONCE', valid_until: null, max_uses: 1 },
    { code: 'OVER', valid_until: testApp.clock.now(), max_uses: null },
  ])
  .execute();

let count = 0;
const newEmail = () => `person-${(count += 1)}@example.test`;

const accounts = (email: string) =>
  testApp.db.selectFrom('users').selectAll().where('email_canonical', '=', email).execute();
const leadsOf = async (email: string) =>
  (await testApp.leads()).filter((lead) => lead.email === email);

describe('outcomes of CreateUser', () => {
  test('[SUP-16] an unknown address: a pending account that waits for its code', async () => {
    const emailAddress = newEmail();
    const answer = await testApp.visitor().signUp({ emailAddress });
    expect(answer).toMatchObject({
      status: 200,
      succeeded: true,
      data: {
        userId: expect.any(Number),
        id: expect.any(String),
        userActivationMode: 'VERIFY_OTP',
      },
      messages: [],
      errorFlag: null,
    });
    const [user] = await accounts(emailAddress);
    expect(user).toMatchObject({ id: answer.data?.userId, status: 'pending', password_hash: null });
    expect(await testApp.inbox(emailAddress)).toEqual([]);
  });

  test('a pending address again: the same registration, and new details count once the code proves the address', async () => {
    const visitor = testApp.visitor();
    const emailAddress = newEmail();
    const first = (await visitor.signUp({ emailAddress, firstName: 'Rosa' })).data;
    const again = (
      await visitor.signUp({ emailAddress, firstName: 'Rosalind', password: 'Other-Pass-9' })
    ).data;
    expect(again).toEqual(first);
    expect((await accounts(emailAddress))[0]?.first_name).toBe('Rosa');
    await visitor.register({ emailAddress, firstName: 'Rosamund', password: 'Third-Pass-9' });
    expect((await accounts(emailAddress))[0]).toMatchObject({
      first_name: 'Rosamund',
      status: 'active',
    });
    expect((await visitor.authenticate(emailAddress, 'Other-Pass-9')).status).toBe(403);
    expect((await visitor.authenticate(emailAddress, 'Third-Pass-9')).status).toBe(200);
  });

  test('what a stranger typed for the same address never becomes the account', async () => {
    const [stranger, owner] = [testApp.visitor(), testApp.visitor()];
    const emailAddress = newEmail();
    const planted = (
      await stranger.signUp({ emailAddress, firstName: 'Mallory', password: 'Planted-1!' })
    ).data;
    const own = (await owner.signUp({ emailAddress, firstName: 'Olga' })).data;
    expect(own?.id).not.toBe(planted?.id);
    const sent = (await stranger.sendCode(planted?.userId ?? 0, 'USER_ACTIVATION')).data;
    const strangersCode = await testApp.codeFor(emailAddress);
    await owner.register({ emailAddress, firstName: 'Olga' });
    expect((await accounts(emailAddress))[0]?.first_name).toBe('Olga');
    // The owner's proof ended the stranger's form: even the code that was on its way is dead.
    const late = await stranger.verify(sent?.id ?? '', planted?.userId ?? 0, strangersCode);
    expect(late.succeeded).toBe(false);
    expect((await owner.authenticate(emailAddress, 'Planted-1!')).status).toBe(403);
  });

  test('[SUP-21] active with that role: ACTIVATE_USER, and no id of the account', async () => {
    const emailAddress = demoEmail('member');
    const answer = await testApp.visitor().signUp({ emailAddress });
    expect(answer).toMatchObject({
      status: 200,
      succeeded: false,
      errorFlag: 'EMAIL_IN_USE',
      messages: ['This email is already associated with other account or partner'],
      data: { userActivationMode: 'ACTIVATE_USER' },
    });
    const [user] = await accounts(emailAddress);
    expect(answer.data?.userId).not.toBe(user?.id);
  });

  test('a suspended account answers the same, and stays suspended', async () => {
    const emailAddress = demoEmail('suspended');
    const answer = await testApp.visitor().signUp({ emailAddress, subtenantId: 3 });
    expect(answer).toMatchObject({
      succeeded: false,
      data: { userActivationMode: 'ACTIVATE_USER' },
    });
    const [user] = await accounts(emailAddress);
    expect(user?.status).toBe('inactive');
    expect(await testApp.inbox(emailAddress)).toEqual([]);
  });

  test('[SUP-21] a closed or unknown subtenant: INVALID_SUBTENANT and one message', async () => {
    await testApp.db
      .updateTable('subtenants')
      .set({ is_active: false })
      .where('id', '=', 900)
      .execute();
    for (const subtenantId of [900, 4711]) {
      const emailAddress = newEmail();
      const answer = await testApp.visitor().signUp({ emailAddress, subtenantId });
      expect(answer).toMatchObject({
        status: 200,
        succeeded: false,
        errorFlag: 'INVALID_SUBTENANT',
      });
      expect(answer.messages).toHaveLength(1);
      expect(await accounts(emailAddress)).toEqual([]);
    }
  });

  test('[OTP-11] the academy: thirty days of trial, and one lead that is written with the activation', async () => {
    const visitor = testApp.visitor();
    const emailAddress = newEmail();
    const created = await visitor.register({ emailAddress, subtenantId: 3 });
    // Enter pressed again, or an answer that got lost.
    await visitor.ok('activateUser', { body: activation(created, created.otpId) });
    const [user] = await accounts(emailAddress);
    const days = (Number(user?.trial_ends_at) - Number(user?.activated_at)) / 86_400_000;
    expect(days).toBe(30);
    expect(await leadsOf(emailAddress)).toHaveLength(1);
  });

  test('the academy call takes nothing but the academy', async () => {
    const visitor = testApp.visitor();
    const academy = { emailAddress: newEmail(), subtenantId: 3 };
    const wrong = await visitor.call('createAcademyUser', {
      body: signUpBody({ emailAddress: newEmail() }),
    });
    expect(wrong.status).toBe(400);
    const right = await visitor.call('createAcademyUser', { body: signUpBody(academy) });
    expect(right.data?.userActivationMode).toBe('VERIFY_OTP');
  });
});

describe('[SUP-15] what only the server decides', () => {
  const changed = (change: (body: Body<'createUser'>) => void): Body<'createUser'> => {
    const body = signUpBody({ emailAddress: newEmail() });
    change(body);
    return body;
  };
  const staffRoles = [3, 4, 5, 9, 13, 14, 15, 17, 20, 0, -1];
  type Case = readonly [name: string, body: () => Body<'createUser'>];

  test.each<Case>([
    ...staffRoles.map(
      (roleId) => [`role ${roleId}`, () => changed((b) => (b.user.roleId = roleId))] as const,
    ),
    [
      'role 3 in the academy',
      () => signUpBody({ emailAddress: newEmail(), subtenantId: 3, roleId: 3 }),
    ],
    ['role 18 outside the academy', () => changed((body) => (body.user.roleId = 18))],
    ['platform 12', () => changed((body) => (body.signUpPlateform = 12))],
    ['another user name', () => changed((body) => (body.user.userName = newEmail()))],
    ['a weak password', () => changed((body) => (body.user.password = 'porchlight'))],
    ['nine digits', () => changed((body) => (body.user.mobileNumber = '555014229'))],
    ['a name without a letter', () => changed((body) => (body.user.firstName = '12'))],
    [
      'half an address',
      () => {
        const body = signUpBody({ emailAddress: 'nobody@nowhere' });
        return body;
      },
    ],
    ['unknown keys', () => ({ ...signUpBody({ emailAddress: newEmail() }), isActive: true })],
    ['unknown keys of the user', () => changed((body) => Object.assign(body.user, { userId: 1 }))],
  ])('%s is refused', async (_, body) => {
    const sent = body();
    const answer = await testApp.visitor().call('createUser', { body: sent });
    expect(answer).toMatchObject({
      status: 400,
      succeeded: false,
      data: null,
      errorFlag: 'BAD_REQUEST',
    });
    expect(await accounts(sent.user.emailAddress)).toEqual([]);
  });

  test('[SUP-22] a refusal names the fields in the words of the form', async () => {
    const body = signUpBody({ emailAddress: newEmail(), password: 'weak', firstName: '7' });
    const { messages } = await testApp.visitor().call('createUser', { body });
    expect(messages).toEqual([
      'Please enter valid First Name Allowed',
      'Your password does not meet our security criteria',
    ]);
  });

  test('one address is one account, however it is spelled', async () => {
    const name = newEmail();
    const spellings = [name, name.toUpperCase(), ` ${name}`, `${name} `];
    const ids = new Set<number | undefined>();
    for (const emailAddress of spellings)
      ids.add((await testApp.visitor().signUp({ emailAddress })).data?.userId);
    expect(ids.size).toBe(1);
  });

  test('[SUP-11] S34: an odd spelling of an address is nobody’s', async () => {
    const emailAddress = newEmail().replace('person', 'ｐerson');
    const { data, messages } = await testApp.visitor().signUp({ emailAddress });
    expect([data, messages]).toEqual([null, ['Please enter a valid email address']]);
  });

  test('[SUP-11] S34: an accent that was typed apart from its letter finds the account at every door', async () => {
    const composed = `jos\u00e9.${newEmail()}`;
    const apart = composed.normalize('NFD');
    const visitor = testApp.visitor();
    await visitor.signUp({ emailAddress: composed });
    expect((await visitor.call('checkUser', { params: { email: apart } })).status).not.toBe(400);
    const asked = await visitor.call('forgotPassword', {
      body: { userName: apart, emailID: apart },
    });
    expect([asked.status, asked.messages]).toEqual([200, ['USER_NOT_ACTIVE']]);
  });
});

test('[T17] a statement in a name or an address is a name or an address', async () => {
  const firstName = "Robert'); drop table users; --";
  const visitor = testApp.visitor();
  await visitor.signUp({ emailAddress: newEmail(), firstName });
  const rows = await testApp.db
    .selectFrom('registrations')
    .select('first_name')
    .where('first_name', 'like', 'Robert%')
    .execute();
  expect(rows).toEqual([{ first_name: firstName }]);
  const email = "x'or'1'='1'--@example.test";
  expect((await visitor.call('checkUser', { params: { email } })).data).toBe(false);
});

describe('promo codes', () => {
  test('a good one is counted when the account is activated, not before', async () => {
    const visitor = testApp.visitor();
    const emailAddress = newEmail();
    const usedOf = async () =>
      (
        await testApp.db
          .selectFrom('promo_codes')
          .select('used')
          .where('code', '=', 'WELCOME30')
          .executeTakeFirst()
      )?.used;
    const academy = { emailAddress, subtenantId: 3, packageCode: ' welcome30 ' };
    await visitor.signUp(academy);
    expect(await usedOf()).toBe(0);
    await visitor.register(academy);
    expect(await usedOf()).toBe(1);
  });

  test.each(['NOSUCH', 'OVER', "' or 1=1 --"])(
    '%s is refused, and no account is left',
    async (packageCode) => {
      const emailAddress = newEmail();
      const answer = await testApp.visitor().signUp({ emailAddress, subtenantId: 3, packageCode });
      expect(answer).toMatchObject({ status: 200, succeeded: false, errorFlag: 'INVALID_PROMO' });
      expect(answer.messages).toHaveLength(1);
      expect(await accounts(emailAddress)).toEqual([]);
    },
  );

  test('the last use goes to one; who proved the address meanwhile still gets in', async () => {
    const people = [testApp.visitor(), testApp.visitor()].map((visitor) => ({
      visitor,
      emailAddress: newEmail(),
    }));
    const codes = [];
    for (const { visitor, emailAddress } of people) {
      const academy = { emailAddress, subtenantId: 3, packageCode: 'ONCE' };
      const created = (await visitor.signUp(academy)).data ?? { userId: 0, id: '' };
      const sent = (await visitor.sendCode(created.userId, 'USER_ACTIVATION')).data;
      const otp = await testApp.codeFor(emailAddress);
      await visitor.verify(sent?.id ?? '', created.userId, otp);
      codes.push({ visitor, body: activation(created, sent?.id ?? '') });
    }
    const answers = await Promise.all(
      codes.map(({ visitor, body }) => visitor.call('activateUser', { body })),
    );
    expect(answers.map((answer) => answer.data)).toEqual([true, true]);
    const row = await testApp.db
      .selectFrom('promo_codes')
      .selectAll()
      .where('code', '=', 'ONCE')
      .executeTakeFirst();
    expect(row?.used).toBe(1);
    const audits = await testApp.db
      .selectFrom('audit_events')
      .orderBy('id')
      .select('kind')
      .where('kind', '=', 'promo.usedUp')
      .execute();
    expect(audits).toHaveLength(1);
    const late = await testApp
      .visitor()
      .signUp({ emailAddress: newEmail(), subtenantId: 3, packageCode: 'ONCE' });
    expect(late.errorFlag).toBe('INVALID_PROMO');
  });

  test('outside the academy a promo code is nothing', async () => {
    const answer = await testApp
      .visitor()
      .signUp({ emailAddress: newEmail(), packageCode: 'NOSUCH' });
    expect(answer.data?.userActivationMode).toBe('VERIFY_OTP');
  });
});

describe('ids in bodies are never authority', () => {
  test('another visit gets nowhere with ids that are right elsewhere', async () => {
    const [owner, thief] = [testApp.visitor(), testApp.visitor()];
    const emailAddress = newEmail();
    const created = (await owner.signUp({ emailAddress })).data ?? { userId: 0, id: '' };
    const own = (await thief.signUp({ emailAddress: newEmail() })).data ?? { userId: 0, id: '' };
    expect((await thief.sendCode(created.userId, 'USER_ACTIVATION')).status).toBe(403);
    expect(await testApp.inbox(emailAddress)).toEqual([]);

    const sent = (await owner.sendCode(created.userId, 'USER_ACTIVATION')).data;
    const otp = await testApp.codeFor(emailAddress);
    const id = sent?.id ?? '';
    expect((await thief.verify(id, created.userId, otp)).status).toBe(403);
    expect((await owner.verify(id, own.userId, otp)).status).toBe(403);
    expect(
      (await thief.call('extendOtp', { body: { id, createdBy: created.userId } })).status,
    ).toBe(403);
    expect((await thief.call('isAuthUser', { params: { email: emailAddress } })).data).toBe(false);
    expect(
      (await thief.call('getLoginUser', { query: { emailId: emailAddress } })).data,
    ).toBeNull();
    expect((await owner.verify(id, created.userId, otp)).data).toBe(true);

    const thiefs = [
      await thief.call('activateUser', { body: activation(created, id) }),
      await owner.call('activateUser', {
        body: activation({ ...created, userId: own.userId }, id),
      }),
      await owner.call('activateUser', { body: activation({ ...created, id: own.id }, id) }),
      await owner.call('activateUser', { body: activation(created, own.id) }),
    ];
    expect(thiefs.map((answer) => answer.status)).toEqual([403, 403, 403, 403]);
    expect((await accounts(emailAddress))[0]?.status).toBe('pending');
    expect((await owner.call('activateUser', { body: activation(created, id) })).data).toBe(true);
  });

  test('activation needs a right code, and a recent one', async () => {
    const visitor = testApp.visitor();
    const emailAddress = newEmail();
    const created = (await visitor.signUp({ emailAddress })).data ?? { userId: 0, id: '' };
    const sent = (await visitor.sendCode(created.userId, 'USER_ACTIVATION')).data;
    const body = activation(created, sent?.id ?? '');
    expect((await visitor.call('activateUser', { body })).status).toBe(403);
    await visitor.verify(body.otpId, created.userId, await testApp.codeFor(emailAddress));
    testApp.clock.advance(10 * 60 + 1);
    expect((await visitor.call('activateUser', { body })).status).toBe(403);
    expect((await accounts(emailAddress))[0]?.status).toBe('pending');
  });

  test('[OTP-09] a password in the activation request counts for nothing', async () => {
    const visitor = testApp.visitor();
    const emailAddress = newEmail();
    const created = (await visitor.signUp({ emailAddress })).data ?? { userId: 0, id: '' };
    const sent = (await visitor.sendCode(created.userId, 'USER_ACTIVATION')).data;
    await visitor.verify(sent?.id ?? '', created.userId, await testApp.codeFor(emailAddress));
    expect((await visitor.call('isAuthUser', { params: { email: emailAddress } })).data).toBe(
      false,
    );
    const body = { ...activation(created, sent?.id ?? ''), password: 'Injected-1!' };
    await visitor.ok('activateUser', { body });
    expect((await visitor.authenticate(emailAddress, 'Injected-1!')).status).toBe(403);
    expect((await visitor.authenticate(emailAddress, PASSWORD)).status).toBe(200);
  });
});

describe('[SIN-06] whether an address is known', () => {
  const ask = async (visitor: ReturnType<TestApp['visitor']>, email: string) =>
    (await visitor.call('checkUser', { params: { email } })).data;

  test('[PRF-09] true for accounts with a password, a suspended one included', async () => {
    const visitor = testApp.visitor();
    expect(await ask(visitor, demoEmail('member'))).toBe(true);
    expect(await ask(visitor, demoEmail('MEMBER').toUpperCase())).toBe(true);
    expect(await ask(visitor, demoEmail('suspended'))).toBe(true);
    expect(await ask(visitor, demoEmail('inactive'))).toBe(false);
    expect(await ask(visitor, 'nobody@example.test')).toBe(false);
  });

  test('after five answers in ten minutes everything well-formed is true, from one network or one visit', async () => {
    const visitor = testApp.visitor();
    for (let n = 0; n < 5; n += 1) expect(await ask(visitor, 'nobody@example.test')).toBe(false);
    expect(await ask(visitor, 'nobody@example.test')).toBe(true);
    expect(await ask(testApp.visitor(visitor.ip), 'nobody@example.test')).toBe(true);
    expect(await ask(visitor, 'not an address')).toBe(false);
    testApp.clock.advance(10 * 60);
    expect(await ask(visitor, 'nobody@example.test')).toBe(false);
  });
});

test(
  'twenty sign-ups an hour from one network, and the wait is told',
  { tags: 'long' },
  async () => {
    const crowd = testApp.visitor();
    for (let n = 0; n < 20; n += 1) {
      const proof = await crowd.prove('signUp');
      const answer = await crowd.signUp({ emailAddress: newEmail(), subtenantId: 4711 }, proof);
      expect(answer.errorFlag).toBe('INVALID_SUBTENANT');
    }
    const refused = await crowd.signUp({ emailAddress: newEmail() }, await crowd.prove('signUp'));
    expect(refused).toMatchObject({ status: 429, errorFlag: 'TOO_MANY' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // The body's own idea of an address changes nothing (D8); another network does.
    const other = testApp.visitor();
    expect((await other.signUp({ emailAddress: newEmail() })).status).toBe(200);
    testApp.clock.advance(60 * 60);
    expect((await crowd.signUp({ emailAddress: newEmail() })).status).toBe(200);
  },
);
