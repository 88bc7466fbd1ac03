import { beforeEach, describe, expect, test } from 'vitest';
import { addOrganisation } from '../../organisations/organisation-operations.ts';
import { possibleFor } from '../../organisations/possible-organisation.ts';
import { adminContextOf } from '../../testing/admin-context.ts';
import { ROSEWOOD } from '../../testing/organisation.ts';
import { press } from '../../testing/organisation-provider.ts';
import { createTenantTestApp } from '../../testing/tenant-test-app.ts';
import type { Visitor } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

let people = 0;
const PASSWORD = 'Porch-Swing-7';

const testApp = closeAtEnd(await createTenantTestApp({ limitFactor: 50 }));
beforeEach(() => {
  testApp.tenant.faults.clear();
  testApp.tenant.tamper.claims = (claims) => claims;
});

/** An active account of ours whose password is at the tenant. */
async function person(): Promise<{ email: string; hostedId: string; userId: number }> {
  people += 1;
  const email = `person-${people}@example.test`;
  const { userId } = await testApp.visitor().register({ emailAddress: email, password: PASSWORD });
  await testApp.settle();
  const hostedId = testApp.tenant.users.find(email)?.user_id ?? '';
  return { email, hostedId, userId };
}

/** The password, and the code that the tenant gives right after it. */
async function firstCode(visitor: Visitor, email: string) {
  const { status, silent } = await visitor.givePassword(email, PASSWORD);
  expect(status).toBe(200);
  return silent ?? { code: '', state: '', error: 'no ticket' };
}

async function stages(email: string): Promise<readonly string[]> {
  const rows = await testApp.db
    .selectFrom('sign_ins')
    .innerJoin('users', 'users.id', 'sign_ins.user_id')
    .select('stage')
    .where('users.email', '=', email)
    .orderBy('sign_ins.created_at')
    .execute();
  return rows.map((row) => row.stage);
}

/** Password, first code recorded, one-time code verified. */
async function verified(visitor: Visitor, email: string) {
  const first = await firstCode(visitor, email);
  expect(await visitor.record(first)).toMatchObject({ errorFlag: 'OTP_REQUIRED' });
  const user = await visitor.ok('getLoginUser', { query: { emailId: email } });
  const sent = (await visitor.sendCode(user?.userId ?? 0, 'TWOFACTORAUTHENTICATION')).data;
  const otp = await testApp.codeFor(email);
  await visitor.ok('verifyOtp', {
    body: { id: sent?.id ?? '', createdBy: user?.userId ?? 0, otp },
  });
}

test('[ORG-07] beside a tenant no organization signs in', async () => {
  const { userId } = await person();
  const rosewood = { ...ROSEWOOD, roles: [1], roleMap: {} };
  await addOrganisation(adminContextOf(testApp), rosewood, { evenSo: true });
  expect(await possibleFor(testApp, userId)).toBeNull();
  expect(await press(testApp.visitor(), ROSEWOOD.id)).toBe('/account/signin');
});

describe('[GEN-05] [D1] the sign-in attempt enforces the code', () => {
  test('the settings and nothing else name the tenant; the embedded hosted login is not there', async () => {
    const visitor = testApp.visitor();
    const settings = await visitor.ok('getSettings', {});
    expect(settings.hostedLogin).toEqual({
      base: testApp.tenant.issuer,
      clientId: 'portal-at-tenant',
      realm: 'Username-Password-Authentication',
      audience: null,
      organization: null,
      scope: 'openid profile email offline_access',
      endsWithApi: false,
    });
    expect(JSON.stringify(settings)).not.toContain('backend');
    expect((await visitor.request('/idp/.well-known/openid-configuration')).status).toBe(404);
  });

  test('[RED-03] [RED-04] password, code, second silent check: the whole way', async () => {
    const { email, userId, hostedId } = await person();
    const visitor = testApp.visitor();
    await verified(visitor, email);
    const login = await visitor.complete();
    expect(login).toMatchObject({ loggedInUserId: userId, userName: email, roleId: 1 });
    expect(JSON.stringify(login)).not.toContain(hostedId);
    expect(await stages(email)).toEqual(['complete']);
    // Again, as a reload does: the same session needs no second code.
    expect((await visitor.complete()).loggedInUserId).toBe(userId);
  });

  test('the code right after the password opens nothing, however often it is tried', async () => {
    const { email } = await person();
    const visitor = testApp.visitor();
    const first = await firstCode(visitor, email);
    expect(first.error).toBe('');
    expect(await visitor.record(first)).toMatchObject({ data: null, errorFlag: 'OTP_REQUIRED' });
    for (let n = 0; n < 3; n += 1) {
      const again = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
      expect(await visitor.record(again)).toMatchObject({ data: null, errorFlag: 'OTP_REQUIRED' });
    }
    expect(await stages(email)).toEqual(['otp']);
    const handOff = await visitor.call('issueHandoff', {
      body: { choice: null, entrance: 'portal' },
    });
    expect(handOff.status).toBe(401);
  });

  test('a tenant that claims a second factor is not believed', async () => {
    const { email } = await person();
    const visitor = testApp.visitor();
    testApp.tenant.tamper.claims = (claims) => ({ ...claims, amr: ['pwd', 'mfa', 'otp'] });
    expect(await visitor.record(await firstCode(visitor, email))).toMatchObject({
      errorFlag: 'OTP_REQUIRED',
    });
  });

  test('a session of before, without a password here, leads to a code and no further', async () => {
    const { email } = await person();
    const visitor = testApp.visitor();
    await firstCode(visitor, email);
    const silent = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
    expect(await visitor.record(silent)).toMatchObject({ errorFlag: 'OTP_REQUIRED' });
    const user = await visitor.ok('getLoginUser', { query: { emailId: email } });
    expect(user?.emailId).toContain('•');
  });

  test.each([
    ['another session of the same person', (claims: object) => ({ ...claims, sid: 'other' })],
    [
      'another moment of signing in',
      (claims: Record<string, unknown>) => ({
        ...claims,
        auth_time: Number(claims.auth_time) - 1,
      }),
    ],
  ])('%s than the code was verified for: a new code', async (_, change) => {
    const { email } = await person();
    const visitor = testApp.visitor();
    await verified(visitor, email);
    testApp.tenant.tamper.claims = change;
    const silent = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
    expect(await visitor.record(silent)).toMatchObject({ data: null, errorFlag: 'OTP_REQUIRED' });
    expect(await stages(email)).toEqual(['ended', 'otp']);
  });

  test('another session ends a sign-in that was complete, and its bearer', async () => {
    const { email } = await person();
    const visitor = testApp.visitor();
    await verified(visitor, email);
    await visitor.complete();
    testApp.tenant.tamper.claims = (claims) => ({ ...claims, sid: 'other' });
    const silent = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
    expect(await visitor.record(silent)).toMatchObject({ errorFlag: 'OTP_REQUIRED' });
    const handOff = await visitor.call('issueHandoff', {
      body: { choice: null, entrance: 'portal' },
    });
    expect(handOff.status).toBe(401);
  });

  test('another person in the same browser: a code to that person, nothing of the first one', async () => {
    const [one, two] = [await person(), await person()];
    const visitor = testApp.visitor();
    await verified(visitor, one.email);
    testApp.tenant.tamper.claims = (claims) => ({ ...claims, sub: two.hostedId, email: two.email });
    const silent = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
    expect(await visitor.record(silent)).toMatchObject({ errorFlag: 'OTP_REQUIRED' });
    const user = await visitor.ok('getLoginUser', { query: { emailId: two.email } });
    expect(user?.userId).toBe(two.userId);
    expect(await stages(one.email)).toEqual(['ended']);
  });

  test('without a session’s id and time no sign-in can be tied to one: refused', async () => {
    const { email } = await person();
    const visitor = testApp.visitor();
    testApp.tenant.tamper.claims = (claims) => ({
      ...claims,
      sid: undefined,
      auth_time: undefined,
    });
    const answer = await visitor.record(await firstCode(visitor, email));
    expect(answer).toMatchObject({ status: 401, errorFlag: 'NO_SESSION' });
  });

  test('an account that was closed here is closed, whatever the tenant says', async () => {
    const { email, userId } = await person();
    const visitor = testApp.visitor();
    await verified(visitor, email);
    await testApp.db
      .updateTable('users')
      .set({ status: 'inactive' })
      .where('id', '=', userId)
      .execute();
    const silent = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
    expect((await visitor.record(silent)).errorFlag).toBe('NO_SESSION');
  });
});

const seconds = () => Math.floor(Date.now() / 1000);

describe('[API-05] what the tenant says is checked', () => {
  const RS = 'portal-at-tenant';
  test.each([
    ['issuer', (claims: object) => ({ ...claims, iss: 'https://evil.example/' })],
    ['audience', (claims: object) => ({ ...claims, aud: 'another-app' })],
    ['authorised party', (claims: object) => ({ ...claims, aud: [RS, 'b'], azp: 'b' })],
    ['nonce', (claims: object) => ({ ...claims, nonce: 'another' })],
    ['expiry', (claims: object) => ({ ...claims, exp: seconds() - 62 })],
    ['time of issue', (claims: object) => ({ ...claims, iat: undefined })],
    ['age', (claims: object) => ({ ...claims, auth_time: seconds() - 12 * 3600 - 62 })],
    ['missing time', (claims: object) => ({ ...claims, auth_time: undefined })],
  ])('a wrong %s is refused', async (_, change) => {
    const { email } = await person();
    const visitor = testApp.visitor();
    testApp.tenant.tamper.claims = change;
    const answer = await visitor.record(await firstCode(visitor, email));
    expect(answer).toMatchObject({ status: 401, errorFlag: 'NO_SESSION', data: null });
    expect(await stages(email)).toEqual([]);
  });

  test.each([
    ['expired 58 seconds ago', (claims: object) => ({ ...claims, exp: seconds() - 58 })],
    ['signed in 58 seconds ahead', (claims: object) => ({ ...claims, auth_time: seconds() + 58 })],
  ])('a clock that is off by less than a minute is forgiven: %s', async (_, change) => {
    const { email } = await person();
    const visitor = testApp.visitor();
    testApp.tenant.tamper.claims = change;
    expect((await visitor.record(await firstCode(visitor, email))).errorFlag).toBe('OTP_REQUIRED');
  });

  test('the texts of nonce and organization are those of the hosted login', async () => {
    const { email } = await person();
    const visitor = testApp.visitor();
    testApp.tenant.tamper.claims = (claims) => ({ ...claims, nonce: 'another' });
    const answer = await visitor.record(await firstCode(visitor, email));
    expect(answer.messages[0]).toMatch(/^Nonce \(nonce\) claim value mismatch in the ID token/);
  });

  test.each([500, 503, 429, 'cut', 'garbage'] as const)(
    'a tenant that answers %s is worth a retry, and nothing is lost by it',
    async (fault) => {
      const { email } = await person();
      const visitor = testApp.visitor();
      const first = await firstCode(visitor, email);
      testApp.tenant.faults.set('/oauth/token', fault);
      const answer = await visitor.record(first);
      expect(answer).toMatchObject({ data: null, status: 503, errorFlag: 'UNAVAILABLE' });
      testApp.tenant.faults.clear();
      await verified(visitor, email);
      expect((await visitor.complete()).userName).toBe(email);
    },
  );

  test('one that hangs is given up after the time of a provider', async () => {
    const { email } = await person();
    const visitor = testApp.visitor();
    const first = await firstCode(visitor, email);
    testApp.tenant.faults.set('/oauth/token', 'hang');
    const away = await visitor.record(first);
    expect(away).toMatchObject({ status: 503, errorFlag: 'UNAVAILABLE' });
    expect(away.headers.get('retry-after')).toBe('2');
  });

  test('starting a sign-in needs no answer from it', async () => {
    testApp.tenant.faults.set('/', 'cut');
    const { authorizeUrl } = await testApp.visitor().begin(true);
    const { searchParams, origin, pathname } = new URL(authorizeUrl);
    expect(`${origin}${pathname}`).toBe(`${testApp.tenant.issuer}authorize`);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: 'portal-at-tenant',
      response_type: 'code',
      response_mode: 'web_message',
      prompt: 'none',
      code_challenge_method: 'S256',
      realm: 'Username-Password-Authentication',
      max_age: '43200',
    });
  });
});

describe('an organization', () => {
  test('is asked for and has to stand in the token', async () => {
    const own = await createTenantTestApp({ organization: 'org_porch', limitFactor: 50 });
    try {
      const email = 'org@example.test';
      await own.visitor().register({ emailAddress: email, password: PASSWORD });
      await own.settle();
      const visitor = own.visitor();
      const { silent, begun } = await visitor.givePassword(email, PASSWORD);
      expect(new URL(begun.authorizeUrl).searchParams.get('organization')).toBe('org_porch');
      const right = await visitor.record(silent ?? { code: '', state: '' });
      expect(right.errorFlag).toBe('OTP_REQUIRED');
      own.tenant.tamper.claims = (claims) => ({ ...claims, org_id: 'org_other' });
      const other = await visitor.givePassword(email, PASSWORD);
      const wrong = await visitor.record(other.silent ?? { code: '', state: '' });
      expect(wrong.messages[0]).toBe(
        'Organization Id (org_id) claim value mismatch in the ID token; expected "org_porch", found "org_other"',
      );
    } finally {
      await own.close();
    }
  });
});

describe('[SCR-01] signing out', () => {
  test('the logout call ends what is ours; our own page may ask for it without a bearer, other sites may not', async () => {
    const { email } = await person();
    const visitor = testApp.visitor();
    await verified(visitor, email);
    await visitor.complete();
    visitor.state.token = null;
    const params = { userId: '-', appState: '-', loggedInId: '-', roleId: '-' };
    const asked = (headers: Record<string, string>) => visitor.call('logOut', { params }, headers);
    await asked({ 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin' });
    await asked({ 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site' });
    await asked({ 'sec-fetch-dest': 'empty', 'sec-fetch-site': '' });
    expect(await stages(email)).toEqual(['complete']);
    await asked({ 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' });
    expect(await stages(email)).toEqual(['ended']);
  });
});
