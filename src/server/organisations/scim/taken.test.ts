/** [FED-08] O10: whom a directory does not get by naming them. */

import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { findAccountByEmail } from '../../accounts/account-store.ts';
import { endLink, insertLink, linkOf, updateLink } from '../../accounts/organisation-links.ts';
import { adminContextOf } from '../../testing/admin-context.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';
import { addRosewood, ROSEWOOD } from '../../testing/organisation.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { addOrganisation } from '../organisation-operations.ts';

const testApp = closeAtEnd(
  await createTestApp({
    limitFactor: 50,
    limits: { wrongBearerPerIp: { max: 2, windowMs: MINUTE_MS } },
  }),
);
const { db, clock } = testApp;
const bearer = await addRosewood(testApp);
const OTHER = { ...ROSEWOOD, id: 'harbor-staff', subtenantId: 900, domains: [], roleMap: {} };
await addOrganisation(adminContextOf(testApp), OTHER);

async function create(externalId: string): Promise<number> {
  const response = await fetch(`${testApp.url}/scim/v2/Users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({
      userName: `${externalId}@rosewood.example`,
      externalId,
      active: true,
      name: { givenName: 'Ana', familyName: 'Ruiz' },
    }),
  });
  await response.body?.cancel();
  return response.status;
}

/** Links the demo's staff member to an organization. */
async function link(subject: string, organisationId: string): Promise<number> {
  const account = await findAccountByEmail(db, 'staff@demo.porchlight.test');
  const id = account?.id ?? 0;
  await endLink(db, id, clock.now());
  const isMade = await insertLink(db, {
    issuer: ROSEWOOD.issuer,
    subject,
    organisation_id: organisationId,
    user_id: id,
    shown_name: '',
    made_by: 'account',
    made_at: clock.now(),
  });
  expect(isMade).toBe(true);
  return id;
}

describe('a new person with the subject of somebody', () => {
  test('who linked the account in My account is refused', async () => {
    const id = await link('own-link', ROSEWOOD.id);
    expect(await create('own-link')).toBe(409);
    expect(await linkOf(db, id)).toMatchObject({ made_by: 'account', scim_id: null });
  });

  test('whom another organization of the same provider switched off is refused', async () => {
    const id = await link('elsewhere', OTHER.id);
    await updateLink(db, id, { off_at: clock.now() });
    expect(await create('elsewhere')).toBe(409);
    expect(await linkOf(db, id)).toMatchObject({ organisation_id: OTHER.id, scim_id: null });
  });

  test('who was unlinked is refused', async () => {
    const id = await link('unlinked', ROSEWOOD.id);
    await endLink(db, id, clock.now());
    expect(await create('unlinked')).toBe(409);
    expect(await linkOf(db, id)).toBeUndefined();
  });
});

test('[FED-08] after so many wrong bearers an address waits', async () => {
  const ask = async (token: string) =>
    (
      await fetch(`${testApp.url}/scim/v2/Users`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status;
  expect([await ask('wrong'), await ask('other'), await ask('third')]).toEqual([401, 401, 429]);
  clock.advance(61);
  expect(await ask(bearer)).toBe(200);
});
