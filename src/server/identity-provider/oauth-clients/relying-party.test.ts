import { exportJWK, generateKeyPair } from 'jose';
import { sql } from 'kysely';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, PASSWORD, type TestApp } from '../../testing/test-app.ts';
import { DEMO_PASSWORD, demoEmail } from '../../demo/seed.ts';
import { PORTAL_CLIENT_ID } from '../../config/client-file.ts';
import { hashToken } from '../../crypto/secret-box.ts';
import {
  CALLBACK,
  clientEntry,
  createRelyingParty,
  follow,
  SECRET_OF_CLIENT,
} from '../../testing/relying-party.ts';

type Party = Awaited<ReturnType<typeof createRelyingParty>>;

/** What openid-client says when an answer does not pass, and what we answer to a client that may not. */
const REFUSED =
  /server responded with an error|server responded with a challenge|unexpected|invalid response|JWT claim/;

let testApp: TestApp;
let garden: Party;
let house: Party;
let keyed: Party;
const secretHash = hashToken(SECRET_OF_CLIENT);

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  testApp = await createTestApp({
    clients: [
      clientEntry(),
      clientEntry({ id: 'house-app', name: 'House App', firstParty: true }),
      clientEntry({
        id: 'public-app',
        name: 'Public App',
        firstParty: true,
        type: 'native',
        redirectUris: ['http://127.0.0.1/callback'],
        auth: { method: 'none' },
      }),
      clientEntry({
        id: 'post-app',
        firstParty: true,
        auth: { method: 'client_secret_post', secretHash },
      }),
      clientEntry({
        id: 'keyed-app',
        name: 'Keyed App',
        firstParty: true,
        auth: {
          method: 'private_key_jwt',
          jwks: { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'k1' }] },
        },
      }),
      clientEntry({
        id: 'page-app',
        name: 'Page App',
        firstParty: true,
        webOrigins: ['https://page.example'],
        auth: { method: 'none' },
      }),
      clientEntry({ id: 'old-app', name: 'Old App', firstParty: true, pkce: 'optional' }),
      clientEntry({ id: 'harbor', name: 'Harbor', firstParty: true, subtenantId: 900 }),
    ],
    limitFactor: 100,
  });
  garden = await createRelyingParty(testApp.url);
  house = await createRelyingParty(testApp.url, 'house-app');
  keyed = await createRelyingParty(
    testApp.url,
    'keyed-app',
    oidc.PrivateKeyJwt({ key: privateKey, kid: 'k1' }),
  );
});
afterAll(() => testApp.close());

const at = (place: { url: URL }) => place.url.pathname;
const go = (visitor: ReturnType<TestApp['visitor']>, url: URL | string) =>
  follow(visitor, url, testApp.url);
const tellsError = (place: { url: URL }) => place.url.searchParams.get('error');

describe('code and PKCE', () => {
  test('a person types password and code once, allows, and the client knows who it is', async () => {
    const visitor = testApp.visitor();
    const { tokens, place } = await garden.signIn(visitor, 'member');
    expect(place.isClient).toBe(true);
    expect(place.url.searchParams.get('iss')).toBe(`${testApp.url}/idp/`);
    expect(tokens.claims()).toMatchObject({
      aud: 'garden-club',
      email: 'member@demo.porchlight.test',
      name: 'Margaret Okafor',
      amr: ['pwd', 'otp'],
      acr: 'urn:porchlight:acr:password-and-code',
      org_id: '742',
      org_name: '742',
    });
    const person = await oidc.fetchUserInfo(
      garden.config,
      tokens.access_token,
      tokens.claims()?.sub ?? '',
    );
    expect(person).toMatchObject({ given_name: 'Margaret', family_name: 'Okafor' });
  });

  test('a new address is in `email`, and `sub` stays', { tags: 'long' }, async () => {
    const moveTo = (email: string, from: string) =>
      testApp.db
        .updateTable('users')
        .set({ email, email_canonical: email })
        .where('email', '=', from)
        .execute();
    const claimsOf = async (who: string) =>
      (await house.signIn(testApp.visitor(), who)).tokens.claims();
    const [email, moved] = [demoEmail('partner'), 'has.moved@people.test'];
    const before = await claimsOf(email);
    await moveTo(moved, email);
    expect(await claimsOf(moved)).toMatchObject({ sub: before?.sub, email: moved });
    await moveTo(email, moved);
  });

  test('a client of the house is not asked about, and a living session answers at once', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const begun = await house.begin();
    const place = await go(visitor, begun.url);
    expect(place.isClient).toBe(true);
    expect((await house.redeem(begun, place.url)).claims()?.aud).toBe('house-app');
  });

  test(
    '[PRF-07] PKCE is asked of a client with a secret, unless its entry says otherwise',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      await visitor.signIn('member');
      const old = await createRelyingParty(testApp.url, 'old-app');
      for (const [party, error] of [
        [house, 'invalid_request'],
        [old, null],
      ] as const) {
        const { url, checks } = await party.begin();
        for (const name of ['code_challenge', 'code_challenge_method'])
          url.searchParams.delete(name);
        const place = await go(visitor, url);
        expect(tellsError(place)).toBe(error);
        if (error) continue;
        const { pkceCodeVerifier: _, ...others } = checks;
        const tokens = await oidc.authorizationCodeGrant(party.config, place.url, others);
        expect(tokens.claims()?.aud).toBe('old-app');
        // What it begins with PKCE it has to end with PKCE.
        const begun = await party.begin();
        const answer = (await go(visitor, begun.url)).url;
        await expect(
          oidc.authorizationCodeGrant(party.config, answer, {
            ...begun.checks,
            pkceCodeVerifier: 'x'.repeat(43),
          }),
        ).rejects.toThrow(REFUSED);
      }
    },
  );

  describe("[H3] the password on the application's own page", () => {
    const MINUTE = 60;

    async function givenAtPage() {
      const visitor = testApp.visitor();
      const page = await createRelyingParty(testApp.url, 'page-app', oidc.None());
      const answer = await visitor.post(
        '/idp/co/authenticate',
        {
          client_id: 'page-app',
          credential_type: 'http://auth0.com/oauth/grant-type/password-realm',
          realm: 'Username-Password-Authentication',
          username: 'member@demo.porchlight.test',
          password: DEMO_PASSWORD,
        },
        { origin: 'https://page.example', 'sec-fetch-site': 'cross-site' },
      );
      const { login_ticket: ticket = '' } = (await answer.json()) as { login_ticket?: string };
      const begun = await page.begin({ login_ticket: ticket });
      return { visitor, page, begun };
    }

    const stageOf = async (visitor: ReturnType<TestApp['visitor']>) =>
      (await visitor.ok('getVisit', {})).signIn?.stage ?? null;

    test('is not asked for again: the code is, and nothing is told before it', async () => {
      const { visitor, page, begun } = await givenAtPage();
      const place = await go(visitor, begun.url);
      expect(at(place)).toBe('/account/Redirect');
      expect(await stageOf(visitor)).toBe('otp');
      const answer = () =>
        visitor.call('continueInteraction', { body: { request: place.request } });
      expect((await answer()).errorFlag).toBe('SIGN_IN_AGAIN');
      const email = 'member@demo.porchlight.test';
      const { userId = 0 } =
        (await visitor.ok('getLoginUser', { query: { emailId: email } })) ?? {};
      const sent = (await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION')).data;
      await visitor.verify(sent?.id ?? '', userId, await testApp.codeFor(email));
      await visitor.complete();
      const { data } = await answer();
      const back = await go(visitor, data?.url ?? '');
      expect((await page.redeem(begun, back.url)).claims()).toMatchObject({
        email,
        aud: 'page-app',
      });
    });

    test('counts a minute, as its ticket does', async () => {
      const { visitor, begun } = await givenAtPage();
      const first = await visitor.request(begun.url.href);
      testApp.clock.advance(MINUTE);
      const place = await go(visitor, first.headers.get('location') ?? '');
      expect(at(place)).toBe('/account/AppSignIn');
      expect(await stageOf(visitor)).toBeNull();
    });

    test('counts in its own browser and for one use', async () => {
      const { visitor, begun } = await givenAtPage();
      const thief = testApp.visitor();
      expect(at(await go(thief, begun.url))).toBe('/account/AppSignIn');
      expect(at(await go(visitor, begun.url))).toBe('/account/AppSignIn');
    });
  });

  test('without a session the portal asks, and says who waits', async () => {
    const visitor = testApp.visitor();
    const place = await go(
      visitor,
      (await garden.begin({ login_hint: 'member@demo.porchlight.test' })).url,
    );
    expect(at(place)).toBe('/account/AppSignIn');
    const state = await visitor.ok('getVisit', { query: { request: place.request } });
    expect(state.client).toMatchObject({
      step: 'signIn',
      clientName: 'Garden Club',
      loginHint: 'member@demo.porchlight.test',
    });
  });
});

describe('how a client proves itself', () => {
  test('private_key_jwt, client_secret_post and none work as well as Basic', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const post = await createRelyingParty(
      testApp.url,
      'post-app',
      oidc.ClientSecretPost(SECRET_OF_CLIENT),
    );
    for (const party of [keyed, post]) {
      const begun = await party.begin();
      const place = await go(visitor, begun.url);
      expect((await party.redeem(begun, place.url)).claims()?.sub).toBe('4000000001');
    }
  });

  test('a wrong secret, no secret and a foreign key get nothing', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const { privateKey } = await generateKeyPair('ES256');
    const attempts = [
      await createRelyingParty(testApp.url, 'house-app', oidc.ClientSecretBasic('wrong')),
      // What lies in the database opens nothing.
      await createRelyingParty(testApp.url, 'house-app', oidc.ClientSecretBasic(secretHash)),
      await createRelyingParty(testApp.url, 'house-app', oidc.None()),
      await createRelyingParty(testApp.url, 'keyed-app', oidc.PrivateKeyJwt(privateKey)),
    ];
    for (const party of attempts) {
      const begun = await party.begin();
      const place = await go(visitor, begun.url);
      await expect(party.redeem(begun, place.url)).rejects.toThrow(REFUSED);
    }
  });

  test('PAR: the browser carries a reference, once', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const begun = await house.push();
    expect([...begun.url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const place = await go(visitor, begun.url);
    expect((await house.redeem(begun, place.url)).claims()?.aud).toBe('house-app');
    expect((await go(visitor, begun.url)).url.searchParams.get('code')).toBeNull();
  });

  test('[R28] a native client may answer on any port of the loopback, a web client on none but its own', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const native = await createRelyingParty(testApp.url, 'public-app', oidc.None());
    const local = 'http://127.0.0.1:51234/callback';
    // RFC 8252, 8.6: any program on the machine could ask, so the person is asked each time.
    const place = await go(visitor, (await native.begin({ redirect_uri: local })).url);
    expect(at(place)).toBe('/account/Consent');
    for (const uri of ['http://localhost:5000/callback', `${CALLBACK}/x`, `${CALLBACK}?x=1`]) {
      const refused = await go(visitor, (await house.begin({ redirect_uri: uri })).url);
      expect([uri, refused.isClient]).toEqual([uri, false]);
    }
  });
});

describe('[T14] [R26] [R29] what is shown twice or changed on the way', () => {
  test('a code works once, and its second use ends what the first one gave', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const begun = await house.begin();
    const place = await go(visitor, begun.url);
    const { access_token: token } = await house.redeem(begun, place.url);
    const isActive = async () => (await oidc.tokenIntrospection(house.config, token)).active;
    expect(await isActive()).toBe(true);
    await expect(house.redeem(begun, place.url)).rejects.toThrow(REFUSED);
    expect(await isActive()).toBe(false);
  });

  test.each<readonly [string, (url: URL) => void]>([
    ['state', (url: URL) => url.searchParams.set('state', 'other')],
    ['issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example/')],
    ['code', (url: URL) => url.searchParams.set('code', 'made-up')],
    ['no issuer', (url: URL) => url.searchParams.delete('iss')],
  ])('another %s is refused', { tags: 'long' }, async (_, change) => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const begun = await house.begin();
    const { url } = await go(visitor, begun.url);
    change(url);
    await expect(house.redeem(begun, url)).rejects.toThrow(REFUSED);
  });

  test('another nonce, verifier or client is refused', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    for (const change of [{ expectedNonce: 'other' }, { pkceCodeVerifier: 'x'.repeat(43) }]) {
      const begun = await house.begin();
      const { url } = await go(visitor, begun.url);
      const tampered = { ...begun, checks: { ...begun.checks, ...change } };
      await expect(house.redeem(tampered, url)).rejects.toThrow(REFUSED);
    }
    const begun = await house.begin();
    const { url } = await go(visitor, begun.url);
    await expect(keyed.redeem(begun, url)).rejects.toThrow(REFUSED);
  });

  test(
    'a revoked token is dead; a client learns about its own tokens only',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      await visitor.signIn('member');
      const { tokens } = await house.signIn(visitor, 'member');
      const { access_token: token } = tokens;
      expect((await oidc.tokenIntrospection(keyed.config, token)).active).toBe(false);
      await oidc.tokenRevocation(keyed.config, token).catch(() => undefined);
      expect((await oidc.tokenIntrospection(house.config, token)).active).toBe(true);
      await oidc.tokenRevocation(house.config, token);
      expect((await oidc.tokenIntrospection(house.config, token)).active).toBe(false);
    },
  );
});

describe('prompt, max_age and hints', () => {
  test('prompt=none never asks: login_required, consent_required, or the code', async () => {
    const visitor = testApp.visitor();
    const silent = async (party: Party) => go(visitor, (await party.begin({ prompt: 'none' })).url);
    expect(tellsError(await silent(house))).toBe('login_required');
    await visitor.signIn('top');
    expect(tellsError(await silent(garden))).toBe('consent_required');
    expect((await silent(house)).url.searchParams.get('code')).toBeTruthy();
  });

  test.each([{ prompt: 'login' }, { max_age: '0' }])(
    '%j wants password and code anew, and tells when that was',
    { tags: 'long' },
    async (extra) => {
      const visitor = testApp.visitor();
      await visitor.signIn('member');
      const first = (await house.signIn(visitor, 'member')).tokens.claims();
      const begun = await house.begin(extra as Record<string, string>);
      const place = await go(visitor, begun.url);
      expect(at(place)).toBe('/account/AppSignIn');
      const body = { request: place.request };
      // The old session is no answer, and nothing offers to go on with it.
      expect((await visitor.ok('getVisit', { query: body })).login).toBeNull();
      expect((await visitor.call('continueInteraction', { body })).errorFlag).toBe('SIGN_IN_AGAIN');
      // As if the first sign-in had been long ago.
      await sql`UPDATE hosted_payloads SET payload = jsonb_set(payload, '{loginTs}', '1000')
        WHERE model = 'Session'`.execute(testApp.db);
      await visitor.signIn('member');
      const { url } = await visitor.ok('continueInteraction', { body });
      const back = await go(visitor, url);
      const second = (
        await oidc.authorizationCodeGrant(house.config, back.url, begun.checks)
      ).claims();
      expect(second?.auth_time).toBeGreaterThan(1000);
      expect(second?.auth_time).toBeGreaterThanOrEqual(first?.auth_time ?? Number.NaN);
      expect(second?.amr).toEqual(['pwd', 'otp']);
    },
  );

  test('a young session is enough for a long max_age', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const begun = await house.begin({ max_age: '3600' });
    const place = await go(visitor, begun.url);
    expect((await house.redeem(begun, place.url)).claims()?.auth_time).toBeGreaterThan(0);
  });

  test(
    'prompt=select_account stops also with a session, which then does',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      await visitor.signIn('member');
      const begun = await house.begin({ prompt: 'select_account' });
      const place = await go(visitor, begun.url);
      const body = { request: place.request };
      const state = await visitor.ok('getVisit', { query: body });
      expect([state.client?.step, state.login?.memberName]).toEqual(['choose', 'Margaret Okafor']);
      const back = await go(visitor, (await visitor.ok('continueInteraction', { body })).url);
      expect((await house.redeem(begun, back.url)).claims()?.sub).toBe('4000000001');
    },
  );

  test('prompt=consent asks although everything was allowed', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    await garden.signIn(visitor, 'member');
    const place = await go(visitor, (await garden.begin({ prompt: 'consent' })).url);
    expect(at(place)).toBe('/account/Consent');
  });

  test(
    'unknown parameters, languages and acr_values do no harm; `claims` and `request` are not offered',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      await visitor.signIn('member');
      const fine = { foo: 'bar', ui_locales: 'fr de', acr_values: 'urn:any' };
      const begun = await house.begin(fine);
      expect((await go(visitor, begun.url)).url.searchParams.get('code')).toBeTruthy();
      const place = await go(visitor, (await house.begin({ request: 'e30.e30.' })).url);
      expect(tellsError(place)).toBe('request_not_supported');
    },
  );

  test('a hint that is no address fills in nothing', async () => {
    const visitor = testApp.visitor();
    const place = await go(visitor, (await house.begin({ login_hint: '<script>' })).url);
    const state = await visitor.ok('getVisit', { query: { request: place.request } });
    expect(state.client?.loginHint).toBeNull();
  });
});

describe('[D20] requests that must not be answered', () => {
  test('an unknown client and a foreign address get a page of ours with a way on', async () => {
    const visitor = testApp.visitor();
    const { url } = await house.begin();
    for (const [name, value] of [
      ['client_id', 'nobody'],
      ['client_id', '\0'],
      ['redirect_uri', 'https://evil.example/'],
      ['redirect_uri', `${CALLBACK}.evil.example`],
    ] as const) {
      const bad = new URL(url);
      bad.searchParams.set(name, value);
      const response = await visitor.request(bad.href);
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
      const page = await response.text();
      expect(page).toContain('/account/signin');
    }
  });

  test('what the client did wrong is told to the client', async () => {
    const visitor = testApp.visitor();
    for (const [extra, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ prompt: 'none login' }, 'invalid_request'],
      [{ max_age: '-1' }, 'invalid_request'],
    ] as const) {
      const place = await go(visitor, (await house.begin(extra)).url);
      const inFragment = new URLSearchParams(place.url.hash.slice(1)).get('error');
      expect([extra, inFragment ?? tellsError(place)]).toEqual([extra, error]);
    }
  });
});

describe('whose request it is', () => {
  test('[R8] a handle opens nothing in another browser, neither does its address', async () => {
    const victim = testApp.visitor();
    const place = await go(victim, (await garden.begin()).url);
    const thief = testApp.visitor();
    await thief.signIn('member');
    const body = { request: place.request };
    expect((await thief.ok('getVisit', { query: body })).client).toBeNull();
    for (const name of ['continueInteraction', 'allowInteraction', 'denyInteraction'] as const)
      expect((await thief.call(name, { body })).errorFlag).toBe('REQUEST_OVER');
    // The address that the hosted login sent the victim to, without the victim's cookie.
    const first = await testApp.visitor().request((await garden.begin()).url.href);
    const address = new URL(first.headers.get('location') ?? '', testApp.url);
    expect(at(await go(thief, address))).toBe('/account/RequestOver');
    // Nor with a cookie of the right name and value that we have not signed.
    const cookie = `_interaction=${address.pathname.split('/').at(-1)}`;
    const forged = await thief.request(address.href, { headers: { cookie } });
    expect(forged.headers.get('location')).toBe('/account/RequestOver');
  });

  test(
    'nobody goes on without a right code, and a consent needs its own step',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      const place = await go(visitor, (await garden.begin()).url);
      const body = { request: place.request };
      expect((await visitor.call('continueInteraction', { body })).errorFlag).toBe('SIGN_IN_AGAIN');
      await visitor.reachCode('member@demo.porchlight.test');
      expect((await visitor.call('continueInteraction', { body })).errorFlag).toBe('SIGN_IN_AGAIN');
      const other = testApp.visitor();
      await other.signIn('member');
      const asked = await go(other, (await garden.begin({ prompt: 'select_account' })).url);
      const answer = await other.call('allowInteraction', { body: { request: asked.request } });
      expect(answer.errorFlag).toBe('REQUEST_OVER');
    },
  );

  test('two tabs with two clients are answered each for itself', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    const first = await garden.begin();
    const second = await house.begin();
    const [a, b] = [await go(visitor, first.url), await go(visitor, second.url)];
    await visitor.signIn('legal');
    const onward = async (request: string) =>
      go(visitor, (await visitor.ok('continueInteraction', { body: { request } })).url);
    const houseBack = await onward(b.request);
    expect((await house.redeem(second, houseBack.url)).claims()?.aud).toBe('house-app');
    const consent = await onward(a.request);
    expect(at(consent)).toBe('/account/Consent');
    const { url } = await visitor.ok('allowInteraction', { body: { request: consent.request } });
    const gardenBack = await go(visitor, url);
    expect((await garden.redeem(first, gardenBack.url)).claims()?.aud).toBe('garden-club');
  });

  test('an answered and an old request are over, and the page for it knows the client', async () => {
    const visitor = testApp.visitor();
    const place = await go(visitor, (await garden.begin()).url);
    const stepOf = async (request: string) =>
      (await visitor.ok('getVisit', { query: { request } })).client?.step;
    testApp.clock.advance(30 * 60);
    expect(await stepOf(place.request)).toBe('over');
    const again = await go(visitor, (await garden.begin()).url);
    const { url } = await visitor.ok('denyInteraction', { body: { request: again.request } });
    expect(tellsError(await go(visitor, url))).toBe('access_denied');
    expect(await stepOf(again.request)).toBe('over');
    expect(
      (await visitor.call('denyInteraction', { body: { request: again.request } })).errorFlag,
    ).toBe('REQUEST_OVER');
  });
});

describe('subtenants', () => {
  test('the request names one by id or name, else the client does; pages and mails follow', async () => {
    const cases = [
      [house, { organization: '900' }, 900],
      [house, { organization: 'harbor point care' }, 900],
      [house, { subtenantId: '3' }, 3],
      [await createRelyingParty(testApp.url, 'harbor'), {}, 900],
      [house, {}, null],
    ] as const;
    for (const [party, extra, expected] of cases) {
      const visitor = testApp.visitor();
      await go(visitor, (await party.begin(extra as Record<string, string>)).url);
      expect((await visitor.ok('getVisit', {})).subtenantId).toBe(expected);
    }
  });

  test('an unknown one is told to the client', async () => {
    const visitor = testApp.visitor();
    for (const organization of ['77', 'Nowhere', ' ', "' or 1=1"]) {
      const place = await go(visitor, (await house.begin({ organization })).url);
      expect([organization, tellsError(place)]).toEqual([organization, 'invalid_request']);
    }
  });

  test('[D21] nobody becomes a member by asking for it', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const own = await house.begin({ organization: '742' });
    const place = await go(visitor, own.url);
    expect((await house.redeem(own, place.url)).claims()?.org_id).toBe('742');
    const silent = await house.begin({ organization: '900', prompt: 'none' });
    expect(tellsError(await go(visitor, silent.url))).toBe('login_required');
    const asked = await go(visitor, (await house.begin({ organization: '900' })).url);
    expect(at(asked)).toBe('/account/AppSignIn');
    await visitor.signIn('member');
    const { url } = await visitor.ok('continueInteraction', { body: { request: asked.request } });
    expect(tellsError(await go(visitor, url))).toBe('access_denied');
  });
});

test('the portal itself asks nobody in another name: who has no session here just signs in', async () => {
  const query = new URLSearchParams({
    client_id: PORTAL_CLIENT_ID,
    response_type: 'code',
    redirect_uri: `${testApp.url}/account/Redirect`,
    scope: 'openid',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  });
  const place = await follow(testApp.visitor(), `/idp/authorize?${query.toString()}`, testApp.url);
  expect([place.url.pathname, place.request]).toEqual(['/account/signin', '']);
});

test(
  'a client of the house that asks for more in the same session is not held up by a question',
  { tags: 'long' },
  async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('partner');
    for (const scope of ['openid', 'openid profile email']) {
      const begun = await house.begin({ scope });
      const { isClient } = await follow(visitor, begun.url, testApp.url);
      expect([scope, isClient]).toEqual([scope, true]);
    }
  },
);

describe('[IDP-15] who has no account yet', () => {
  test.each([{ prompt: 'create' }, { screen_hint: 'signup' }])(
    '%j: begins at the sign-up, and comes back signed in',
    async (extra) => {
      const visitor = testApp.visitor();
      const emailAddress = `new-${Object.keys(extra).join('')}@example.test`;
      const begun = await house.begin(extra);
      const place = await go(visitor, begun.url);
      expect(at(place)).toBe('/Account/SignUp');
      await visitor.register({ emailAddress });
      await visitor.signIn(emailAddress, PASSWORD);
      const { url } = await visitor.ok('continueInteraction', { body: { request: place.request } });
      const answer = await go(visitor, url);
      const tokens = await house.redeem(begun, answer.url);
      expect(tokens.claims()).toMatchObject({ email: emailAddress });
    },
  );

  test('H23: a pushed request begins there as well', async () => {
    for (const extra of [{ prompt: 'create' }, { prompt: 'consent create' }]) {
      const begun = await house.push(extra);
      expect(begun.url.searchParams.has('request_uri')).toBe(true);
      expect(at(await go(testApp.visitor(), begun.url))).toBe('/Account/SignUp');
    }
    const alone = house.push({ prompt: 'none create' });
    await expect(alone).rejects.toMatchObject({ error: 'invalid_request' });
  });

  test('screen_hint=reset-password begins at the forgotten password, and others at the sign-in', async () => {
    for (const [hint, path] of [
      ['reset-password', '/account/ForgetPassword'],
      ['constructor', '/account/AppSignIn'],
    ]) {
      const place = await go(
        testApp.visitor(),
        (await house.begin({ screen_hint: hint ?? '' })).url,
      );
      expect([hint, at(place)]).toEqual([hint, path]);
      expect(place.request).not.toBe('');
    }
  });

  test('[IDP-34] a connection that is unknown is refused at the client', async () => {
    const known = { connection: 'Username-Password-Authentication' };
    expect(at(await go(testApp.visitor(), (await house.begin(known)).url))).toBe(
      '/account/AppSignIn',
    );
    const unknown = { connection: 'google-oauth2' };
    const { url, isClient } = await go(testApp.visitor(), (await house.begin(unknown)).url);
    expect(isClient).toBe(true);
    expect(url.searchParams.get('error')).toBe('invalid_request');
    expect(url.searchParams.get('error_description')).toContain('connection is unknown');
    await expect(house.push(unknown)).rejects.toMatchObject({ error: 'invalid_request' });
  });

  test(
    'with a session: "create" signs up somebody else, a mere hint does not',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      await visitor.signIn('member');
      const hinted = await go(visitor, (await house.begin({ screen_hint: 'signup' })).url);
      expect(hinted.isClient).toBe(true);
      const created = await go(visitor, (await house.begin({ prompt: 'create' })).url);
      expect(at(created)).toBe('/Account/SignUp');
    },
  );
});
