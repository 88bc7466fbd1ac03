import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { DEMO_PASSWORD, demoEmail } from '../../demo/seed.ts';
import { createWire, PLAIN, SPA, SPA_ORIGIN, wireClients } from '../../testing/wire.ts';
import { resetPassword } from '../../testing/reset.ts';
import { createTestApp, PASSWORD } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const REALM = 'Username-Password-Authentication';
const PASSWORD_REALM = 'http://auth0.com/oauth/grant-type/password-realm';
const MFA_OOB = 'http://auth0.com/oauth/grant-type/mfa-oob';
const MFA_OTP = 'http://auth0.com/oauth/grant-type/mfa-otp';
const PASSWORDLESS = 'http://auth0.com/oauth/grant-type/passwordless/otp';

const testApp = closeAtEnd(
  await createTestApp((url) => ({ ...wireClients(url), isPasswordGrantOn: true })),
);
const wire = createWire(testApp);

let addresses = 0;
/** Limits count addresses: everybody comes from one of their own. */
const newIp = () => `10.8.${(addresses += 1) >> 8}.${addresses & 255}`;

let count = 0;
async function person(): Promise<string> {
  const emailAddress = `direct-${(count += 1)}@example.test`;
  await testApp.visitor().register({ emailAddress });
  return emailAddress;
}

const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('[D11] password grants', () => {
  const ask = (username: string, extra: object = {}, ip = newIp()) =>
    wire.token(
      {
        grant_type: PASSWORD_REALM,
        client_id: SPA,
        realm: REALM,
        username,
        password: PASSWORD,
        scope: 'openid email offline_access',
        ...extra,
      },
      { ip },
    );

  async function challenged(email: string, ip = newIp()) {
    const { mfa_token: mfaToken = '' } = await ask(email, {}, ip);
    const body = { client_id: SPA, mfa_token: mfaToken, challenge_type: 'oob' };
    const response = await wire.post('mfa/challenge', body, { ip });
    const { oob_code: oobCode } = (await response.json()) as { oob_code: string };
    const redeem = (code: string, extra: object = {}) =>
      wire.token(
        {
          grant_type: MFA_OOB,
          client_id: SPA,
          mfa_token: mfaToken,
          oob_code: oobCode,
          binding_code: code,
          ...extra,
        },
        { ip },
      );
    return { mfaToken, oobCode, status: response.status, redeem, ip };
  }

  test('[API-06] a right password gives mfa_required, never a token, and sends nobody a code', async () => {
    const email = await person();
    const before = await testApp.inbox(email);
    for (const grant of [PASSWORD_REALM, 'password']) {
      const answer = await ask(email, { grant_type: grant });
      expect(answer).toMatchObject({
        status: 403,
        error: 'mfa_required',
        mfa_token: expect.any(String),
      });
      expect(answer).not.toHaveProperty('access_token');
    }
    await testApp.app.outbox.settle();
    expect(await testApp.inbox(email)).toHaveLength(before.length);
  });

  test('a wrong password, an unknown account and a pending one: the same words', async () => {
    const email = await person();
    const expected = {
      status: 403,
      error: 'invalid_grant',
      error_description: 'Wrong email or password.',
    };
    expect(await ask(email, { password: 'x' })).toEqual(expected);
    expect(await ask('nobody@example.test')).toEqual(expected);
    expect(await ask(demoEmail('suspended'), { password: DEMO_PASSWORD })).toEqual(expected);
  });

  test('the limits of sign-in hold here as well', async () => {
    const email = await person();
    const ip = newIp();
    const answers = [];
    for (let n = 0; n < 7; n += 1) answers.push((await ask(email, { password: 'x' }, ip)).error);
    expect(answers.at(0)).toBe('invalid_grant');
    // Further tries wait, or need a proof of work that a call cannot bring; the right password is no way past.
    expect(['too_many_attempts', 'requires_verification']).toContain(answers.at(-1));
    expect(['too_many_attempts', 'requires_verification']).toContain(
      (await ask(email, {}, ip)).error,
    );
  });

  test('the code gives tokens, with both factors in them, once', async () => {
    const email = await person();
    const { status, redeem } = await challenged(email);
    expect(status).toBe(200);
    const code = await testApp.codeFor(email);
    expect(await redeem(wrongOf(code))).toMatchObject({ status: 403, error: 'invalid_grant' });
    const answers = await Promise.all([redeem(code), redeem(code), redeem(code)]);
    const done = answers.filter((answer) => answer.status === 200);
    expect(done).toHaveLength(1);
    expect(decodeJwt(done[0]?.id_token ?? '')).toMatchObject({ amr: ['pwd', 'otp'], email });
    expect((await redeem(code)).status).toBe(403);
    const renewed = await wire.token({
      grant_type: 'refresh_token',
      client_id: SPA,
      refresh_token: done[0]?.refresh_token,
    });
    expect(renewed.status).toBe(200);
  });

  test('mfa-otp takes the same code', async () => {
    const email = await person();
    const { redeem } = await challenged(email);
    const otp = await testApp.codeFor(email);
    expect((await redeem('', { grant_type: MFA_OTP, otp })).status).toBe(200);
  });

  test('not without the challenge, with another client, after ten minutes, or with a made-up token', async () => {
    const email = await person();
    const { mfa_token: unasked } = await ask(email);
    const bare = { grant_type: MFA_OTP, client_id: SPA, mfa_token: unasked, otp: '000000' };
    expect((await wire.token(bare)).status).toBe(403);
    const { mfaToken, oobCode, redeem } = await challenged(email);
    const code = await testApp.codeFor(email);
    expect((await redeem(code, { client_id: PLAIN })).status).toBe(403);
    expect((await redeem(code, { oob_code: 'other' })).status).toBe(403);
    expect((await redeem(code, { mfa_token: 'made-up' })).status).toBe(403);
    expect(oobCode).not.toBe(mfaToken);
    testApp.clock.advance(601);
    expect((await redeem(code)).status).toBe(403);
    expect(await testApp.dump()).not.toContain(mfaToken);
  });

  test('[R12] five wrong codes, each against the mail’s and the text’s, stop the account', async () => {
    const email = await person();
    const { redeem } = await challenged(email);
    const code = await testApp.codeFor(email);
    for (let n = 0; n < 5; n += 1) expect((await redeem(wrongOf(code))).status).toBe(403);
    // The code is dead; a new one is refused by the limit.
    expect((await redeem(code)).status).toBe(403);
    testApp.clock.advance(1);
    const next = await challenged(email);
    expect((await next.redeem(await testApp.codeFor(email))).status).toBe(429);
  });

  const changed: readonly (readonly [string, (email: string) => Promise<unknown>])[] = [
    ['the link of a mail', (email) => resetPassword(testApp, email, 'Evening-Light-8')],
    ['a program', (email) => manage(email, { password: 'Evening-Light-8' })],
    ['the end of the account', (email) => manage(email, { blocked: true })],
  ];

  async function manage(email: string, change: object) {
    const machine = (await wire.machine()).access_token;
    const found = await wire.manage(machine, 'GET', `users-by-email?email=${email}`);
    const [user] = found.body as unknown as { user_id: string }[];
    return wire.manage(machine, 'PATCH', `users/${user?.user_id}`, change);
  }

  describe.each(changed)('a new password by %s', (_name, change) => {
    test('between the code and its use: neither counts any more', async () => {
      const email = await person();
      const { mfaToken, redeem, ip } = await challenged(email);
      const code = await testApp.codeFor(email);
      await change(email);
      expect(await redeem(code)).toMatchObject({ status: 403, error: 'invalid_grant' });
      const body = { client_id: SPA, mfa_token: mfaToken, challenge_type: 'oob' };
      expect((await wire.post('mfa/challenge', body, { ip })).status).toBe(403);
    });

    test('between the password and the code: the mfa_token is dead, and sends nobody a code', async () => {
      const email = await person();
      const ip = newIp();
      const { mfa_token: mfaToken } = await ask(email, {}, ip);
      await change(email);
      await testApp.app.outbox.settle();
      const before = await testApp.inbox(email);
      const body = { client_id: SPA, mfa_token: mfaToken, challenge_type: 'oob' };
      const response = await wire.post('mfa/challenge', body, { ip });
      expect([response.status, await response.json()]).toMatchObject([
        403,
        { error: 'invalid_grant' },
      ]);
      await testApp.app.outbox.settle();
      expect(await testApp.inbox(email)).toHaveLength(before.length);
      expect(await testApp.dump()).not.toContain(mfaToken);
    });
  });

  test('a client without the grant, another realm, and the switch turned off: unauthorized_client', async () => {
    const email = await person();
    expect(await ask(email, { client_id: PLAIN })).toMatchObject({
      status: 403,
      error: 'unauthorized_client',
    });
    expect(await ask(email, { realm: 'other' })).toMatchObject({
      status: 403,
      error: 'unauthorized_client',
    });
    const off = await createTestApp(wireClients);
    try {
      const answer = await createWire(off).token({
        grant_type: 'password',
        client_id: SPA,
        username: demoEmail('member'),
        password: DEMO_PASSWORD,
      });
      expect(answer).toMatchObject({ status: 403, error: 'unauthorized_client' });
    } finally {
      await off.close();
    }
  });
});

describe('passwordless', () => {
  const start = async (email: string, extra: object = {}, ip = newIp()) => {
    const body = { client_id: SPA, connection: 'email', send: 'code', email, ...extra };
    const response = await wire.post('passwordless/start', body, { ip });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const grant = (email: string, otp: string, extra: object = {}) =>
    wire.token(
      {
        grant_type: PASSWORDLESS,
        client_id: SPA,
        realm: 'email',
        username: email,
        otp,
        scope: 'openid email',
        ...extra,
      },
      { ip: newIp() },
    );

  test('[API-06] the code alone signs in at a client that may, once', async () => {
    const email = await person();
    expect((await start(email)).status).toBe(200);
    const code = await testApp.codeFor(email);
    expect((await grant(email, wrongOf(code))).status).toBe(403);
    const answers = await Promise.all([grant(email, code), grant(email, code)]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 403]);
    const done = answers.find(({ status }) => status === 200);
    expect(decodeJwt(done?.id_token ?? '')).toMatchObject({ amr: ['otp'], email });
    expect(decodeJwt(done?.id_token ?? '')).toMatchObject({ acr: 'urn:porchlight:acr:code' });
    const about = await fetch(`${testApp.url}/idp/userinfo`, {
      headers: { authorization: `Bearer ${done?.access_token}` },
    });
    expect(await about.json()).toMatchObject({ email, acr: 'urn:porchlight:acr:code' });
  });

  test('known and unknown addresses get the same answer', async () => {
    const [known, unknown] = [await start(await person()), await start('nobody@example.test')];
    expect(Object.keys(unknown.body)).toEqual(Object.keys(known.body));
    expect(unknown.status).toBe(known.status);
  });

  test('a session made so lets in no client without passwordless, nor does a forged code', async () => {
    const email = await person();
    await start(email);
    const visitor = testApp.visitor();
    const response = await visitor.post(
      '/idp/co/authenticate',
      {
        client_id: SPA,
        credential_type: PASSWORDLESS,
        realm: 'email',
        username: email,
        otp: await testApp.codeFor(email),
      },
      { origin: SPA_ORIGIN },
    );
    const { login_ticket: ticket } = (await response.json()) as { login_ticket: string };
    const { url } = wire.authorization({ login_ticket: ticket });
    expect((await visitor.request(url)).status).toBe(303);
    expect((await wire.silently(visitor)).answer).toHaveProperty('code');
    expect((await wire.silently(visitor, { client_id: PLAIN })).answer.error).toBe(
      'login_required',
    );
    // The portal itself is not entered by it.
    const begun = await visitor.begin(true);
    expect((await visitor.authorize(begun.authorizeUrl)).error).toBe('login_required');
  });

  test("it uses up neither the codes nor the tries of its owner's sign-in", async () => {
    const email = await person();
    const visitor = testApp.visitor();
    const { userId, otpId } = await visitor.reachCode(email, PASSWORD);
    const own = await testApp.codeFor(email);
    await start(email);
    const sent = await testApp.codeFor(email);
    for (let n = 0; n < 12; n += 1) await grant(email, wrongOf(sent));
    expect((await visitor.verify(otpId, userId, own)).data).toBe(true);
  });

  test('not for a client without it, not by link, not from a foreign page, and not without end', async () => {
    const email = await person();
    expect((await start(email, { client_id: PLAIN })).status).toBe(403);
    expect((await start(email, { send: 'link' })).body).toMatchObject({ error: 'bad.send' });
    expect((await start('no address')).body).toMatchObject({ error: 'bad.email' });
    expect((await start(email, { connection: 'fax' })).body).toMatchObject({
      error: 'bad.connection',
    });
    expect(await grant(email, '000000', { client_id: PLAIN })).toMatchObject({
      error: 'unauthorized_client',
    });
    const ip = newIp();
    const statuses = [];
    for (let n = 0; n < 26; n += 1)
      statuses.push((await start(`x${n}@example.test`, {}, ip)).status);
    expect(statuses.at(-1)).toBe(429);
  });

  test('verify_redirect counts only from a page of the client', async () => {
    const email = await person();
    await start(email);
    const code = await testApp.codeFor(email);
    const go = (referer: string) => {
      const { url } = wire.authorization({ connection: 'email', email, verification_code: code });
      const address = url.replace('/authorize?', '/passwordless/verify_redirect?');
      return testApp.visitor().request(address, { headers: { referer } });
    };
    const foreign = await go('https://evil.example/');
    expect(foreign.headers.get('location')).toContain('login_ticket=none');
    const own = await go(`${SPA_ORIGIN}/`);
    expect(own.headers.get('location')).toMatch(/login_ticket=[\w-]{20,}/);
    expect(own.headers.get('location')).not.toContain(code);
  });
});

describe('[D29] database connection', () => {
  const signUp = async (extra: object = {}, ip = newIp()) => {
    const email = `signup-${(count += 1)}@example.test`;
    const response = await wire.post(
      'dbconnections/signup',
      {
        client_id: SPA,
        connection: REALM,
        email,
        password: 'Sunny-Porch-7',
        given_name: 'Ada',
        family_name: 'Winslow',
        user_metadata: { phone_number: '+15550142290' },
        ...extra,
      },
      { ip },
    );
    return {
      email,
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
    };
  };

  test("[API-06] makes the portal's pending account and sends its activation mail", async () => {
    const { email, status, body } = await signUp();
    expect([status, body]).toMatchObject([
      200,
      { _id: expect.any(String), email, email_verified: false },
    ]);
    await testApp.app.outbox.settle();
    const [mail] = await testApp.inbox(email);
    expect(mail?.link).toContain('/account/Activation?UID=');
    expect((await testApp.visitor().authenticate(email, 'Sunny-Porch-7')).status).toBe(403);
  });

  test('a taken address is told as on the screens, and after a few it looks like a free one', async () => {
    const ip = newIp();
    const answers = [];
    for (let n = 0; n < 6; n += 1) answers.push(await signUp({ email: demoEmail('member') }, ip));
    expect(answers[0]).toMatchObject({ status: 400, body: { code: 'user_exists' } });
    const last = answers.at(-1);
    expect([200, 401]).toContain(last?.status);
  });

  test('[PRF-03] the address of an account with another role: told as taken, and nothing is added or sent', async () => {
    const email = demoEmail('partner');
    const { status, body } = await signUp({ email });
    expect([status, body]).toMatchObject([400, { code: 'user_exists' }]);
    await testApp.app.outbox.settle();
    expect(await testApp.inbox(email)).toEqual([]);
    const roles = await testApp.db
      .selectFrom('user_roles')
      .innerJoin('users', 'users.id', 'user_roles.user_id')
      .select('role_id')
      .where('email', '=', email)
      .execute();
    expect(roles).toEqual([{ role_id: 17 }]);
  });

  test('weak passwords, missing names, other connections and foreign pages', async () => {
    expect((await signUp({ password: 'weak' })).body).toMatchObject({
      name: 'PasswordStrengthError',
      code: 'invalid_password',
    });
    for (const missing of [{ given_name: '' }, { family_name: ' ' }, { user_metadata: {} }]) {
      expect((await signUp(missing)).body).toEqual({
        name: 'BadRequestError',
        code: 'invalid_signup',
        description:
          'A sign-up here needs given_name, family_name and phone_number besides email and password.',
        statusCode: 400,
      });
    }
    expect((await signUp({ connection: 'other' })).status).toBe(400);
    expect((await signUp({ client_id: 'nobody' })).status).toBe(403);
    const foreign = await wire.post(
      'dbconnections/signup',
      { client_id: SPA },
      { origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
  });

  test('change_password has one answer for everybody, and mails only who is here', async () => {
    const email = await person();
    const texts = [];
    for (const address of [email, 'nobody@example.test']) {
      const body = { client_id: SPA, connection: REALM, email: address };
      const response = await wire.post('dbconnections/change_password', body, { ip: newIp() });
      texts.push([response.status, response.headers.get('content-type'), await response.text()]);
    }
    expect(texts[0]).toEqual(texts[1]);
    expect(texts[0]).toEqual([
      200,
      'text/html; charset=utf-8',
      "We've just sent you an email to reset your password.",
    ]);
    await testApp.app.outbox.settle();
    expect((await testApp.inbox(email))[0]?.link).toContain('resetLinkKey=');
  });
});
