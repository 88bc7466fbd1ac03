/** [R27] [R45] One-time values, raced for by two processes on one PostgreSQL (decision 029). */

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { honestToken, makeKey, publicPart } from '../../testing/forged-tokens.ts';
import { startInstances } from '../../testing/instances.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { Visitor } from '../../testing/visitor.ts';
import { createWire, SPA, SPA_ORIGIN, type Tokens } from '../../testing/wire.ts';

const MANY = 40;
const KEYED = 'keyed-app';

function clientsFile(): string {
  const page = {
    redirectUris: [`${SPA_ORIGIN}/callback`],
    webOrigins: [SPA_ORIGIN],
    firstParty: true,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    grants: ['authorization_code', 'refresh_token'],
  };
  const auth = { method: 'private_key_jwt', jwks: { keys: [publicPart(key, 'ES256')] } };
  const path = join(dir, 'clients.json');
  writeFileSync(
    path,
    JSON.stringify([
      { id: SPA, name: 'Page', ...page },
      { id: KEYED, name: 'Keyed', ...page, auth },
    ]),
  );
  return path;
}

const dir = mkdtempSync(join(tmpdir(), 'porchlight-refresh-'));
const database = await openTestDatabase();
const key = await makeKey('ES256', 'k1');
const instances = await startInstances({
  PORCHLIGHT_CLIENTS_FILE: clientsFile(),
  DATABASE_URL: database.url ?? '',
});
const wire = createWire(instances.balancer);
afterAll(async () => {
  await instances.close();
  await database.close();
  rmSync(dir, { recursive: true, force: true });
});

async function signedIn(who: string): Promise<Visitor> {
  const visitor = instances.visitor();
  await visitor.signIn(who);
  return visitor;
}

/** At one process after the other, whatever the balancer would do. */
const at = (turn: number) =>
  `http://127.0.0.1:${instances.ports[turn % instances.ports.length]}/idp/`;

async function refresh(token: string | undefined, turn: number): Promise<Tokens> {
  const body = { grant_type: 'refresh_token', client_id: SPA, refresh_token: token };
  const response = await fetch(`${at(turn)}oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: SPA_ORIGIN },
    body: JSON.stringify(body),
  });
  return { ...((await response.json()) as Tokens), status: response.status };
}

const atOnce = <T>(count: number, one: (turn: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, turn) => one(turn)));

/** Moves the moment at which tokens were used into the past, by the database's clock. */
const age = (seconds: number) =>
  sql`UPDATE hosted_payloads SET consumed_at = consumed_at - make_interval(secs => ${seconds})
    WHERE model = 'RefreshToken' AND consumed_at IS NOT NULL`.execute(database.db);

/** Whatever of a family still opens something somewhere. */
async function opens(members: readonly Tokens[]): Promise<readonly string[]> {
  const open: string[] = [];
  for (const { access_token: access, refresh_token: token } of members) {
    for (const turn of instances.ports.keys()) {
      if (token && (await refresh(token, turn)).status === 200) open.push(`refresh at ${turn}`);
      if (!access) continue;
      const headers = { authorization: `Bearer ${access}` };
      if ((await fetch(`${at(turn)}userinfo`, { headers })).ok) open.push(`userinfo at ${turn}`);
    }
  }
  return open;
}

const distinct = (answers: readonly Tokens[]) =>
  new Set(answers.map((answer) => answer.refresh_token));

describe('one refresh token, many uses at once', () => {
  test('one successor, whoever made it; it works at both', async () => {
    const tokens = await wire.tokens(await signedIn('member'));
    const answers = await atOnce(MANY, (turn) => refresh(tokens.refresh_token, turn));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const [successor] = distinct(answers);
    expect(distinct(answers).size).toBe(1);
    const again = await atOnce(MANY, (turn) => refresh(successor, turn));
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
    expect(distinct(again).size).toBe(1);
    const rows = await database.db
      .selectFrom('hosted_payloads')
      .select('consumed_at')
      .where('model', '=', 'RefreshToken')
      .execute();
    // The first, its successor, and that one's: only the last is unused.
    expect(rows.filter((row) => row.consumed_at === null)).toHaveLength(1);
    expect(rows).toHaveLength(3);
  });

  test('an old one that comes back after the grace ends the family everywhere, while it is in use', async () => {
    const first = await wire.tokens(await signedIn('top'));
    const second = await refresh(first.refresh_token, 0);
    await age(4);
    const answers = await atOnce(MANY, (turn) =>
      refresh(turn % 4 < 2 ? first.refresh_token : second.refresh_token, turn),
    );
    const given = answers.filter(({ status }) => status === 200);
    expect(answers.some(({ status }) => status === 400)).toBe(true);
    expect(await opens([first, second, ...given])).toEqual([]);
  });

  test('the second use after the grace is found out at the other process as well', async () => {
    const first = await wire.tokens(await signedIn('admin'));
    const second = await refresh(first.refresh_token, 0);
    await age(4);
    expect((await refresh(first.refresh_token, 1)).status).toBe(400);
    expect(await opens([first, second])).toEqual([]);
  });
});

describe('an end in the middle', () => {
  const ends: readonly (readonly [string, string, (visitor: Visitor) => Promise<unknown>])[] = [
    [
      'sign-out',
      'counter',
      (visitor) =>
        visitor.ok('logOut', {
          params: { userId: '1', appState: 'a', loggedInId: 'b', roleId: '1' },
        }),
    ],
    [
      'revocation',
      'agent',
      async (visitor) => {
        const { refresh_token: token } = await wire.tokens(visitor);
        await wire.post('oauth/revoke', { client_id: SPA, token });
      },
    ],
  ];
  test.each(ends)('%s leaves nothing that was given meanwhile', async (_name, who, end) => {
    const visitor = await signedIn(who);
    const tokens = await wire.tokens(visitor);
    const given: Tokens[] = [tokens];
    let isOver = false;
    const people = atOnce(8, async (turn) => {
      for (let token = tokens.refresh_token; token && !isOver;) {
        const answer = await refresh(token, turn);
        if (answer.status === 200) given.push(answer);
        token = answer.refresh_token;
      }
    });
    await atOnce(3, (turn) => refresh(tokens.refresh_token, turn));
    await end(visitor);
    isOver = true;
    await people;
    expect(given.length).toBeGreaterThan(1);
    expect(await opens(given)).toEqual([]);
  });
});

test('[R26] one code, many uses at once: one gets tokens at most, and then they are ended', async () => {
  const visitor = await signedIn('partner');
  const { answer, verifier } = await wire.silently(visitor);
  const form = {
    grant_type: 'authorization_code',
    client_id: SPA,
    code: answer.code ?? '',
    code_verifier: verifier,
    redirect_uri: `${SPA_ORIGIN}/callback`,
  };
  const answers = await atOnce(MANY, async (turn) => {
    const body = new URLSearchParams(form);
    const response = await fetch(`${at(turn)}oauth/token`, { method: 'POST', body });
    return { ...((await response.json()) as Tokens), status: response.status };
  });
  const given = answers.filter(({ status }) => status === 200);
  expect(given.length).toBeLessThanOrEqual(1);
  const late = await fetch(`${at(1)}oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  expect(late.status).toBe(400);
  expect(await opens(given)).toEqual([]);
});

test('one client assertion, many uses at once: it proves its client to one of them', async () => {
  const now = Math.floor(Date.now() / 1000);
  const assertion = honestToken({
    alg: 'ES256',
    typ: 'JWT',
    key,
    retired: key,
    now,
    leeway: 0,
    otherTypes: [],
    claims: {
      iss: KEYED,
      sub: KEYED,
      aud: wire.issuer,
      iat: now,
      exp: now + 60,
      jti: randomUUID(),
    },
  });
  const statuses = await atOnce(MANY, async (turn) => {
    const response = await fetch(`${at(turn)}oauth/introspect`, {
      method: 'POST',
      body: new URLSearchParams({
        token: 'made-up',
        client_assertion: assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      }),
    });
    return response.status;
  });
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(new Set(statuses)).toEqual(new Set([200, 401]));
});
