/** [HOU-04] The right of an administrator that is taken away in the middle of an act. */

import { expect, test } from 'vitest';
import { addAdministrator, removeAdministrator } from '../people/house.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { openDesk } from '../testing/desk.ts';
import { createTestAppWithPages } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const TIMES = 50;
const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 1000 }));
const { db } = testApp;

async function registered(name: string) {
  const email = `${name}@people.test`;
  const { userId: id } = await testApp.visitor().register({ emailAddress: email });
  await db.updateTable('users').set({ subtenant_id: 742 }).where('id', '=', id).execute();
  return { id, email };
}

test('[HOU-04] an act is done before the right is taken away, or not at all', async () => {
  const staff = await registered('administrator');
  const { id } = await registered('member');
  await addAdministrator(adminContextOf(testApp), staff.id, null);
  const desk = await openDesk(testApp, staff.email);
  const path = `/console/people/${id}/suspend`;
  const seen = { before: 0, never: 0 };
  for (let n = 0; n < TIMES; n += 1) {
    await addAdministrator(adminContextOf(testApp), staff.id, null);
    await db.updateTable('users').set({ status: 'active' }).where('id', '=', id).execute();
    const newest = await db
      .selectFrom('audit_events')
      .select((eb) => eb.fn.max('id').as('id'))
      .executeTakeFirstOrThrow();
    const remove = async () => {
      // The act reads its page first: the end comes at another moment of it each time.
      await new Promise((resolve) => setTimeout(resolve, n));
      await removeAdministrator(adminContextOf(testApp), staff.id);
    };
    await Promise.all([desk.send(path, { once: `race-${n}` }), remove()]);
    const events = await db
      .selectFrom('audit_events')
      .select(['id', 'kind'])
      .where('id', '>', newest.id)
      .where('kind', 'in', ['account.suspended', 'house.administratorRemoved'])
      .orderBy('id')
      .execute();
    const kinds = events.map((event) => event.kind);
    const { status } = await db
      .selectFrom('users')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const isDone = kinds.includes('account.suspended');
    seen[isDone ? 'before' : 'never'] += 1;
    expect(kinds).toEqual([...(isDone ? ['account.suspended'] : []), 'house.administratorRemoved']);
    expect(status).toBe(isDone ? 'inactive' : 'active');
  }
  expect(seen.before + seen.never).toBe(TIMES);
}, 120_000);
