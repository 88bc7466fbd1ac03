/** Codes of an app at the hosted login: what applications are told, and the calls of Auth0's SDKs. */

import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { addApp } from '../../testing/app-code.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../testing/test-app.ts';
import { createWire, SPA, SPA_ORIGIN, wireClients } from '../../testing/wire.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const APP_CODE = 'urn:porchlight:acr:password-and-app-code';
const CODE = 'urn:porchlight:acr:password-and-code';
const MFA_OTP = 'http://auth0.com/oauth/grant-type/mfa-otp';
const MFA_OOB = 'http://auth0.com/oauth/grant-type/mfa-oob';

const testApp = closeAtEnd(
  await createTestApp((url) => ({
    ...wireClients(url),
    isPasswordGrantOn: true,
    limitFactor: 50,
  })),
);
const wire = createWire(testApp);

let count = 0;
async function person() {
  const email = `hosted-${(count += 1)}@account.test`;
  const { userId } = await testApp.visitor().register({ emailAddress: email });
  return { email, userId };
}

async function withApp() {
  const { email, userId } = await person();
  const app = await addApp(testApp, userId);
  testApp.clock.advance(30);
  await testApp.app.outbox.settle();
  const codes = async () => {
    await testApp.app.outbox.settle();
    return (await testApp.inbox(email)).filter(({ code }) => code !== null).length;
  };
  const before = await codes();
  /** Whether no code has been mailed since. */
  const isSilent = async () => (await codes()) === before;
  return { email, userId, app, isSilent };
}

async function signedInByApp() {
  const { email, app } = await withApp();
  const visitor = testApp.visitor();
  const { userId, otpId } = await visitor.reachCode(email, PASSWORD);
  await visitor.ok('verifyOtp', { body: { id: otpId, createdBy: userId, otp: app.code() } });
  await visitor.complete();
  return visitor;
}

const essential = (...values: readonly string[]) => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
});

describe('[APP-07] acr', () => {
  test('a code of an app has a value of its own, and the same amr', async () => {
    const visitor = await signedInByApp();
    const { id_token: token = '' } = await wire.tokens(visitor);
    expect(decodeJwt(token)).toMatchObject({ acr: APP_CODE, amr: ['pwd', 'otp'] });
  });

  test('where a client demands a code alone, it is one; where it demands the app, nothing else is', async () => {
    const visitor = await signedInByApp();
    const lower = await wire.tokens(visitor, essential(CODE));
    expect(decodeJwt(lower.id_token ?? '').acr).toBe(CODE);
    const higher = await wire.tokens(visitor, essential(APP_CODE));
    expect(decodeJwt(higher.id_token ?? '').acr).toBe(APP_CODE);
    const mailed = testApp.visitor();
    await mailed.signIn((await person()).email, PASSWORD);
    const asked = await wire.silently(mailed, essential(APP_CODE));
    expect(asked.answer.error).toBe('login_required');
  });
});

describe('[APP-08] calls of Auth0’s SDKs', () => {
  const ask = (username: string) =>
    wire.token({
      grant_type: 'password',
      client_id: SPA,
      username,
      password: PASSWORD,
      scope: 'openid',
    });

  test('the challenge names the app, sends nothing, and its code gives tokens once', async () => {
    const { email, app, isSilent } = await withApp();
    const { mfa_token: mfaToken = '' } = await ask(email);
    const response = await wire.post('mfa/challenge', { client_id: SPA, mfa_token: mfaToken });
    expect(await response.json()).toEqual({ challenge_type: 'otp' });
    const redeem = (otp: string, grant_type = MFA_OTP) =>
      wire.token({ grant_type, client_id: SPA, mfa_token: mfaToken, otp, binding_code: otp });
    expect((await redeem('000000')).error).toBe('invalid_grant');
    expect((await redeem(app.code(), MFA_OOB)).error).toBe('invalid_grant');
    const right = await redeem(app.code());
    expect(decodeJwt(right.id_token ?? '')).toMatchObject({ acr: APP_CODE, amr: ['pwd', 'otp'] });
    expect((await redeem(app.code())).error).toBe('invalid_grant');
    expect(await isSilent()).toBe(true);
  });

  test('without a challenge the app’s code gives tokens, as does a recovery code', async () => {
    const { email, app } = await withApp();
    for (const otp of [app.code(), app.recovery[0] ?? '']) {
      const { mfa_token: mfaToken } = await ask(email);
      const grant = { grant_type: MFA_OTP, client_id: SPA, mfa_token: mfaToken, otp };
      expect((await wire.token(grant)).status).toBe(200);
    }
  });

  test('without an app no code is sent by the grant alone', async () => {
    const { email } = await person();
    const mails = (await testApp.inbox(email)).length;
    const { mfa_token: mfaToken } = await ask(email);
    const grant = { grant_type: MFA_OTP, client_id: SPA, mfa_token: mfaToken, otp: '000000' };
    expect((await wire.token(grant)).error).toBe('invalid_grant');
    await testApp.app.outbox.settle();
    expect(await testApp.inbox(email)).toHaveLength(mails);
  });
});

describe('[APP-06] passwordless', () => {
  const start = (email: string, ip: string) =>
    wire.post(
      'passwordless/start',
      { client_id: SPA, connection: 'email', send: 'code', email },
      { ip },
    );
  const enter = (visitor: ReturnType<TestApp['visitor']>, email: string, otp: string) =>
    visitor.post(
      '/idp/co/authenticate',
      {
        client_id: SPA,
        credential_type: 'http://auth0.com/oauth/grant-type/passwordless/otp',
        realm: 'email',
        username: email,
        otp,
      },
      { origin: SPA_ORIGIN },
    );

  test('a mailbox alone gets no code of an account with an app, and its app opens nothing alone', async () => {
    const { email, app, isSilent } = await withApp();
    const visitor = testApp.visitor();
    expect((await start(email, visitor.ip)).status).toBe(200);
    expect(await isSilent()).toBe(true);
    expect((await enter(visitor, email, app.code())).status).toBe(403);
  });

  test('a code that was mailed before the app was set up opens nothing', async () => {
    const { email, userId } = await person();
    const visitor = testApp.visitor();
    await start(email, visitor.ip);
    const code = await testApp.codeFor(email);
    await addApp(testApp, userId);
    expect((await enter(visitor, email, code)).status).toBe(403);
  });
});
