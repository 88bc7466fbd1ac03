/** [R30] [T13] Wherever a token is read, none of the forgeries is taken, and the honest one beside them is. */

import type { KeyUse } from '../../db/schema.ts';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HANDOFF_TOKEN_TYPE } from '#domain/hand-off/hand-off.ts';
import { createSecretBox } from '../../crypto/secret-box.ts';
import { operate } from '../operate.ts';
import { HURRY_MS } from '../../crypto/rotation-schedule.ts';
import { createCodeExchange } from '../../sign-in/code-exchange.ts';
import { createTestApp, type Visitor, type TestApp } from '../test-app.ts';
import {
  forge,
  type Honest,
  honestToken,
  type Key,
  makeKey,
  publicPart,
  taken,
} from '../forged-tokens.ts';

const LEEWAY_SECONDS = 60;
const seconds = (date = new Date()) => Math.floor(date.getTime() / 1000);

describe.each([
  ['the embedded provider, ES256', 'ES256', false],
  ['the embedded provider, RS256', 'RS256', false],
  ['a tenant', 'RS256', true],
] as const)('the ID token of a code: %s', (_provider, alg, isTenant) => {
  const expected = { state: 's1', nonce: 'n1', codeVerifier: 'v'.repeat(43) };
  let issuer: string;
  let honest: Honest;
  let idToken: string | undefined;
  let stop: () => void;

  beforeAll(async () => {
    const [key, retired] = [await makeKey(alg, 'k2'), await makeKey(alg, 'k1')];
    const server = createServer((req, res) => {
      res.setHeader('content-type', 'application/json');
      const answers: Record<string, unknown> = {
        [isTenant ? '/oauth/token' : '/token']: {
          access_token: 'at',
          token_type: 'bearer',
          id_token: idToken,
        },
        [isTenant ? '/.well-known/jwks.json' : '/jwks']: { keys: [publicPart(key, alg)] },
        '/.well-known/openid-configuration': {
          issuer,
          authorization_endpoint: `${issuer}authorize`,
          token_endpoint: `${issuer}token`,
          jwks_uri: `${issuer}jwks`,
          id_token_signing_alg_values_supported: ['ES256', 'RS256', 'HS256', 'none'],
        },
      };
      res.end(JSON.stringify(answers[req.url ?? ''] ?? {}));
    }).listen(0);
    const { port } = server.address() as { port: number };
    issuer = `http://localhost:${port}/`;
    stop = () => server.close();
    const now = seconds();
    honest = {
      alg,
      typ: 'JWT',
      key,
      retired,
      now,
      leeway: LEEWAY_SECONDS,
      otherTypes: ['at+jwt', 'logout+jwt', HANDOFF_TOKEN_TYPE, 'application/at+jwt'],
      claims: {
        iss: issuer,
        aud: 'portal',
        sub: '7',
        nonce: 'n1',
        org_id: '742',
        amr: ['pwd', 'otp'],
        auth_time: now,
        iat: now,
        exp: now + 300,
      },
      changed: {
        'another nonce': { nonce: 'n2' },
        'no nonce': { nonce: undefined },
        'another subtenant': { org_id: '3' },
        'no subtenant': { org_id: undefined },
        'a subtenant as a number': { org_id: 742 },
        'for us and another party': { aud: ['portal', 'other'] },
        'handed to another party': { aud: ['portal', 'other'], azp: 'other' },
        'an access token: a hash of nothing here': { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' },
        'a logout token without its type': {
          events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        },
      },
    };
  });
  afterAll(() => stop());

  async function exchange(token: string | undefined) {
    idToken = token;
    const options = {
      issuer,
      ...(isTenant && { tenantBase: issuer, maxAgeSeconds: 12 * 3600 }),
      clientId: 'portal',
      redirectUri: 'http://localhost/account/Redirect',
      organization: '742',
      timeoutMs: 5000,
    };
    return createCodeExchange(options).exchange({ code: 'c1', state: 's1', expected });
  }

  test('[API-05] every forgery is refused, the honest one is not', async () => {
    expect(await exchange(honestToken(honest))).toMatchObject({ kind: 'ok' });
    const isTaken = async (token: string) => (await exchange(token)).kind === 'ok';
    expect(await taken(await forge(honest), isTaken)).toEqual([]);
    expect((await exchange(undefined)).kind).toBe('refused');
  });

  test.each([
    ['over for', 'exp', -1],
    ['not yet valid for', 'nbf', 1],
    ['made in the future by', 'iat', 1],
  ])('[API-05] the leeway, %s: 58 seconds are taken, 62 are not', async (_name, claim, sign) => {
    const at = (by: number) => honestToken(honest, { [claim]: seconds() + sign * by });
    // One of 60, for a second or two may begin between making and reading.
    expect(await exchange(at(58))).toMatchObject({ kind: 'ok' });
    expect(await exchange(at(62))).toMatchObject({ kind: 'refused' });
  });
});

describe('on a running server', () => {
  let testApp: TestApp;
  let visitor: Visitor;
  const retired = new Map<KeyUse, Key>();
  const keyOf = (use: KeyUse) => testApp.app.keys.current(use)[0]?.jwk as Key;

  beforeAll(async () => {
    testApp = await createTestApp({ limitFactor: 50 });
    const { db, clock, config } = testApp;
    const secretBox = createSecretBox(config.secret);
    const deps = { db, clock, config, audit: async () => {}, secretBox };
    for (const use of ['es256', 'rs256', 'handoff'] as const) retired.set(use, keyOf(use));
    await operate(deps, 'keys', 'rotate', '--now');
    clock.advance(HURRY_MS / 1000);
    for (const { kid } of retired.values()) await operate(deps, 'keys', 'retire', kid);
    await testApp.app.keys.refresh();
    visitor = testApp.visitor();
    await visitor.signIn('member');
  });
  afterAll(() => testApp.close());

  async function handOff() {
    const { data } = await visitor.call('issueHandoff', {
      body: { choice: null, entrance: 'portal' },
    });
    const url = new URL(data?.url ?? '');
    const token = Buffer.from(url.searchParams.get('token') ?? '', 'base64').toString('utf8');
    const [, body = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Honest['claims'];
    const honest: Honest = {
      alg: 'ES256',
      typ: HANDOFF_TOKEN_TYPE,
      key: keyOf('handoff'),
      retired: retired.get('handoff') as Key,
      claims,
      now: seconds(testApp.clock.now()),
      leeway: 0,
      otherTypes: ['JWT', 'at+jwt', 'logout+jwt', ''],
      changed: {
        'an ID token': { iss: `${testApp.url}/idp/`, aud: 'porchlight-portal' },
        'for another module': { aud: 'admin' },
        'no id of its own': { jti: undefined },
      },
    };
    return { url, token, honest };
  }

  const basic = () => {
    const secret = createSecretBox(testApp.config.secret).hmac('demo-module', 'member-intake');
    return `Basic ${Buffer.from(`member-intake:${secret}`).toString('base64')}`;
  };
  const redeem = (token: string) =>
    testApp
      .visitor()
      .call(
        'redeemHandoff',
        { body: { token } },
        { authorization: basic(), origin: '', 'sec-fetch-site': '' },
      );

  test('[RED-12] a hand-off at the portal', async () => {
    const { token, honest } = await handOff();
    // A conflict would mean that it was taken for a second time.
    const isTaken = async (forged: string) => (await redeem(forged)).status !== 401;
    expect(await taken(await forge(honest), isTaken)).toEqual([]);
    expect((await redeem(token)).status).toBe(200);
  });

  test('[RED-12] a hand-off at a module', async () => {
    const { url, honest } = await handOff();
    const isTaken = async (forged: string) => {
      const link = new URL(url);
      link.searchParams.set('token', Buffer.from(forged).toString('base64'));
      const answer = await testApp.visitor().request(link.href);
      // What the portal refuses at redeeming was taken by the module's own eyes.
      const isLate = /used before|the portal answered/.test(await answer.text());
      return answer.status !== 403 || isLate;
    };
    const rows = (await forge(honest)).filter(({ token }) => token !== '');
    expect(await taken(rows, isTaken)).toEqual([]);
    const claims = ['appState', 'userId', 'roleId', 'loggenInId', 'amr', 'sub'];
    for (const claim of claims) {
      const changed = honestToken(honest, { [claim]: ['pwd'] });
      expect([claim, await isTaken(changed)]).toEqual([claim, false]);
    }
    expect((await testApp.visitor().request(url.href)).status).toBe(303);
  });

  function idToken(): Honest {
    const now = seconds();
    return {
      alg: 'ES256',
      typ: undefined,
      key: keyOf('es256'),
      retired: retired.get('es256') as Key,
      now,
      leeway: LEEWAY_SECONDS,
      otherTypes: ['at+jwt', 'logout+jwt', HANDOFF_TOKEN_TYPE],
      claims: {
        iss: `${testApp.url}/idp/`,
        aud: 'porchlight-portal',
        sub: '7',
        iat: now,
        exp: now + 300,
      },
    };
  }

  test('[API-05] an ID token as a hint at sign-out', async () => {
    const honest = idToken();
    const isTaken = async (hint: string) => {
      const query = new URLSearchParams({
        id_token_hint: hint,
        post_logout_redirect_uri: `${testApp.url}/account/Signout`,
      });
      return (await visitor.request(`/idp/oidc/logout?${String(query)}`)).status < 400;
    };
    // A hint may be over (OpenID Connect RP-Initiated Logout 1.0, section 2), and without one nothing is claimed.
    const allowed = ['expired', 'expired long ago', 'empty'];
    const rows = (await forge(honest)).filter(({ name }) => !allowed.includes(name));
    expect(await taken(rows, isTaken)).toEqual([]);
    expect(await isTaken(honestToken(honest))).toBe(true);
  });

  test('an access token at userinfo', async () => {
    const honest = idToken();
    const isTaken = async (token: string) => {
      const response = await fetch(`${testApp.url}/idp/userinfo`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return response.status < 400;
    };
    expect(await taken(await forge(honest), isTaken)).toEqual([]);
    // Neither an ID token nor a hand-off is an access token, however honest.
    expect(await isTaken(honestToken(honest))).toBe(false);
    expect(await isTaken((await handOff()).token)).toBe(false);
  });
});
