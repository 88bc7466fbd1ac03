import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Visit } from '../http/visit-cookie.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { addRosewood, ROSEWOOD } from '../testing/organisation.ts';
import { createTestApp } from '../testing/test-app.ts';
import { addOrganisation } from './organisation-operations.ts';
import { findOrganisation } from './organisation-store.ts';
import { insertStart, takeStart } from './organisation-sign-ins.ts';

const testApp = closeAtEnd(await createTestApp({}));
const context = adminContextOf(testApp);
const { db, clock } = testApp;
await addRosewood(testApp);
await addOrganisation(context, { ...ROSEWOOD, id: 'harbor-staff', subtenantId: 900, domains: [] });

async function visit(): Promise<Visit> {
  const id = randomUUID();
  const now = clock.now();
  await db
    .insertInto('visits')
    .values({ id, token_hash: id, created_at: now, seen_at: now })
    .execute();
  return { id, subtenantId: null };
}

test('[ORG-06] a start is taken once, in its visit, for its organization, within ten minutes', async () => {
  const [own, other] = [await visit(), await visit()];
  const organisation = await findOrganisation(db, ROSEWOOD.id);
  if (!organisation) throw new Error('No organization');
  const begin = async () => {
    const state = randomUUID();
    const start = { state, nonce: 'n', codeVerifier: 'v', purpose: 'signIn', about: '/' } as const;
    await insertStart(context, own, organisation, start);
    return { organisationId: ROSEWOOD.id, state };
  };
  const first = await begin();
  expect(await takeStart(context, other, first)).toBeNull();
  expect(await takeStart(context, own, { ...first, organisationId: 'harbor-staff' })).toBeNull();
  expect(await takeStart(context, own, first)).toMatchObject({ nonce: 'n', codeVerifier: 'v' });
  expect(await takeStart(context, own, first)).toBeNull();
  const late = await begin();
  clock.advance(10 * 60);
  expect(await takeStart(context, own, late)).toBeNull();
});
