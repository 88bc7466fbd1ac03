/** What a helper may ask for, and see; the helper as an attacker; and the end of help. */

import { describe, expect, test } from 'vitest';
import { removeAddedSince, restoreSince } from '../accounts/helper-store.ts';
import { setSuspended } from '../people/people.ts';
import { erasePerson } from '../people/privacy/erase.ts';
import { later } from '../core/clock.ts';
import { createHelperPeople, type Someone } from '../testing/helper-people.ts';
import { createTestAppWithPages, PASSWORD } from '../testing/test-app.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const testApp = closeAtEnd(await createTestAppWithPages({}));

const { someone, again, name, end, helpersOf, peopleOf, act, pair, subjects, eventsOf } =
  createHelperPeople(() => testApp);

/** What deeds work with. */
const admin = () => adminContextOf(testApp);

/** The member asks for so many links that no more are mailed now. */
async function useUpResets({ email }: Someone): Promise<void> {
  for (const _ of [1, 2, 3, 4, 5, 6]) {
    await testApp.visitor().ok('forgotPassword', { body: { userName: email, emailID: email } });
  }
}

const RESET = 'Your helper asked for a mail for you';

describe('[HLP-13] an ask', () => {
  test('for a reset: the link goes to the member, who is told; the helper gets nothing', async () => {
    const { member, helper, id } = await pair();
    const before = await subjects(helper);
    expect(await act(helper, id, 'reset')).toBe('done');
    const links = async () =>
      (await testApp.inbox(member.email)).filter((mail) => mail.link?.includes('reset'));
    await expect.poll(async () => (await links()).length).toBe(1);
    expect(await subjects(member)).toContain(RESET);
    expect(await subjects(helper)).toEqual(before);
    expect(await eventsOf(member, 'helper.used')).toMatchObject([
      { actor: `helper:${id}`, details: { helper: id, ask: 'reset' } },
    ]);
  });

  test('counts in the member’s limits: what she has used up is not there for the helper', async () => {
    const { member, helper, id } = await pair();
    await useUpResets(member);
    const links = async () =>
      (await testApp.inbox(member.email)).filter((mail) => mail.link?.includes('reset')).length;
    const before = await links();
    expect(await act(helper, id, 'reset')).toBe('notNow');
    expect(await act(helper, id, 'resend')).toBe('notNow');
    expect(await links()).toBe(before);
  });

  test('six an hour, and the refused one is written down', async () => {
    const { member, helper, id } = await pair();
    const said = [];
    for (const _ of [1, 2, 3, 4, 5, 6, 7]) said.push(await act(helper, id, 'resend'));
    expect(said).toEqual([...Array.from({ length: 6 }, () => 'done'), 'notNow']);
    expect(await eventsOf(member, 'helper.refused')).toMatchObject([
      { actor: `helper:${id}`, reason: 'tooMany' },
    ]);
  });

  test('for the waiting code: a new one, to the member alone, in the browser that waits', async () => {
    const { member, helper, id } = await pair();
    const waiting = testApp.visitor();
    const { userId } = await waiting.reachCode(member.email, PASSWORD);
    const first = await testApp.codeFor(member.email);
    // It is on its way still.
    expect(await act(helper, id, 'resend')).toBe('done');
    expect(await testApp.codeFor(member.email)).toBe(first);
    testApp.clock.advance(3 * MINUTE);
    expect(await act(helper, id, 'resend')).toBe('done');
    const code = await testApp.codeFor(member.email);
    expect(code).not.toBe(first);
    const state = await waiting.ok('getVisit', { query: {} });
    await waiting.ok('verifyOtp', {
      body: { id: state.code?.id ?? '', createdBy: userId, otp: code },
    });
    expect(await subjects(helper)).not.toContain(expect.stringContaining('code'));
  });

  test('where nothing waits the answer is the same, and nothing is sent', async () => {
    const { member, helper, id } = await pair();
    const codes = async () => (await testApp.inbox(member.email)).filter(({ code }) => code).length;
    const before = await codes();
    expect(await act(helper, id, 'resend')).toBe('done');
    expect(await codes()).toBe(before);
  });
});

describe('[HLP-14] an unlock', () => {
  async function lockOut({ email }: Someone) {
    const visitor = testApp.visitor();
    for (const _ of [1, 2, 3, 4, 5]) await visitor.givePassword(email, 'Wrong-Porch-1');
    return visitor;
  }

  test('opens a locked sign-in, once a day for each member', async () => {
    const { member, helper, id } = await pair();
    const locked = await lockOut(member);
    expect((await locked.givePassword(member.email, PASSWORD)).status).not.toBe(200);
    expect((await peopleOf(helper))[0]?.canSignIn).toBe(false);
    expect(await act(helper, id, 'unlock')).toBe('done');
    expect((await locked.givePassword(member.email, PASSWORD)).status).toBe(200);
    expect(await act(helper, id, 'unlock')).toBe('notNow');
    const second = await someone('Edgar');
    await name(await again(member), second.email);
    const other = (await peopleOf(second))[0]?.id ?? '';
    expect(await act(second, other, 'accept')).toBe('accepted');
    expect(await act(second, other, 'unlock')).toBe('notNow');
    expect(await eventsOf(member, 'helper.used')).toMatchObject([
      { actor: `helper:${id}`, details: { ask: 'unlock' } },
    ]);
    testApp.clock.advance(DAY);
    expect(await act(await again(helper), id, 'unlock')).toBe('done');
  });

  test('gives back no mail, no text and no code', async () => {
    const { member, helper, id } = await pair();
    await useUpResets(member);
    expect(await act(helper, id, 'unlock')).toBe('done');
    expect(await act(helper, id, 'reset')).toBe('notNow');
  });
});

describe('[HLP-12] what a helper sees', () => {
  test('is a name, and yes or no', async () => {
    const { member, helper } = await pair();
    await testApp.db
      .updateTable('users')
      .set({ mobile: '5550142291' })
      .where('id', '=', member.userId)
      .execute();
    const page = await helper.visitor.request('/account/me/people');
    const text = await page.text();
    expect(text).toContain('Ruth Castellanos');
    for (const hidden of [member.email, String(member.userId), '5550142291']) {
      expect(text).not.toContain(hidden);
    }
    const [person] = await peopleOf(helper);
    expect(Object.keys(person ?? {}).toSorted()).toEqual([
      'canSignIn',
      'endsOn',
      'firstName',
      'id',
      'isHelping',
      'name',
    ]);
    expect(person?.canSignIn).toBe(true);
    // A change by staff that waits refuses new passwords; the present one still signs in.
    const now = testApp.clock.now();
    await testApp.db
      .insertInto('staff_changes')
      .values({
        id: 'waits',
        user_id: member.userId,
        what: 'phone',
        email: member.email,
        dial_code: '+1',
        mobile: '2125550199',
        asked_by: member.userId,
        asked_at: now,
        link_key_hash: 'none',
        due_at: now,
      })
      .execute();
    expect((await peopleOf(helper))[0]?.canSignIn).toBe(true);
  });
});

describe('the helper as attacker', () => {
  test('[HLP-12] a forged id, one’s own, and that of another pair are over, and nobody is told', async () => {
    const { member, id } = await pair();
    const other = await pair();
    const before = await subjects(member);
    for (const ask of ['reset', 'resend', 'unlock', 'end']) {
      expect(await act(other.helper, id, ask)).toBe('over');
      expect(await act(member, id, ask)).toBe('over');
      expect(await act(other.helper, String(member.userId), ask)).toBe('over');
    }
    expect(await subjects(member)).toEqual(before);
    expect(await eventsOf(member, 'helper.used')).toEqual([]);
    // The member's one unlock of the day is there still.
    expect(await eventsOf(member, 'helper.refused')).toEqual([]);
    await end(other.member, id);
    expect((await helpersOf(member))[0]?.state).toBe('helping');
  });

  test('[HLP-15] after the end nothing can be asked', async () => {
    const { member, helper, id } = await pair();
    testApp.clock.advance(11 * MINUTE);
    // One press: no code is asked for.
    await end(member, id);
    expect((await helpersOf(member))[0]?.state).toBe('ended');
    for (const ask of ['reset', 'resend', 'unlock', 'end', 'accept']) {
      expect(await act(await again(helper), id, ask)).toBe('over');
    }
    expect(await peopleOf(helper)).toEqual([]);
    expect(await subjects(helper)).toContain('Your help has ended');
    expect(await eventsOf(member, 'helper.used')).toEqual([]);
  });

  test('[HLP-15] of an end and an ask at once, no ask is told after the end', async () => {
    const { member, helper, id } = await pair();
    const [said] = await Promise.all([act(helper, id, 'resend'), end(member, id)]);
    const [used, ended] = [
      await eventsOf(member, 'helper.used'),
      await eventsOf(member, 'helper.ended'),
    ];
    expect([used.length, ended.length]).toEqual([said === 'over' ? 0 : 1, 1]);
  });

  test('[HLP-15] of a yes and an end at once, the end wins', async () => {
    for (const _ of [1, 2, 3]) {
      const [member, helper] = [await someone('Ruth'), await someone('Elena')];
      await name(member, helper.email);
      const id = (await peopleOf(helper))[0]?.id ?? '';
      await Promise.all([act(helper, id, 'accept'), end(member, id)]);
      expect((await helpersOf(member))[0]?.state).toBe('ended');
      expect(await act(helper, id, 'reset')).toBe('over');
    }
  });

  test('[HLP-12] the page of a helper begins no sign-in and shows none', async () => {
    const { member, helper, id } = await pair();
    await testApp.visitor().reachCode(member.email, PASSWORD);
    const before = (await helper.visitor.ok('getVisit', { query: {} })).code;
    await act(helper, id, 'resend');
    expect((await helper.visitor.ok('getVisit', { query: {} })).code).toEqual(before);
    const attempts = await testApp.db
      .selectFrom('sign_ins')
      .select('id')
      .where('user_id', '=', member.userId)
      .where('stage', '=', 'otp')
      .execute();
    expect(attempts).toHaveLength(1);
  });
});

describe('[HLP-15] help ends', () => {
  test('by the helper, in one press, and both are told', async () => {
    const { member, helper, id } = await pair();
    expect(await act(helper, id, 'end')).toBe('ended');
    expect((await subjects(member))[0]).toBe('A helper no longer helps you');
    expect((await subjects(helper))[0]).toBe('Your help has ended');
    expect(await eventsOf(member, 'helper.ended')).toMatchObject([
      { actor: `helper:${id}`, details: { by: 'helper' } },
    ]);
  });

  test('after twelve months', async () => {
    const { member, helper, id } = await pair();
    testApp.clock.advance(364 * DAY);
    const [ruth, elena] = [await again(member), await again(helper)];
    expect((await helpersOf(ruth))[0]?.state).toBe('endsSoon');
    expect(await act(elena, id, 'resend')).toBe('done');
    testApp.clock.advance(DAY);
    expect((await helpersOf(await again(member)))[0]?.state).toBe('ended');
    expect(await act(await again(helper), id, 'resend')).toBe('over');
  });

  test('and both are told 30 days before, once', async () => {
    const { member, helper } = await pair();
    const soon = async ({ email }: Someone, what: string) =>
      (await subjects({ email })).filter((each) => each.includes(what)).length;
    testApp.clock.advance(334 * DAY);
    expect(await soon(member, 'The help of your helper ends on')).toBe(0);
    testApp.clock.advance(2 * DAY);
    for (const _ of [1, 2]) {
      expect(await soon(member, 'The help of your helper ends on')).toBe(1);
      expect(await soon(helper, 'Your help ends on')).toBe(1);
    }
  });

  test.each(['member', 'helper'] as const)('when the %s is suspended', async (who) => {
    const both = await pair();
    const other = who === 'member' ? both.helper : both.member;
    await setSuspended(admin(), both[who].userId, true);
    await setSuspended(admin(), both[who].userId, false);
    expect(await act(await again(both.helper), both.id, 'reset')).toBe('over');
    expect((await subjects(other)).join()).toMatch(/no longer|Your help has ended/);
    expect((await subjects(both[who])).join()).not.toMatch(/no longer|Your help has ended/);
  });

  test('[HLP-15] when the member closes the account: until then nothing can be asked', async () => {
    const { member, helper, id } = await pair();
    const set = (closing_at: Date | null) =>
      testApp.db.updateTable('users').set({ closing_at }).where('id', '=', member.userId).execute();
    await set(later(testApp.clock.now(), DAY));
    expect(await act(helper, id, 'reset')).toBe('over');
    expect(await peopleOf(helper)).toEqual([]);
  });

  test.each(['member', 'helper'] as const)('when the %s is erased, with the row', async (who) => {
    const both = await pair();
    const other = who === 'member' ? both.helper : both.member;
    const counts = await erasePerson(admin(), both[who].userId);
    expect(counts?.helpers).toBe(1);
    expect((await subjects(other)).join()).toMatch(/no longer|Your help has ended/);
    const rows = await testApp.db
      .selectFrom('helpers')
      .select('id')
      .where('id', '=', both.id)
      .execute();
    expect(rows).toEqual([]);
  });
});

describe('[HLP-16] copies', () => {
  test('of a new sign-in and a changed password say what happened, and nothing else', async () => {
    const { member, helper } = await pair();
    const browser = testApp.visitor();
    browser.state.userAgent =
      'Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0';
    await browser.signIn(member.email, PASSWORD);
    await expect.poll(async () => (await subjects(helper))[0]).toBe('News for a person you help');
    const [copy] = await testApp.inbox(helper.email);
    expect(copy?.text).toContain('Somebody signed in with a new device or browser.');
    expect(copy?.link).toBeNull();
    for (const hidden of ['Firefox', 'Windows', member.email, 'http://', browser.ip]) {
      expect(copy?.text).not.toContain(hidden);
    }
  });

  test('go to nobody who has not said yes, and to nobody after the end', async () => {
    const { member, helper, id } = await pair();
    const asked = await someone('Edgar');
    await name(member, asked.email);
    await end(member, id);
    const browser = testApp.visitor();
    await browser.signIn(member.email, PASSWORD);
    expect(await subjects(asked)).not.toContain('News for a person you help');
    expect((await subjects(helper)).filter((each) => each.startsWith('News'))).toHaveLength(1);
  });
});

describe('[HLP-17] an undo', () => {
  test('removes who was asked or added since, and names them', async () => {
    const { member, helper } = await pair();
    await name(member, 'thief@undo.test');
    const { db, clock } = testApp;
    const since = later(clock.now(), -DAY * 1000);
    expect(await removeAddedSince(db, member.userId, since, clock.now())).toEqual([
      'Elena Castellanos',
      'thief@undo.test',
    ]);
    expect(await peopleOf(helper)).toEqual([]);
    expect(await removeAddedSince(db, member.userId, since, clock.now())).toEqual([]);
  });

  test('brings back whom a thief ended, but not who ended it themselves', async () => {
    const { member, helper, id } = await pair();
    const left = await someone('Edgar');
    await name(member, left.email);
    const other = (await peopleOf(left))[0]?.id ?? '';
    await act(left, other, 'accept');
    testApp.clock.advance(MINUTE);
    const since = testApp.clock.now();
    testApp.clock.advance(MINUTE);
    await end(member, id);
    await act(left, other, 'end');
    await name(member, 'thief@undo.test');
    testApp.clock.advance(MINUTE);
    await restoreSince(testApp.db, member.userId, since, testApp.clock.now());
    expect((await helpersOf(member)).map(({ state }) => state)).toEqual([
      'helping',
      'ended',
      'ended',
    ]);
    expect((await peopleOf(helper)).map((person) => person.id)).toEqual([id]);
  });
});
