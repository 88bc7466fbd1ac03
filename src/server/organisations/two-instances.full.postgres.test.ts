/** [ORG-05] [FED-08] A person of an organization at two instances, from the first sign-in to the day of leaving. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pathOf } from '#domain/flow/screens.ts';
import { runCommand } from '../testing/command.ts';
import { createForeignProvider } from '../testing/foreign-provider.ts';
import { startInstances } from '../testing/instances.ts';
import { comeBack, ORGANISATION_SECRET, press } from '../testing/organisation-provider.ts';
import { follow } from '../testing/relying-party.ts';
import { openTestDatabase } from '../testing/test-database.ts';
import { createVisitor } from '../testing/visitor.ts';

const ID = 'rosewood-staff';
const PERSON = 'ana';
const EMAIL = `${PERSON}@rosewood.example`;
const dir = mkdtempSync(join(tmpdir(), 'porchlight-organization-'));
const database = await openTestDatabase('empty');
const instances = await startInstances({ DATABASE_URL: database.url ?? '' });
const { url } = instances.balancer;
const foreign = await createForeignProvider({
  id: 'porchlight',
  secret: ORGANISATION_SECRET,
  redirectUri: `${url}/account/organization/${ID}/back`,
});
afterAll(async () => {
  foreign.close();
  await instances.close();
  await database.close();
  rmSync(dir, { recursive: true, force: true });
});

const porchlight = async (...words: string[]) => {
  const ended = await runCommand(instances.environment(0), 'organisation', ...words);
  expect(ended).toMatchObject({ code: 0 });
  return ended.out;
};

const directory = async (bearer: string, method: string, path: string, body: object) => {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/scim+json' };
  const address = `${url}/scim/v2/${path}`;
  const response = await fetch(address, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as { readonly id: string } };
};

test('joins by the directory, signs in, and is out of both instances once switched off there', async () => {
  const file = join(dir, 'rosewood.json');
  const entry = {
    id: ID,
    subtenantId: 742,
    label: 'Rosewood',
    issuer: foreign.issuer,
    clientId: 'porchlight',
    clientSecret: ORGANISATION_SECRET,
    roles: [6],
    domains: ['rosewood.example'],
    roleMap: { counter: 6 },
    on: true,
  };
  writeFileSync(file, JSON.stringify(entry));
  await porchlight('add', file);
  expect(await porchlight('check', ID)).toContain('knows the redirect address');
  const [bearer = ''] = /plscim_[\w-]+/.exec(await porchlight('bearer', ID)) ?? [];

  const made = await directory(bearer, 'POST', 'Users', {
    userName: EMAIL,
    externalId: PERSON,
    name: { givenName: 'Ana', familyName: 'Ruiz' },
    active: true,
    roles: [{ value: 'counter' }],
  });
  expect(made.status).toBe(201);

  foreign.as(PERSON);
  const visitor = instances.visitor();
  const there = createVisitor({ url: foreign.issuer, codeFor: instances.codeFor });
  const place = await follow(there, await press(visitor, ID), foreign.issuer);
  expect(await comeBack(visitor, place.url.href)).toBe('/account/Redirect');
  const user = await visitor.ok('getLoginUser', { query: { emailId: EMAIL } });
  const userId = user?.userId ?? 0;
  const sent = await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION');
  const otp = await instances.codeFor(EMAIL);
  await visitor.ok('verifyOtp', { body: { id: sent.data?.id ?? '', createdBy: userId, otp } });
  expect((await visitor.complete()).userRoles).toMatchObject([{ roleId: 6 }]);

  const pages = async () => [
    (await visitor.request(pathOf('myAccount'))).status,
    (await visitor.request(pathOf('myAccount'))).status,
  ];
  expect(await pages()).toEqual([200, 200]);
  const off = { Operations: [{ op: 'replace', path: 'active', value: false }] };
  expect(await directory(bearer, 'PATCH', `Users/${made.body.id}`, off)).toMatchObject({
    status: 200,
  });
  expect(await pages()).toEqual([302, 302]);
});
