import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoEmail } from '../../demo/seed.ts';
import { API, createWire, MACHINE, PLAIN, type Wire, wireClients } from '../../testing/wire.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';

let testApp: TestApp;
let wire: Wire;
let machine: string;
beforeAll(async () => {
  testApp = await createTestApp(wireClients);
  wire = createWire(testApp);
  machine = (await wire.machine()).access_token;
});
afterAll(() => testApp.close());

const OWN = 'Morning-Walk-5';
const NEW = 'Evening-Light-8';
let count = 0;
const newEmail = () => `managed-${(count += 1)}@example.test`;

async function create(extra: object = {}) {
  const email = newEmail();
  const answer = await wire.manage(machine, 'POST', 'users', {
    connection: 'Username-Password-Authentication',
    email,
    password: OWN,
    email_verified: true,
    given_name: 'Ada',
    family_name: 'Winslow',
    phone_number: '+15550142290',
    ...extra,
  });
  return { ...answer, email, id: String(answer.body.user_id) };
}

/** A person with a token for the management API, as a single-page application gets it. */
async function person(scope = 'openid read:current_user update:current_user_metadata') {
  const { id, email } = await create();
  const visitor = testApp.visitor();
  await visitor.signIn(email, OWN);
  const tokens = await wire.tokens(visitor, { audience: `${wire.issuer}api/v2/`, scope });
  return { id, email, visitor, tokens, token: tokens.access_token };
}

const audited = async (userId: string) =>
  (
    await testApp.db
      .selectFrom('audit_events')
      .selectAll()
      .where('user_id', '=', Number(userId))
      .orderBy('id')
      .execute()
  ).map(({ kind, details }) => ({ kind, ...details }));

describe('machine clients', () => {
  test('[API-06] a configured machine gets a token for ten minutes, with the scopes it was given', async () => {
    expect(await wire.machine()).toMatchObject({
      status: 200,
      token_type: 'Bearer',
      expires_in: 600,
      scope:
        'read:users create:users update:users delete:users read:logs read:sessions delete:sessions',
    });
    expect((await wire.machine({ scope: 'read:users delete:clients' })).scope).toBe('read:users');
  });

  test('no token without the secret, without an audience, for an API it may not use, or for another client', async () => {
    expect(await wire.machine({ client_secret: 'wrong' })).toMatchObject({
      status: 401,
      error: 'invalid_client',
    });
    expect(await wire.machine({ client_secret: undefined })).toMatchObject({ status: 401 });
    expect(await wire.machine({ audience: undefined })).toMatchObject({ error: 'invalid_target' });
    expect(await wire.machine({ audience: 'orders service' })).toMatchObject({
      error: 'access_denied',
      error_description: 'Client is not authorized to access "orders service".',
    });
    expect(await wire.machine({ audience: 'https://nobody.example/' })).toMatchObject({
      error: 'invalid_target',
      error_description: 'Service not found: https://nobody.example/',
    });
    const plain = { client_id: PLAIN, client_secret: undefined };
    // Auth0's status for a grant that a client was not given.
    expect(await wire.machine(plain)).toMatchObject({
      status: 403,
      error: 'unauthorized_client',
    });
  });

  test('the hash of the secret is not the secret', async () => {
    const { hashOf, MACHINE_SECRET } = await import('../../testing/wire.ts');
    expect((await wire.machine({ client_secret: hashOf(MACHINE_SECRET) })).status).toBe(401);
  });

  test('Basic authentication works as well', async () => {
    const { MACHINE_SECRET } = await import('../../testing/wire.ts');
    const response = await fetch(`${wire.issuer}oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${MACHINE}:${encodeURIComponent(MACHINE_SECRET)}`)}`,
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        audience: `${wire.issuer}api/v2/`,
      }),
    });
    expect(response.status).toBe(200);
  });
});

describe('[API-06] users, for a machine', () => {
  test('[D7] a row that stands in for an account (enumeration strict) is nobody', async () => {
    const { id, email } = await create();
    const all = 'users?include_totals=true&per_page=100';
    const before = (await wire.manage(machine, 'GET', all)).body;
    const own = testApp.db.selectFrom('users').selectAll().where('id', '=', Number(id));
    const shadow = {
      ...(await own.executeTakeFirstOrThrow()),
      id: 7,
      email_canonical: `shadow:${id}`,
      shadow_of: Number(id),
      user_metadata: '{}',
      app_metadata: '{}',
    };
    await testApp.db.insertInto('users').values(shadow).execute();
    expect((await wire.manage(machine, 'GET', all)).body.total).toBe(before.total);
    expect((await wire.manage(machine, 'GET', 'users/7')).status).toBe(404);
    const byEmail = await wire.manage(machine, 'GET', `users-by-email?email=${email}`);
    expect(byEmail.body).toHaveLength(1);
  });

  test('create, read, find, change', async () => {
    const { status, body, id, email } = await create({ user_metadata: { theme: 'dark' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      user_id: id,
      email,
      email_verified: true,
      name: 'Ada Winslow',
      phone_number: '+15550142290',
      user_metadata: { theme: 'dark' },
      identities: [{ provider: 'auth0', user_id: id, isSocial: false }],
    });
    expect(JSON.stringify(body)).not.toContain('password');
    expect((await wire.manage(machine, 'GET', `users/${id}`)).body).toEqual(body);
    const byEmail = await wire.manage(
      machine,
      'GET',
      `users-by-email?email=${email.toUpperCase()}`,
    );
    expect(byEmail.body).toEqual([body]);
    const query = new URLSearchParams({ q: `email:"${email}"`, include_totals: 'true' });
    const found = await wire.manage(machine, 'GET', `users?${query.toString()}`);
    expect(found.body).toMatchObject({ total: 1, start: 0, length: 1, users: [body] });
    const changed = await wire.manage(machine, 'PATCH', `users/${id}`, {
      given_name: 'Grace',
      user_metadata: { theme: null, size: 'large' },
      app_metadata: { plan: 'gold' },
    });
    expect(changed.body).toMatchObject({
      name: 'Grace Winslow',
      user_metadata: { size: 'large' },
      app_metadata: { plan: 'gold' },
    });
    expect(changed.body.user_metadata).not.toHaveProperty('theme');
    expect(await audited(id)).toEqual([
      { kind: 'account.createdByClient', clientId: MACHINE },
      {
        kind: 'account.changedByClient',
        clientId: MACHINE,
        own: false,
        changed: ['givenName', 'userMetadata', 'appMetadata'],
      },
    ]);
  });

  test('who was created can sign in, and is a member', async () => {
    const { email } = await create();
    const login = await testApp.visitor().signIn(email, OWN);
    expect(login.userRoles.map(({ roleId }) => roleId)).toEqual([1]);
  });

  test('an address that is taken, a weak password and what is no user are refused', async () => {
    const { email } = await create();
    expect(await create({ email })).toMatchObject({
      status: 409,
      body: { errorCode: 'auth0_idp_error' },
    });
    expect(await create({ email: email.toUpperCase() })).toMatchObject({ status: 409 });
    expect(await create({ password: 'short' })).toMatchObject({
      status: 400,
      body: { message: 'PasswordStrengthError: Password is too weak' },
    });
    expect(await create({ email: 'no address' })).toMatchObject({ status: 400 });
    expect(await create({ roles: [3] })).toMatchObject({ status: 400 });
    expect(await create({ connection: 'google-oauth2' })).toMatchObject({ status: 400 });
    for (const id of ['1', 'auth0%7C1', '..%2F', '9'.repeat(40)]) {
      expect((await wire.manage(machine, 'GET', `users/${id}`)).status).toBe(404);
    }
    expect((await wire.manage(machine, 'PATCH', 'users/1', { given_name: 'X' })).status).toBe(404);
    expect((await wire.manage(machine, 'GET', 'users?q=name:x')).status).toBe(400);
    expect((await wire.manage(machine, 'GET', 'users?page=-1')).status).toBe(400);
    expect((await wire.manage(machine, 'GET', 'clients')).status).toBe(404);
  });

  test.each([
    ['common', 'Password1!', 'PasswordDictionaryError: Password is too common'],
    ['made of the name', 'Winslow-2026!', 'PasswordDictionaryError: Password is too common'],
    ['of one kind of signs', 'rowanberries', 'PasswordStrengthError: Password is too weak'],
    ['short', 'Ab-1', 'PasswordStrengthError: Password is too weak'],
  ])(
    '[SEC-01] [R4] a password that is %s is refused, of a new user and of one that is there',
    async (_kind, password, message) => {
      const refused = { error: 'Bad Request', errorCode: 'auth0_idp_error', message };
      const [made, { id, email }] = [await create({ password }), await create()];
      expect(made).toMatchObject({ status: 400, body: { statusCode: 400, ...refused } });
      const asked = { password, given_name: 'Changed' };
      const changed = await wire.manage(machine, 'PATCH', `users/${id}`, asked);
      expect(changed).toMatchObject({ status: 400, body: refused });
      // Nothing of either request was done.
      expect((await wire.manage(machine, 'GET', `users?q=email:${made.email}`)).body).toEqual([]);
      const kept = await wire.manage(machine, 'GET', `users/${id}`);
      expect(kept.body).toMatchObject({ given_name: 'Ada' });
      expect((await testApp.visitor().authenticate(email, OWN)).status).toBe(200);
    },
  );

  test('fifty parallel creations make one account', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ email })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    // More hashes at once than the queue takes are told so (503), never made anyway.
    expect(statuses.every((status) => [201, 409, 503].includes(status))).toBe(true);
    const rows = await testApp.db
      .selectFrom('users')
      .select('id')
      .where('email_canonical', '=', email)
      .execute();
    expect(rows).toHaveLength(1);
  });

  test('a new password ends every session and token, tells the owner, and is the one that works', async () => {
    const { id, email, visitor, token } = await person();
    const changed = await wire.manage(machine, 'PATCH', `users/${id}`, { password: NEW });
    expect(changed.status).toBe(200);
    expect((await wire.silently(visitor)).answer.error).toBe('login_required');
    expect((await wire.manage(token, 'GET', `users/${id}`)).status).toBe(401);
    await testApp.app.outbox.settle();
    const [notice] = (await testApp.inbox(email)).filter(({ code }) => code === null);
    expect(notice?.subject).toMatch(/password/i);
    expect((await testApp.visitor().authenticate(email, OWN)).status).toBe(403);
    expect((await testApp.visitor().authenticate(email, NEW)).status).toBe(200);
    expect((await wire.manage(machine, 'PATCH', `users/${id}`, { password: 'weak' })).status).toBe(
      400,
    );
  });

  test('blocking ends the sessions and keeps the person out, until it is taken back', async () => {
    const { id, email, visitor, token } = await person();
    expect(
      (await wire.manage(machine, 'PATCH', `users/${id}`, { blocked: true })).body,
    ).toMatchObject({
      blocked: true,
    });
    expect((await wire.silently(visitor)).answer.error).toBe('login_required');
    expect((await wire.manage(token, 'GET', `users/${id}`)).status).toBe(401);
    await expect(testApp.visitor().signIn(email, OWN)).rejects.toThrow('ACCOUNT_SUSPENDED');
    await wire.manage(machine, 'PATCH', `users/${id}`, { blocked: false });
    expect((await testApp.visitor().authenticate(email, OWN)).status).toBe(200);
  });

  test('an account without a proven address waits for its code; a machine can vouch for it', async () => {
    const { id, email, body } = await create({ email_verified: false });
    expect(body.email_verified).toBe(false);
    expect((await testApp.visitor().authenticate(email, OWN)).status).toBe(403);
    const vouched = await wire.manage(machine, 'PATCH', `users/${id}`, { email_verified: true });
    expect(vouched.body.email_verified).toBe(true);
    expect((await testApp.visitor().authenticate(email, OWN)).status).toBe(200);
  });

  test('metadata cannot be piled up without end', async () => {
    const { id } = await create();
    const big = (key: string) => ({ user_metadata: { [key]: 'x'.repeat(15_000) } });
    expect((await wire.manage(machine, 'PATCH', `users/${id}`, big('a'))).status).toBe(200);
    expect((await wire.manage(machine, 'PATCH', `users/${id}`, big('b'))).status).toBe(200);
    expect((await wire.manage(machine, 'PATCH', `users/${id}`, big('c'))).status).toBe(400);
    const { body } = await wire.manage(machine, 'GET', `users/${id}`);
    expect(Object.keys(body.user_metadata as object)).toEqual(['a', 'b']);
  });
});

describe("[API-06] [D28] a person's own token", () => {
  test('reads and changes that person alone', async () => {
    const { id, token, tokens, email } = await person();
    expect(tokens.scope).toBe('openid read:current_user update:current_user_metadata');
    const own = await wire.manage(token, 'GET', `users/${id}`);
    expect(own).toMatchObject({ status: 200, body: { email } });
    expect(own.body).not.toHaveProperty('app_metadata');
    const changed = await wire.manage(token, 'PATCH', `users/${id}`, {
      user_metadata: { theme: 'dark' },
    });
    expect(changed.body.user_metadata).toEqual({ theme: 'dark' });
    const { id: other } = await create();
    for (const [method, body] of [['GET'], ['PATCH', { user_metadata: {} }]] as const) {
      const answer = await wire.manage(token, method, `users/${other}`, body);
      expect(answer).toMatchObject({ status: 403, body: { errorCode: 'insufficient_scope' } });
    }
    for (const path of ['users', `users-by-email?email=${email}`]) {
      expect((await wire.manage(token, 'GET', path)).status).toBe(403);
    }
    expect((await wire.manage(token, 'POST', 'users', {})).status).toBe(403);
  });

  test.each([
    { email: 'thief@example.test' },
    { password: 'Another-Porch-1' },
    { email_verified: true },
    { blocked: false },
    { given_name: 'Mallory' },
    { app_metadata: { plan: 'gold' } },
    { user_metadata: {}, password: 'Another-Porch-1' },
  ])('cannot change anything but its metadata: %j', async (body) => {
    const { id, token } = await person();
    const before = await wire.manage(machine, 'GET', `users/${id}`);
    expect((await wire.manage(token, 'PATCH', `users/${id}`, body)).status).toBe(400);
    expect((await wire.manage(machine, 'GET', `users/${id}`)).body).toEqual(before.body);
  });

  test('a scope for machines is given to no person, and a missing one opens nothing', async () => {
    const { id, token, tokens } = await person('openid read:users update:users');
    expect(tokens.scope).toBe('openid');
    expect((await wire.manage(token, 'GET', `users/${id}`)).status).toBe(403);
    expect((await wire.manage(token, 'GET', 'users')).status).toBe(403);
    const forged = await person('openid read:current_user');
    // Second line: a scope forged into the token row still belongs to a person.
    await testApp.db
      .updateTable('hosted_payloads')
      .set((eb) => ({
        payload: eb.fn<string>('jsonb_set', [
          'payload',
          eb.val('{scope}'),
          eb.cast(eb.val('"read:users update:users create:users"'), 'jsonb'),
        ]),
      }))
      .where('model', '=', 'AccessToken')
      .where('account_id', '=', forged.id)
      .execute();
    expect((await wire.manage(forged.token, 'GET', 'users')).status).toBe(403);
    expect((await wire.manage(forged.token, 'GET', `users/${id}`)).status).toBe(403);
  });

  test("a token for another API, for none, or nobody's, is refused", async () => {
    const { id, visitor } = await person();
    const jwt = await wire.tokens(visitor, { audience: API, scope: 'openid read:messages' });
    const opaque = await wire.tokens(visitor, { scope: 'openid' });
    for (const value of [jwt.access_token, opaque.access_token, jwt.id_token ?? '', 'made-up']) {
      const answer = await wire.manage(value, 'GET', `users/${id}`);
      expect(answer).toMatchObject({ status: 401, body: { error: 'Unauthorized' } });
    }
    const foreign = (await wire.machine({ audience: API })).access_token;
    expect((await wire.manage(foreign, 'GET', 'users')).status).toBe(401);
    const bare = await fetch(`${wire.issuer}api/v2/users/${id}`);
    expect(bare.status).toBe(401);
  });

  test('dies with the session', async () => {
    const { id, token, visitor } = await person();
    await visitor.request(`/idp/v2/logout?client_id=spa&returnTo=https://app.example/`, {
      headers: { 'sec-fetch-dest': 'document' },
    });
    expect((await wire.manage(token, 'GET', `users/${id}`)).status).toBe(401);
  });

  test('is limited', async () => {
    const { id, token } = await person();
    const answers = [];
    for (let n = 0; n < 61; n += 1) answers.push(await wire.manage(token, 'GET', `users/${id}`));
    expect(answers.at(59)?.status).toBe(200);
    expect(answers.at(60)?.status).toBe(429);
    expect(Number(answers.at(60)?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('a page of the client may read the answer, another page may not', async () => {
    const { id, token } = await person();
    const ask = (origin: string) =>
      fetch(`${wire.issuer}api/v2/users/${id}`, {
        headers: { authorization: `Bearer ${token}`, origin },
      });
    const header = 'access-control-allow-origin';
    expect((await ask('https://app.example')).headers.get(header)).toBe('https://app.example');
    expect((await ask('https://evil.example')).headers.get(header)).toBeNull();
    const preflight = await fetch(`${wire.issuer}api/v2/users/${id}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PATCH' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
  });
});

describe('[API-06] [D28] linking', () => {
  const SCOPE = 'openid read:current_user update:current_user_identities';

  test("two accounts whose owner has just signed in to both become one person's", async () => {
    const other = await person('openid');
    const { id, token } = await person(SCOPE);
    const linked = await wire.manage(token, 'POST', `users/${id}/identities`, {
      link_with: other.tokens.id_token,
    });
    expect(linked.status).toBe(201);
    expect(linked.body).toMatchObject([
      { user_id: id },
      { user_id: other.id, profileData: { email: other.email } },
    ]);
    expect((await wire.manage(token, 'GET', `users/${id}`)).body.identities).toHaveLength(2);
    expect((await audited(id)).map(({ kind }) => kind)).toContain('account.linked');
    // Both go on as themselves.
    expect((await testApp.visitor().authenticate(other.email, OWN)).status).toBe(200);
    const again = await wire.manage(token, 'POST', `users/${id}/identities`, {
      link_with: other.tokens.id_token,
    });
    expect(again.status).toBe(409);
    const path = `users/${id}/identities/auth0/${other.id}`;
    expect((await wire.manage(token, 'DELETE', path)).body).toHaveLength(1);
    expect((await wire.manage(token, 'DELETE', path)).status).toBe(404);
  });

  test('not with a forged token, an access token, the own one, one of another client, or after ten minutes', async () => {
    const other = await person('openid');
    const { id, token, tokens, visitor } = await person(SCOPE);
    const foreign = await wire.tokens(other.visitor, { client_id: PLAIN, scope: 'openid' });
    const jwt = await wire.tokens(other.visitor, { audience: API, scope: 'openid read:messages' });
    const [head, body] = (other.tokens.id_token ?? '').split('.');
    for (const value of [
      `${head}.${body}.AAAA`,
      `eyJhbGciOiJub25lIn0.${body}.`,
      jwt.access_token,
      tokens.id_token,
      foreign.id_token,
      other.id,
      undefined,
    ]) {
      const answer = await wire.manage(token, 'POST', `users/${id}/identities`, {
        link_with: value,
      });
      expect(answer.status).toBe(400);
    }
    await testApp.db
      .updateTable('hosted_payloads')
      .set((eb) => ({
        payload: eb.fn<string>('jsonb_set', [
          'payload',
          eb.val('{loginTs}'),
          eb.cast(eb.val(String(Math.floor(Date.now() / 1000) - 601)), 'jsonb'),
        ]),
      }))
      .where('model', '=', 'Session')
      .where('account_id', '=', id)
      .execute();
    const stale = await wire.manage(token, 'POST', `users/${id}/identities`, {
      link_with: other.tokens.id_token,
    });
    expect(stale.status).toBe(400);
    expect(visitor.cookies.size).toBeGreaterThan(0);
  });

  test("nobody links somebody else's account", async () => {
    const { id, token } = await person(SCOPE);
    const other = await person('openid');
    const answer = await wire.manage(token, 'POST', `users/${other.id}/identities`, {
      link_with: other.tokens.id_token,
    });
    expect(answer.status).toBe(403);
    expect((await wire.manage(machine, 'GET', `users/${id}`)).body.identities).toHaveLength(1);
  });
});

test('demo accounts are found by their address', async () => {
  const email = encodeURIComponent(demoEmail('member'));
  const { body } = await wire.manage(machine, 'GET', `users-by-email?email=${email}`);
  expect(body).toMatchObject([{ name: 'Margaret Okafor', phone_number: expect.any(String) }]);
});

describe('[IDP-20] what a machine sees and ends', () => {
  test('the log of an account, the newest first, by pages', async () => {
    const { id } = await person();
    const all = await wire.manage(machine, 'GET', `users/${id}/logs?per_page=100`);
    expect(all.status).toBe(200);
    const entries = all.body as unknown as Record<string, unknown>[];
    const kinds = entries.map(({ description }) => description);
    expect(kinds.at(-1)).toBe('account.createdByClient');
    expect(entries).toContainEqual(
      expect.objectContaining({
        type: 's',
        description: 'signIn.complete',
        user_id: id,
        date: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        log_id: expect.any(String),
      }),
    );
    const second = `users/${id}/logs?per_page=2&page=1&include_totals=true`;
    const page = (await wire.manage(machine, 'GET', second)).body;
    expect(page).toMatchObject({ start: 2, limit: 2, length: 2, total: entries.length });
    expect(page.logs).toEqual(entries.slice(2, 4));
    expect((await wire.manage(machine, 'GET', 'users/1/logs')).body).toEqual([]);
  });

  test('the sessions of an account; ending them ends its tokens, and it is in the log', async () => {
    const { id, visitor, token } = await person();
    const { body } = await wire.manage(machine, 'GET', `users/${id}/sessions`);
    expect(body.sessions).toEqual([
      expect.objectContaining({
        id: expect.any(String),
        user_id: id,
        clients: expect.arrayContaining([{ client_id: 'spa' }]),
      }),
    ]);
    expect((await wire.silently(visitor)).answer).toHaveProperty('code');
    expect((await wire.manage(machine, 'DELETE', `users/${id}/sessions`)).status).toBe(202);
    expect((await wire.manage(machine, 'GET', `users/${id}/sessions`)).body.sessions).toEqual([]);
    expect((await wire.silently(visitor)).answer.error).toBe('login_required');
    expect((await wire.manage(token, 'GET', `users/${id}`)).status).toBe(401);
    expect((await audited(id)).at(-1)).toMatchObject({
      kind: 'account.sessionsEndedByClient',
      clientId: MACHINE,
    });
    expect((await wire.manage(machine, 'DELETE', 'users/1/sessions')).status).toBe(404);
  });
});

test('[IDP-21] a deleted person is gone, with sessions and tokens; doing it again is the same', async () => {
  const { id, email, visitor, token } = await person();
  expect((await wire.manage(machine, 'DELETE', `users/${id}`)).status).toBe(204);
  expect((await wire.manage(machine, 'GET', `users/${id}`)).status).toBe(404);
  expect((await wire.manage(token, 'GET', `users/${id}`)).status).toBe(401);
  expect((await wire.silently(visitor)).answer.error).toBe('login_required');
  expect((await testApp.visitor().authenticate(email, OWN)).status).toBe(403);
  expect(await audited(id)).toEqual([]);
  const gone = await testApp.db
    .selectFrom('audit_events')
    .select(['user_id', 'actor'])
    .where('kind', '=', 'account.deletedByClient')
    .execute();
  expect(gone).toEqual([{ user_id: null, actor: `client:${MACHINE}` }]);
  expect((await wire.manage(machine, 'DELETE', `users/${id}`)).status).toBe(204);
});

test.each([
  ['DELETE', '', 'delete:users'],
  ['GET', '/logs', 'read:logs'],
  ['GET', '/sessions', 'read:sessions'],
  ['DELETE', '/sessions', 'delete:sessions'],
])('[IDP-22] %s users/:id%s needs %s, of a machine', async (method, path, scope) => {
  const { id, token } = await person();
  const all =
    'read:users create:users update:users delete:users read:logs read:sessions delete:sessions';
  const others = all.split(' ').filter((each) => each !== scope);
  const { access_token: lacking } = await wire.machine({ scope: others.join(' ') });
  for (const bearer of [lacking, token]) {
    expect((await wire.manage(bearer, method, `users/${id}${path}`)).status).toBe(403);
  }
  expect((await wire.manage(machine, 'GET', `users/${id}`)).status).toBe(200);
});
