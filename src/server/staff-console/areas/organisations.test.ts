/** [CON-24] The operators' pages of organizations, over the functions of `porchlight organisation`. */

import { expect, test } from 'vitest';
import { hashToken } from '../../crypto/secret-box.ts';
import { findOrganisation, sealedSecretOf } from '../../organisations/organisation-store.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';
import { openDesk } from '../../testing/desk.ts';
import { createOrganisationProvider } from '../../testing/organisation-provider.ts';
import { createTestAppWithPages } from '../../testing/test-app.ts';

const ID = 'rosewood-staff';
const AREA = '/console/organizations';
const SECRET = 'typed-once-9f2';
const MINUTE = 60;
const provider = closeAtEnd(await createOrganisationProvider());
const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));
const operator = await openDesk(testApp, 'admin');
const helpDesk = await openDesk(testApp, 'staff');
const { db } = testApp;

const stored = async () => findOrganisation(db, ID);
const fields = {
  subtenantId: '742',
  subject: 'sub',
  issuer: provider.issuer,
  clientId: 'porchlight',
  clientSecret: SECRET,
  label: 'Rosewood',
  domains: 'rosewood.example, staff.rosewood.example',
  roles: '3',
  secondFactor: 'ours',
};
const { issuer: _, subject: __, subtenantId: ___, clientSecret: ____, ...later } = fields;
const send = (verb: string, typed: Record<string, string> = {}) =>
  operator.send(`${AREA}/${ID}/${verb}`, typed);
const eventsOf = (kind: string) =>
  db.selectFrom('audit_events').select(['actor', 'details']).where('kind', '=', kind).execute();
const byStaff = (more: object = {}) => ({
  actor: expect.stringMatching(/^staff:\d+$/),
  details: { organisationId: ID, ...more },
});

test('[CON-24] three steps: the redirect address, what they gave us, and a try', async () => {
  await operator.stepUp(`${AREA}/add`);
  const named = await operator.send(`${AREA}/add`, { organisationId: ID });
  expect(named.location).toBe(`${AREA}/${ID}/step-1`);
  const first = await operator.open(`${AREA}/${ID}/step-1`);
  expect(first.page).toMatchObject({
    steps: { at: 0 },
    told: { next: { href: `${AREA}/${ID}/step-2` } },
  });
  expect(first.text).toContain(`${testApp.url}/account/organization/${ID}/back`);
  expect(await stored()).toBeUndefined();

  const wrong = await send('step-2', { ...fields, issuer: `${testApp.url}`, roles: '4' });
  expect(wrong.page).toMatchObject({
    fields: expect.arrayContaining([
      expect.objectContaining({ name: 'issuer', problem: expect.stringContaining('itself') }),
      expect.objectContaining({ name: 'roles', value: '4', problem: expect.any(String) }),
      expect.objectContaining({ name: 'clientSecret', value: '' }),
    ]),
  });
  expect(wrong.text).not.toContain(SECRET);
  expect(await stored()).toBeUndefined();

  expect((await send('step-2', fields)).location).toBe(`${AREA}/${ID}/step-3`);
  expect(await stored()).toMatchObject({
    subtenantId: 742,
    roles: [3],
    secondFactor: 'ours',
    domains: ['rosewood.example', 'staff.rosewood.example'],
    on: false,
  });
  expect(await eventsOf('organisation.added')).toEqual([byStaff()]);
  const tried = await send('step-3');
  expect(tried.page).toMatchObject({
    steps: { at: 2 },
    told: { parts: [{ title: 'It works' }], next: { href: `${AREA}/${ID}/on` } },
  });
  expect(await eventsOf('organisation.checked')).toEqual([byStaff({ faults: 0 })]);

  provider.forge({ isDown: true });
  await send('step-2', { ...later, label: 'Rosewood House' });
  expect((await send('step-3')).page).toMatchObject({
    told: { parts: [{ title: 'It does not work yet' }], next: { href: `${AREA}/${ID}/step-2` } },
  });
});

test('[CON-24] the secret is typed once: no page and no row has it, and an empty field keeps it', async () => {
  const sealed = await sealedSecretOf(db, ID);
  for (const verb of ['step-1', 'step-2', 'step-3', 'remove']) {
    expect((await operator.open(`${AREA}/${ID}/${verb}`)).text).not.toContain(SECRET);
  }
  expect(await testApp.dump()).not.toContain(SECRET);
  testApp.clock.advance(6 * MINUTE);
  const asked = await send('step-2', { ...later, clientSecret: 'another-77' });
  expect([asked.page, asked.text.includes('another-77')]).toEqual([
    expect.objectContaining({ isFresh: false }),
    false,
  ]);
  await operator.stepUp(`${AREA}/${ID}/step-2`);
  await send('step-2', later);
  expect(await sealedSecretOf(db, ID)).toBe(sealed);
  await send('step-2', { ...later, clientSecret: 'another-77' });
  expect(await sealedSecretOf(db, ID)).not.toBe(sealed);
});

test('[CON-24] what only a file sets stays, and its fault stands above the form', async () => {
  await db
    .updateTable('organisations')
    .set({ role_ids: [3, 1], amr_values: ['mfa'] })
    .where('id', '=', ID)
    .execute();
  await send('step-2', { ...later, roles: '3 1' });
  expect(await stored()).toMatchObject({ roles: [3, 1], amr: ['mfa'] });
  const roleMap = JSON.stringify({ nurse: 1 });
  await db.updateTable('organisations').set({ role_map: roleMap }).where('id', '=', ID).execute();
  expect((await send('step-2', later)).page).toMatchObject({
    problem: expect.stringContaining('roleMap.nurse'),
  });
  expect((await stored())?.roles).toEqual([3, 1]);
  await db.updateTable('organisations').set({ role_map: '{}' }).where('id', '=', ID).execute();
});

test('[CON-24] it is turned on and switched off', async () => {
  for (const on of [true, false]) {
    expect((await send(on ? 'on' : 'off')).status).toBe(303);
    expect((await stored())?.on).toBe(on);
  }
});

test('[CON-24] [ORG-02] the key for their list is shown once', async () => {
  const { page } = await send('bearer');
  if (page?.kind !== 'form') throw new Error('No form');
  const secret = page.told?.secret ?? '';
  const row = await db
    .selectFrom('organisations')
    .select('bearer_hash')
    .where('id', '=', ID)
    .executeTakeFirst();
  expect(row?.bearer_hash).toBe(hashToken(secret));
  expect((await operator.open(`${AREA}/${ID}/bearer`)).text).not.toContain(secret);
  expect(await testApp.dump()).not.toContain(secret);
});

const VERBS = ['step-1', 'step-2', 'step-3', 'on', 'off', 'bearer', 'remove'];

test('[CON-24] for a help desk no page is there; a change asks an operator for a code', async () => {
  const before = await stored();
  for (const path of [
    AREA,
    `${AREA}/csv`,
    `${AREA}/add`,
    ...VERBS.map((v) => `${AREA}/${ID}/${v}`),
  ]) {
    for (const answer of [await helpDesk.open(path), await helpDesk.send(path, fields)]) {
      expect([path, answer.status, answer.page]).toEqual([
        path,
        404,
        expect.objectContaining({ message: 'notFound' }),
      ]);
    }
  }
  testApp.clock.advance(6 * MINUTE);
  for (const verb of VERBS.slice(1)) {
    expect((await send(verb, later)).page).toMatchObject({ isFresh: false });
  }
  expect(await stored()).toEqual(before);
  await operator.stepUp(`${AREA}/${ID}/remove`);
});

test('[CON-24] to remove one says how many people are linked', async () => {
  const user = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  await db
    .insertInto('organisation_links')
    .values({
      issuer: provider.issuer,
      subject: 'person-1',
      organisation_id: ID,
      user_id: user.id,
      shown_name: 'Ana',
      made_by: 'account',
      made_at: testApp.clock.now(),
    })
    .execute();
  const { page } = await operator.open(`${AREA}/${ID}/remove`);
  expect(page).toMatchObject({
    isGrave: true,
    changes: [expect.stringContaining('1.'), expect.anything()],
  });
  expect((await operator.open(AREA)).page).toMatchObject({
    rows: [{ id: ID, cells: ['Rosewood', ID, '742', provider.issuer, '1', expect.anything()] }],
  });
  expect((await send('remove')).status).toBe(303);
  expect(await stored()).toBeUndefined();
  for (const verb of VERBS.slice(2)) {
    expect((await operator.open(`${AREA}/${ID}/${verb}`)).status).toBe(404);
  }
  expect((await operator.open(`${AREA}/No%20id/step-1`)).status).toBe(404);
});
