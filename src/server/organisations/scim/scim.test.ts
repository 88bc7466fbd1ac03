/**
 * [FED-08] SCIM, with the bodies that the two large directories document:
 * Entra: learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups, "User Operations", and
 * .../application-provisioning-config-problem-scim-compatibility, "Flags to alter the SCIM behavior".
 * Okta: developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20, "Create Users" to "Deactivate Users".
 */

import { beforeAll, describe, expect, test } from 'vitest';
import { findAccountByEmail, findRoleIds, grantRoles } from '../../accounts/account-store.ts';
import { endLink, linkOf, waysOf } from '../../accounts/organisation-links.ts';
import { addAdministrator } from '../../people/house.ts';
import { setSuspended } from '../../people/people.ts';
import { adminContextOf } from '../../testing/admin-context.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';
import { addRosewood, ROSEWOOD } from '../../testing/organisation.ts';
import { activation, createTestApp, PASSWORD } from '../../testing/test-app.ts';
import { makeBearer, replaceOrganisation } from '../organisation-operations.ts';
import { findOrganisation } from '../organisation-store.ts';
import { countOddSubjects } from './scim-users.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));
const { db } = testApp;
const context = () => adminContextOf(testApp);
let bearer = '';
beforeAll(async () => {
  bearer = await addRosewood(testApp);
});

type Person = {
  readonly id: string;
  readonly userName: string;
  readonly externalId: string;
  readonly active: boolean;
  readonly name: { readonly givenName: string; readonly familyName: string };
  readonly roles: readonly { readonly value: string }[];
};
type Body = Person & {
  readonly Resources: readonly Person[];
  readonly totalResults: number;
  readonly scimType?: string;
  readonly detail?: string;
  readonly status?: string;
};

async function scim(method: string, path: string, body?: unknown, token = bearer) {
  const response = await fetch(`${testApp.url}/scim/v2/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  return {
    status: response.status,
    type,
    body: (text ? JSON.parse(text) : {}) as Body,
    headers: response.headers,
  };
}

let count = 0;
const guid = () => crypto.randomUUID();
const newEmail = () => `nora-${(count += 1)}@rosewood.example`;
/** Entra: "Create User". */
const entraUser = (change: object = {}) => {
  const email = newEmail();
  return {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ],
    externalId: guid(),
    userName: email,
    active: true,
    emails: [{ primary: true, type: 'work', value: email }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'Lind', givenName: 'Nora' },
    roles: [],
    ...change,
  };
};
/** Okta: "Create the user". */
const oktaUser = (change: object = {}) => {
  const email = newEmail();
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: email,
    name: { givenName: 'Test', familyName: 'User' },
    emails: [{ primary: true, value: email, type: 'work' }],
    displayName: 'Test User',
    locale: 'en-US',
    externalId: `00u${(count += 1)}jl29u0le5T6Aj10h7`,
    groups: [],
    password: '1mz050nq',
    active: true,
    ...change,
  };
};
const patch = (...Operations: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});

async function made(given: object = entraUser()) {
  const { status, body } = await scim('POST', 'Users', given);
  expect(status).toBe(201);
  const account = await findAccountByEmail(db, body.userName);
  if (!account) throw new Error('no account');
  return { ...body, userId: account.id };
}
const kinds = async (userId: number) =>
  (
    await db
      .selectFrom('audit_events')
      .select(['kind', 'actor'])
      .where('user_id', '=', userId)
      .where('kind', 'like', 'scim.%')
      .orderBy('id')
      .execute()
  ).map(({ kind, actor }) => `${kind} ${actor}`);

describe('[FED-08] creating', () => {
  test.each([
    ['Entra', entraUser],
    ['Okta', oktaUser],
  ])(
    '%s: an active account without password, key or app code, its mailbox unproven',
    async (_, body) => {
      const given = body();
      const answer = await scim('POST', 'Users', given);
      expect(answer).toMatchObject({
        status: 201,
        type: expect.stringMatching(/^application\/scim\+json/),
      });
      expect(answer.body).toMatchObject({
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        externalId: given.externalId,
        userName: given.userName,
        active: true,
        emails: [{ value: given.userName, type: 'work', primary: true }],
        meta: { resourceType: 'User' },
      });
      const account = await findAccountByEmail(db, given.userName);
      expect(account).toMatchObject({
        status: 'active',
        password_hash: null,
        email_proven_at: null,
        subtenant_id: 742,
      });
      expect(await waysOf(db, account?.id ?? 0)).toEqual({ keptBy: 'Rosewood' });
      expect(await linkOf(db, account?.id ?? 0)).toMatchObject({
        issuer: ROSEWOOD.issuer,
        subject: given.externalId,
        made_by: 'scim',
      });
      expect(await kinds(account?.id ?? 0)).toEqual(['scim.created organisation:rosewood-staff']);
    },
  );

  test.each<[string, object, number, string | undefined]>([
    [
      'an address of another domain',
      { userName: 'x@other.example', emails: [] },
      400,
      'invalidValue',
    ],
    ['a subdomain', { userName: 'x@a.rosewood.example', emails: [] }, 400, 'invalidValue'],
    [
      'a domain that only ends so',
      { userName: 'x@notrosewood.example', emails: [] },
      400,
      'invalidValue',
    ],
    ['no address', { userName: 'nora', emails: [] }, 400, 'invalidValue'],
    ['no externalId', { externalId: undefined }, 400, 'invalidValue'],
    ['active as a word', { active: 'perhaps' }, 400, 'invalidValue'],
    ['a name of two lines', { name: { givenName: 'a\nb' } }, 400, 'invalidValue'],
    ['a userName that is no text', { userName: 7 }, 400, 'invalidValue'],
    ['the work address, where the user name is none', { userName: 'nora.lind' }, 201, undefined],
  ])('%s', async (_, change, status, scimType) => {
    const answer = await scim('POST', 'Users', entraUser(change));
    expect([answer.status, answer.body.scimType]).toEqual([status, scimType]);
  });

  test.each(['externalId', 'userName'] as const)(
    'with one %s, of four calls at once one makes the person, and three are 409',
    async (name) => {
      const { [name]: same } = entraUser();
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => scim('POST', 'Users', entraUser({ [name]: same }))),
      );
      const statuses = answers.map(({ status }) => String(status)).toSorted();
      expect(statuses).toEqual(['201', '409', '409', '409']);
    },
  );

  test('a taken address and a known externalId are 409, with words', async () => {
    const taken = newEmail();
    await testApp.visitor().register({ emailAddress: taken });
    const first = entraUser();
    await made(first);
    for (const given of [
      entraUser({ userName: taken, emails: [] }),
      entraUser({ userName: taken.toUpperCase(), emails: [] }),
      first,
      entraUser({ externalId: first.externalId }),
      entraUser({ userName: first.userName }),
    ]) {
      const { status, body } = await scim('POST', 'Users', given);
      expect([status, body.scimType, body.detail]).toEqual([
        409,
        'uniqueness',
        expect.stringContaining('operator'),
      ]);
    }
    const account = await findAccountByEmail(db, taken);
    expect(account?.password_hash).not.toBeNull();
    expect(await linkOf(db, account?.id ?? 0)).toBeUndefined();
  });

  test('a sign-up that waits for its code keeps nothing: its code opens no account', async () => {
    const email = newEmail();
    const visitor = testApp.visitor();
    const { data } = await visitor.signUp({ emailAddress: email });
    const sent = (await visitor.sendCode(data?.userId ?? 0, 'USER_ACTIVATION')).data;
    const code = await testApp.codeFor(email);
    const { userId } = await made(entraUser({ userName: email, emails: [] }));
    await visitor.verify(sent?.id ?? '', data?.userId ?? 0, code);
    const form = { userId: data?.userId ?? 0, id: data?.id ?? '' };
    const body = activation(form, sent?.id ?? '');
    expect((await visitor.call('activateUser', { body })).succeeded).toBe(false);
    expect(await findAccountByEmail(db, email)).toMatchObject({ id: userId, password_hash: null });
    expect((await visitor.authenticate(email, PASSWORD)).status).toBe(403);
    expect(await findRoleIds(db, userId)).toEqual([]);
  });
});

describe('[FED-08] finding', () => {
  test('by userName, externalId and id; nothing else', async () => {
    const person = await made();
    for (const filter of [
      `userName eq "${person.userName}"`,
      `USERNAME EQ "${person.userName.toUpperCase()}"`,
      `externalId eq "${person.externalId}"`,
      `id eq "${person.id}"`,
    ]) {
      const { status, body } = await scim('GET', `Users?filter=${encodeURIComponent(filter)}`);
      expect([status, body.totalResults, body.Resources[0]?.id]).toEqual([200, 1, person.id]);
    }
    for (const filter of ['userName eq "non-existent user"', 'id eq "no-guid"']) {
      const none = await scim('GET', `Users?filter=${encodeURIComponent(filter)}`);
      expect(none).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } });
    }
    for (const filter of [
      'userName sw "n"',
      `userName eq "a" or userName eq "b"`,
      'active eq true',
      'userName eq a',
      'emails[type eq "work"].value eq "a"',
      '',
    ]) {
      const { status, body } = await scim('GET', `Users?filter=${encodeURIComponent(filter)}`);
      expect([status, body.scimType]).toEqual([400, 'invalidFilter']);
    }
  });

  test('Okta’s test of the connection gets a page', async () => {
    await made();
    await made();
    const { body } = await scim('GET', 'Users?startIndex=2&count=1');
    expect(body).toMatchObject({ startIndex: 2, itemsPerPage: 1 });
    expect(body.totalResults).toBeGreaterThan(1);
  });

  test('others do not exist: people of the house, operators, another organization’s', async () => {
    const person = await made();
    const other = await addRosewood(testApp, {
      id: 'maple-staff',
      issuer: 'https://maple.okta.com',
      domains: ['maple.example'],
    });
    expect((await scim('GET', `Users/${person.id}`, undefined, other)).status).toBe(404);
    expect((await scim('DELETE', `Users/${person.id}`, undefined, other)).status).toBe(404);
    await grantRoles(db, person.userId, [4]);
    const active = patch({ op: 'replace', path: 'active', value: false });
    for (const [method, body] of [
      ['GET'],
      ['PATCH', active],
      ['PUT', entraUser()],
      ['DELETE'],
    ] as const) {
      expect((await scim(method, `Users/${person.id}`, body)).status).toBe(404);
    }
    const filter = encodeURIComponent(`id eq "${person.id}"`);
    expect((await scim('GET', `Users?filter=${filter}`)).body.totalResults).toBe(0);
    for (const id of ['made-up', guid(), String(person.userId)]) {
      expect((await scim('GET', `Users/${id}`)).status).toBe(404);
    }
  });
});

const linksOf = (id: number) => db.updateTable('organisation_links').where('user_id', '=', id);
test.each<[string, (id: number) => Promise<unknown>]>([
  ['an administrator of the house', (id) => addAdministrator(context(), id, null)],
  ['a person who was unlinked', (id) => endLink(db, id, testApp.clock.now())],
  ['a person who made the link', (id) => linksOf(id).set({ scim_id: null }).execute()],
  [
    'a person of another house',
    (id) => db.updateTable('users').set({ subtenant_id: 900 }).where('id', '=', id).execute(),
  ],
])('[FED-08] %s does not exist', async (_, become) => {
  const { id, userId, userName } = await made();
  await become(userId);
  const filter = encodeURIComponent(`userName eq "${userName}"`);
  expect((await scim('GET', `Users?filter=${filter}`)).body.totalResults).toBe(0);
  const other = patch({ op: 'replace', path: 'name.givenName', value: 'Eve' });
  expect((await scim('GET', `Users/${id}`)).status).toBe(404);
  expect((await scim('PATCH', `Users/${id}`, other)).status).toBe(404);
  expect(await findAccountByEmail(db, userName)).toMatchObject({ first_name: 'Nora' });
});

describe('[FED-08] changing', () => {
  const OFF: readonly (readonly [string, string, (of: Person) => object])[] = [
    [
      'Entra without its flag',
      'PATCH',
      () => patch({ op: 'Replace', path: 'active', value: 'False' }),
    ],
    [
      'Entra with aadOptscim062020',
      'PATCH',
      () => patch({ op: 'replace', path: 'active', value: false }),
    ],
    ['Entra, added', 'PATCH', () => patch({ op: 'Add', path: 'active', value: 'False' })],
    ['Okta', 'PATCH', () => patch({ op: 'replace', value: { active: false } })],
    [
      'Okta’s PUT',
      'PUT',
      ({ userName, externalId }) => oktaUser({ userName, externalId, emails: [], active: false }),
    ],
    [
      'the long name',
      'PATCH',
      () =>
        patch({
          op: 'replace',
          path: 'urn:ietf:params:scim:schemas:core:2.0:User:active',
          value: false,
        }),
    ],
  ];
  test.each(OFF)('%s switches off, and on again', async (_, method, body) => {
    const person = await made();
    const answer = await scim(method, `Users/${person.id}`, body(person));
    expect(answer).toMatchObject({ status: 200, body: { active: false } });
    expect(await findAccountByEmail(db, person.userName)).toMatchObject({ status: 'inactive' });
    expect((await linkOf(db, person.userId))?.off_at).toBeInstanceOf(Date);
    const on = await scim(
      'PATCH',
      `Users/${person.id}`,
      patch({ op: 'Replace', path: 'active', value: 'True' }),
    );
    expect(on.body.active).toBe(true);
    expect(await findAccountByEmail(db, person.userName)).toMatchObject({ status: 'active' });
  });

  test('Entra: the name by its parts and by an object without a path; what is not kept here passes', async () => {
    const person = await made();
    const before = await scim(
      'PATCH',
      `Users/${person.id}`,
      patch(
        { op: 'Replace', path: 'displayName', value: 'Pvlo' },
        { op: 'Replace', path: 'name.givenName', value: 'Gtfd' },
        { op: 'Add', path: 'nickName', value: 'Babs' },
        {
          op: 'Replace',
          path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber',
          value: 'Eqpj',
        },
      ),
    );
    expect(before.body.name).toMatchObject({ givenName: 'Gtfd', familyName: 'Lind' });
    const flat = { displayName: 'Bjfe', 'name.givenName': 'Kkom', 'name.familyName': 'Unua' };
    const { body } = await scim(
      'PATCH',
      `Users/${person.id}`,
      patch({ op: 'replace', value: flat }),
    );
    expect(body.name).toMatchObject({ givenName: 'Kkom', familyName: 'Unua' });
    expect(await findAccountByEmail(db, person.userName)).toMatchObject({
      first_name: 'Kkom',
      last_name: 'Unua',
    });
  });

  test('Entra: a new work address, and a new user name, are unproven and in the domains', async () => {
    const person = await made();
    await db
      .updateTable('users')
      .set({ email_proven_at: new Date() })
      .where('id', '=', person.userId)
      .execute();
    const next = newEmail();
    const mail = { op: 'Replace', path: 'emails[type eq "work"].value', value: next };
    const { body } = await scim('PATCH', `Users/${person.id}`, patch(mail));
    expect(body.userName).toBe(next);
    expect(await findAccountByEmail(db, next)).toMatchObject({
      id: person.userId,
      email_proven_at: null,
    });
    const name = newEmail();
    await scim(
      'PATCH',
      `Users/${person.id}`,
      patch({ op: 'Replace', path: 'userName', value: name }),
    );
    expect(await findAccountByEmail(db, name)).toMatchObject({ id: person.userId });
    const outside = { op: 'Replace', path: 'userName', value: 'nora@gmail.example' };
    expect((await scim('PATCH', `Users/${person.id}`, patch(outside))).body.scimType).toBe(
      'invalidValue',
    );
    const taken = { op: 'Replace', path: 'userName', value: (await made()).userName };
    expect((await scim('PATCH', `Users/${person.id}`, patch(taken))).status).toBe(409);
  });

  test('externalId is set once', async () => {
    const person = await made();
    const other = { op: 'Replace', path: 'externalId', value: 'Eqpj' };
    const answer = await scim('PATCH', `Users/${person.id}`, patch(other));
    expect([answer.status, answer.body.scimType]).toEqual([400, 'mutability']);
    const put = entraUser({ userName: person.userName, emails: [] });
    expect((await scim('PUT', `Users/${person.id}`, put)).body.scimType).toBe('mutability');
    const same = { op: 'Replace', path: 'externalId', value: person.externalId };
    expect((await scim('PATCH', `Users/${person.id}`, patch(same))).status).toBe(200);
  });

  test('roles: what the map names is given, and only what was given is taken back', async () => {
    const person = await made();
    const roles = () => findRoleIds(db, person.userId);
    const send = (...operations: readonly object[]) =>
      scim('PATCH', `Users/${person.id}`, patch(...operations));
    await grantRoles(db, person.userId, [16]);
    // Entra: roles by a selector, by a list of objects, and with a value that nobody mapped.
    await send({ op: 'Add', path: 'roles[primary eq "True"].value', value: 'counter' });
    expect(await roles()).toEqual([6, 16]);
    await send({ op: 'Add', path: 'roles', value: [{ value: 'sales' }, { value: 'unknown' }] });
    expect(await roles()).toEqual([6, 16]);
    await send({ op: 'Remove', path: 'roles[value eq "counter"]' });
    expect(await roles()).toEqual([16]);
    await send({ op: 'Replace', path: 'roles', value: [] });
    expect(await roles()).toEqual([16]);
    await send({ op: 'replace', value: { roles: ['counter'] } });
    await scim(
      'PUT',
      `Users/${person.id}`,
      entraUser({
        userName: person.userName,
        emails: [],
        externalId: person.externalId,
        roles: undefined,
      }),
    );
    expect(await roles()).toEqual([6, 16]);
  });

  test('a help desk is only switched off and on', async () => {
    const person = await made();
    await grantRoles(db, person.userId, [3]);
    const send = (operation: object) => scim('PATCH', `Users/${person.id}`, patch(operation));
    expect((await send({ op: 'replace', path: 'name.givenName', value: 'Eve' })).status).toBe(403);
    expect((await send({ op: 'replace', path: 'userName', value: newEmail() })).status).toBe(403);
    expect((await send({ op: 'add', path: 'roles', value: ['counter'] })).status).toBe(403);
    expect((await send({ op: 'replace', path: 'active', value: false })).body.active).toBe(false);
    expect((await send({ op: 'replace', path: 'active', value: true })).body.active).toBe(true);
  });

  test.each<[string, unknown, string]>([
    ['no operations', { schemas: [] }, 'invalidValue'],
    ['an unknown op', patch({ op: 'move', path: 'active', value: false }), 'invalidValue'],
    ['removing without a path', patch({ op: 'remove' }), 'invalidPath'],
    ['removing active', patch({ op: 'remove', path: 'active' }), 'mutability'],
    ['removing the user name', patch({ op: 'remove', path: 'userName' }), 'mutability'],
    ['a list', [], 'invalidValue'],
    ['no JSON', '{', 'invalidValue'],
  ])('a PATCH with %s changes nothing', async (_, body, scimType) => {
    const person = await made();
    const answer = await scim('PATCH', `Users/${person.id}`, body);
    expect([answer.status, answer.body.scimType]).toEqual([400, scimType]);
    expect(await findAccountByEmail(db, person.userName)).toMatchObject({ status: 'active' });
  });
});

describe('[FED-08] deleting', () => {
  test('is off for good and 404; the same externalId comes back, another one does not', async () => {
    const given = entraUser();
    const person = await made(given);
    expect((await scim('DELETE', `Users/${person.id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE'])
      expect((await scim(method, `Users/${person.id}`)).status).toBe(404);
    expect(await findAccountByEmail(db, given.userName)).toMatchObject({ status: 'inactive' });
    await expect(setSuspended(context(), person.userId, false)).rejects.toMatchObject({
      code: 'OFF_BY_ORGANISATION',
    });
    const another = await scim('POST', 'Users', { ...given, externalId: guid() });
    expect([another.status, another.body.scimType]).toEqual([409, 'uniqueness']);
    const back = await made(given);
    expect(back.userId).toBe(person.userId);
    expect(back.id).not.toBe(person.id);
    expect(await findAccountByEmail(db, given.userName)).toMatchObject({ status: 'active' });
  });
});

test('[FED-07] activating undoes its own doing alone', async () => {
  const person = await made();
  const active = (value: boolean) =>
    scim('PATCH', `Users/${person.id}`, patch({ op: 'replace', path: 'active', value }));
  await setSuspended(context(), person.userId, true);
  expect((await active(true)).body.active).toBe(false);
  await active(false);
  expect((await active(true)).body.active).toBe(false);
  expect(await setSuspended(context(), person.userId, false)).toBe('done');
  expect((await scim('GET', `Users/${person.id}`)).body.active).toBe(true);
});

describe('[FED-08] the door', () => {
  test('no bearer, a wrong one, a replaced one, one of an organization that is off: 401 in SCIM’s words', async () => {
    const entry = { id: 'oak-staff', issuer: 'https://oak.okta.com', domains: ['oak.example'] };
    const first = await addRosewood(testApp, entry);
    const second = await makeBearer(context(), 'oak-staff');
    await replaceOrganisation(context(), { ...ROSEWOOD, ...entry, on: false });
    for (const token of ['', 'wrong', first, second, `${bearer}x`]) {
      const answer = await scim('GET', 'Users', undefined, token);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(answer.body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '401',
      });
    }
  });

  test('discovery says what there is', async () => {
    const { body } = await scim('GET', 'ServiceProviderConfig');
    expect(body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    });
    const types = await scim('GET', 'ResourceTypes');
    expect(types.body.Resources).toMatchObject([{ id: 'User', endpoint: '/Users' }]);
    const schema = 'urn:ietf:params:scim:schemas:core:2.0:User';
    expect((await scim('GET', 'Schemas')).body.Resources).toMatchObject([{ id: schema }]);
    expect((await scim('GET', `Schemas/${schema}`)).body).toMatchObject({ id: schema });
    expect((await scim('GET', 'Groups')).status).toBe(404);
  });
});

test('[FED-09] O13: links by another id than Entra’s object id are counted', async () => {
  const organisation = await findOrganisation(db, ROSEWOOD.id);
  if (!organisation) throw new Error('no organization');
  const before = await countOddSubjects(db, organisation);
  await made(entraUser({ externalId: 'nora.lind' }));
  await made();
  expect(await countOddSubjects(db, organisation)).toBe(before + 1);
  expect(await countOddSubjects(db, { id: ROSEWOOD.id, subject: 'sub' })).toBe(0);
});
