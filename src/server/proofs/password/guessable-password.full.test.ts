import { describe, expect, test } from 'vitest';
import { isPasswordAcceptable } from '#domain/proofs/password-policy.ts';
import { refusals } from '#texts/refusals.ts';
import { DEFAULT_REALM } from '../../config/auth0-tenant-config.ts';
import { demoEmail, DEMO_PASSWORD } from '../../demo/seed.ts';
import { findLink } from '../../testing/proving.ts';
import { activation, createTestApp, PASSWORD, type TestApp } from '../../testing/test-app.ts';
import { createWire, SPA, wireClients } from '../../testing/wire.ts';
import { createIsGuessable } from './guessable-password.ts';
import { sentBack } from '../../testing/reset.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const testApp = closeAtEnd(
  await createTestApp((url) => ({ ...wireClients(url), limitFactor: 50 })),
);

const REFUSED = {
  status: 200,
  succeeded: false,
  errorFlag: 'PASSWORD_GUESSABLE',
  messages: [refusals.passwordGuessable],
};
let count = 0;
const newEmail = () => `guess-${(count += 1)}@example.test`;

const OWNER = {
  first_name: 'Rosalind',
  last_name: 'Featherstone',
  email: 'r.lindley@gardenmail.test',
  dial_code: '+1',
  mobile: '2125550142',
  subtenant_id: 742,
};
const isGuessable = createIsGuessable(async () => ({ name: 'Rosewood Senior Living' }));

describe('which passwords are guessable', () => {
  // Each meets the composition rule, so that nothing but the list can refuse it.
  test.each([
    'Password1!',
    'Passw0rd!',
    'P@ssw0rd1',
    'Qwerty1!',
    'Qwerty123!',
    'Welcome2026!',
    'Iloveyou1!',
    'Letmein123!',
    'Abcd1234!',
    'Abc12345!',
    'Admin123!',
    'Monkey12!',
    'Princess1!',
    'Sunshine-1',
    'Football#1',
    '1Qaz2wsx!',
    'Aa123456!',
    'Trustno1!',
    'Summer2026!',
  ])('[R4] [SEC-01] %s is common', async (password) => {
    expect(isPasswordAcceptable(password)).toBe(true);
    expect(await isGuessable(password, OWNER)).toBe(true);
  });

  test.each([
    ['the product', 'Porchlight-1'],
    ['the subtenant', 'Rosewood1!'],
    ['first name', 'Rosalind#1'],
    ['last name and a year', 'Featherstone1952!'],
    ['the mailbox', 'R.Lindley-1'],
    ['the mail provider', 'Gardenmail-22'],
    ['the phone', 'Aa-2125550142'],
  ])('[R4] [SEC-01] made of %s: %s', async (_, password) => {
    expect(isPasswordAcceptable(password)).toBe(true);
    expect(await isGuessable(password, OWNER)).toBe(true);
  });

  test.each([
    'Sunny-Porch-7',
    'Rocking-Chair-7',
    'Lantern-Glow-8',
    'Evening-Light-8',
    'Three-Blue-Kettles-4',
    'kJ7#pw2Lq-9x',
    'Rosewood-Kettle-Spoon-7',
    'My cat Tibbles is 9 years old!',
  ])('[R4] [SEC-01] %s is none of them', async (password) => {
    expect(await isGuessable(password, OWNER)).toBe(false);
  });

  test('[R4] [SEC-01] of random passwords hardly one is taken for a common one', async () => {
    const signs = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-#!';
    // A generator of its own: the same passwords in every run.
    let seed = 7;
    const next = () => (seed = (seed * 48_271) % 2_147_483_647);
    const random = () => Array.from({ length: 14 }, () => signs[next() % signs.length]).join('');
    const verdicts = await Promise.all(
      Array.from({ length: 2000 }, () => isGuessable(random(), OWNER)),
    );
    expect(verdicts.filter(Boolean).length).toBeLessThan(3);
  });
});

describe('where a new password is typed', () => {
  test('[SEC-01] sign-up: said in words at 200, and nothing is made', async () => {
    const email = newEmail();
    const visitor = testApp.visitor();
    const signUp = (password: string) => visitor.signUp({ emailAddress: email, password });
    expect(await signUp('Password1!')).toMatchObject(REFUSED);
    // The subtenant's own name, and the visitor's.
    expect(await signUp('Rosewood1!')).toMatchObject(REFUSED);
    const users = testApp.db.selectFrom('users').select('id').where('email', '=', email);
    expect(await users.execute()).toEqual([]);
    expect((await signUp(PASSWORD)).data).toMatchObject({ userActivationMode: 'VERIFY_OTP' });
  });

  test('[SEC-01] a reset', async () => {
    const email = newEmail();
    await testApp.visitor().register({ emailAddress: email });
    const visitor = testApp.visitor();
    const body = { userName: email, emailID: email, requestedIP: '::1', commSendOn: email };
    await visitor.ok('forgotPassword', { body: { ...body, commMedium: 'Email' } });
    const { link } =
      (await testApp.inbox(email)).find((mail) => mail.link?.includes('reset')) ?? {};
    const resetKey = new URL(link ?? '').searchParams.get('resetLinkKey') ?? '';
    const user = await visitor.ok('getResetUser', { params: { resetKey, ip: '::1' } });
    if (!user) throw new Error('The link opens nothing');
    const set = async (password: string) =>
      visitor.call(
        'updatePassword',
        { body: { ...sentBack(user), password } },
        await visitor.prove('resetPassword'),
      );
    expect(await set('Passw0rd!')).toMatchObject(REFUSED);
    expect((await testApp.visitor().authenticate(email, PASSWORD)).status).toBe(200);
    expect(await set('Lantern-Glow-8')).toMatchObject({ succeeded: true });
  });

  test('[SEC-01] the first password of an account that somebody else made', async () => {
    const email = newEmail();
    const inviter = testApp.visitor();
    const created = (await inviter.signUp({ emailAddress: email })).data;
    await inviter.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
    const link = await findLink(testApp, email);
    if (!created || !link) throw new Error('No invitation');
    await testApp.db
      .updateTable('registrations')
      .set({ password_hash: null, visit_id: null })
      .where('id', '=', created.id)
      .execute();
    const visitor = testApp.visitor();
    const proof = await visitor.ok('confirmLink', { body: link });
    const claim = activation(created, proof?.otpId ?? '');
    const typed = (password: string) =>
      visitor.call('activateUser', { body: { ...claim, password } });
    expect(await typed('Qwerty1!')).toMatchObject(REFUSED);
    expect(await typed('Lantern-Glow-8')).toMatchObject({ succeeded: true });
  });

  test("[SEC-01] [D29] the hosted login's own sign-up, also where it may tell nothing of addresses", async () => {
    const refuses = async (app: TestApp) => {
      const response = await createWire(app).post('dbconnections/signup', {
        client_id: SPA,
        connection: DEFAULT_REALM,
        email: newEmail(),
        password: 'Password1!',
        given_name: 'Ada',
        family_name: 'Winslow',
        user_metadata: { phone_number: '+15550142290' },
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        name: 'PasswordDictionaryError',
        code: 'password_dictionary_error',
        description: refusals.passwordGuessable,
      });
    };
    await refuses(testApp);
    const settings = { enumerationProtection: 'strict' } as const;
    const strict = await createTestApp((url) => ({ ...wireClients(url), ...settings }));
    await refuses(strict);
    await strict.close();
  });
});

describe('where an old one is typed', () => {
  test('[SEC-01] it opens the account as before', async () => {
    expect(await testApp.visitor().signIn('member')).toMatchObject({
      userName: demoEmail('member'),
    });
  });

  test('[SEC-01] [PRF-03] it adds a role to its account', async () => {
    const emailAddress = demoEmail('partner');
    const input = { emailAddress, password: DEMO_PASSWORD };
    expect((await testApp.visitor().signUp(input)).data?.userActivationMode).toBe('ROLE_MAPPED');
  });
});
