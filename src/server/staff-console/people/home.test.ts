import { expect, test } from 'vitest';
import { grantRoles } from '../../accounts/account-store.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';
import { createTestAppWithPages } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));

async function register(emailAddress: string, roles: readonly (1 | 3)[] = [1]): Promise<number> {
  const { userId } = await testApp.visitor().register({ emailAddress });
  await grantRoles(testApp.db, userId, roles);
  await testApp.db
    .updateTable('users')
    .set({ subtenant_id: 742 })
    .where('id', '=', userId)
    .execute();
  return userId;
}

async function homeOf(desk: Desk) {
  const { page } = await desk.open('/console');
  if (page?.kind !== 'search' || page.home === null) throw new Error('This is not the first page.');
  return page.home;
}

test('[CON-37] the first page has what waits for this staff member, and its people are an event (E74)', async () => {
  await register('second@home.test', [3]);
  const first = await openDesk(testApp, 'staff');
  const second = await openDesk(testApp, 'second@home.test');
  const opened = await register('opened@home.test');
  const changed = await register('changed@home.test');
  const elsewhere = await testApp.visitor().register({ emailAddress: 'elsewhere@home.test' });
  await testApp.db
    .updateTable('users')
    .set({ subtenant_id: 3 })
    .where('id', '=', elsewhere.userId)
    .execute();
  const idsOf = (people: readonly { readonly id: number }[]) => people.map(({ id }) => id);
  expect(await homeOf(first)).toMatchObject({ changes: [], looked: [] });

  await first.open(`/console/people/${opened}`);
  // Of another subtenant: the page is refused, and it is no look.
  await first.open(`/console/people/${elsewhere.userId}`);
  await first.send(`/console/people/${changed}/correctEmail`, { email: 'right@home.test' });
  // It waits for the new mailbox first.
  expect((await homeOf(second)).changes).toEqual([]);
  await testApp.db
    .updateTable('staff_changes')
    .set({ opened_at: testApp.clock.now() })
    .where('user_id', '=', changed)
    .execute();
  const [asking, other] = [await homeOf(first), await homeOf(second)];
  expect(idsOf(asking.changes)).toEqual([]);
  expect(idsOf(other.changes)).toEqual([changed]);
  expect(idsOf(asking.looked)).toContain(opened);
  expect(idsOf(asking.looked)).not.toContain(elsewhere.userId);
  expect(idsOf(other.looked)).toEqual([]);
  const { id: staffId } = await testApp.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'second@home.test')
    .executeTakeFirstOrThrow();
  const events = await testApp.db
    .selectFrom('audit_events')
    .select('details')
    .where('kind', '=', 'console.searched')
    .where('actor', '=', `staff:${staffId}`)
    .execute();
  expect(events).toEqual([{ details: expect.objectContaining({ shown: 1 }) }]);
  // The day's sign-ins are those of the own subtenant.
  const own = await testApp.db
    .selectFrom('audit_events')
    .innerJoin('users', 'users.id', 'audit_events.user_id')
    .select('audit_events.id')
    .where('kind', '=', 'signIn.complete')
    .where('users.subtenant_id', '=', 742)
    .execute();
  expect(other.signIns).toBe(own.length);
});
