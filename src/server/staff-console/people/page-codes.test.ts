/** [CON-10] [CON-11] The page code, and a page that follows along. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { VisitPage } from '#contract/console.ts';
import { FOLLOW_HEADER } from '#contract/console.ts';
import { findAccountByEmail } from '../../accounts/account-store.ts';
import { DEMO_PASSWORD, demoEmail } from '../../demo/seed.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';
import { createTestAppWithPages, type Visitor } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const SECOND = 1;
const MINUTE = 60 * SECOND;

let desk: Desk;
const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));
beforeAll(async () => {
  desk = await openDesk(testApp, 'staff');
});

async function letters(visitor: Visitor, screen = 'signIn'): Promise<string> {
  const { data } = await visitor.call('givePageCode', { body: { screen } });
  return data?.code ?? '';
}

async function signOut(visitor: Visitor) {
  const params = { userId: '1', appState: 'a', loggedInId: 'b', roleId: '1' };
  await visitor.ok('logOut', { params });
}

const open = async (code: string, from = desk) =>
  (await from.open(`/console?q=${encodeURIComponent(code)}`)).page;

async function visitOf(code: string, from = desk): Promise<VisitPage> {
  const page = await open(code, from);
  if (page?.kind !== 'visit') throw new Error(`No visit: ${JSON.stringify(page)}`);
  return page;
}

const messageOf = async (code: string, from = desk) => {
  const page = await open(code, from);
  return page?.kind === 'message' ? page.message : page?.kind;
};

describe('[CON-10] the state of a visit', () => {
  test('says step by step where the visit is, and the address is proven by the code alone', async () => {
    const visitor = testApp.visitor();
    const member = demoEmail('member');
    expect(await visitOf(await letters(visitor))).toMatchObject({
      stage: 'nothing',
      screen: 'signIn',
      address: null,
      isProven: false,
      messages: [],
      otp: null,
    });
    await visitor.reachCode(member, DEMO_PASSWORD);
    const digits = await testApp.codeFor(member);
    const waiting = await visitOf(await letters(visitor, 'verifyOtp'));
    expect(waiting).toMatchObject({ stage: 'otp', screen: 'verifyOtp', isProven: false });
    expect(waiting.address).toMatch(/^m[^@]*•+.*@/);
    expect(waiting.messages.map(({ channel, state }) => [channel, state])).toContainEqual([
      'email',
      'delivered',
    ]);
    expect(waiting.otp).toMatchObject({ wrongTries: 0 });
    const text = JSON.stringify(waiting);
    expect(text).not.toContain(member);
    expect(text).not.toContain(digits);
  });

  test.each(['a sign-in', 'a sign-out'])('the letters are new after %s', async (what) => {
    const visitor = testApp.visitor();
    if (what === 'a sign-out') await visitor.signIn('member');
    const before = await letters(visitor);
    expect(await letters(visitor)).toBe(before);
    if (what === 'a sign-in') await visitor.signIn('member');
    else await signOut(visitor);
    expect(await messageOf(before)).toBe('noPageCode');
    expect(await letters(visitor)).not.toBe(before);
  });

  test('is over after 30 minutes', { tags: 'long' }, async () => {
    const visitor = testApp.visitor();
    const code = await letters(visitor);
    testApp.clock.advance(29 * MINUTE);
    const staff = await openDesk(testApp, 'staff');
    expect(await messageOf(code, staff)).toBe('visit');
    testApp.clock.advance(2 * MINUTE);
    expect(await messageOf(code, staff)).toBe('noPageCode');
    desk = await openDesk(testApp, 'staff');
  });

  test(
    'is shown for one’s own subtenant alone; to an operator for all',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      await visitor.call('getSubtenant', { body: { subtenantId: 900, isActive: true } });
      const code = await letters(visitor);
      const operator = await openDesk(testApp, 'admin');
      expect([await messageOf(code), await messageOf(code, operator)]).toEqual([
        'noPageCode',
        'visit',
      ]);
    },
  );

  test('an unknown screen is that of an unknown address', async () => {
    const visitor = testApp.visitor();
    expect(await visitOf(await letters(visitor, '<script>'))).toMatchObject({
      screen: 'notFound',
    });
  });

  test('opening one is an event with the staff member, and names no account', async () => {
    const visitor = testApp.visitor();
    await visitor.givePassword(demoEmail('agent'), DEMO_PASSWORD);
    const code = await letters(visitor);
    await visitOf(code);
    const event = await testApp.db
      .selectFrom('audit_events')
      .select(['actor', 'user_id'])
      .where('kind', '=', 'console.visitLooked')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(event).toEqual({ actor: expect.stringMatching(/^staff:\d+$/) as string, user_id: null });
  });
});

test(
  '[CON-10] twenty wrong codes an hour lock the staff member out of page codes, and no other',
  { tags: 'long' },
  async () => {
    const strict = await createTestAppWithPages({});
    try {
      const staff = await openDesk(strict, 'staff');
      const visitor = strict.visitor();
      const { data } = await visitor.call('givePageCode', { body: { screen: 'signIn' } });
      const right = data?.code ?? '';
      const wrong = right === 'BBBBBB' ? 'CCCCCC' : 'BBBBBB';
      for (let tries = 0; tries < 20; tries += 1) {
        expect(await messageOf(wrong, staff)).toBe('noPageCode');
      }
      expect(await messageOf(right, staff)).toBe('pageCodesOff');
      expect(await messageOf('Ada', staff)).toBe('search');
      expect(await messageOf(right, await openDesk(strict, 'admin'))).toBe('visit');
    } finally {
      await strict.close();
    }
  },
);

test('[CON-10] of sixty wrong codes at once, twenty are looked at', async () => {
  const strict = await createTestAppWithPages({});
  try {
    const staff = await openDesk(strict, 'staff');
    const said = await Promise.all(Array.from({ length: 60 }, () => messageOf('BBBBBB', staff)));
    expect(said.filter((message) => message === 'noPageCode')).toHaveLength(20);
  } finally {
    await strict.close();
  }
});

describe('[CON-11] a page that follows along', () => {
  const follow = async (path: string, from: Desk) =>
    from.read(await from.visitor.request(path, { headers: { [FOLLOW_HEADER]: '1' } }));

  test('does not keep the session awake, and writes no second look', async () => {
    const staff = await openDesk(testApp, 'staff');
    const { id } = (await findAccountByEmail(testApp.db, demoEmail('member'))) ?? { id: 0 };
    const path = `/console/people/${id}`;
    const looks = async () =>
      (
        await testApp.db
          .selectFrom('audit_events')
          .select('id')
          .where('kind', '=', 'console.looked')
          .where('user_id', '=', id)
          .execute()
      ).length;
    await staff.open(path);
    const before = await looks();
    for (const minutes of [6, 6]) {
      testApp.clock.advance(minutes * MINUTE);
      expect((await follow(path, staff)).page?.kind).toBe('person');
    }
    expect(await looks()).toBe(before);
    testApp.clock.advance(4 * MINUTE);
    expect((await follow(path, staff)).location).toContain('/account/signin');
  });

  test(
    '[CON-05] a page code is one event a code and staff member, whatever the request says',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      const code = await letters(visitor);
      const looks = async () =>
        (
          await testApp.db
            .selectFrom('audit_events')
            .select('id')
            .where('kind', '=', 'console.visitLooked')
            .execute()
        ).length;
      const before = await looks();
      const [staff, operator] = [
        await openDesk(testApp, 'staff'),
        await openDesk(testApp, 'admin'),
      ];
      const path = `/console?q=${code}`;
      expect((await follow(path, staff)).page?.kind).toBe('visit');
      expect(await looks()).toBe(before + 1);
      await follow(path, staff);
      await staff.open(path);
      expect(await looks()).toBe(before + 1);
      await operator.open(path);
      expect(await looks()).toBe(before + 2);
    },
  );

  test('who only ever follows is written down all the same', { tags: 'long' }, async () => {
    const staff = await openDesk(testApp, 'staff');
    const { id } = (await findAccountByEmail(testApp.db, demoEmail('top'))) ?? { id: 0 };
    await follow(`/console/people/${id}`, staff);
    const look = await testApp.db
      .selectFrom('audit_events')
      .select('id')
      .where('kind', '=', 'console.looked')
      .where('user_id', '=', id)
      .executeTakeFirst();
    expect(look).toBeDefined();
  });
});
