/** [OPS-16] [CON-25] What the help desk reads of a person who comes in by an organization, or would. */

import { beforeAll, expect, test } from 'vitest';
import { demoEmail } from '../../demo/seed.ts';
import { addOrganisation } from '../../organisations/organisation-operations.ts';
import { adminContextOf } from '../../testing/admin-context.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';
import { openDesk } from '../../testing/desk.ts';
import {
  createOrganisationProvider,
  ORGANISATION_SECRET,
  press,
  signInBy,
} from '../../testing/organisation-provider.ts';
import { createTestAppWithPages } from '../../testing/test-app.ts';

const ID = 'rosewood-staff';
const EMAIL = demoEmail('counter');
const provider = closeAtEnd(await createOrganisationProvider());
const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));
const { db, clock } = testApp;
let operator = await openDesk(testApp, 'admin');
let userId = 0;
beforeAll(async () => {
  const row = {
    subtenantId: 742,
    label: 'Rosewood',
    issuer: provider.issuer,
    roles: [6],
    on: true,
  };
  const secret = { clientId: 'porchlight', clientSecret: ORGANISATION_SECRET };
  await addOrganisation(adminContextOf(testApp), { id: ID, ...row, ...secret });
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', EMAIL)
    .executeTakeFirstOrThrow();
  userId = user.id;
});

async function seen() {
  const { page } = await operator.open(`/console/people/${userId}`);
  if (page?.kind !== 'person') throw new Error('No person');
  return { cause: page.why.cause, label: page.why.organisation, ways: page.ways };
}

test('[OPS-16] not linked: its sign-in was tried in a browser of the person, and no one else is named', async () => {
  expect(await seen()).toMatchObject({ cause: 'nothing', label: '' });
  const stranger = testApp.visitor();
  await signInBy(stranger, ID);
  expect(await seen()).toMatchObject({ cause: 'nothing' });
  clock.advance(60);
  const visitor = testApp.visitor();
  await visitor.givePassword(EMAIL, 'Wrong-Word-77');
  await signInBy(visitor, ID);
  expect(await seen()).toMatchObject({ cause: 'notLinked', label: 'Rosewood' });
  expect((await seen()).ways.map(({ way }) => way)).not.toContain('organisation');
});

test('[OPS-16] linked: signs in by Rosewood, needs no password, and the page says when it does not answer', async () => {
  const link = { issuer: provider.issuer, subject: 'person-1', organisation_id: ID };
  const made = { shown_name: 'Sam', made_by: 'account', made_at: clock.now() } as const;
  await db
    .insertInto('organisation_links')
    .values({ ...link, ...made, user_id: userId })
    .execute();
  await db.updateTable('users').set({ password_hash: null }).where('id', '=', userId).execute();
  expect((await seen()).cause).not.toBe('noPassword');
  expect((await seen()).ways).toContainEqual({ way: 'organisation', state: 'works', at: null });
  provider.forge({ isDown: true });
  clock.advance(60);
  // Its metadata is still remembered after a first look.
  await db.updateTable('organisations').set({ changed_at: clock.now() }).execute();
  expect(await press(testApp.visitor(), ID)).toContain('why=down');
  expect(await seen()).toMatchObject({ cause: 'organisationAway', label: 'Rosewood' });
  expect((await seen()).ways).toContainEqual({ way: 'organisation', state: 'away', at: null });
  clock.advance(31 * 60);
  operator = await openDesk(testApp, 'admin');
  expect((await seen()).cause).not.toBe('organisationAway');
});

test('[OPS-16] switched off by the organization comes before switched off here', async () => {
  await db
    .updateTable('organisation_links')
    .set({ off_at: clock.now() })
    .where('user_id', '=', userId)
    .execute();
  await db.updateTable('users').set({ status: 'inactive' }).where('id', '=', userId).execute();
  expect(await seen()).toMatchObject({ cause: 'offByOrganisation', label: 'Rosewood' });
  expect((await seen()).ways).toContainEqual({ way: 'organisation', state: 'off', at: null });
  await db.updateTable('organisations').set({ is_on: false }).execute();
  expect(await seen()).toMatchObject({ cause: 'switchedOff', label: '' });
});
