/** [CON-12] What the help desk changes about ways in: by the person's own proof, or by two and 72 hours. */

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyDueChanges, applyStaffChange } from './apply-staff-change.ts';
import { agreeToChange, askStaffChange } from './staff-changes.ts';
import { grantRoles } from '../accounts/account-store.ts';
import { insertKey } from '../proofs/passkeys/key-store.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { resetPassword } from '../testing/reset.ts';
import { createTestAppWithPages, PASSWORD, type Visitor } from '../testing/test-app.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const HOUR = 60 * 60;

let first: Desk;
let second: Desk;
const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));
const secondEmail = 'second@staff.test';
beforeAll(async () => {
  const { userId } = await testApp.visitor().register({ emailAddress: secondEmail });
  await grantRoles(testApp.db, userId, [3], { by: null, at: new Date(0) });
  await testApp.db
    .updateTable('users')
    .set({ subtenant_id: 742 })
    .where('id', '=', userId)
    .execute();
});
beforeEach(async () => {
  first = await openDesk(testApp, 'staff');
  second = await openDesk(testApp, secondEmail);
});

let count = 0;
async function member() {
  const email = `changed-${(count += 1)}@people.test`;
  const { userId: id } = await testApp.visitor().register({ emailAddress: email });
  return { id, email, wanted: `right-${count}@people.test` };
}
type Member = Awaited<ReturnType<typeof member>>;

const rowOf = (id: number) =>
  testApp.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const verb = (desk: Desk, { id }: Member, name: string, fields: Record<string, string> = {}) =>
  desk.send(`/console/people/${id}/${name}`, fields);

/** The path of the newest link that this mailbox got about a change. */
async function linkTo(mailbox: string): Promise<string> {
  const mails = await testApp.inbox(mailbox);
  const link = mails.find(({ link: found }) => found?.includes('/account/change'))?.link ?? '';
  const { pathname, search } = new URL(link);
  return pathname + search;
}

async function newBrowser(): Promise<Visitor> {
  const visitor = testApp.visitor();
  await visitor.ok('getVisit', { query: {} });
  return visitor;
}

/** Sends the form of the page behind a link. @returns where it led, or the page */
async function press(path: string, fields: Record<string, string> = {}, browser?: Visitor) {
  const visitor = browser ?? (await newBrowser());
  const response = await visitor.request(path, {
    method: 'POST',
    body: new URLSearchParams({ xsrf: visitor.cookies.get('XSRF-TOKEN') ?? '', ...fields }),
  });
  return response.headers.get('location') ?? `page ${response.status}`;
}

const admin = () => adminContextOf(testApp);

const applyDue = () => applyDueChanges(admin());

const CHANGED = '/account/change?done=changed';
const BEGUN = '/account/change?done=begun';

async function addAppCodeTo(id: number): Promise<void> {
  const now = testApp.clock.now();
  const row = { id: `app-${id}`, user_id: id, secret: '', added_at: now, confirmed_at: now };
  await testApp.db.insertInto('app_codes').values(row).execute();
}

const addKeyTo = (id: number, name = '') =>
  insertKey(testApp.db, {
    credential_id: `key-${id}${name}`,
    user_id: id,
    public_key: '',
    counter: 0,
    transports: [],
    is_syncable: false,
    is_synced: false,
    aaguid: '',
    name: 'Phone',
    rp_id: 'localhost',
    added_at: testApp.clock.now(),
  });

const restOf = async (desk: Desk, person: Member, name: string) => {
  const { page } = await desk.open(`/console/people/${person.id}`);
  return page?.kind === 'person' ? page.verbs.find((each) => each.verb === name)?.rest : undefined;
};

describe('[CON-12] a corrected address', () => {
  test(
    'the password begins its 72 hours, tells every contact, and spares the second staff member',
    { tags: 'long' },
    async () => {
      const person = await member();
      await verb(first, person, 'correctEmail', { email: person.wanted });
      const [asked] = await testApp.inbox(person.email);
      expect(asked?.subject).toContain('A change of your account was asked for');
      const link = await linkTo(person.wanted);
      expect(await press(link, { password: 'Wrong-Pass-1' })).toBe('page 200');
      expect(await press(link, { password: PASSWORD })).toBe(BEGUN);
      expect((await rowOf(person.id)).email).toBe(person.email);
      for (const mailbox of [person.email, person.wanted]) {
        const [mail] = await testApp.inbox(mailbox);
        expect(mail?.subject).toContain('A change of your account waits');
      }
      expect(await press(link, { password: PASSWORD })).not.toBe(CHANGED);
      testApp.clock.advance(71 * HOUR);
      await applyDue();
      expect((await rowOf(person.id)).email).toBe(person.email);
      testApp.clock.advance(2 * HOUR);
      await applyDue();
      expect(await rowOf(person.id)).toMatchObject({
        email: person.wanted,
        email_proven_at: expect.any(Date) as Date,
      });
    },
  );

  test('with a key or an app code no password begins anything', { tags: 'long' }, async () => {
    for (const protect of [addKeyTo, addAppCodeTo]) {
      const person = await member();
      await protect(person.id);
      await verb(first, person, 'correctEmail', { email: person.wanted });
      const link = await linkTo(person.wanted);
      expect(await press(link, { password: PASSWORD }).catch(() => 'refused')).not.toBe(BEGUN);
      testApp.clock.advance(80 * HOUR);
      await applyDue();
      expect((await rowOf(person.id)).email).toBe(person.email);
      first = await openDesk(testApp, 'staff');
    }
  });

  test(
    'while a change waits or can be undone, staff begin no other',
    { tags: 'long' },
    async () => {
      const person = await member();
      await addAppCodeTo(person.id);
      await addKeyTo(person.id);
      await verb(first, person, 'correctEmail', { email: person.wanted });
      const others = ['correctEmail', 'correctPhone', 'removeKey', 'removeAppCode'];
      for (const name of others) expect(await restOf(first, person, name)).toBe('changeWaits');
      await verb(first, person, 'stopChange');
      const [told] = await testApp.inbox(person.email);
      expect(told?.subject).toContain('A change of your account was stopped');
      for (const name of others) expect(await restOf(first, person, name)).toBe(null);
    },
  );

  test(
    'the new mailbox alone proves nothing, and a form without the password changes nothing',
    { tags: 'long' },
    async () => {
      const person = await member();
      await verb(first, person, 'correctEmail', { email: person.wanted });
      const link = await linkTo(person.wanted);
      for (const fields of [{ do: 'mailbox' }, {}, { password: '' }, { do: 'proof' }]) {
        expect(await press(link, fields)).not.toBe(CHANGED);
      }
      testApp.clock.advance(73 * HOUR);
      await applyDue();
      expect((await rowOf(person.id)).email).toBe(person.email);
    },
  );

  test('of an account without a password counts by no press', { tags: 'long' }, async () => {
    const person = await member();
    await testApp.db
      .updateTable('users')
      .set({ password_hash: null })
      .where('id', '=', person.id)
      .execute();
    await verb(first, person, 'correctEmail', { email: person.wanted });
    const link = await linkTo(person.wanted);
    for (const fields of [{}, { password: '' }, { password: PASSWORD }, { do: 'mailbox' }, {}]) {
      const answer = await press(link, fields).catch(() => 'refused');
      expect(answer).not.toBe(CHANGED);
    }
    expect((await rowOf(person.id)).email).toBe(person.email);
  });

  test(
    'two and 72 hours: the second person, the mailbox before, every contact told, then it counts',
    { tags: 'long' },
    async () => {
      const person = await member();
      await verb(first, person, 'correctEmail', { email: person.wanted });
      expect(await restOf(first, person, 'agree')).toBe('otherPerson');
      expect(await restOf(second, person, 'agree')).toBe('notOpened');
      for (const desk of [first, second]) await verb(desk, person, 'agree');
      await press(await linkTo(person.wanted), { do: 'mailbox' });
      await verb(first, person, 'agree');
      testApp.clock.advance(73 * HOUR);
      await applyDue();
      expect((await rowOf(person.id)).email).toBe(person.email);
      second = await openDesk(testApp, secondEmail);
      await verb(second, person, 'agree');
      expect(await restOf(second, person, 'agree')).toBe('agreedAlready');
      for (const mailbox of [person.email, person.wanted]) {
        const [mail] = await testApp.inbox(mailbox);
        expect(mail?.subject).toContain('A change of your account waits');
      }
      testApp.clock.advance(71 * HOUR);
      await applyDue();
      expect((await rowOf(person.id)).email).toBe(person.email);
      testApp.clock.advance(2 * HOUR);
      await applyDue();
      expect((await rowOf(person.id)).email).toBe(person.wanted);
    },
  );

  test(
    'of a page that is old: what cannot be agreed to now is refused anew',
    { tags: 'long' },
    async () => {
      const person = await member();
      await verb(first, person, 'correctEmail', { email: person.wanted });
      const account = await rowOf(person.id);
      const { asked_by: asker } = await testApp.db
        .selectFrom('staff_changes')
        .select('asked_by')
        .where('user_id', '=', person.id)
        .executeTakeFirstOrThrow();
      for (const staffId of [asker, asker + 1]) {
        const by = { staffId, isOperator: false, isPersonHere: false };
        await expect(agreeToChange(admin(), account, by)).rejects.toThrow('FORBIDDEN');
      }
    },
  );

  test(
    'the act compares the proof itself, whichever page asked for it',
    { tags: 'long' },
    async () => {
      const [person, other] = [await member(), await member()];
      await verb(first, person, 'correctEmail', { email: person.wanted });
      const { id } = await testApp.db
        .selectFrom('staff_changes')
        .select('id')
        .where('user_id', '=', person.id)
        .executeTakeFirstOrThrow();
      const elsewhere = testApp.visitor();
      const { logUserLoginId: signInId } = await elsewhere.signIn(other.email, PASSWORD);
      const session = { loggedInUserId: other.id, signInId };
      for (const how of [
        'waited',
        { by: 'email' },
        { by: 'phone' },
        { by: 'session', session },
        { by: 'session', session: { ...session, loggedInUserId: person.id } },
      ] as const) {
        expect(await applyStaffChange(admin(), id, how)).toBe(false);
      }
      expect((await rowOf(person.id)).email).toBe(person.email);
    },
  );

  test('every told contact stops it, and then nothing counts', { tags: 'long' }, async () => {
    for (const from of ['email', 'wanted'] as const) {
      const person = await member();
      await verb(first, person, 'correctEmail', { email: person.wanted });
      await press(await linkTo(person.wanted), { do: 'mailbox' });
      await verb(second, person, 'agree');
      expect(await press(await linkTo(person[from]))).toBe('/account/change?done=stopped');
      testApp.clock.advance(80 * HOUR);
      await applyDue();
      expect((await rowOf(person.id)).email).toBe(person.email);
      first = await openDesk(testApp, 'staff');
      second = await openDesk(testApp, secondEmail);
    }
  });

  test(
    'asked for again after a stop by the person at the desk, with an operator: only a proof stops it',
    { tags: 'long' },
    async () => {
      const person = await member();
      const STOPPED = '/account/change?done=stopped';
      const askAgain = async (how: string) => {
        await verb(first, person, 'correctEmail', { email: person.wanted, how });
        await press(await linkTo(person.wanted), { do: 'mailbox' });
        await verb(await openDesk(testApp, 'admin'), person, 'agree', { how: 'called' });
        return linkTo(person.email);
      };
      // The first time, and again without the person: the button alone stops it.
      expect(await press(await askAgain('here'))).toBe(STOPPED);
      expect(await press(await askAgain('called'))).toBe(STOPPED);
      const stop = await askAgain('here');
      expect(await press(stop)).toBe('page 200');
      expect(await press(stop, { password: 'Wrong-Pass-1' })).toBe('page 200');
      const waits = () =>
        testApp.db
          .selectFrom('staff_changes')
          .select('id')
          .where('user_id', '=', person.id)
          .where('closed_at', 'is', null)
          .execute();
      expect(await waits()).toHaveLength(1);
      // The session of another person is no proof.
      const own = testApp.visitor();
      await own.signIn(secondEmail, PASSWORD);
      expect(await press(stop, {}, own)).toBe('page 200');
      expect(await press(stop, { password: PASSWORD })).toBe(STOPPED);
      expect(await waits()).toHaveLength(0);
    },
  );

  test('new passwords wait as long', { tags: 'long' }, async () => {
    const person = await member();
    await verb(first, person, 'correctEmail', { email: person.wanted });
    await press(await linkTo(person.wanted), { do: 'mailbox' });
    await resetPassword(testApp, person.email, 'Another-Porch-9');
    await verb(second, person, 'agree');
    await expect(resetPassword(testApp, person.email, 'Third-Porch-9')).rejects.toThrow(
      'RESET_WAITS',
    );
  });

  test('of another account ends the change when it would count', { tags: 'long' }, async () => {
    const [person, other] = [await member(), await member()];
    await verb(first, person, 'correctEmail', { email: other.email });
    expect(await press(await linkTo(other.email), { password: PASSWORD })).toBe(BEGUN);
    testApp.clock.advance(73 * HOUR);
    await applyDue();
    expect((await rowOf(person.id)).email).toBe(person.email);
  });
});

describe('[CON-12] a person who is switched off', () => {
  test('while a change waits: it is stopped and told, because nobody could stop it', async () => {
    const person = await member();
    await verb(first, person, 'correctEmail', { email: person.wanted });
    await press(await linkTo(person.wanted), { do: 'mailbox' });
    await verb(second, person, 'agree');
    await verb(first, person, 'suspend');
    const told = (await testApp.inbox(person.email)).map(({ subject }) => subject);
    expect(told.join()).toContain('A change of your account was stopped');
    testApp.clock.advance(73 * HOUR);
    first = await openDesk(testApp, 'staff');
    await verb(first, person, 'resume');
    await applyDue();
    expect((await rowOf(person.id)).email).toBe(person.email);
  });

  test('gets no change, by no form and no call', { tags: 'long' }, async () => {
    const person = await member();
    await addKeyTo(person.id);
    await addAppCodeTo(person.id);
    await verb(first, person, 'suspend');
    for (const name of ['correctEmail', 'correctPhone', 'removeKey', 'removeAppCode']) {
      expect(await restOf(first, person, name)).toBe('switchedOff');
    }
    const by = { staffId: 1, isOperator: false, isPersonHere: true };
    const account = await rowOf(person.id);
    const asked = testApp.db
      .transaction()
      .execute((db) => askStaffChange({ ...admin(), db }, account, { what: 'appCode' }, by));
    await expect(asked).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('[CON-12] each step is told', () => {
  /** Puts a change of contact into the past of an account. */
  const changedBefore = async (
    { id }: Member,
    change: { contact: 'email' | 'phone'; old: string; isUndone?: boolean },
  ) => {
    const { email, email_canonical, email_proven_at } = await rowOf(id);
    const at = new Date(testApp.clock.now().getTime() - 5 * 24 * HOUR * 1000);
    const isEmail = change.contact === 'email';
    await testApp.db
      .insertInto('contact_changes')
      .values({
        id: `before-${id}-${change.old}`,
        user_id: id,
        sign_in_id: 'before',
        contact: change.contact,
        email,
        dial_code: '',
        mobile: '',
        asked_at: at,
        changed_at: at,
        undo_until: at,
        closed_at: change.isUndone ? at : null,
        old_email: isEmail ? change.old : email,
        old_email_canonical: isEmail ? change.old : email_canonical,
        old_email_proven_at: email_proven_at,
        old_dial_code: '',
        old_mobile: isEmail ? '' : change.old,
        old_phone_proven_at: isEmail ? null : at,
        old_mail_codes_only: false,
      })
      .execute();
  };
  const subjectsAt = async (to: string) => {
    await testApp.app.outbox.settle();
    return (await testApp.inbox(to)).map(({ subject, text }) => subject || text).toReversed();
  };

  test('to contacts of the last 30 days, and to proven phones by text, the last step too', async () => {
    const person = await member();
    const phones = [`+1555017${1000 + count}`, `+1555018${1000 + count}`] as const;
    const before = `before-${count}@people.test`;
    await testApp.db
      .updateTable('users')
      .set({ mobile: phones[0], dial_code: '', phone_proven_at: testApp.clock.now() })
      .where('id', '=', person.id)
      .execute();
    await changedBefore(person, { contact: 'email', old: before });
    await changedBefore(person, { contact: 'phone', old: phones[1] });
    await verb(first, person, 'correctEmail', { email: person.wanted });
    await verb(first, person, 'stopChange');
    await verb(first, person, 'correctEmail', { email: person.wanted });
    expect(await press(await linkTo(person.wanted), { password: PASSWORD })).toBe(BEGUN);
    testApp.clock.advance(73 * HOUR);
    await applyDue();
    const [ASKED, STOPPED, WAITS, DONE] = ['was asked for', 'was stopped', 'waits', 'was made'];
    expect(await subjectsAt(before)).toEqual(
      [ASKED, STOPPED, ASKED, WAITS, DONE].map(
        (step) => expect.stringContaining(`A change of your account ${step}`) as string,
      ),
    );
    const link = expect.stringContaining('/account/change?key=') as string;
    for (const phone of phones) {
      expect(await subjectsAt(phone)).toEqual([
        link,
        expect.stringContaining('was stopped. Nothing is changed. Was this not you?'),
        link,
        link,
        expect.stringContaining('The change is made now. Was this not you? Call us now. +1'),
      ]);
    }
  });

  test('not to the mailbox of a thief, whose change was undone', { tags: 'long' }, async () => {
    const person = await member();
    const thief = `thief-${count}@people.test`;
    await changedBefore(person, { contact: 'email', old: thief, isUndone: true });
    await verb(first, person, 'correctEmail', { email: person.wanted });
    await verb(first, person, 'stopChange');
    expect(await subjectsAt(thief)).toEqual([]);
  });
});

describe('[CON-12] an older way in, in place of the password', () => {
  /** A person whose address is to be corrected, with a phone that was proven a day ago. */
  async function withPhone() {
    const person = await member();
    const phone = `+1555016${1000 + count}`;
    await testApp.db
      .updateTable('users')
      .set({ dial_code: '+1', mobile: phone.slice(2), phone_proven_at: testApp.clock.now() })
      .where('id', '=', person.id)
      .execute();
    testApp.clock.advance(24 * HOUR);
    first = await openDesk(testApp, 'staff');
    await verb(first, person, 'correctEmail', { email: person.wanted });
    return { ...person, phone, link: await linkTo(person.wanted) };
  }

  /** Asks for a code by text in one browser, and types it there. @returns where it led */
  async function proveByPhone(link: string, phone: string, wrong = '') {
    const browser = await newBrowser();
    await press(link, { do: 'send' }, browser);
    await testApp.app.outbox.settle();
    const code = wrong || ((await testApp.inbox(phone))[0]?.code ?? '');
    return press(link, { do: 'check', code }, browser);
  }

  test('a code by text to the phone of before', { tags: 'long' }, async () => {
    const person = await withPhone();
    expect(await proveByPhone(person.link, person.phone, '000000')).toBe('page 200');
    expect((await rowOf(person.id)).email).toBe(person.email);
    expect(await proveByPhone(person.link, person.phone)).toBe(CHANGED);
    expect((await rowOf(person.id)).email).toBe(person.wanted);
  });

  test(
    'not to a phone that was proven after the call, or changed lately',
    { tags: 'long' },
    async () => {
      const proven = await withPhone();
      await testApp.db
        .updateTable('users')
        .set({ phone_proven_at: testApp.clock.now() })
        .where('id', '=', proven.id)
        .execute();
      expect(await proveByPhone(proven.link, proven.phone)).toBe('page 400');

      const changed = await withPhone();
      await verb(first, changed, 'stopChange');
      await verb(first, changed, 'correctPhone', { phone: '+1 555 010 0177' });
      expect(await press(await linkTo(changed.email))).toBe(CHANGED);
      await testApp.db
        .updateTable('users')
        .set({ phone_proven_at: testApp.clock.now() })
        .where('id', '=', changed.id)
        .execute();
      for (const [days, answer] of [
        [4, 'page 400'],
        [27, CHANGED],
      ] as const) {
        testApp.clock.advance(days * 24 * HOUR);
        first = await openDesk(testApp, 'staff');
        await verb(first, changed, 'correctEmail', { email: changed.wanted });
        const link = await linkTo(changed.wanted);
        expect(await proveByPhone(link, '+15550100177')).toBe(answer);
        if (answer !== CHANGED) await verb(first, changed, 'stopChange');
      }
      expect((await rowOf(changed.id)).email).toBe(changed.wanted);
    },
  );

  test(
    'a sign-in of the last ten minutes in this browser by the older phone, and by no other',
    { tags: 'long' },
    async () => {
      const person = await withPhone();
      const pressed = (browser: Visitor) => press(person.link, {}, browser);
      /** Signs in with the digits that went to the mailbox, or to the phone. */
      const signIn = async (to: string) => {
        const visitor = testApp.visitor();
        const { userId, otpId } = await visitor.reachCode(person.email, PASSWORD);
        await testApp.app.outbox.settle();
        await visitor.verify(otpId, userId, (await testApp.inbox(to))[0]?.code ?? '');
        await visitor.complete();
        return visitor;
      };
      const foreign = testApp.visitor();
      await foreign.signIn((await member()).email, PASSWORD);
      expect(await pressed(foreign)).toBe('page 200');
      expect(await pressed(await signIn(person.email))).toBe('page 200');
      const own = await signIn(person.phone);
      testApp.clock.advance(11 * 60);
      expect(await pressed(own)).toBe('page 200');
      expect((await rowOf(person.id)).email).toBe(person.email);
      expect(await pressed(await signIn(person.phone))).toBe(CHANGED);
      expect((await rowOf(person.id)).email).toBe(person.wanted);
    },
  );
});

describe('[CON-12] a saved key proves a change', { tags: 'long' }, () => {
  /** A person with a key of the first day, a change that waits, and a session of now. */
  async function withKey() {
    const person = await member();
    await addKeyTo(person.id);
    testApp.clock.advance(40 * 24 * HOUR);
    first = await openDesk(testApp, 'staff');
    await verb(first, person, 'correctEmail', { email: person.wanted });
    const visitor = testApp.visitor();
    await visitor.signIn(person.email, PASSWORD);
    const link = await linkTo(person.wanted);
    const pressLink = () => press(link, {}, visitor).catch(() => 'refused');
    const setFactors = (amr: string[]) =>
      testApp.db.updateTable('sign_ins').set({ amr }).where('user_id', '=', person.id).execute();
    return { person, press: pressLink, setFactors };
  }

  test('in the session that it opened, and in no other', async () => {
    const { person, press: pressed, setFactors } = await withKey();
    // The owner uses the key elsewhere at this moment.
    await testApp.db
      .updateTable('saved_keys')
      .set({ last_used_at: testApp.clock.now() })
      .where('user_id', '=', person.id)
      .execute();
    expect(await pressed()).not.toBe(CHANGED);
    await setFactors(['pop', 'user', 'mfa']);
    expect(await pressed()).toBe(CHANGED);
    expect((await rowOf(person.id)).email).toBe(person.wanted);
  });

  test('not beside a key of the last 30 days', { tags: 'long' }, async () => {
    const { person, press: pressed, setFactors } = await withKey();
    await setFactors(['pop', 'user', 'mfa']);
    await addKeyTo(person.id, 'new');
    expect(await pressed()).not.toBe(CHANGED);
  });

  test('not eleven minutes after the sign-in', { tags: 'long' }, async () => {
    const { press: pressed, setFactors } = await withKey();
    await setFactors(['pop', 'user', 'mfa']);
    testApp.clock.advance(11 * 60);
    expect(await pressed()).not.toBe(CHANGED);
  });
});

test(
  '[CON-12] an address that another account got meanwhile ends the change when it is due',
  { tags: 'long' },
  async () => {
    const person = await member();
    await verb(first, person, 'correctEmail', { email: person.wanted });
    await press(await linkTo(person.wanted), { do: 'mailbox' });
    await verb(second, person, 'agree');
    await testApp.visitor().register({ emailAddress: person.wanted });
    testApp.clock.advance(73 * HOUR);
    await applyDue();
    await applyDue();
    expect((await rowOf(person.id)).email).toBe(person.email);
    const desk = await openDesk(testApp, 'staff');
    expect(await restOf(desk, person, 'stopChange')).toBe('noChange');
  },
);

describe('[CON-12] what the account’s own mailbox confirms', { tags: 'long' }, () => {
  test(
    'a phone counts after the button there, and is proven by its next code',
    { tags: 'long' },
    async () => {
      const person = await member();
      await verb(first, person, 'correctPhone', { phone: '+1 555 010 0142' });
      expect((await rowOf(person.id)).mobile).not.toContain('5550100142');
      expect(await press(await linkTo(person.email))).toBe(CHANGED);
      expect(await rowOf(person.id)).toMatchObject({
        mobile: '+15550100142',
        phone_proven_at: null,
      });
    },
  );

  test.each([
    ['removeAppCode', addAppCodeTo, 'app_codes'],
    ['removeKey', addKeyTo, 'saved_keys'],
  ] as const)('nothing for %s: two and 72 hours', { tags: 'long' }, async (name, add, table) => {
    const person = await member();
    await add(person.id);
    await verb(first, person, name, { key: `key-${person.id}` });
    // The link that asks, not the one that stops.
    const mails = await testApp.inbox(person.email);
    const asking = mails.find(({ subject }) => subject.includes('Please confirm a change'));
    const { pathname, search } = new URL(asking?.link ?? '');
    const link = pathname + search;
    const open = () =>
      testApp.db
        .selectFrom(table)
        .select('user_id')
        .where('user_id', '=', person.id)
        .where('removed_at', 'is', null)
        .execute();
    for (const fields of [{}, { password: PASSWORD }]) {
      expect(await press(link, fields).catch(() => 'refused')).not.toMatch(/done=/);
    }
    expect(await open()).toHaveLength(1);
    await verb(second, person, 'agree');
    testApp.clock.advance(73 * HOUR);
    await applyDue();
    expect(await open()).toHaveLength(0);
  });
});

test('[CON-12] while a change of the account waits staff begin no other, also at once', async () => {
  const { id, wanted } = await member();
  const by = { staffId: 1, isOperator: false, isPersonHere: true };
  const ask = async () => {
    const account = await rowOf(id);
    return testApp.db
      .transaction()
      .execute((db) =>
        askStaffChange(
          { ...admin(), db },
          account,
          { what: 'email', contact: 'email', email: wanted },
          by,
        ),
      );
  };
  const asked = await Promise.allSettled([ask(), ask()]);
  expect(asked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await expect(ask()).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('[ACC-04] after an undo the help desk vouches only with a code of its own', async () => {
  const person = await member();
  const undone = { password_hash: null, recovery_since: testApp.clock.now() };
  await testApp.db.updateTable('users').set(undone).where('id', '=', person.id).execute();
  testApp.clock.advance(6 * 60);
  expect(await restOf(first, person, 'resend')).toBe('nothingWaits');
  expect(await restOf(first, person, 'mailReset')).toBe(null);
  for (const name of ['resend', 'mailReset']) await verb(first, person, name);
  expect(await testApp.inbox(person.email)).toHaveLength(1);
  await first.stepUp(`/console/people/${person.id}/mailReset`);
  await verb(first, person, 'mailReset');
  const [mail] = await testApp.inbox(person.email);
  expect(mail?.link).toContain('/account/resetPassword?resetLinkKey=');
});

test('[CON-12] a link is over after seven days', { tags: 'long' }, async () => {
  const person = await member();
  await verb(first, person, 'correctEmail', { email: person.wanted });
  testApp.clock.advance(8 * 24 * HOUR);
  const link = await linkTo(person.wanted);
  expect(await press(link, { password: PASSWORD })).toBe('page 200');
  expect((await rowOf(person.id)).email).toBe(person.email);
});
