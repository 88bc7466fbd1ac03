/** [HOU-04] The right of an administrator that is taken away in the middle of an act. */

import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { signOut } from '../access/sessions.ts';
import { addAdministrator, setHouseRoles } from '../people/house.ts';
import { removeAdministrator } from '../people/remove-administrator.ts';
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

/** Returns the processes of acts that have read who administers a house, and wait for a lock. */
async function waitingActs(): Promise<readonly number[]> {
  const { rows } = await sql<{ pid: number }>`select distinct pid
    from pg_locks join pg_stat_activity using (pid)
    where relation = 'house_administrators'::regclass and granted
      and datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.map(({ pid }) => pid);
}

/** Returns whether a statement waits for a process. */
async function isWaitedFor(pid: number): Promise<boolean> {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and ${pid} = any(pg_blocking_pids(pid))`.execute(db);
  return rows.length > 0;
}

const context = () => adminContextOf(testApp);
const TAKERS: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
  right: (id) => removeAdministrator(context(), id),
  list: () => setHouseRoles(context(), 742, [5]),
  session: (id) => signOut(context(), { id }, null),
  account: (id) =>
    db.updateTable('users').set({ status: 'inactive' }).where('id', '=', id).execute(),
  house: (id) => db.updateTable('users').set({ subtenant_id: 900 }).where('id', '=', id).execute(),
};

test.each(Object.entries(TAKERS))(
  '[HOU-04] taking away the %s waits for an act that has read it',
  async (name, take) => {
    const staff = await registered(`held-${name}`);
    const { id } = await registered(`member-${name}`);
    await addAdministrator(context(), staff.id, null);
    const desk = await openDesk(testApp, staff.email);
    const under = await db.transaction().execute(async (transaction) => {
      // The act writes its event after it has read its rights.
      await sql`lock table audit_events in share mode`.execute(transaction);
      const act = desk.send(`/console/people/${id}/suspend`);
      await vi.waitUntil(async () => (await waitingActs()).length === 1, { timeout: 20_000 });
      const [pid = 0] = await waitingActs();
      const taken = take(staff.id);
      await vi.waitUntil(() => isWaitedFor(pid), { timeout: 20_000 });
      return { act, taken };
    });
    expect((await under.act).status).toBe(303);
    await under.taken;
  },
);

test('[HOU-04] an act waits for the account of its administrator with the right not held', async () => {
  const staff = await registered('waiting');
  const { id } = await registered('member-waiting');
  await addAdministrator(context(), staff.id, null);
  const desk = await openDesk(testApp, staff.email);
  const waiting = () =>
    sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  const under = await db.transaction().execute(async (transaction) => {
    // As a move and a closing begin; next they end the right.
    await sql`select from users where id = ${staff.id} for no key update`.execute(transaction);
    const act = desk.send(`/console/people/${id}/suspend`);
    await vi.waitUntil(async () => (await waiting()).rows.length > 0, { timeout: 20_000 });
    await sql`select from house_administrators where user_id = ${staff.id}
      for update nowait`.execute(transaction);
    return { act };
  });
  expect((await under.act).status).toBe(303);
});
