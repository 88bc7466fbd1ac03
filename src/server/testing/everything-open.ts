/** A visitor with one of each session, code, link and token, and checks of each. */

import type { createRelyingParty } from './relying-party.ts';
import { follow } from './relying-party.ts';
import type { TestApp } from './test-app.ts';
import { PASSWORD } from './visitor.ts';
import { API, SPA, type Wire } from './wire.ts';

type Deps = {
  readonly testApp: TestApp;
  readonly wire: Wire;
  readonly garden: Awaited<ReturnType<typeof createRelyingParty>>;
};

let count = 0;
/** Creates a visitor with one of each. */
export async function openEverything({ testApp, wire, garden }: Deps) {
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
export type Everything = Awaited<ReturnType<typeof openEverything>>;

export const userInfo = async ({ issuer }: Pick<Wire, 'issuer'>, token: string) =>
  (await fetch(`${issuer}userinfo`, { headers: { authorization: `Bearer ${token}` } })).status;

/** Returns the answer of each, by name. */
export async function answersOf(
  { testApp, wire, garden }: Deps,
  { userId, visitor, own, api, self, third, waiting, code, grant }: Everything,
) {
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
    'userinfo of the house': await userInfo(wire, own.access_token),
    'userinfo with a token of an API': await userInfo(wire, api.access_token),
    'userinfo of a third party': await userInfo(wire, third.access_token),
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

/** The answers when all have ended. */
export const NOTHING = {
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
