import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '#domain/text/duration.ts';
import type { Visit } from '../http/visit-cookie.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { freePort } from '../testing/free-port.ts';
import { addRosewood, ROSEWOOD } from '../testing/organisation.ts';
import { createTestApp } from '../testing/test-app.ts';
import { addOrganisation } from './organisation-operations.ts';
import { findOrganisation } from './organisation-store.ts';
import { insertStart, takeStart } from './organisation-sign-ins.ts';

const testApp = closeAtEnd(
  await createTestApp({ limits: { organisationPerIp: { max: 2, windowMs: 5 * MINUTE_MS } } }),
);
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

test('[ORG-06] a visit has five starts, the newest ones', async () => {
  const own = await visit();
  const organisation = await findOrganisation(db, ROSEWOOD.id);
  if (!organisation) throw new Error('No organization');
  const states = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
  for (const state of states) {
    const start = { state, nonce: 'n', codeVerifier: 'v', purpose: 'signIn', about: '/' } as const;
    await insertStart(context, own, organisation, start);
    clock.advance(1);
  }
  const taken = await Promise.all(
    states.map((state) => takeStart(context, own, { organisationId: ROSEWOOD.id, state })),
  );
  expect(taken.map((start) => start?.state)).toEqual([undefined, ...states.slice(1)]);
});

test('[ORG-06] one network begins so many within five minutes', async () => {
  const issuer = `http://localhost:${await freePort()}`;
  const gone = { ...ROSEWOOD, id: 'gone-staff', subtenantId: 900, issuer, domains: [] };
  await addOrganisation(context, gone);
  const visitor = testApp.visitor();
  const start = async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const path = '/account/organization/gone-staff/start';
    return (await visitor.request(path, { method: 'POST', headers, body: '' })).status;
  };
  expect([await start(), await start(), await start()]).toEqual([303, 303, 429]);
});

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
