/** [IDP-10] H22: each query parameter of the Management API is obeyed, or refused with 400. */

import { beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, PASSWORD } from '../../testing/test-app.ts';
import { createWire, wireClients } from '../../testing/wire.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const people: { readonly email: string; readonly id: string }[] = [];
const testApp = closeAtEnd(
  await createTestApp((url) => ({ ...wireClients(url), limitFactor: 50 })),
);
const wire = createWire(testApp);
const machine = (await wire.machine()).access_token;
beforeAll(async () => {
  for (const email of ['first@query.test', 'second@query.test', 'third@query.test']) {
    testApp.clock.advance(1);
    const { userId } = await testApp.visitor().register({ emailAddress: email });
    people.push({ email, id: String(userId) });
  }
  // Three sessions of the first one.
  for (let n = 0; n < 3; n += 1) await testApp.visitor().signIn('first@query.test', PASSWORD);
  // Younger rows of the log are not read on from an entry (IDP-27).
  testApp.clock.advance(11);
});

type Row = Readonly<Record<string, unknown>>;
const get = async <T = readonly Row[]>(path: string, token = machine) => {
  const of = path.replace('ME', people[0]?.id ?? '');
  const { status, body } = await wire.manage(token, 'GET', of);
  return { status, body: body as never as T };
};

describe('refused', () => {
  test.each([
    ['users?unknown=1', 'unknown'],
    ['users?from=abc&take=1', 'from'],
    ['users?primary_order=true', 'primary_order'],
    ['users?page=-1', 'page'],
    ['users?page=1.5', 'page'],
    ['users?page=0&page=1', 'page'],
    ['users?per_page=101', 'per_page'],
    ['users?per_page=1000', 'per_page'],
    ['users?per_page=', 'per_page'],
    ['users?include_totals=yes', 'include_totals'],
    ['users?include_fields=no', 'include_fields'],
    ['users?fields=', 'fields'],
    ['users?fields=email,,name', 'fields'],
    ['users?sort=email:1', 'sort'],
    ['users?sort=created_at', 'sort'],
    ['users?connection=other', 'connection'],
    ['users?search_engine=v2', 'search_engine'],
    ['users?q=name:x', 'q'],
    ['users?q=email:*@example.test', 'q'],
    ['users-by-email', 'email'],
    ['users-by-email?email=', 'email'],
    ['users-by-email?email=a%00@b.test', 'email'],
    ['users?q=email:a%00@b.test', 'q'],
    ['users-by-email?email=a@b.test&page=0', 'page'],
    ['users/ME?page=0', 'page'],
    ['users/ME/logs?per_page=1000', 'per_page'],
    ['users/ME/logs?sort=date:1', 'sort'],
    ['users/ME/logs?fields=type', 'fields'],
    ['users/ME/sessions?take=0', 'take'],
    ['users/ME/sessions?take=101', 'take'],
    ['users/ME/sessions?from=abc', 'from'],
    ['users/ME/sessions?page=0', 'page'],
    ['logs?q=type:s', 'q'],
    ['logs?search=x', 'search'],
    ['logs?take=5', 'take'],
    ['logs?from=abc', 'from'],
    ['logs?from=1&page=0', 'page'],
    ['logs?from=1&sort=date:-1', 'sort'],
    ['logs?sort=date:1', 'sort'],
    ['logs?per_page=1000', 'per_page'],
    ['logs/1?fields=type', 'fields'],
    ['sessions/none?fields=id', 'fields'],
  ])('%s names %s', async (path, name) => {
    expect(await get(path)).toEqual({
      status: 400,
      body: {
        statusCode: 400,
        error: 'Bad Request',
        errorCode: 'invalid_query_string',
        message: `Query validation error: ${name}`,
      },
    });
  });
});

describe('obeyed', () => {
  test('fields and include_fields, of lists and of one', async () => {
    for (const path of ['users?', 'users-by-email?email=first@query.test&']) {
      const only = (await get(`${path}fields=email,user_id`)).body;
      expect(only.length).toBeGreaterThan(0);
      for (const row of only) expect(Object.keys(row).toSorted()).toEqual(['email', 'user_id']);
      const rest = (await get(`${path}fields=email,identities&include_fields=false`)).body;
      for (const row of rest) {
        expect(row).not.toHaveProperty('email');
        expect(row).not.toHaveProperty('identities');
        expect(row).toHaveProperty('user_id');
      }
    }
    expect((await get('users/ME?fields=email')).body).toEqual({ email: 'first@query.test' });
    const logs = (await get('logs?fields=type&per_page=2')).body;
    expect(logs.map(Object.keys)).toEqual([['type'], ['type']]);
    const later = (await get('logs?from=1&take=1&fields=log_id')).body;
    expect(later.map(Object.keys)).toEqual([['log_id']]);
  });

  test(
    'a field that a person may not read does not come by its name',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      await visitor.signIn('second@query.test', PASSWORD);
      const asked = { audience: `${wire.issuer}api/v2/`, scope: 'openid read:current_user' };
      const { access_token: token } = await wire.tokens(visitor, asked);
      const path = `users/${people[1]?.id}?fields=app_metadata,email`;
      expect((await get(path, token)).body).toEqual({ email: 'second@query.test' });
    },
  );

  test('sort, in both directions, by pages', async () => {
    const idsOf = async (query: string) =>
      (await get(`users?${query}`)).body.map((row) => String(row.user_id));
    const up = await idsOf('sort=created_at:1');
    expect(up).toEqual(await idsOf(''));
    const own = people.map(({ id }) => id);
    expect(up.slice(-3)).toEqual(own);
    expect(await idsOf('sort=created_at:-1&per_page=2')).toEqual([own[2], own[1]]);
    expect((await idsOf('sort=created_at:-1&per_page=2&page=1'))[0]).toBe(own[0]);
  });

  test('connection, search_engine and what the Node SDK sends by itself', async () => {
    const connection = 'Username-Password-Authentication';
    const path = `users?page=0&per_page=50&include_totals=true&connection=${connection}&search_engine=v3&q=email:"third@query.test"`;
    const { body } = await get<{ users: Row[] }>(path);
    expect(body).toMatchObject({ start: 0, limit: 50, length: 1, total: 1 });
    expect((await get('users?q=')).body.length).toBeGreaterThan(3);
    expect((await get('logs?page=0&per_page=50&include_totals=true')).status).toBe(200);
  });

  test('per_page=0 counts and lists nothing', async () => {
    for (const [path, list] of [
      ['users', 'users'],
      ['logs', 'logs'],
      ['users/ME/logs', 'logs'],
    ] as const) {
      const { body } = await get<Row>(`${path}?per_page=0&include_totals=true`);
      expect(body).toMatchObject({ limit: 0, length: 0, [list]: [] });
      expect(Number(body.total)).toBeGreaterThan(2);
    }
  });

  test('take and from list every session once, also when one ends in between', async () => {
    type Sessions = {
      readonly sessions: readonly { readonly id: string }[];
      readonly next?: string;
    };
    const read = async (query: string) =>
      (await get<Sessions>(`users/ME/sessions?include_totals=true&${query}`)).body;
    const all = await read('take=50');
    expect(all.sessions).toHaveLength(3);
    expect(all).not.toHaveProperty('next');
    const first = await read('take=1');
    expect(first.sessions).toEqual(all.sessions.slice(0, 1));
    await wire.manage(machine, 'DELETE', `sessions/${first.sessions[0]?.id}`);
    const rest = await read(`take=2&from=${first.next}`);
    expect(rest.sessions).toEqual(all.sessions.slice(1));
    expect(rest).not.toHaveProperty('next');
  });
});
