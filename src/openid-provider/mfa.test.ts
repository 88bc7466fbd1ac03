/** A new password in the very middle of a sign-in by calls alone: whatever the moment, nothing is left that opens. */

import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProviderStore } from '#server/identity-provider/embedded/provider-store.ts';
import { createOpenIdProvider, type OpenIdProvider } from './openid-provider.ts';
import type { ProviderStore } from './store-port.ts';
import { openTestDatabase, type TestDatabase } from './testing/database.ts';
import { fixedClients } from './testing/fixed-clients.ts';
import { SESSION_LIFE, unusedPorts } from './testing/unused-ports.ts';
import { newKeys } from './testing/test-provider.ts';

const CLIENT = 'page';
const MFA_OTP = 'http://auth0.com/oauth/grant-type/mfa-otp';

type Moment = 'never' | 'while the code is sent' | 'before it is used' | 'after it is used';

let database: TestDatabase;
let server: Server;
let issuer: string;
let provider: OpenIdProvider;
let moment: Moment = 'never';

const resetAt = async (now: Moment) => {
  if (moment === now) await provider.endAccount('mary');
};

/** The reset comes on either side of the one statement that uses the challenge up. */
function slowed({ challenges, ...store }: ProviderStore): ProviderStore {
  const take: typeof challenges.take = async (hash) => {
    await resetAt('before it is used');
    const taken = await challenges.take(hash);
    await resetAt('after it is used');
    return taken;
  };
  return { ...store, challenges: { ...challenges, take } };
}

beforeAll(async () => {
  database = await openTestDatabase();
  server = createServer((request, response) => provider.handle(request, response)).listen(0);
  issuer = `http://localhost:${(server.address() as { port: number }).port}/idp/`;
  const claims = { sub: 'mary', email: 'mary@example.test', email_verified: true };
  provider = createOpenIdProvider({
    sessionLife: SESSION_LIFE,
    issuer,
    accounts: {
      verifyPassword: async () => ({ kind: 'ok', accountId: 'mary' }),
      claimsOf: async () => ({ ...claims, name: 'M', given_name: 'M', family_name: 'H' }),
    },
    store: slowed(createProviderStore(database.db)),
    events: {
      passwordAccepted: async () => true,
      signedOut: async () => {},
      sessionEnded: async () => {},
    },
    consents: { scopesOf: async () => [] },
    findOrganization: async () => null,
    interactionPath: '/account/request',
    ...unusedPorts,
    isPasswordGrantOn: true,
    codes: {
      ...unusedPorts.codes,
      sendSecondFactor: async () => {
        await resetAt('while the code is sent');
        return { kind: 'sent', handle: 'h' };
      },
      verify: async () => ({ kind: 'ok' }),
    },
    clients: fixedClients([
      {
        clientId: CLIENT,
        firstParty: true,
        redirectUris: ['http://localhost:4999/'],
        postLogoutRedirectUris: [],
        webOrigins: [],
        grants: ['authorization_code', 'refresh_token', 'password'],
      },
    ]),
    keys: await newKeys(),
    now: () => new Date(),
    requestId: () => '',
    tellsCauses: false,
    log: { info() {}, warn() {}, error() {} },
  });
});
afterAll(async () => {
  server.close();
  await database.close();
});

type Answer = { readonly [name: string]: string | undefined };

async function post(path: string, body: object) {
  const response = await fetch(`${issuer}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: CLIENT, ...body }),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

async function opens({ access_token: access, refresh_token: refresh }: Answer): Promise<boolean> {
  const headers = { authorization: `Bearer ${access}` };
  const isOpen = (await fetch(`${issuer}userinfo`, { headers })).ok;
  const grant = { grant_type: 'refresh_token', refresh_token: refresh };
  return isOpen || (await post('oauth/token', grant)).status === 200;
}

test.each([
  ['never', 200, 200, true],
  ['while the code is sent', 403, 403, false],
  ['before it is used', 200, 403, false],
  // The answer is under way already; its tokens are dead when they arrive.
  ['after it is used', 200, 200, false],
] as const)('a reset %s', async (when, sent, given, isOpen) => {
  const form = { grant_type: 'password', username: 'mary', password: 'x' };
  const begun = await post('oauth/token', { ...form, scope: 'openid email offline_access' });
  const { mfa_token: mfaToken } = begun.body;
  expect(begun.body.error).toBe('mfa_required');
  moment = when;
  const challenge = await post('mfa/challenge', { mfa_token: mfaToken, challenge_type: 'oob' });
  expect(challenge.status).toBe(sent);
  const redeemed = await post('oauth/token', {
    grant_type: MFA_OTP,
    mfa_token: mfaToken,
    otp: '1',
  });
  moment = 'never';
  expect(redeemed.status).toBe(given);
  expect(await opens(redeemed.body)).toBe(isOpen);
});
