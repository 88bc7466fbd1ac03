/** What belongs to which subtenant: told by the account, never by a link that the visit came by. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { MessagesPage, SignInsPage } from '#contract/console.ts';
import { createRateLimits } from '../abuse/rate-limits.ts';
import { findAccountByEmail } from '../accounts/account-store.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { createTestAppWithPages, SECRET } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let desk: Desk;
let operator: Desk;
/** A help desk of another subtenant. */
let elsewhere: Desk;
const testApp = closeAtEnd(
  await createTestAppWithPages({
    console: [
      { subtenantId: 742, roleId: 3, role: 'helpDesk' },
      { subtenantId: 900, roleId: 3, role: 'helpDesk' },
      { subtenantId: 742, roleId: 4, role: 'operator' },
    ],
  }),
);
beforeAll(async () => {
  const email = 'desk-900@people.test';
  const { userId } = await testApp.visitor().register({ emailAddress: email });
  await testApp.db.insertInto('user_roles').values({ user_id: userId, role_id: 3 }).execute();
  await testApp.db
    .updateTable('users')
    .set({ subtenant_id: 900 })
    .where('id', '=', userId)
    .execute();
  desk = await openDesk(testApp, 'staff');
  operator = await openDesk(testApp, 'admin');
  elsewhere = await openDesk(testApp, email);
});

describe('[CON-51] D7: a member of 742 who came by a link of 900', () => {
  test('belongs to 742 in audit, messages, figures and page codes', async () => {
    const visitor = testApp.visitor();
    await visitor.call('getSubtenant', { body: { subtenantId: 900, isActive: true } });
    const email = demoEmail('member');
    const figuresOf = async () => {
      const { page } = await operator.open('/console/sign-ins?time=today');
      const { houses } = page as unknown as SignInsPage;
      return houses.map(({ id, steps }) => [id, steps[0]?.visits] as const);
    };
    const before = new Map(await figuresOf());
    const { userId } = await visitor.reachCode(email, DEMO_PASSWORD);
    await testApp.app.outbox.settle();
    const { data } = await visitor.call('givePageCode', { body: { screen: 'verifyOtp' } });
    const path = `/console?q=${data?.code}`;
    expect((await desk.open(path)).page).toMatchObject({ kind: 'visit', stage: 'otp' });
    expect((await elsewhere.open(path)).page).toMatchObject({ message: 'noPageCode' });
    const events = await testApp.db
      .selectFrom('audit_events')
      .select(['kind', 'subtenant_id'])
      .where('user_id', '=', userId)
      .execute();
    expect(events.length).toBeGreaterThan(1);
    expect(new Set(events.map((event) => event.subtenant_id))).toEqual(new Set([742]));
    const messages = await testApp.db
      .selectFrom('messages')
      .innerJoin('otp_codes', 'otp_codes.id', 'messages.otp_id')
      .select('messages.subtenant_id')
      .where('otp_codes.user_id', '=', userId)
      .execute();
    expect(new Set(messages.map((row) => row.subtenant_id))).toEqual(new Set([742]));
    const after = new Map(await figuresOf());
    expect(after.get(900)).toBe(before.get(900));
    expect(after.get(742)).toBe((before.get(742) ?? 0) + 1);
  });

  test('an address without an account belongs to no house, whatever the link says', async () => {
    const visitor = testApp.visitor();
    await visitor.call('getSubtenant', { body: { subtenantId: 900, isActive: true } });
    const visitsOf = async () => {
      const { page } = await operator.open('/console/sign-ins?time=today');
      const { houses, drawn } = page as unknown as SignInsPage;
      const own = houses.find(({ id }) => id === 900);
      return { own: own?.steps[0]?.visits, all: drawn.steps[0]?.visits ?? 0 };
    };
    const before = await visitsOf();
    await visitor.givePassword('unknown@people.test', 'Wrong-Pass-1');
    const after = await visitsOf();
    expect(after).toEqual({ own: before.own, all: before.all + 1 });
  });
});

test('[CON-51] D8: a help desk sees how many messages its own people got, and an operator all', async () => {
  const read = async (from: Desk) => {
    const { page } = await from.open('/console/messages');
    const { channels } = page as unknown as MessagesPage;
    return channels.find(({ channel }) => channel === 'email')?.sent ?? 0;
  };
  const count = async (house: number | null) => {
    const rows = await testApp.db
      .selectFrom('messages')
      .select('subtenant_id')
      .where('channel', '=', 'email')
      .execute();
    return rows.filter((row) => house === null || row.subtenant_id === house).length;
  };
  expect(await read(operator)).toBe(await count(null));
  expect(await read(elsewhere)).toBe(await count(900));
  expect(await count(900)).toBeLessThan(await count(742));
});

describe('[CON-50] an invitation', () => {
  let n = 0;
  const fields = (more: Record<string, string> = {}) => ({
    firstName: 'Ruth',
    lastName: 'Castellanos',
    email: `guest-${(n += 1)}@people.test`,
    role: '1',
    ...more,
  });
  async function invite(more: Record<string, string> = {}, from = desk) {
    const { location, page } = await from.send('/console/invite', fields(more), '/console/invite');
    if (location) return 'done';
    const shown = page as unknown as { problem: string | null; fields: { problem?: string }[] };
    return shown.problem ?? shown.fields.find(({ problem }) => problem)?.problem ?? 'nothing';
  }

  test.each([
    ['https', 'Lind'],
    ['Rosa', 'evil.example'],
    ['www', 'evil'],
    ['a/b', 'Lind'],
    ['Rosa', 'x@evil'],
  ])('D6: takes no %s %s', async (firstName, lastName) => {
    expect(await invite({ firstName, lastName })).toBe('A name is no address and no link.');
  });

  test('D1: is counted by address, by staff member, and by what waits', async () => {
    const email = 'twice@people.test';
    await desk.stepUp('/console/invite');
    expect(await invite({ email })).toBe('done');
    expect(await invite({ email })).toBe('done');
    // From another subtenant it is the third of the week.
    await elsewhere.stepUp('/console/invite');
    expect(await invite({ email }, elsewhere)).toMatch(/got its invitations of this week/);
    const answers: string[] = [];
    for (let i = 0; i < 19; i += 1) answers.push(await invite());
    expect(answers.slice(0, 18)).toEqual(Array.from({ length: 18 }, () => 'done'));
    expect(answers[18]).toMatch(/as many invitations as an hour allows/);
    // The next hour, another colleague's hour, and the day of the house.
    testApp.clock.advance(DAY);
  });

  test('D1: a resend counts, too', async () => {
    const email = 'again@people.test';
    const own = await openDesk(testApp, 'staff');
    expect(await invite({ email }, own)).toBe('done');
    const again = async () => {
      const row = await testApp.db
        .selectFrom('invitations')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      return own.send(`/console/invitations/${row.id}/resend`);
    };
    await own.stepUp('/console/invite');
    expect((await again()).location).toContain('done=resend');
    expect((await again()).page).toMatchObject({
      problem: expect.stringMatching(/got its invitations/),
    });
  });

  test('D1: of 60 a day the next one is refused, whoever of the house sends it', async () => {
    const rateLimits = createRateLimits({ ...testApp, secretBox: createSecretBox(SECRET) });
    const own = await openDesk(testApp, 'desk-900@people.test');
    await testApp.db.deleteFrom('limits').execute();
    for (let i = 0; i < 59; i += 1) {
      await rateLimits.consume([RATE_LIMITS.invitePerHouseADay, '900']);
    }
    await own.stepUp('/console/invite');
    expect(await invite({}, own)).toBe('done');
    expect(await invite({}, own)).toMatch(/invitations of today are sent/);
    testApp.clock.advance(DAY);
  });

  test('D1: of 200 that wait the next one is refused', async () => {
    const now = testApp.clock.now();
    const expires_at = new Date(now.getTime() + DAY * 1000);
    const sender = await findAccountByEmail(testApp.db, 'desk-900@people.test');
    await testApp.db.deleteFrom('invitations').execute();
    await testApp.db
      .insertInto('invitations')
      .values(
        Array.from({ length: 200 }, (_, i) => ({
          id: i + 1,
          subtenant_id: 900,
          sent_by: sender?.id ?? 0,
          email: `waiting-${i}@people.test`,
          email_canonical: `waiting-${i}@people.test`,
          first_name: 'Ida',
          last_name: 'Berg',
          role_id: 1,
          key_hash: null,
          sent_at: now,
          expires_at,
        })),
      )
      .execute();
    const own = await openDesk(testApp, 'desk-900@people.test');
    expect(await invite({}, own)).toMatch(/Too many invitations wait/);
    // One that waits is sent again.
    expect(await invite({ email: 'waiting-0@people.test' }, own)).toBe('done');
  });
});
