/** Email and phone of My account: a change counts after its code, and the old mailbox can undo it (decision 170). */

import { describe, expect, test } from 'vitest';
import { findActiveAccount } from '../accounts/account-store.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { FullContext } from '../access/context.ts';
import type { Otp } from '../proofs/otp/otp-store.ts';
import { createRecipients } from '../proofs/otp/recipients.ts';
import { addApp } from '../testing/app-code.ts';
import { changesByCode } from './change-by-code.ts';
import { createAccountPages } from '../testing/account-pages.ts';
import { createStepUp } from '../forms/step-up.ts';
import { createTestAppWithPages, PASSWORD, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const EMAIL = '/account/me/email';
const PHONE = '/account/me/phone';

const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));

let count = 0;
const newEmail = (word = 'who') => `${word}-${(count += 1)}@contacts.test`;

const pages = createAccountPages(() => testApp);
const { mailsTo } = pages;
const signedIn = () => pages.signedIn(newEmail());
const open = (visitor: Visitor, path = EMAIL) => pages.open(visitor, path);
const send = (visitor: Visitor, fields: Record<string, string>, path = EMAIL) =>
  pages.send(visitor, fields, path);
const refused = (visitor: Visitor, fields: Record<string, string>, path = EMAIL) =>
  pages.refused(visitor, fields, path);

async function changeEmail(visitor: Visitor, to = newEmail('new')): Promise<string> {
  await send(visitor, { email: to });
  const code = await testApp.codeFor(to);
  expect((await send(visitor, { do: 'check', code })).headers.get('location')).toContain('done=1');
  return to;
}

async function changePhone(visitor: Visitor, phone: string): Promise<void> {
  await send(visitor, { phone, dialCode: '+1' }, PHONE);
  await testApp.app.outbox.settle();
  const code = (await testApp.inbox(phone))[0]?.code ?? '';
  await send(visitor, { do: 'check', code }, PHONE);
}

const rowOf = (id: number) =>
  testApp.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const undoLinkIn = async (email: string) =>
  (await mailsTo(email)).find(({ link }) => link?.includes('/account/undo'))?.link ?? '';

/** Opens an undo link as another browser does, and presses its button. */
async function undo(link: string, visitor = testApp.visitor()) {
  const { pathname, search } = new URL(link);
  await visitor.request(pathname + search);
  const answer = await send(visitor, {}, pathname + search);
  return { visitor, location: answer.headers.get('location') ?? '' };
}

const NEW_PASSWORD = 'Quiet-Harbor-77';

/** Sets a new password by a reset link. */
async function reset(visitor: Visitor, resetKey: string) {
  const user = await visitor.ok('getResetUser', { params: { resetKey, ip: '::1' } });
  const answer = await visitor.call(
    'updatePassword',
    {
      body: {
        userName: user?.userName ?? '',
        userId: user?.userId ?? 0,
        hostedUserId: user?.hostedUserId ?? '',
        password: NEW_PASSWORD,
        accessIP: '::1',
        forgotPasswordId: user?.forgotPasswordId ?? '',
      },
    },
    await visitor.prove('resetPassword'),
  );
  return answer.errorFlag;
}

test('[ACC-02] a new address counts when its code is right, and not before', async () => {
  const { visitor, userId, email } = await signedIn();
  const wanted = newEmail('new');
  await send(visitor, { email: wanted });
  expect((await rowOf(userId)).email).toBe(email);
  expect((await open(visitor)).contacts.waitsFor).toMatchObject({ to: wanted });
  const right = await testApp.codeFor(wanted);
  const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0');
  expect(await refused(visitor, { do: 'check', code: wrong })).toBe('otpWrong');
  expect((await rowOf(userId)).email).toBe(email);
  await send(visitor, { do: 'check', code: right });
  expect(await rowOf(userId)).toMatchObject({ email: wanted, email_proven_at: expect.any(Date) });
  // The old address is told, whole sentences and an undo; the new one has no undo.
  expect((await mailsTo(email))[0]?.text).toContain('n•••@contacts.test');
  expect(await undoLinkIn(email)).not.toBe('');
  expect((await mailsTo(wanted))[0]?.link).toBeNull();
  // The password stays, and signs in with the new address.
  await testApp.visitor().signIn(wanted, PASSWORD);
});

describe('[ACC-02] what is typed', () => {
  for (const [email, message] of [
    ['no-address', 'emailInvalid'],
    ['', 'emailRequired'],
  ] as const) {
    test(`'${email}' is refused`, { tags: email ? [] : ['long'] }, async () => {
      const { visitor } = await signedIn();
      expect(await refused(visitor, { email })).toBe(message);
    });
  }

  test('the own address is no change', { tags: 'long' }, async () => {
    const { visitor, email } = await signedIn();
    expect(await refused(visitor, { email: email.toUpperCase() })).toBe('emailSame');
  });

  test('a change that waits is given up', { tags: 'long' }, async () => {
    const { visitor } = await signedIn();
    await send(visitor, { email: newEmail('new') });
    await send(visitor, { do: 'cancel' });
    expect((await open(visitor)).contacts.waitsFor).toBeUndefined();
  });
});

describe('[ACC-01] a sign-in of more than ten minutes', () => {
  for (const [what, path, fields] of [
    ['email', EMAIL, { email: 'later@contacts.test' }],
    ['phone', PHONE, { phone: '5550143311', dialCode: '+1' }],
    ['removal of the phone', PHONE, { do: 'remove' }],
  ] as const) {
    test(`changes no ${what}`, { tags: what === 'email' ? [] : ['long'] }, async () => {
      const { visitor, userId } = await signedIn();
      const before = await rowOf(userId);
      testApp.clock.advance(11 * MINUTE);
      await send(visitor, fields, path);
      expect((await open(visitor, path)).contacts.waitsFor).toBeUndefined();
      expect(await rowOf(userId)).toEqual(before);
    });
  }
});

test(
  '[ACC-03] the address of another account: the page behaves the same, its owner is told, no code is right',
  { tags: 'long' },
  async () => {
    const owner = await signedIn();
    const thief = await signedIn();
    expect((await send(thief.visitor, { email: owner.email })).status).toBe(303);
    expect((await open(thief.visitor)).contacts.waitsFor?.to).toBe(owner.email);
    const told = (await mailsTo(owner.email))[0];
    expect(told?.subject).toContain('Somebody typed your email address');
    expect(told?.code).toBeNull();
    for (const code of ['000000', '123456']) {
      expect(await refused(thief.visitor, { do: 'check', code })).toBe('otpWrong');
    }
    expect((await rowOf(owner.userId)).email).toBe(owner.email);
  },
);

test(
  '[ACC-03] of two accounts that want one address, the first right code gets it',
  { tags: 'long' },
  async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const wanted = newEmail('wanted');
    await send(one.visitor, { email: wanted });
    const first = await testApp.codeFor(wanted);
    testApp.clock.advance(1);
    await send(other.visitor, { email: wanted });
    const second = await testApp.codeFor(wanted);
    await send(one.visitor, { do: 'check', code: first });
    expect(await refused(other.visitor, { do: 'check', code: second })).toBe('emailInUse');
    expect((await rowOf(one.userId)).email).toBe(wanted);
    expect((await rowOf(other.userId)).email).toBe(other.email);
  },
);

test('[ACC-03] of two right codes at once for one address, one counts', async () => {
  for (let round = 0; round < 3; round += 1) {
    const people = [await signedIn(), await signedIn()];
    const wanted = newEmail('race');
    const checks: (() => Promise<Response>)[] = [];
    for (const { visitor } of people) {
      testApp.clock.advance(1);
      await send(visitor, { email: wanted });
      const code = await testApp.codeFor(wanted);
      checks.push(() => send(visitor, { do: 'check', code }));
    }
    const answers = await Promise.all(checks.map((check) => check()));
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    const rows = await Promise.all(people.map(({ userId }) => rowOf(userId)));
    expect(rows.filter(({ email }) => email === wanted)).toHaveLength(1);
  }
});

test(
  '[PRF-24] a right code of an earlier question of the same session changes nothing',
  { tags: 'long' },
  async () => {
    const { visitor, userId } = await signedIn();
    await send(visitor, { email: newEmail('later') });
    const { sign_in_id } = await testApp.db
      .selectFrom('contact_changes')
      .select('sign_in_id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    const acts = changesByCode(testApp as unknown as FullContext);
    const otp = { user_id: userId, sign_in_id, subject: 'the earlier question' } as Otp;
    await expect(acts.NEW_CONTACT(testApp.db, otp)).rejects.toMatchObject({ code: 'OTP_EXPIRED' });
  },
);

for (const contact of ['email', 'phone'] as const) {
  const tags = contact === 'email' ? [] : ['long'];
  test(
    `[ACC-02] a link for a new password that was sent before a change of the ${contact} ends with it`,
    { tags },
    async () => {
      const { visitor, email } = await signedIn();
      const forgetful = testApp.visitor();
      await forgetful.ok('forgotPassword', { body: { userName: email, emailID: email } });
      const link = (await mailsTo(email))[0]?.link ?? '';
      const resetKey = new URL(link).searchParams.get('resetLinkKey') ?? '';
      const opened = () => forgetful.call('getResetUser', { params: { resetKey, ip: '::1' } });
      expect((await opened()).errorFlag).toBeNull();
      await (contact === 'email' ? changeEmail(visitor) : changePhone(visitor, '5550143366'));
      expect((await opened()).errorFlag).toBe('INVALID_LINK');
    },
  );
}

test('[ACC-03] an unfinished sign-up holds no address', { tags: 'long' }, async () => {
  const { visitor, userId } = await signedIn();
  const wanted = newEmail('wanted');
  await testApp.visitor().signUp({ emailAddress: wanted });
  await changeEmail(visitor, wanted);
  expect((await rowOf(userId)).email).toBe(wanted);
});

describe('[ACC-04] the undo', () => {
  test('restores the address, ends all access, and takes the password away', async () => {
    const { visitor, userId, email } = await signedIn();
    const stolen = await changeEmail(visitor);
    const link = await undoLinkIn(email);
    // Opening it changes nothing, however often: mail scanners press links.
    for (let n = 0; n < 3; n += 1)
      await testApp.visitor().request(new URL(link).pathname + new URL(link).search);
    expect((await rowOf(userId)).email).toBe(stolen);
    await undo(link);
    expect(await rowOf(userId)).toMatchObject({ email, password_hash: null });
    expect((await visitor.request(EMAIL)).status).toBe(302);
    expect((await visitor.call('getConsents', {})).errorFlag).toBe('NO_SESSION');
    expect((await mailsTo(stolen)).map(({ subject }) => subject).join()).not.toContain('undone');
    const [told] = await mailsTo(email);
    expect(told?.subject).toContain('undone');
    // It leads on: its one button opens the recovery, and nobody is told to do nothing.
    expect(told?.link).toContain('/account/recover?resetLinkKey=');
    expect(told?.text).toContain('Now choose a new password.');
    expect(told?.text).not.toContain('do nothing');
  });

  test(
    'of several changes goes back to before the oldest open one, by the oldest mailbox alone',
    { tags: 'long' },
    async () => {
      const { visitor, userId, email } = await signedIn();
      const before = await rowOf(userId);
      const second = await changeEmail(visitor);
      await changePhone(visitor, '5550143355');
      const third = await changeEmail(visitor);
      expect(await undoLinkIn(second)).toBe('');
      expect(await undoLinkIn(third)).toBe('');
      await undo(await undoLinkIn(email));
      expect(await rowOf(userId)).toMatchObject({
        email,
        mobile: before.mobile,
        phone_proven_at: before.phone_proven_at,
      });
    },
  );

  test('works once, and for 72 hours', { tags: 'long' }, async () => {
    const one = await signedIn();
    await changeEmail(one.visitor);
    const link = await undoLinkIn(one.email);
    const answers = await Promise.all([undo(link), undo(link)]);
    expect(answers.filter(({ location }) => location.includes('/account/recover'))).toHaveLength(1);
    const other = await signedIn();
    const changed = await changeEmail(other.visitor);
    const late = await undoLinkIn(other.email);
    testApp.clock.advance(3 * DAY);
    expect((await undo(late)).location).toBe('');
    expect((await rowOf(other.userId)).email).toBe(changed);
  });

  test('takes away the ways in that came with the change', { tags: 'long' }, async () => {
    const { visitor, userId, email } = await signedIn();
    await changeEmail(visitor);
    await addApp(testApp, userId);
    await undo(await undoLinkIn(email));
    const { removed_at: removedAt } = await testApp.db
      .selectFrom('app_codes')
      .select('removed_at')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    expect(removedAt).not.toBeNull();
  });

  test('a link that was used undoes no later change', { tags: 'long' }, async () => {
    const { visitor, userId, email } = await signedIn();
    await changeEmail(visitor);
    const link = await undoLinkIn(email);
    const used = testApp.db.updateTable('contact_changes').set({ closed_at: testApp.clock.now() });
    await used.where('user_id', '=', userId).execute();
    const later = await changeEmail(visitor);
    expect((await undo(link)).location).toBe('');
    expect((await rowOf(userId)).email).toBe(later);
  });

  test(
    'a new password needs the old mailbox and the phone of before the change',
    { tags: 'long' },
    async () => {
      const { visitor, userId, email } = await signedIn();
      await testApp.db
        .updateTable('users')
        .set({ phone_proven_at: testApp.clock.now(), mobile: '5550143377', dial_code: '+1' })
        .where('id', '=', userId)
        .execute();
      testApp.clock.advance(1);
      await changeEmail(visitor);
      const { visitor: owner, location } = await undo(await undoLinkIn(email));
      const key = new URL(location, 'http://a').searchParams.get('resetLinkKey') ?? '';
      expect(await reset(owner, key)).toBe('RESET_UNAUTHORIZED');
      await send(owner, { do: 'send' }, location);
      await testApp.app.outbox.settle();
      const code = (await testApp.inbox('5550143377'))[0]?.code ?? '';
      const proven = await send(owner, { do: 'check', code }, location);
      expect(proven.headers.get('location')).toBe(`/account/resetPassword?resetLinkKey=${key}`);
      expect(await reset(owner, key)).toBeNull();
      expect((await rowOf(userId)).recovery_since).toBeNull();
      await testApp.visitor().signIn(email, NEW_PASSWORD);
    },
  );

  test('a phone that was proven after the change is no proof', { tags: 'long' }, async () => {
    const { visitor, userId, email } = await signedIn();
    await changeEmail(visitor);
    const { visitor: owner, location } = await undo(await undoLinkIn(email));
    await testApp.db
      .updateTable('users')
      .set({ phone_proven_at: testApp.clock.now(), mobile: '5550143388', dial_code: '+1' })
      .where('id', '=', userId)
      .execute();
    await send(owner, { do: 'send' }, location);
    await testApp.app.outbox.settle();
    expect(await testApp.inbox('5550143388')).toEqual([]);
  });

  test(
    'without an older proof only the help desk gives a new password',
    { tags: 'long' },
    async () => {
      const { visitor, email } = await signedIn();
      await testApp.db
        .updateTable('users')
        .set({ phone_proven_at: null })
        .where('email', '=', email)
        .execute();
      await changeEmail(visitor);
      const { visitor: owner, location } = await undo(await undoLinkIn(email));
      expect(location).toContain('/account/recover');
      expect((await send(owner, { do: 'send' }, location)).status).toBe(400);
    },
  );
});

test('[ACC-04] the old address is reserved for 72 hours', { tags: 'long' }, async () => {
  const { visitor, email } = await signedIn();
  await changeEmail(visitor);
  const other = await signedIn();
  await send(other.visitor, { email });
  const code = await testApp.codeFor(email);
  expect(await refused(other.visitor, { do: 'check', code })).toBe('emailInUse');
  const stranger = testApp.visitor();
  await expect(stranger.register({ emailAddress: email })).rejects.toThrow('activateUser');
  testApp.clock.advance(3 * DAY + MINUTE);
  await testApp.visitor().register({ emailAddress: email });
});

test(
  '[ACC-05] a contact inside its 72 hours proves no step-up, and no new sign-in either',
  { tags: 'long' },
  async () => {
    const { visitor, userId } = await signedIn();
    await testApp.db
      .updateTable('users')
      .set({ dial_code: '', mobile: '', phone_proven_at: null })
      .where('id', '=', userId)
      .execute();
    const stolen = await changeEmail(visitor);
    // The proof of before the change is still good for its ten minutes.
    expect((await open(visitor)).isFresh).toBe(true);
    const thief = testApp.visitor();
    await thief.signIn(stolen, PASSWORD);
    expect((await open(thief)).isFresh).toBe(false);
    const sent = (await mailsTo(stolen)).length;
    await send(thief, { step: 'send' });
    expect((await open(thief)).code).toMatchObject({ canBeSent: false, sentTo: null });
    expect(await mailsTo(stolen)).toHaveLength(sent);
    testApp.clock.advance(3 * DAY + MINUTE);
    const again = testApp.visitor();
    await again.signIn(stolen, PASSWORD);
    expect((await open(again)).isFresh).toBe(true);
  },
);

test(
  '[ACC-05] the phone proves a step-up after a new email only where texts are sent',
  { tags: 'long' },
  async () => {
    const { visitor, userId } = await signedIn();
    await changeEmail(visitor);
    await testApp.db
      .updateTable('users')
      .set({ phone_proven_at: testApp.clock.now() })
      .where('id', '=', userId)
      .execute();
    const account = await findActiveAccount(testApp.db, userId);
    const found = (hasTexts: boolean) =>
      createRecipients(testApp, {
        hasTexts,
        signIns: {
          currentWithAccount: async () => ({
            attempt: { id: 'of this test', stage: 'complete', amr: [] },
            account: account ?? null,
          }),
        },
      }).find('STEP_UP', userId, {} as Visit);
    expect(await found(true)).toMatchObject({ mailRule: 'never' });
    await expect(found(false)).rejects.toThrow('FORBIDDEN');
  },
);

describe('[ACC-16] a code that cannot arrive', () => {
  /** Says of every message that waits or went that its provider refuses it for good. */
  const refuseAll = async () => {
    await testApp.app.outbox.settle();
    await testApp.db.updateTable('messages').set({ state: 'failed', reason: 'invalid' }).execute();
  };

  test('is told by the page of the new phone, and by none of a new address: it may be an account’s', async () => {
    const { visitor } = await signedIn();
    await send(visitor, { phone: '5550143377', dialCode: '+1' }, PHONE);
    expect((await open(visitor, PHONE)).contacts.waitsFor?.lost).toBeNull();
    await refuseAll();
    expect((await open(visitor, PHONE)).contacts.waitsFor?.lost).toBe(
      'Your text message could not be delivered. This number cannot get text messages.',
    );
    await send(visitor, { email: newEmail('gone') });
    await refuseAll();
    expect((await open(visitor)).contacts.waitsFor?.lost).toBeNull();
  });

  test('is told by the step-up, until a new one is sent', async () => {
    const { visitor } = await signedIn();
    testApp.clock.advance(11 * MINUTE);
    await send(visitor, { step: 'send' });
    expect((await open(visitor)).code).toMatchObject({ canBeSent: true, lost: null });
    await refuseAll();
    expect((await open(visitor)).code.lost).toBe(
      'Your email could not be delivered. There is no mailbox at this address.',
    );
    await send(visitor, { step: 'send' });
    expect((await open(visitor)).code).toMatchObject({ canBeSent: true, lost: null });
  });
});

test('[ACC-05] a fault of the database is not told as a missing proof', async () => {
  const find = () => Promise.reject(new Error('the database is away'));
  const otps = {} as Parameters<typeof createStepUp>[1]['otps'];
  const stepUp = createStepUp(testApp, { otps, recipients: { find } });
  await expect(stepUp.code(1, {} as Visit, 'en')).rejects.toThrow('the database is away');
});

describe('[ACC-06] the phone', () => {
  test('counts after its code, is told by mail with an undo, and is removed at once', async () => {
    const { visitor, userId, email } = await signedIn();
    await changePhone(visitor, '5550143399');
    expect(await rowOf(userId)).toMatchObject({
      mobile: '5550143399',
      phone_proven_at: expect.any(Date),
    });
    expect(await undoLinkIn(email)).not.toBe('');
    await send(visitor, { do: 'remove' }, PHONE);
    expect(await rowOf(userId)).toMatchObject({ mobile: '', phone_proven_at: null });
    expect((await mailsTo(email))[0]?.subject).toContain('was removed');
  });
});

test('[ACC-07] the name is told by mail', async () => {
  const { visitor, email } = await signedIn();
  await send(visitor, { firstName: 'Ruth', lastName: 'Castellanos' }, '/account/me/name');
  expect((await mailsTo(email))[0]?.text).toContain('Ruth Castellanos');
});
