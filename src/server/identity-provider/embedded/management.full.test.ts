import { describe, expect, test } from 'vitest';
import { demoEmail } from '../../demo/seed.ts';
import { createClientStore } from '../oauth-clients/registry.ts';
import { parseActivationLink } from '#domain/proofs/activation-link.ts';
import {
  API,
  createWire,
  hashOf,
  MACHINE,
  PLAIN,
  SPA,
  SPA_ORIGIN,
  wireClients,
} from '../../testing/wire.ts';
import { until } from '../../testing/until.ts';
import { activation, createTestApp } from '../../testing/test-app.ts';
import { sentBack } from '../../testing/reset.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp(wireClients));
const wire = createWire(testApp);
const machine = (await wire.machine()).access_token;

const ALL_SCOPES =
  'read:users create:users update:users delete:users read:logs read:sessions delete:sessions create:user_tickets';
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
  // Written when the answer is out already.
  await until(async () => (await audited(id)).some(({ kind }) => kind === 'hosted.tokens'));
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
      scope: ALL_SCOPES,
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
    const { MACHINE_SECRET } = await import('../../testing/wire.ts');
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
    // [SUP-10] F8: no country has it.
    expect(await create({ phone_number: '+12125550142123' })).toMatchObject({ status: 400 });
    const dialedAtHome = await create({ phone_number: '+4402079460958' });
    expect(dialedAtHome).toMatchObject({ status: 201, body: { phone_number: '+442079460958' } });
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

  test('[OPS-93] a refused change sets no password, either: both are one transaction', async () => {
    const { id, email } = await create();
    // The body is within its limit; with the members that are there the column would not be.
    const part = (name: string) => ({ app_metadata: { [name]: 'x'.repeat(12_000) } });
    for (const name of ['first', 'second'])
      expect((await wire.manage(machine, 'PATCH', `users/${id}`, part(name))).status).toBe(200);
    const asked = { ...part('third'), password: 'Another-One-9', blocked: true };
    expect((await wire.manage(machine, 'PATCH', `users/${id}`, asked)).status).toBe(400);
    expect((await testApp.visitor().authenticate(email, OWN)).status).toBe(200);
  });

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
      kind: 'account.signedOut',
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

test('[PRV-05] [DEF-1] deleting a person without a phone leaves what waits for others', async () => {
  const { db, app, clock } = testApp;
  const { id } = await create({ phone_number: undefined });
  const payload = { channel: 'email', to: 'another.person@example.test', text: 'Hello' };
  await app.outbox.add(db, { kind: 'message', payload, idempotencyKey: 'waits:another' });
  await db
    .updateTable('outbox')
    .set({ run_at: new Date(clock.now().getTime() + 3_600_000) })
    .where('idempotency_key', '=', 'waits:another')
    .execute();
  expect((await wire.manage(machine, 'DELETE', `users/${id}`)).status).toBe(204);
  const waiting = db.selectFrom('outbox').select('id').where('done_at', 'is', null);
  expect(await waiting.where('idempotency_key', '=', 'waits:another').execute()).toHaveLength(1);
});

describe('[IDP-24] a ticket for a new password', () => {
  const TICKET = 'tickets/password-change';
  const FRESH = 'Fresh-Paint-8';

  async function setPassword(ticket: unknown) {
    const resetKey = new URL(String(ticket)).searchParams.get('resetLinkKey') ?? '';
    const visitor = testApp.visitor();
    const { data: user } = await visitor.call('getResetUser', { params: { resetKey, ip: '::1' } });
    if (!user) return null;
    await visitor.ok('updatePassword', { body: { ...sentBack(user), password: FRESH } });
    const { request } = user;
    return request && (await visitor.ok('getVisit', { query: { request } })).client;
  }

  test('sets it once, is in the log, mails nothing itself, and leads where it says', async () => {
    const { id, email } = await create();
    const asked = { user_id: id, result_url: `${SPA_ORIGIN}/` };
    const { status, body } = await wire.manage(machine, 'POST', TICKET, asked);
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['ticket']);
    await testApp.app.outbox.settle();
    expect(await testApp.inbox(email)).toEqual([]);
    expect(await setPassword(body.ticket)).toMatchObject({
      clientName: SPA,
      startUrl: asked.result_url,
    });
    expect(await setPassword(body.ticket)).toBeNull();
    expect((await testApp.visitor().authenticate(email, FRESH)).status).toBe(200);
    const kinds = (await audited(id)).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['reset.ticket', 'reset.done']));
  });

  test('by email and connection; for a client it leads to its sign-in', async () => {
    const { email } = await create();
    const asked = { email, connection_id: 'Username-Password-Authentication', client_id: SPA };
    const { status, body } = await wire.manage(machine, 'POST', TICKET, asked);
    expect(status).toBe(201);
    expect(await setPassword(body.ticket)).toMatchObject({ step: 'over', startUrl: null });
  });

  test.each([
    ['a foreign result_url', { result_url: 'https://evil.example/' }],
    ['one that only begins like it', { result_url: `${SPA_ORIGIN}/..` }],
    ['an unknown client', { client_id: 'nobody' }],
    ['both', { client_id: SPA, result_url: `${SPA_ORIGIN}/` }],
    ['a longer life than five days', { ttl_sec: 432_001 }],
    ['a life below nothing', { ttl_sec: -1 }],
    ['an id and an address', { email: 'a@example.test' }],
    ['what Auth0 has and we have not', { organization_id: 'org_1' }],
  ])('400 for %s', async (_, extra) => {
    const { id } = await create();
    const { status } = await wire.manage(machine, 'POST', TICKET, { user_id: id, ...extra });
    expect(status).toBe(400);
    expect((await audited(id)).map(({ kind }) => kind)).not.toContain('reset.ticket');
  });

  test.each([
    ['its own, as asked for', 60],
    ["Auth0's five days", 0],
  ])('ends with its time: %s', async (_, ttl_sec) => {
    const [early, late] = [await create(), await create()];
    const ask = async (id: string) =>
      (await wire.manage(machine, 'POST', TICKET, { user_id: id, ttl_sec })).body.ticket;
    const [first, second] = [await ask(early.id), await ask(late.id)];
    // Seconds may pass between two calls.
    testApp.clock.advance((ttl_sec || 432_000) - 30);
    await setPassword(first);
    testApp.clock.advance(30);
    await setPassword(second);
    const statusOf = async (email: string) =>
      (await testApp.visitor().authenticate(email, FRESH)).status;
    expect([await statusOf(early.email), await statusOf(late.email)]).toEqual([200, 403]);
  });

  test('proves the mailbox only where the program says that it mails it', async () => {
    for (const isMailed of [false, true]) {
      const { id } = await create();
      await testApp.db
        .updateTable('users')
        .set({ email_proven_at: null })
        .where('id', '=', Number(id))
        .execute();
      const asked = { user_id: id, mark_email_as_verified: isMailed };
      await setPassword((await wire.manage(machine, 'POST', TICKET, asked)).body.ticket);
      const { body } = await wire.manage(machine, 'GET', `users/${id}`);
      expect(body.email_verified).toBe(isMailed);
    }
  });

  test('not for who is blocked, and 404 for nobody', async () => {
    const { id } = await create();
    await wire.manage(machine, 'PATCH', `users/${id}`, { blocked: true });
    expect((await wire.manage(machine, 'POST', TICKET, { user_id: id })).status).toBe(400);
    expect((await wire.manage(machine, 'POST', TICKET, { user_id: '1' })).status).toBe(404);
  });
});

test('[IDP-25] a ticket for an address: its button proves it; who has proven it gets none', async () => {
  const { id } = await create({ email_verified: false });
  const ask = () =>
    wire.manage(machine, 'POST', 'tickets/email-verification', { user_id: id, ttl_sec: 600 });
  const { status, body } = await ask();
  expect(status).toBe(201);
  const { searchParams } = new URL(String(body.ticket));
  const link = parseActivationLink(searchParams.get('UID'), searchParams.get('SUP'));
  if (!link) throw new Error('No link');
  const visitor = testApp.visitor();
  const asked = {
    userRegstrtnId: link.registrationId,
    userId: link.userId,
    activationKey: link.key,
    signUpPlatform: link.platform,
  };
  const otpId = (await visitor.ok('confirmLink', { body: asked }))?.otpId ?? '';
  await visitor.ok('activateUser', {
    body: activation({ userId: Number(id), id: link.registrationId }, otpId),
  });
  expect((await wire.manage(machine, 'GET', `users/${id}`)).body.email_verified).toBe(true);
  expect((await audited(id)).map(({ kind }) => kind)).toContain('activation.ticket');
  expect((await ask()).status).toBe(400);
});

test('[IDP-26] one session is read and ended, here and in the portal; the others go on', async () => {
  const { id, email, visitor, token } = await person();
  const other = testApp.visitor();
  await other.signIn(email, OWN);
  expect((await wire.silently(other)).answer).toHaveProperty('code');
  const { body } = await wire.manage(machine, 'GET', `users/${id}/sessions`);
  const sessions = body.sessions as { id: string; clients: { client_id: string }[] }[];
  expect(sessions).toHaveLength(2);
  const isOfFirst = async (at: string) => {
    const { user_id: owner, ...rest } = (await wire.manage(machine, 'GET', `sessions/${at}`)).body;
    expect(owner).toBe(id);
    return rest;
  };
  for (const session of sessions)
    expect(await isOfFirst(session.id)).toMatchObject({ id: session.id });
  const bearers = async () =>
    Promise.all([visitor, other].map(async (each) => (await each.call('getConsents', {})).status));
  expect(await bearers()).toEqual([200, 200]);
  const sidOf = await testApp.db
    .selectFrom('hosted_payloads')
    .select(['uid', 'payload'])
    .where('model', '=', 'Session')
    .where('account_id', '=', id)
    .orderBy('uid')
    .execute();
  // The session in which the token for the Management API was given.
  const own = (await wire.manage(token, 'GET', `users/${id}`)).status;
  expect(own).toBe(200);
  expect(sidOf).toHaveLength(2);
  const claims = JSON.parse(
    Buffer.from(
      String((await wire.tokens(visitor, { scope: 'openid' })).id_token).split('.')[1] ?? '',
      'base64url',
    ).toString(),
  ) as { sid: string };
  const first =
    sidOf.find(({ payload }) => JSON.stringify(payload).includes(claims.sid))?.uid ?? '';
  expect((await wire.manage(machine, 'DELETE', `sessions/${first}`)).status).toBe(202);
  expect((await wire.manage(machine, 'GET', `sessions/${first}`)).status).toBe(404);
  expect((await wire.manage(machine, 'DELETE', `sessions/${first}`)).status).toBe(404);
  expect((await wire.silently(visitor)).answer.error).toBe('login_required');
  expect((await wire.silently(other)).answer).toHaveProperty('code');
  expect((await wire.manage(token, 'GET', `users/${id}`)).status).toBe(401);
  expect(await bearers()).toEqual([401, 200]);
  expect((await audited(id)).map(({ kind }) => kind)).toContain('account.signedOut');
});

describe('[IDP-27] the log of everybody', () => {
  type Entry = { log_id: string; user_id?: string; type: string; description: string };
  const entriesOf = (answer: { body: unknown }) => answer.body as Entry[];

  test('the newest first, by pages; one of them by its id', async () => {
    const { id } = await create();
    const newest = entriesOf(await wire.manage(machine, 'GET', 'logs?per_page=5'));
    expect(newest).toHaveLength(5);
    // A refusal of the test before may be written a moment later.
    expect(newest.find((entry) => entry.user_id === id)).toMatchObject({
      description: 'account.createdByClient',
    });
    const ids = newest.map((entry) => Number(entry.log_id));
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    const second = entriesOf(await wire.manage(machine, 'GET', 'logs?per_page=2&page=1'));
    expect(second).toEqual(newest.slice(2, 4));
    const { body } = await wire.manage(machine, 'GET', 'logs?per_page=2&include_totals=true');
    expect(body).toMatchObject({ start: 0, limit: 2, length: 2, total: expect.any(Number) });
    expect((await wire.manage(machine, 'GET', `logs/${newest[0]?.log_id}`)).body).toEqual(
      newest[0],
    );
    expect((await wire.manage(machine, 'GET', 'logs/999999999')).status).toBe(404);
    expect((await wire.manage(machine, 'GET', 'logs?q=type:s')).status).toBe(400);
  });

  test('from an entry on: the oldest first, each once, and none that is not settled', async () => {
    const [last] = entriesOf(await wire.manage(machine, 'GET', 'logs?per_page=1'));
    testApp.clock.advance(60);
    const people = [await create(), await create(), await create()];
    const read = async (from: string) =>
      entriesOf(await wire.manage(machine, 'GET', `logs?from=${from}&take=2`));
    expect(await read(last?.log_id ?? '')).toEqual([]);
    testApp.clock.advance(11);
    const first = await read(last?.log_id ?? '');
    const rest = await read(first.at(-1)?.log_id ?? '');
    const created = [...first, ...rest].filter(
      ({ description }) => description === 'account.createdByClient',
    );
    expect(created.map((entry) => entry.user_id)).toEqual(people.map(({ id }) => id));
  });
});

test.each([
  ['GET', 'logs', 'read:logs'],
  ['GET', 'logs/1', 'read:logs'],
  ['GET', 'sessions/x', 'read:sessions'],
  ['DELETE', 'sessions/x', 'delete:sessions'],
  ['POST', 'tickets/password-change', 'create:user_tickets'],
  ['POST', 'tickets/email-verification', 'create:user_tickets'],
])('[IDP-22] %s %s needs %s, of a machine', async (method, path, scope) => {
  const { token } = await person();
  const others = ALL_SCOPES.split(' ').filter((each) => each !== scope);
  const { access_token: lacking } = await wire.machine({ scope: others.join(' ') });
  const body = method === 'POST' ? { user_id: '1' } : undefined;
  for (const bearer of [lacking, token]) {
    expect((await wire.manage(bearer, method, path, body)).status).toBe(403);
  }
});

test.each([
  ['DELETE', '', 'delete:users'],
  ['GET', '/logs', 'read:logs'],
  ['GET', '/sessions', 'read:sessions'],
  ['DELETE', '/sessions', 'delete:sessions'],
])('[IDP-22] %s users/:id%s needs %s, of a machine', async (method, path, scope) => {
  const { id, token } = await person();
  const others = ALL_SCOPES.split(' ').filter((each) => each !== scope);
  const { access_token: lacking } = await wire.machine({ scope: others.join(' ') });
  for (const bearer of [lacking, token]) {
    expect((await wire.manage(bearer, method, `users/${id}${path}`)).status).toBe(403);
  }
  expect((await wire.manage(machine, 'GET', `users/${id}`)).status).toBe(200);
});

describe('[IDP-22] [D28] what the operator takes away is gone at once', () => {
  const entry = (id: string, more: object) => ({
    id,
    name: 'Reporting',
    redirectUris: [`${SPA_ORIGIN}/callback`],
    webOrigins: [SPA_ORIGIN],
    firstParty: true,
    ...more,
  });
  const clientStore = () =>
    createClientStore(testApp.db, () => testApp.clock.now(), { isDemo: true });
  const api = (...scopes: string[]) => [{ audience: `${wire.issuer}api/v2/`, scopes }];
  const statusOf = async (token: string, path: string) =>
    (await wire.manage(token, 'GET', path)).status;

  test('a scope, the grant and the client of a machine that has its token', async () => {
    const id = 'reporting';
    const secret = 'the secret of a machine that the operator takes away';
    const grants = ['client_credentials'];
    const auth = { method: 'client_secret_post', secretHash: hashOf(secret) };
    const store = clientStore();
    await store.add(entry(id, { grants, auth, apis: api('read:users', 'read:logs') }));
    const { access_token: token } = await wire.machine({ client_id: id, client_secret: secret });
    expect([await statusOf(token, 'users'), await statusOf(token, 'logs')]).toEqual([200, 200]);
    await store.replace(entry(id, { grants, auth, apis: api('read:logs') }));
    expect([await statusOf(token, 'users'), await statusOf(token, 'logs')]).toEqual([403, 200]);
    await store.replace(
      entry(id, { grants: ['authorization_code'], auth, apis: api('read:logs') }),
    );
    expect(await statusOf(token, 'logs')).toBe(401);
    await store.replace(entry(id, { grants, auth, apis: api('read:logs') }));
    expect(await statusOf(token, 'logs')).toBe(200);
    await store.remove(id);
    expect(await statusOf(token, 'logs')).toBe(401);
  });

  test('the application in which a person has a token', async () => {
    const store = clientStore();
    await store.add(entry('reader', { apis: api('read:current_user') }));
    const { id, email } = await create();
    const visitor = testApp.visitor();
    await visitor.signIn(email, OWN);
    const asked = { client_id: 'reader', audience: `${wire.issuer}api/v2/` };
    const { access_token: token } = await wire.tokens(visitor, {
      ...asked,
      scope: 'openid read:current_user',
    });
    expect(await statusOf(token, `users/${id}`)).toBe(200);
    await store.remove('reader');
    expect(await statusOf(token, `users/${id}`)).toBe(401);
  });
});
