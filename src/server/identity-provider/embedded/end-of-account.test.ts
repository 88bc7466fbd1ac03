/** [R22] [D28] An account that an operator ends: from that moment nothing that it had opened opens anything. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientEntry, createRelyingParty, follow } from '../../testing/relying-party.ts';
import { API, createWire, SPA, type Wire, wireClients } from '../../testing/wire.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../testing/test-app.ts';

let testApp: TestApp;
let wire: Wire;
let garden: Awaited<ReturnType<typeof createRelyingParty>>;
let machine: string;
beforeAll(async () => {
  testApp = await createTestApp((url) => {
    const settings = wireClients(url);
    return {
      ...settings,
      clients: [...(settings.clients ?? []), clientEntry()],
      isPasswordGrantOn: true,
      limitFactor: 50,
    };
  });
  wire = createWire(testApp);
  garden = await createRelyingParty(testApp.url);
  machine = (await wire.machine()).access_token;
});
afterAll(() => testApp.close());

const byProgram = (isBlocked: boolean) => (id: number) =>
  wire.manage(machine, 'PATCH', `users/${id}`, { blocked: isBlocked });
/** The row alone, as somebody with the database in hand would do it; nothing else is told. */
const byHand = (status: 'active' | 'inactive') => (id: number) =>
  testApp.db.updateTable('users').set({ status }).where('id', '=', id).execute();

const WAYS = [
  ['by a program', byProgram(true), byProgram(false)],
  ['in the database', byHand('inactive'), byHand('active')],
] as const;

let count = 0;
/** Somebody with one of everything that can be open. */
async function everything() {
  const email = `ended-${(count += 1)}@example.test`;
  const { userId } = await testApp.visitor().register({ emailAddress: email });
  const visitor = testApp.visitor();
  await visitor.signIn(email, PASSWORD);
  const own = await wire.tokens(visitor);
  const api = await wire.tokens(visitor, { audience: API, scope: 'openid read:messages' });
  const self = await wire.tokens(visitor, {
    audience: `${wire.issuer}api/v2/`,
    scope: 'openid read:current_user',
  });
  const { tokens: third } = await garden.signIn(visitor, email, { scope: 'openid email' });
  // A request that waits for a yes, a code that waits to be redeemed, and a password that waits for its code.
  const asked = await garden.begin({ scope: 'openid email profile' });
  const waiting = await follow(visitor, asked.url, testApp.url);
  const code = await wire.silently(visitor);
  const grant = await wire.token(
    {
      grant_type: 'password',
      client_id: SPA,
      username: email,
      password: PASSWORD,
      scope: 'openid',
    },
    { ip: visitor.ip },
  );
  return { email, userId, visitor, own, api, self, third, waiting, code, grant };
}
type Everything = Awaited<ReturnType<typeof everything>>;

const userInfo = async (token: string) =>
  (await fetch(`${wire.issuer}userinfo`, { headers: { authorization: `Bearer ${token}` } })).status;

/** By name, what each thing still answers. */
async function answersOf({
  userId,
  visitor,
  own,
  api,
  self,
  third,
  waiting,
  code,
  grant,
}: Everything) {
  const refreshed = await wire.token({
    grant_type: 'refresh_token',
    client_id: SPA,
    refresh_token: own.refresh_token,
  });
  const redeemed = await wire.token({
    grant_type: 'authorization_code',
    client_id: SPA,
    code: code.answer.code,
    code_verifier: code.verifier,
    redirect_uri: 'https://app.example/callback',
  });
  const challenge = await wire.post('mfa/challenge', {
    client_id: SPA,
    mfa_token: grant.mfa_token,
    challenge_type: 'oob',
  });
  const body = { request: waiting.request };
  const again = await follow(
    visitor,
    (await garden.begin({ scope: 'openid email' })).url,
    testApp.url,
  );
  return {
    refresh: refreshed.status,
    code: redeemed.status,
    mfaToken: challenge.ok,
    'userinfo of the house': await userInfo(own.access_token),
    'userinfo with a token of an API': await userInfo(api.access_token),
    'userinfo of a third party': await userInfo(third.access_token),
    management: (await wire.manage(self.access_token, 'GET', `users/${userId}`)).status,
    silent: (await wire.silently(visitor)).answer.error,
    'what was allowed': again.isClient,
    'what waits for a yes': (await visitor.call('allowInteraction', { body })).succeeded,
    'the list of what was allowed': (await visitor.call('getConsents', {})).succeeded,
    'a way into a module': (
      await visitor.call('issueHandoff', { body: { choice: null, entrance: 'portal' } })
    ).succeeded,
  };
}

const NOTHING = {
  refresh: 400,
  code: 400,
  mfaToken: false,
  'userinfo of the house': 401,
  'userinfo with a token of an API': 401,
  'userinfo of a third party': 401,
  management: 401,
  silent: 'login_required',
  'what was allowed': false,
  'what waits for a yes': false,
  'the list of what was allowed': false,
  'a way into a module': false,
};

describe.each(WAYS)('%s', (_name, end, begin) => {
  test('all of it was open, and nothing is', async () => {
    const open = await everything();
    expect(await userInfo(open.third.access_token)).toBe(200);
    expect(await userInfo(open.api.access_token)).toBe(200);
    expect(open.waiting.url.pathname).toBe('/account/Consent');
    expect(open.code.answer.code).toBeTruthy();
    expect(open.grant.mfa_token).toBeTruthy();
    await end(open.userId);
    expect(await answersOf(open)).toEqual(NOTHING);
    // What became of it is told behind the code alone (PRF-09).
    await expect(testApp.visitor().signIn(open.email, PASSWORD)).rejects.toThrow(
      'ACCOUNT_SUSPENDED',
    );
  });

  test('somebody else goes on', async () => {
    const [ended, other] = [await everything(), await everything()];
    await end(ended.userId);
    expect(await userInfo(other.third.access_token)).toBe(200);
    const { access_token: token } = other.self;
    expect((await wire.manage(token, 'GET', `users/${other.userId}`)).status).toBe(200);
    expect((await wire.silently(other.visitor)).answer.code).toBeTruthy();
  });

  test('begun again, it signs in anew', async () => {
    const open = await everything();
    await end(open.userId);
    await answersOf(open);
    await begin(open.userId);
    const visitor = testApp.visitor();
    await visitor.signIn(open.email, PASSWORD);
    expect((await wire.tokens(visitor)).status).toBe(200);
  });
});

test('ended by a program, the old tokens stay dead when the account is begun again', async () => {
  const open = await everything();
  await byProgram(true)(open.userId);
  await byProgram(false)(open.userId);
  expect(await answersOf(open)).toEqual(NOTHING);
});
