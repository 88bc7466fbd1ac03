/** [HOU-13] Answers to an invitation at once, and while something that it needs is taken away. */

import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { findAccountByEmail } from '../accounts/account-store.ts';
import { demoEmail } from '../demo/seed.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { openDesk } from '../testing/desk.ts';
import { createTestAppWithPages, PASSWORD } from '../testing/test-app.ts';
import { addAdministrator, setHouseRoles } from './house.ts';
import { removeAdministrator } from './remove-administrator.ts';

const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 1000 }));
const { db } = testApp;
const context = () => adminContextOf(testApp);
let admin: number;
beforeAll(async () => {
  admin = (await findAccountByEmail(db, demoEmail('house')))?.id ?? 0;
});

let count = 0;
/** Invites a person by the administrator of the demo. @returns what answers the invitation, in a browser of its own */
async function invited() {
  await addAdministrator(context(), admin, null);
  await setHouseRoles(context(), 742, [5]);
  const email = `raced-${(count += 1)}@people.test`;
  const house = await openDesk(testApp, 'house');
  const person = { firstName: 'Sam', lastName: 'Hale', email, role: '5' };
  await house.send('/console/invite', person, '/console/invite');
  await testApp.app.outbox.settle();
  const [mail] = await testApp.inbox(email);
  const { pathname, search } = new URL(mail?.link ?? '');
  const answer = async (fields: Record<string, string> = {}) => {
    const visitor = testApp.visitor();
    await visitor.ok('getVisit', { query: {} });
    const xsrf = visitor.cookies.get('XSRF-TOKEN') ?? '';
    const chosen = { password: PASSWORD, confirmPassword: PASSWORD };
    const body = new URLSearchParams({ xsrf, ...chosen, ...fields });
    const response = await visitor.request(pathname + search, { method: 'POST', body });
    const page = response.headers.get('location');
    return page ? (await visitor.request(page)).text() : response.text();
  };
  const { id } = await db
    .selectFrom('invitations')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return { email, id, answer, house };
}

test('[HOU-13] of answers at once one begins the account; declined meanwhile, none or one', async () => {
  const { email, answer } = await invited();
  const answers = await Promise.all(Array.from({ length: 6 }, () => answer()));
  expect(answers.filter((each) => each.includes('"state":"accepted"'))).toHaveLength(6);
  const { rows } = await sql`select id from audit_events where kind = 'account.added'
    and user_id = (select id from users where email = ${email})`.execute(db);
  expect(rows).toHaveLength(1);
  for (let n = 0; n < 5; n += 1) {
    const other = await invited();
    const [accepted] = await Promise.all([other.answer(), other.answer({ do: 'decline' })]);
    const account = await findAccountByEmail(db, other.email);
    expect(account !== undefined).toBe(accepted.includes('"state":"accepted"'));
  }
  expect(await findAccountByEmail(db, email)).toMatchObject({ status: 'active' });
});

const TAKERS: Readonly<Record<string, (email: string) => Promise<unknown>>> = {
  invitation: (email) =>
    db.deleteFrom('invitations').where('email', '=', email).where('answer', 'is', null).execute(),
  right: () => removeAdministrator(context(), admin),
  list: () => setHouseRoles(context(), 742, []),
  sender: () =>
    db.updateTable('users').set({ status: 'inactive' }).where('id', '=', admin).execute(),
  house: () =>
    db.updateTable('subtenants').set({ is_active: false }).where('id', '=', 742).execute(),
};

const isWaitedFor = async (pid: number) => {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and ${pid} = any(pg_blocking_pids(pid))`.execute(db);
  return rows.length > 0;
};

/** Returns the processes that hold a lock of the table, and wait for another. */
async function waitingAnswers(): Promise<readonly number[]> {
  const { rows } = await sql<{ pid: number }>`select distinct pid
    from pg_locks join pg_stat_activity using (pid)
    where relation = 'invitations'::regclass and granted
      and datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.map(({ pid }) => pid);
}

test.each(Object.entries(TAKERS))(
  '[HOU-13] taking away the %s waits for the answer that has read it',
  async (_name, take) => {
    const { email, answer } = await invited();
    const under = await db.transaction().execute(async (transaction) => {
      // The answer adds the account after it has read its rights.
      await sql`lock table user_roles in share mode`.execute(transaction);
      const answered = answer();
      await vi.waitUntil(async () => (await waitingAnswers()).length === 1, { timeout: 20_000 });
      const [pid = 0] = await waitingAnswers();
      const taken = take(email);
      await vi.waitUntil(() => isWaitedFor(pid), { timeout: 20_000 });
      return { answered, taken };
    });
    expect(await under.answered).toContain('"state":"accepted"');
    await under.taken;
    expect(await findAccountByEmail(db, email)).toMatchObject({ status: 'active' });
    await db.updateTable('users').set({ status: 'active' }).where('id', '=', admin).execute();
    await db.updateTable('subtenants').set({ is_active: true }).where('id', '=', 742).execute();
  },
);

test('[HOU-13] sending again and taking the right away at once end, and leave no invitation', async () => {
  for (let n = 0; n < 20; n += 1) {
    const { email, id, house } = await invited();
    await Promise.all([
      house.send(`/console/invitations/${id}/resend`),
      new Promise((resolve) => setTimeout(resolve, n)).then(() =>
        removeAdministrator(context(), admin),
      ),
    ]);
    expect(
      await db.selectFrom('invitations').select('id').where('email', '=', email).execute(),
    ).toEqual([]);
  }
}, 60_000);

/** Returns whether a statement of this database waits for a lock. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
}

test.each([
  ['an answer', ({ answer }: Awaited<ReturnType<typeof invited>>) => answer()],
  [
    'sending anew',
    ({ house, id }: Awaited<ReturnType<typeof invited>>) =>
      house.send(`/console/invitations/${id}/resend`),
  ],
  [
    'taking back',
    ({ house, id }: Awaited<ReturnType<typeof invited>>) =>
      house.send(`/console/invitations/${id}/withdraw`),
  ],
] as const)('[HOU-13] %s waits for the account of the sender with nothing held', async (_, act) => {
  const made = await invited();
  const acted = await db.transaction().execute(async (transaction) => {
    // As a move, a closing and a suspension begin.
    await sql`select from users where id = ${admin} for no key update`.execute(transaction);
    const running = act(made);
    await vi.waitUntil(isWaiting, { timeout: 20_000 });
    // What these hold next is free.
    await sql`select from house_administrators where user_id = ${admin} for update nowait`.execute(
      transaction,
    );
    await sql`select from subtenants where id = 742 for share nowait`.execute(transaction);
    await sql`select from invitations where id = ${made.id} for update nowait`.execute(transaction);
    return { running };
  });
  expect(await acted.running).toBeTruthy();
});
