/** A form of the console that meets the end of its rights: it is sent in time, and waits for a lock meanwhile. */

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { grantRoles, lockAccount } from '../accounts/account-store.ts';
import { signOut } from '../access/sessions.ts';
import type { Db } from '../db/database.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { untilWaiting } from '../testing/row-lock.ts';
import { createTestAppWithPages } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const MINUTE = 60;

const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));

let count = 0;
async function registered(roles: readonly (3 | 4)[] = []) {
  const email = `ended-${(count += 1)}@people.test`;
  const { userId: id } = await testApp.visitor().register({ emailAddress: email });
  if (roles.length > 0) await grantRoles(testApp.db, id, roles);
  await testApp.db.updateTable('users').set({ subtenant_id: 742 }).where('id', '=', id).execute();
  return { id, email };
}

const lockSubtenant = (db: Db) =>
  sql`select 1 from subtenants where id = 900 for no key update`.execute(db);
const subtenantIn = (db: Db) =>
  db.selectFrom('subtenants').selectAll().where('id', '=', 900).execute();

/** Each form: its address, what it waits for, and what it changes. */
const FORMS = {
  'a verb': {
    pathOf: (id: number) => `/console/people/${id}/suspend`,
    lock: lockAccount,
    read: (db: Db, id: number) =>
      db.selectFrom('users').select('status').where('id', '=', id).execute(),
  },
  'a form of an area': {
    pathOf: () => '/console/subtenants/900/close',
    lock: lockSubtenant,
    read: subtenantIn,
  },
};

/** What happens to the staff member meanwhile, and where the answer leads. */
const ENDS = {
  'the role is taken': async (db: Db, id: number) => {
    await db.deleteFrom('user_roles').where('user_id', '=', id).where('role_id', '=', 4).execute();
  },
  'the session ends': async (db: Db, id: number) => {
    await signOut({ ...adminContextOf(testApp), db }, { id }, null);
  },
  'the account is switched off': async (db: Db, id: number) => {
    await db.updateTable('users').set({ status: 'inactive' }).where('id', '=', id).execute();
  },
  'the proof grows old': async () => testApp.clock.advance(6 * MINUTE),
};

describe.each(Object.entries(ENDS))(
  '[CON-07] nothing is changed by a form that waits while %s:',
  (how, end) => {
    const isFirst = how === 'the role is taken';
    test.each(Object.entries(FORMS))('%s', { tags: isFirst ? [] : ['long'] }, async (_, form) => {
      const { id } = await registered();
      const staff = await registered([4]);
      const desk: Desk = await openDesk(testApp, staff.email);
      const path = form.pathOf(id);
      await desk.stepUp(path);
      const before = await form.read(testApp.db, id);
      const sent = await testApp.db.transaction().execute(async (transaction) => {
        await form.lock(transaction, id);
        const under = { way: desk.send(path) };
        await untilWaiting(testApp.db, 1);
        await end(transaction, staff.id);
        return under;
      });
      expect(await sent.way).toMatchObject({ status: 303, location: path });
      expect(await form.read(testApp.db, id)).toEqual(before);
    });
  },
);
