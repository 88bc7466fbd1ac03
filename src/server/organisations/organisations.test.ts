import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkOf, updateLink } from '../accounts/organisation-links.ts';
import { reEncrypt } from '../crypto/re-encrypt.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { createTestApp, type TestApp } from '../testing/test-app.ts';
import {
  addOrganisation,
  makeBearer,
  readOrganisation,
  removeOrganisation,
  replaceOrganisation,
  setClientSecret,
  shownOrganisation,
} from './organisation-operations.ts';
import {
  findOrganisation,
  listOrganisations,
  organisationByBearer,
  organisationsOfSubtenant,
  sealedSecretOf,
} from './organisation-store.ts';

const ENTRA = 'https://login.microsoftonline.com/8c0d2f66-1111-2222-3333-444455556666/v2.0';
const SECRET = 'a secret of the organization';
const rosewood = {
  id: 'rosewood-staff',
  subtenantId: 742,
  label: 'Rosewood',
  issuer: ENTRA,
  clientId: 'porchlight',
  clientSecret: SECRET,
  roles: [3],
  domains: ['Rosewood.Example'],
};

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());
const context = () => adminContextOf(testApp);

describe('[ORG-01] what an operator writes', () => {
  const faultsOf = (change: Readonly<Record<string, unknown>>, evenSo = false): string => {
    try {
      readOrganisation(context(), { ...rosewood, ...change }, { evenSo });
      return 'taken';
    } catch (error) {
      return (error as Error).message;
    }
  };

  test.each([
    ['https://login.microsoftonline.com/common/v2.0', 'many organizations'],
    ['https://login.microsoftonline.com/Organizations/v2.0', 'many organizations'],
    ['https://login.microsoftonline.com/consumers/v2.0', 'many organizations'],
    ['https://login.microsoftonline.us/common', 'many organizations'],
    ['https://login.microsoftonline.com/{tenantid}/v2.0', 'https address'],
    ['https://login.microsoftonline.com/%7Btenantid%7D/v2.0', 'many organizations'],
    [
      'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
      'many organizations',
    ],
    ['https://appleid.apple.com', 'many organizations'],
    ['https://token.actions.githubusercontent.com', 'many organizations'],
    ['https://accounts.google.com', 'every Google account'],
    ['http://idp.rosewood.example', 'https address'],
    ['https://user:pass@idp.rosewood.example', 'https address'],
    ['https://idp.rosewood.example/#a', 'https address'],
    ['https://idp.rosewood.example/?tenant=1', 'https address'],
    ['not an address', 'https address'],
    ['https://rosewood.okta.com', 'taken'],
    ['https://keycloak.rosewood.example/realms/staff', 'taken'],
    [ENTRA, 'taken'],
  ])('issuer %s: %s', (issuer, says) => {
    expect(faultsOf({ issuer })).toContain(says);
  });

  test('our own issuer is refused, Google with its domain taken', () => {
    const { publicUrl } = testApp.config;
    expect(faultsOf({ issuer: `${publicUrl}/idp/` })).toContain('this installation');
    const google = { issuer: 'https://accounts.google.com', hostedDomain: 'rosewood.example' };
    expect(faultsOf(google)).toBe('taken');
  });

  test.each([
    [{ domains: ['gmail.com'] }, 'everybody'],
    [{ domains: ['GMX.net'] }, 'everybody'],
    [{ domains: ['yahoo.co.uk'] }, 'everybody'],
    [{ domains: ['rosewood.onmicrosoft.com'] }, 'everybody'],
    [{ domains: ['example'] }, 'no mail domain'],
    [{ domains: ['nora@rosewood.example'] }, 'no mail domain'],
    [{ domains: ['rosewood.example/x'] }, 'no mail domain'],
    [{ domains: ['bücher.example'] }, 'taken'],
    [{ roles: [] }, 'roles'],
    [{ roles: [4] }, 'operator rights'],
    [{ roles: [3, 99] }, 'no role'],
    [{ roles: [1] }, '--even-so'],
    [{ roles: [9] }, '--even-so'],
    [{ roles: [18] }, '--even-so'],
    [{ roles: [3, 6, 16] }, 'taken'],
    [{ roles: [3, 6], roleMap: { counter: 6 } }, 'taken'],
    [{ roles: [3, 6], roleMap: { staff: 3 } }, 'rights at the console'],
    [{ roles: [3], roleMap: { counter: 6 } }, 'not one of the roles'],
    [{ label: '<b>Rosewood</b>' }, 'plain line'],
    [{ id: 'Rosewood Staff' }, 'small letters'],
    [{ maxAuthAge: 43_201 }, '43200'],
    [{ helpPhone: 'call us' }, 'dial code'],
    [{ secondfactor: 'theirs' }, 'secondfactor'],
  ])('%j: %s', (change, says) => {
    expect(faultsOf(change)).toContain(says);
  });

  test('roles of members are taken from an operator who insists, operator rights never', () => {
    expect(faultsOf({ roles: [1, 9] }, true)).toBe('taken');
    expect(faultsOf({ roles: [4] }, true)).toContain('operator rights');
  });
});

test('[ORG-01] [ORG-02] an organization is added, found, changed and removed, its secret encrypted', async () => {
  const { db } = testApp;
  expect(await addOrganisation(context(), rosewood)).toBe('added');
  expect(await addOrganisation(context(), rosewood)).toBe('already');
  await expect(addOrganisation(context(), { ...rosewood, label: 'Other' })).rejects.toThrow(
    'already',
  );
  const found = await findOrganisation(db, 'rosewood-staff');
  expect(found).toMatchObject({ label: 'Rosewood', domains: ['rosewood.example'], on: false });
  const sealed = (await sealedSecretOf(db, 'rosewood-staff')) ?? '';
  expect(sealed).not.toContain(SECRET);
  expect(JSON.stringify(found)).not.toContain(SECRET);
  expect(context().secretBox.decrypt('organisation', sealed)).toBe(SECRET);
  expect(await organisationsOfSubtenant(db, 742)).toEqual([]);

  const { clientSecret: _, ...kept } = rosewood;
  await replaceOrganisation(context(), { ...kept, on: true, only: true });
  expect(await organisationsOfSubtenant(db, 742)).toHaveLength(1);
  expect(await organisationsOfSubtenant(db, 900)).toEqual([]);
  expect(await sealedSecretOf(db, 'rosewood-staff')).toBe(sealed);
  for (const other of [{ issuer: 'https://rosewood.okta.com' }, { subject: 'oid' }]) {
    await expect(replaceOrganisation(context(), { ...kept, ...other })).rejects.toThrow(
      'another organization',
    );
  }

  const twin = { ...rosewood, id: 'second', domains: [] };
  await expect(addOrganisation(context(), twin)).rejects.toThrow('rosewood-staff');
  const okta = { ...twin, issuer: 'https://rosewood.okta.com', domains: ['ROSEWOOD.example.'] };
  await expect(addOrganisation(context(), okta)).rejects.toThrow('belongs to');
  await expect(addOrganisation(context(), { ...twin, subtenantId: 51 })).rejects.toThrow('51');
  expect(await listOrganisations(db)).toHaveLength(1);

  await setClientSecret(context(), 'rosewood-staff', { text: 'a new one', endsAt: null });
  const next = createSecretBox('another secret of the server, long enough', [
    testApp.config.secret,
  ]);
  expect(await reEncrypt({ db, secretBox: next })).toMatchObject({ lost: 0 });
  const again = (await sealedSecretOf(db, 'rosewood-staff')) ?? '';
  expect(
    createSecretBox('another secret of the server, long enough').decrypt('organisation', again),
  ).toBe('a new one');

  const shown = shownOrganisation(found ?? (await Promise.reject(new Error('not found'))));
  expect(readOrganisation(context(), shown)).toEqual(shown);
  expect(await removeOrganisation(context(), 'rosewood-staff')).toBe(true);
  expect(await removeOrganisation(context(), 'rosewood-staff')).toBe(false);
  const kinds = await db
    .selectFrom('audit_events')
    .select('kind')
    .where('kind', 'like', 'organisation.%')
    .orderBy('id')
    .execute();
  expect(kinds.map(({ kind }) => kind)).toEqual([
    'organisation.added',
    'organisation.changed',
    'organisation.secretChanged',
    'organisation.removed',
  ]);
});

test('[ORG-02] a bearer is found while its organization is on; a new one ends it', async () => {
  const { db } = testApp;
  await addOrganisation(context(), { ...rosewood, on: true });
  const first = await makeBearer(context(), 'rosewood-staff');
  expect(await organisationByBearer(db, first)).toMatchObject({ id: 'rosewood-staff' });
  const second = await makeBearer(context(), 'rosewood-staff');
  expect(await organisationByBearer(db, first)).toBeUndefined();
  expect(await organisationByBearer(db, second)).toMatchObject({ hasBearer: true });
  await replaceOrganisation(context(), { ...rosewood, on: false });
  expect(await organisationByBearer(db, second)).toBeUndefined();
  await removeOrganisation(context(), 'rosewood-staff');
});

test('[ORG-01] a link is marked as off, and found until it ends; it goes with its account', async () => {
  const { db, clock } = testApp;
  await addOrganisation(context(), { ...rosewood, on: true });
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'staff@demo.porchlight.test')
    .executeTakeFirstOrThrow();
  expect(await linkOf(db, id)).toBeUndefined();
  expect(await updateLink(db, id, { off_at: clock.now() })).toBe(false);
  const link = { issuer: ENTRA, subject: 'a1', organisation_id: 'rosewood-staff', user_id: id };
  await db
    .insertInto('organisation_links')
    .values({ ...link, shown_name: 'staff', made_by: 'account', made_at: clock.now() })
    .execute();
  expect(await linkOf(db, id)).toMatchObject({ subject: 'a1', off_at: null });
  const now = clock.now();
  expect(await updateLink(db, id, { off_at: now })).toBe(true);
  expect((await linkOf(db, id))?.off_at).toEqual(now);
  expect(await updateLink(db, id, { off_at: null })).toBe(true);
  expect((await linkOf(db, id))?.off_at).toBeNull();
  await removeOrganisation(context(), 'rosewood-staff');
  expect(await linkOf(db, id)).toBeUndefined();
});
