/** [IDP-33] Libraries that docs/clients.md names because they need a setting of their own. */

import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../../crypto/secret-box.ts';
import { CALLBACK, clientEntry, follow, SECRET_OF_CLIENT } from '../../testing/relying-party.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';

/** As much of passport-auth0, which has no types, as the test uses. */
type Strategy = {
  readonly _oauth2: { readonly useAuthorizationHeaderforGET: (isOn: boolean) => void };
  readonly authenticate: (request: object, options: object) => void;
};
type Profile = { readonly displayName: string; readonly emails: readonly { value: string }[] };
type Done = (error: null, user: Profile) => void;
const Auth0Strategy = createRequire(import.meta.url)('passport-auth0') as new (
  options: object,
  verify: (access: string, refresh: string, extra: object, profile: Profile, done: Done) => void,
) => Strategy;

const ODD_SECRET = 'p@ss:w+rd/100% =&"\\~ of an old client 0000000000';
let testApp: TestApp;
let issuer: string;

beforeAll(async () => {
  const withSecret = (id: string, method: string, secret: string) =>
    clientEntry({
      id,
      firstParty: true,
      pkce: 'optional',
      grants: ['authorization_code', 'client_credentials'],
      apis: [],
      auth: { method, secretHash: hashToken(secret) },
    });
  testApp = await createTestApp({
    clients: [
      withSecret('passport-app', 'client_secret_post', SECRET_OF_CLIENT),
      withSecret('odd-app', 'client_secret_basic', ODD_SECRET),
    ],
  });
  issuer = `${testApp.url}/idp/`;
});
afterAll(() => testApp.close());

/** What passport makes of a strategy's answer. */
type Outcome = { readonly url?: string; readonly user?: Profile; readonly error?: string };

const outcomeOf = (strategy: Strategy, request: object) =>
  new Promise<Outcome>((resolve) => {
    const acting = Object.assign(Object.create(strategy) as Strategy, {
      redirect: (url: string) => resolve({ url }),
      success: (user: Profile) => resolve({ user }),
      fail: (said: unknown) => resolve({ error: JSON.stringify(said) }),
      error: ({ message }: Error) => resolve({ error: message }),
    });
    acting.authenticate(request, { scope: 'openid profile email' });
  });

describe('passport-auth0', () => {
  async function signIn(isInHeader: boolean): Promise<Outcome> {
    const strategy = new Auth0Strategy(
      {
        domain: 'not used',
        authorizationURL: `${issuer}authorize`,
        tokenURL: `${issuer}oauth/token`,
        userInfoURL: `${issuer}userinfo`,
        expectedIssuer: issuer,
        clientID: 'passport-app',
        clientSecret: SECRET_OF_CLIENT,
        callbackURL: CALLBACK,
      },
      (_access, _refresh, _extra, profile, done) => done(null, profile),
    );
    if (isInHeader) strategy._oauth2.useAuthorizationHeaderforGET(true);
    const session = {};
    const { url = '' } = await outcomeOf(strategy, { session, query: {} });
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const place = await follow(visitor, url, testApp.url);
    const query = Object.fromEntries(place.url.searchParams);
    return outcomeOf(strategy, { session, query });
  }

  test('sends the token in an address as it comes, and then gets no profile', async () => {
    expect(await signIn(false)).toEqual({ error: 'failed to fetch user profile' });
  });

  test('signs in with the one line of docs/clients.md', async () => {
    expect((await signIn(true)).user).toMatchObject({
      displayName: 'Margaret Okafor',
      emails: [{ value: 'member@demo.porchlight.test' }],
    });
  });
});

test('next-auth, provider Auth0: the address that it builds is there for an issuer without the last slash', async () => {
  const statusFor = async (given: string) =>
    (await fetch(`${given}/.well-known/openid-configuration`)).status;
  expect(await statusFor(issuer.replace(/\/$/, ''))).toBe(200);
  expect(await statusFor(issuer)).toBe(404);
});

test('a secret with odd letters in Basic: encoded it counts, as `curl -u` sends it the answer says why', async () => {
  const ask = async (credentials: string) => {
    const response = await fetch(`${issuer}oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'none',
        redirect_uri: CALLBACK,
      }),
    });
    return (await response.json()) as { error: string; error_description: string };
  };
  const encoded = new URLSearchParams({ x: ODD_SECRET }).toString().slice(2);
  expect(await ask(`odd-app:${encoded}`)).toMatchObject({ error: 'invalid_grant' });
  const raw = await ask(`odd-app:${ODD_SECRET}`);
  expect(raw.error).toBe('invalid_request');
  expect(raw.error_description).toContain('encoded');
});
