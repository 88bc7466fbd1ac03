/** [R30] [R25] Tokens of an API, and ID tokens, where calls read them: none of the forgeries is taken. */

import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSecretBox } from '../../crypto/secret-box.ts';
import { operate } from '../operate.ts';
import { HURRY_MS } from '../../crypto/rotation-schedule.ts';
import { forge, type Honest, honestToken, type Key, taken } from '../forged-tokens.ts';
import { API, createWire, PLAIN, type Tokens, wireClients } from '../wire.ts';
import { createTestApp, type Visitor } from '../test-app.ts';
import { closeAtEnd } from '../close-at-end.ts';

/** For what was made in the future; nothing lives longer than it says. */
const LEEWAY_SECONDS = 60;
const seconds = () => Math.floor(Date.now() / 1000);

let visitor: Visitor;
const retired = new Map<'es256' | 'rs256', Key>();
const keyOf = (use: 'es256' | 'rs256') => testApp.app.keys.current(use)[0]?.jwk as Key;

const testApp = closeAtEnd(
  await createTestApp((url) => ({ ...wireClients(url), limitFactor: 50 })),
);
const wire = createWire(testApp);
beforeAll(async () => {
  const { db, clock, config } = testApp;
  const secretBox = createSecretBox(config.secret);
  const deps = { db, clock, config, audit: async () => {}, secretBox };
  for (const use of ['es256', 'rs256'] as const) retired.set(use, keyOf(use));
  await operate(deps, 'keys', 'rotate', '--now');
  clock.advance(HURRY_MS / 1000);
  for (const { kid } of retired.values()) await operate(deps, 'keys', 'retire', kid);
  await testApp.app.keys.refresh();
  visitor = testApp.visitor();
  await visitor.signIn('member');
});

/** The parts of an access token that the server has just made, so that all of them can be changed one by one. */
function accessToken({ access_token: token }: Tokens): Honest {
  const claims = decodeJwt(token);
  return {
    alg: 'RS256',
    typ: 'at+jwt',
    key: keyOf('rs256'),
    retired: retired.get('rs256') as Key,
    claims,
    now: seconds(),
    leeway: 0,
    otherTypes: ['JWT', 'logout+jwt', 'hand-off+jwt', 'application/at+jwt', 'AT+JWT', ''],
    changed: {
      'made in the future': { iat: seconds() + LEEWAY_SECONDS + 30 },
      'for the API alone': { aud: API },
      'for another userinfo': { aud: [API, 'https://other.example/idp/userinfo'] },
      'of another person': { sub: '4000000002' },
      'a person as a number': { sub: Number(claims.sub) },
      'of another client': { client_id: PLAIN },
      'of no client': { client_id: undefined },
      'of a client that is not here': { client_id: 'nobody' },
      'of no grant': { grant: undefined },
      'of a grant that is not here': { grant: 'made-up' },
      'no scope': { scope: undefined },
      'a list of scopes': { scope: ['openid', 'email'] },
      'without openid': { scope: 'email read:messages' },
    },
  };
}

const fromApi = () => wire.tokens(visitor, { audience: API, scope: 'openid email read:messages' });

test('[R25] an access token of an API at userinfo', async () => {
  const ask = async (token: string) =>
    (await fetch(`${wire.issuer}userinfo`, { headers: { authorization: `Bearer ${token}` } }))
      .status;
  const tokens = await fromApi();
  const honest = accessToken(tokens);
  expect([await ask(tokens.access_token), await ask(honestToken(honest))]).toEqual([200, 200]);
  const isTaken = async (token: string) => (await ask(token)) < 400;
  expect(await taken(await forge(honest), isTaken)).toEqual([]);
});

describe('[API-06] at the management calls', () => {
  const PERSON = '4000000001';
  const isTaken = async (token: string) => {
    const calls = [
      ['GET', `users/${PERSON}`],
      ['PATCH', `users/${PERSON}`, { user_metadata: { a: 'b' } }],
      ['GET', 'users'],
      ['POST', 'users', { connection: 'Username-Password-Authentication' }],
      ['POST', `users/${PERSON}/identities`, { link_with: 'x' }],
      ['DELETE', `users/${PERSON}/identities/auth0/4000000002`],
    ] as const;
    for (const [method, path, body] of calls) {
      if ((await wire.manage(token, method, path, body)).status !== 401) return true;
    }
    return false;
  };

  test('no signed token is taken, however honest: only what is looked up', async () => {
    const { access_token: own } = await wire.tokens(visitor, {
      audience: `${wire.issuer}api/v2/`,
      scope: 'openid read:current_user',
    });
    expect(await isTaken(own)).toBe(true);
    const tokens = await fromApi();
    const honest = accessToken(tokens);
    const here = { aud: `${wire.issuer}api/v2/`, scope: 'read:current_user read:users' };
    const rows = await forge({ ...honest, claims: { ...honest.claims, ...here } });
    expect(await taken(rows, isTaken)).toEqual([]);
    for (const token of [tokens.access_token, tokens.id_token ?? '', honestToken(honest, here)]) {
      expect(await isTaken(token)).toBe(false);
    }
  });

  test('a looked-up token that was altered, or is a name of something else in the database', async () => {
    const { access_token: own } = await wire.tokens(visitor, {
      audience: `${wire.issuer}api/v2/`,
      scope: 'openid read:current_user',
    });
    const rows = await testApp.db
      .selectFrom('hosted_payloads')
      .select(['id', 'grant_id', 'uid'])
      .execute();
    const names = rows.flatMap(({ id, grant_id: grant, uid }) => [id, grant ?? '', uid ?? '']);
    const altered = [own.slice(0, -1), `${own}A`, own.toUpperCase(), `${own}==`, ` ${own}.`];
    for (const token of [...altered, ...new Set(names.filter(Boolean))]) {
      expect([token, await isTaken(token)]).toEqual([token, false]);
    }
  });

  test('[D28] an ID token as the proof of another account', async () => {
    const other = testApp.visitor();
    await other.signIn('top');
    const { id_token: idToken = '' } = await wire.tokens(other, { scope: 'openid' });
    const claims = decodeJwt(idToken);
    const { access_token: own } = await wire.tokens(visitor, {
      audience: `${wire.issuer}api/v2/`,
      scope: 'openid update:current_user_identities',
    });
    const honest: Honest = {
      alg: 'ES256',
      typ: undefined,
      key: keyOf('es256'),
      retired: retired.get('es256') as Key,
      claims,
      now: seconds(),
      leeway: 0,
      otherTypes: ['at+jwt', 'logout+jwt', 'hand-off+jwt'],
      changed: {
        'made in the future': { iat: seconds() + LEEWAY_SECONDS + 30 },
        'for another client': { aud: PLAIN },
        'for us and another party': { aud: [String(claims.aud), 'other'] },
        'the own account': { sub: PERSON },
        'without the code': { amr: ['pwd'] },
        'no factors': { amr: undefined },
        'factors in one word': { amr: 'otp' },
        'signed in long ago': { auth_time: seconds() - 601 },
        'signed in at no time': { auth_time: undefined },
        'signed in by a word': { auth_time: String(seconds()) },
      },
    };
    const link = async (token: string) => {
      const path = `users/${PERSON}/identities`;
      return (await wire.manage(own, 'POST', path, { link_with: token })).status;
    };
    const isLinked = async (token: string) => (await link(token)) !== 400;
    expect(await taken(await forge(honest), isLinked)).toEqual([]);
    expect(await link(honestToken(honest))).toBe(201);
  });
});
