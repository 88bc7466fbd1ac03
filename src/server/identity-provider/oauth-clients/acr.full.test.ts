/** How somebody signed in, as applications are told (OIDC Core 2, 5.5.1.1; decision 099). */

import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import { describe, expect, test } from 'vitest';
import { createDevice } from '../../testing/authenticator.ts';
import { clientEntry, createRelyingParty, follow } from '../../testing/relying-party.ts';
import { API, createWire, SPA, SPA_ORIGIN, wireClients } from '../../testing/wire.ts';
import { createTestApp, PASSWORD, type Visitor } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const PASSWORD_AND_CODE = 'urn:porchlight:acr:password-and-code';
const PASSWORD_AND_APP_CODE = 'urn:porchlight:acr:password-and-app-code';
const SAVED_KEY = 'urn:porchlight:acr:saved-key';
const ORGANISATION = 'urn:porchlight:acr:organisation';
const CODE = 'urn:porchlight:acr:code';
const OTHER = 'https://refeds.org/profile/mfa';

const testApp = closeAtEnd(
  await createTestApp((url) => {
    const settings = wireClients(url);
    return { ...settings, clients: [...(settings.clients ?? []), clientEntry()], limitFactor: 50 };
  }),
);
const wire = createWire(testApp);
const garden = await createRelyingParty(testApp.url);

const essential = (...values: readonly string[]) => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
});
const silently = async (visitor: Visitor, extra: Record<string, string>) =>
  (await wire.silently(visitor, extra)).answer;

let count = 0;
/** A person whose hosted session of this browser was begun by a code alone. */
async function enteredByCode() {
  const email = `acr-${(count += 1)}@example.test`;
  const visitor = testApp.visitor();
  await visitor.register({ emailAddress: email });
  const begun = { client_id: SPA, connection: 'email', send: 'code', email };
  await wire.post('passwordless/start', begun, { ip: visitor.ip });
  const response = await visitor.post(
    '/idp/co/authenticate',
    {
      client_id: SPA,
      credential_type: 'http://auth0.com/oauth/grant-type/passwordless/otp',
      realm: 'email',
      username: email,
      otp: await testApp.codeFor(email),
    },
    { origin: SPA_ORIGIN },
  );
  const { login_ticket: ticket = '' } = (await response.json()) as { login_ticket?: string };
  await visitor.request(wire.authorization({ login_ticket: ticket }).url);
  return { email, visitor };
}

describe('[SEC-10] acr says how somebody signed in', () => {
  test('password and code: in ID tokens, at /userinfo, in access tokens of APIs, after a refresh', async () => {
    const visitor = testApp.visitor();
    const { tokens } = await garden.signIn(visitor, 'member');
    const claims = tokens.claims();
    expect(claims).toMatchObject({ acr: PASSWORD_AND_CODE, amr: ['pwd', 'otp'] });
    const about = await oidc.fetchUserInfo(garden.config, tokens.access_token, claims?.sub ?? '');
    expect(about.acr).toBe(PASSWORD_AND_CODE);

    const scope = 'openid offline_access read:messages';
    const ofApi = await wire.tokens(visitor, { audience: API, scope });
    expect(decodeJwt(ofApi.access_token).acr).toBe(PASSWORD_AND_CODE);
    const userinfo = await fetch(`${testApp.url}/idp/userinfo`, {
      headers: { authorization: `Bearer ${ofApi.access_token}` },
    });
    expect(await userinfo.json()).toMatchObject({ acr: PASSWORD_AND_CODE });
    const refreshed = await wire.token({
      client_id: SPA,
      grant_type: 'refresh_token',
      refresh_token: ofApi.refresh_token,
    });
    expect(decodeJwt(refreshed.access_token).acr).toBe(PASSWORD_AND_CODE);
    expect(decodeJwt(refreshed.id_token ?? '').acr).toBe(PASSWORD_AND_CODE);
  });

  test('a code alone is less, and says so; a program has none', async () => {
    const { visitor } = await enteredByCode();
    const tokens = await wire.tokens(visitor);
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ acr: CODE, amr: ['otp'] });
    const { access_token: machine } = await wire.machine({ audience: API });
    expect(decodeJwt(machine)).not.toHaveProperty('acr');
  });

  test('discovery names all', () => {
    const { acr_values_supported: values } = garden.config.serverMetadata();
    expect(values).toEqual([
      PASSWORD_AND_CODE,
      PASSWORD_AND_APP_CODE,
      SAVED_KEY,
      ORGANISATION,
      CODE,
    ]);
  });
});

describe('[SEC-11] an acr that is asked for', () => {
  test.each([OTHER, CODE, `${OTHER} ${CODE}`])(
    'as a wish (%s): the person signs in, and the ID token tells the truth',
    async (acr_values) => {
      const { tokens } = await garden.signIn(testApp.visitor(), 'member', { acr_values });
      expect(tokens.claims()?.acr).toBe(PASSWORD_AND_CODE);
      const claims = JSON.stringify({ id_token: { acr: { values: [OTHER] }, email: null } });
      const wished = await garden.signIn(testApp.visitor(), 'member', { claims });
      expect(wished.tokens.claims()?.acr).toBe(PASSWORD_AND_CODE);
    },
  );

  test.each([[[OTHER]], [[CODE]], [[]]])(
    'as a must that no sign-in here meets (%j): refused, signed in or not',
    async (values) => {
      const signedIn = testApp.visitor();
      await signedIn.signIn('member');
      for (const visitor of [signedIn, testApp.visitor()]) {
        const { url } = await garden.begin(essential(...values));
        const place = await follow(visitor, url, testApp.url);
        expect([place.isClient, place.url.searchParams.get('error')]).toEqual([
          true,
          'unmet_authentication_requirements',
        ]);
        expect(place.url.searchParams.has('code')).toBe(false);
      }
    },
  );

  test('as a must that is met: no question more', async () => {
    const demanded = essential(OTHER, PASSWORD_AND_CODE);
    const visitor = testApp.visitor();
    const { tokens } = await garden.signIn(visitor, 'agent', demanded);
    expect(tokens.claims()?.acr).toBe(PASSWORD_AND_CODE);
    const value = JSON.stringify({
      id_token: { acr: { essential: true, value: PASSWORD_AND_CODE } },
    });
    const place = await follow(visitor, (await garden.begin({ claims: value })).url, testApp.url);
    expect(place.isClient).toBe(true);
  });

  test('as a must, to a session by a code alone: the password is asked for as well', async () => {
    const { email, visitor } = await enteredByCode();
    expect((await silently(visitor, essential(CODE))).code).toBeTruthy();
    const demanded = essential(PASSWORD_AND_CODE);
    expect((await silently(visitor, demanded)).error).toBe('login_required');
    await visitor.signIn(email, PASSWORD);
    const tokens = await wire.tokens(visitor, demanded);
    expect(decodeJwt(tokens.id_token ?? '').acr).toBe(PASSWORD_AND_CODE);
  });

  test('as a must, a saved key: password and code are no answer to it, and the key is', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('partner');
    const device = createDevice(testApp.url);
    const options = await visitor.ok('keyCreation', { body: { isByItself: false } });
    await visitor.ok('saveKey', { body: { answer: device.create(options) } });
    const demanded = essential(SAVED_KEY);
    expect((await silently(visitor, demanded)).error).toBe('login_required');
    await expect(garden.signIn(testApp.visitor(), 'partner', demanded)).rejects.toMatchObject({
      error: 'unmet_authentication_requirements',
    });
    const answer = device.use(await visitor.ok('keyRequest', { body: { use: 'signIn' } }));
    await visitor.ok('signInWithKey', { body: { answer, entrance: 'portal' } });
    const tokens = await wire.tokens(visitor, demanded);
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({
      acr: SAVED_KEY,
      amr: ['pop', 'user', 'mfa'],
    });
    // A key is no password: a client that must have one asks for it.
    expect((await silently(visitor, essential(PASSWORD_AND_CODE))).error).toBe('login_required');
  });

  test.each(['{', '[]', 'null', '{"id_token":{"acr":{"essential":true,"values":"x"}}}'])(
    'in a way that nobody can read (%s): told to the client',
    async (claims) => {
      const { url } = await garden.begin({ claims });
      const place = await follow(testApp.visitor(), url, testApp.url);
      expect(place.url.searchParams.get('error')).toBe('invalid_request');
    },
  );
});
