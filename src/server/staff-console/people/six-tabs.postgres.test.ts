/** One verb that is pressed in six tabs at once: it happens once, is told once, and each tab reads what it did. */

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { grantRoles, insertAccounts } from '../../accounts/account-store.ts';
import { hashToken, randomId } from '../../crypto/secret-box.ts';
import { openDesk } from '../../testing/desk.ts';
import { untilWaiting } from '../../testing/row-lock.ts';
import { createTestAppWithPages } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const TABS = 6;

const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));
const desk = await openDesk(testApp, 'admin');

let count = 0;
async function person(status: 'active' | 'inactive' = 'active') {
  const now = testApp.clock.now();
  const email = `tabs-${(count += 1)}@people.test`;
  const [account] = await insertAccounts(testApp.db, [
    {
      email,
      first_name: 'Margaret',
      last_name: 'Oduya',
      dial_code: '+1',
      mobile: `2125551${100 + count}`,
      subtenant_id: 742,
      status,
      created_at: now,
      activated_at: now,
      email_proven_at: now,
      password_hash: 'a hash',
    },
  ]);
  const id = account?.id ?? 0;
  await grantRoles(testApp.db, id, [1]);
  return { id, email };
}

async function signIn(userId: number) {
  const [id, now] = [randomUUID(), testApp.clock.now()];
  const times = { created_at: now, seen_at: now, verified_at: now, completed_at: now };
  await testApp.db
    .insertInto('visits')
    .values({ id, token_hash: hashToken(id), subtenant_id: 742, created_at: now, seen_at: now })
    .execute();
  await testApp.db
    .insertInto('sign_ins')
    .values({
      id,
      app_state: randomId(),
      visit_id: id,
      user_id: userId,
      entrance: 'portal',
      stage: 'complete',
      amr: ['pwd', 'otp'],
      ended_at: null,
      ...times,
    })
    .execute();
}

async function addChange(userId: number) {
  const now = testApp.clock.now();
  await testApp.db
    .insertInto('staff_changes')
    .values({
      id: `change-of-${userId}`,
      user_id: userId,
      what: 'email',
      email: `new-${userId}@people.test`,
      dial_code: '',
      mobile: '',
      asked_by: 1,
      asked_at: now,
      link_key_hash: `link-of-${userId}`,
      opened_at: now,
    })
    .execute();
}

type Verb = {
  readonly fields?: Record<string, string>;
  readonly make?: (id: number) => Promise<void>;
  readonly status?: 'inactive';
  readonly event: string;
  /** What the first tab reads; the others read that it was done already, or why not. */
  readonly first: 'done' | 'waits';
};
const VERBS: Readonly<Record<string, Verb>> = {
  giveRole: { fields: { role: '9' }, event: 'account.rolesChanged', first: 'done' },
  takeRole: { fields: { role: '1' }, event: 'account.rolesChanged', first: 'done' },
  endSessions: { make: signIn, event: 'account.signedOut', first: 'done' },
  suspend: { event: 'account.suspended', first: 'done' },
  resume: { status: 'inactive', event: 'account.resumed', first: 'done' },
  stopChange: { make: addChange, event: 'staffChange.stopped', first: 'done' },
  agree: { make: addChange, event: 'staffChange.agreed', first: 'waits' },
};

describe('[CON-07] AR2: one verb in six tabs', () => {
  test.each(Object.entries(VERBS))('%s', async (verb, { make, fields, status, ...asked }) => {
    const { id, email } = await person(status);
    await make?.(id);
    const path = `/console/people/${id}/${verb}`;
    await desk.stepUp(path);
    const answers = await testApp.db.transaction().execute(async (transaction) => {
      await sql`select 1 from users where id = ${id} for update`.execute(transaction);
      const under = Array.from({ length: TABS }, () => desk.send(path, fields));
      await untilWaiting(testApp.db, TABS);
      return { all: Promise.all(under) };
    });
    const read = (await answers.all).map(({ location, page }) => location ?? page?.kind ?? '');
    const of = (outcome: string) =>
      read.filter((each) => each === `/console/people/${id}?${outcome}=${verb}`);
    expect([verb, of(asked.first)]).toEqual([verb, [expect.any(String)]]);
    // A tab whose form was read after the first one sees why it is not needed any more.
    const others = read.filter((each) => each === 'verb').length + of('already').length;
    expect(others).toBe(TABS - 1);
    const events = await testApp.db
      .selectFrom('audit_events')
      .select('id')
      .where('user_id', '=', id)
      .where('kind', '=', asked.event)
      .execute();
    expect(events).toHaveLength(1);
    await testApp.app.outbox.settle();
    expect(await testApp.inbox(email)).toHaveLength(1);
  });

  test('the page says what it did', async () => {
    const { id } = await person();
    const path = `/console/people/${id}`;
    for (const outcome of ['done', 'waits', 'already'] as const) {
      const { page } = await desk.open(`${path}?${outcome}=giveRole`);
      expect(page).toMatchObject({ did: { outcome, verb: 'giveRole' } });
    }
    expect((await desk.open(`${path}?done=nothing`)).page).toMatchObject({ did: null });
  });
});
