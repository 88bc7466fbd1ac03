/** Sign-in with a code of an app, through the wire: it takes the mailed code's place, and nothing takes its own. */

import { describe, expect, test } from 'vitest';
import { DAY_MS } from '#domain/text/duration.ts';
import { takeAppCode } from '../../access/authenticator.ts';
import { resetPassword } from '../../testing/reset.ts';
import { textsIn } from '#locales/catalogue.ts';
import { removeNewWays } from '../../access/ways-in.ts';
import { restoreSince } from './app-code-store.ts';
import { adminContextOf } from '../../testing/admin-context.ts';
import { addApp } from '../../testing/app-code.ts';
import { createTestApp, PASSWORD, type Visitor } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const STEP = 30;

const testApp = closeAtEnd(await createTestApp());

let count = 0;
/** An account whose app is set up; its mailbox is empty from now on. */
async function withApp() {
  const email = `app-${(count += 1)}@account.test`;
  const { userId } = await testApp.visitor().register({ emailAddress: email });
  const app = await addApp(testApp, userId);
  testApp.clock.advance(STEP);
  await testApp.app.outbox.settle();
  const mails = (await testApp.inbox(email)).length;
  const sentSince = async () => {
    await testApp.app.outbox.settle();
    const texts = (await testApp.inbox('+15550142290')).filter(({ code }) => code !== null);
    return { mails: (await testApp.inbox(email)).length - mails, texts: texts.length };
  };
  return { email, userId, app, sentSince };
}

/** The text of a refusal, or `right`. */
async function tried(visitor: Visitor, id: string, userId: number, code: number | string) {
  const answer = await visitor.verify(id, userId, code);
  return answer.data === true ? 'right' : answer.errorFlag;
}

const wrongOf = (code: string) => String((Number(code) + 7) % 1_000_000).padStart(6, '0');

describe('[APP-03] sign-in', () => {
  test('after the password the app is asked: nothing is mailed or texted, and its code opens', async () => {
    const { email, app, sentSince } = await withApp();
    const texts = (await sentSince()).texts;
    const visitor = testApp.visitor();
    const { userId, otpId, sent } = await visitor.reachCode(email, PASSWORD);
    expect(sent).toMatchObject({ otpSendMedium: 5, sentTo: { email: null, phone: null } });
    expect(await sentSince()).toEqual({ mails: 0, texts });
    expect(await tried(visitor, otpId, userId, wrongOf(app.code()))).toBe('INVALID_OTP');
    expect(await tried(visitor, otpId, userId, Number(app.code()))).toBe('right');
    expect((await visitor.complete()).loggedInUserId).toBe(userId);
  });

  test(
    'the same press twice gets one answer, the same code in another browser none',
    { tags: 'long' },
    async () => {
      const { email, app } = await withApp();
      const [one, other] = [testApp.visitor(), testApp.visitor()];
      const first = await one.reachCode(email, PASSWORD);
      const code = app.code();
      const twice = [1, 2].map(() => tried(one, first.otpId, first.userId, code));
      expect(await Promise.all(twice)).toEqual(['right', 'right']);
      const second = await other.reachCode(email, PASSWORD);
      expect(await tried(other, second.otpId, second.userId, code)).toBe('OTP_OTHER_MINUTE');
      testApp.clock.advance(STEP);
      expect(await tried(other, second.otpId, second.userId, app.code())).toBe('right');
    },
  );

  test('an older code is refused after a newer one', { tags: 'long' }, async () => {
    const { email, app } = await withApp();
    const ahead = app.code(STEP * 1000);
    const visitor = testApp.visitor();
    const first = await visitor.reachCode(email, PASSWORD);
    expect(await tried(visitor, first.otpId, first.userId, ahead)).toBe('right');
    const other = testApp.visitor();
    const { otpId, userId } = await other.reachCode(email, PASSWORD);
    expect(await tried(other, otpId, userId, app.code())).toBe('OTP_OTHER_MINUTE');
  });

  test('a suspended account learns of it after its code alone', { tags: 'long' }, async () => {
    const { email, app, userId } = await withApp();
    await testApp.db
      .updateTable('users')
      .set({ status: 'inactive' })
      .where('id', '=', userId)
      .execute();
    const visitor = testApp.visitor();
    const { otpId } = await visitor.reachCode(email, PASSWORD);
    expect(await tried(visitor, otpId, userId, app.code())).toBe('ACCOUNT_SUSPENDED');
  });
});

describe('[APP-04] tries', () => {
  test('five, then a new page of tries; past the limit the account waits, with a right code too', async () => {
    const { email, app } = await withApp();
    const visitor = testApp.visitor();
    const { userId, otpId } = await visitor.reachCode(email, PASSWORD);
    const answers = [];
    for (let nth = 0; nth < 6; nth += 1) {
      answers.push(await tried(visitor, otpId, userId, wrongOf(app.code())));
    }
    expect(answers).toEqual([
      ...Array.from({ length: 4 }, () => 'INVALID_OTP'),
      'OTP_DEAD',
      'OTP_DEAD',
    ]);
    const again = await visitor.ok('resendOtp', {
      body: { id: otpId, createdBy: userId, otpSendMedium: 5, otpType: 'TWOFACTORAUTHENTICATION' },
    });
    expect(again?.otpSendMedium).toBe(5);
    expect(await tried(visitor, again?.id ?? '', userId, app.code())).toBe('TOO_MANY');
  });
});

describe('[APP-06] mail never takes its place', () => {
  for (const medium of [1, 2, 3, 4] as const) {
    const tags = medium === 4 ? [] : ['long'];
    test(`medium ${medium} is asked of the app`, { tags }, async () => {
      const { email, sentSince } = await withApp();
      const visitor = testApp.visitor();
      const { texts } = await sentSince();
      await visitor.givePassword(email, PASSWORD);
      const user = await visitor.ok('getLoginUser', { query: { emailId: email } });
      const sent = await visitor.sendCode(user?.userId ?? 0, 'TWOFACTORAUTHENTICATION', medium);
      expect(sent.data?.otpSendMedium).toBe(5);
      testApp.clock.advance(601);
      const again = await visitor.ok('resendOtp', {
        body: {
          id: sent.data?.id ?? '',
          createdBy: user?.userId ?? 0,
          otpSendMedium: medium,
          otpType: 'TWOFACTORAUTHENTICATION',
        },
      });
      expect(again?.otpSendMedium).toBe(5);
      expect(await sentSince()).toEqual({ mails: 0, texts });
    });
  }

  test(
    'a code that was mailed before the app was set up opens nothing afterwards',
    { tags: 'long' },
    async () => {
      const email = `before-${(count += 1)}@account.test`;
      const { userId } = await testApp.visitor().register({ emailAddress: email });
      const visitor = testApp.visitor();
      const { otpId } = await visitor.reachCode(email, PASSWORD);
      const mailed = await testApp.codeFor(email);
      await addApp(testApp, userId);
      expect(await tried(visitor, otpId, userId, mailed)).toBe('OTP_EXPIRED');
      const sent = await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION');
      expect(sent.data?.otpSendMedium).toBe(5);
    },
  );

  test(
    'a code of an app that was taken away opens nothing, and codes are mailed again',
    { tags: 'long' },
    async () => {
      const { email, app, userId } = await withApp();
      const visitor = testApp.visitor();
      const { otpId } = await visitor.reachCode(email, PASSWORD);
      expect(await takeAppCode(adminContextOf(testApp), userId)).toBe(true);
      expect(await tried(visitor, otpId, userId, app.code())).toBe('OTP_EXPIRED');
      const sent = await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION');
      expect(sent.data?.otpSendMedium).toBe(4);
      const code = await testApp.codeFor(email);
      expect(await tried(visitor, sent.data?.id ?? '', userId, code)).toBe('right');
    },
  );

  test(
    'medium 5 is no way round the mail for an account without an app',
    { tags: 'long' },
    async () => {
      const email = `none-${(count += 1)}@account.test`;
      const { userId } = await testApp.visitor().register({ emailAddress: email });
      const visitor = testApp.visitor();
      await visitor.givePassword(email, PASSWORD);
      const sent = await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION', 5);
      expect(sent.data?.otpSendMedium).toBe(4);
    },
  );
});

describe('[APP-12] undo and reset', () => {
  const daysAgo = (days: number) => new Date(testApp.clock.now().getTime() - days * DAY_MS);

  test('a reset by mail removes an app of the last 30 days; an older one is asked for afterwards', async () => {
    const { email, userId, app } = await withApp();
    testApp.clock.advance(31 * 24 * 60 * 60);
    const now = testApp.clock.now();
    expect(await removeNewWays(testApp.db, userId, now)).toEqual([]);
    await resetPassword(testApp, email, 'Green-Teapot-77');
    const visitor = testApp.visitor();
    const { otpId, sent } = await visitor.reachCode(email, 'Green-Teapot-77');
    expect(sent.otpSendMedium).toBe(5);
    expect(await tried(visitor, otpId, userId, app.code())).toBe('right');
    const spanish = testApp.db.updateTable('users').set({ language: 'es' });
    await spanish.where('id', '=', userId).execute();
    expect(await removeNewWays(testApp.db, userId, daysAgo(2))).toEqual([
      textsIn('es').appCodes.title,
    ]);
  });

  test(
    'an undo brings back the app of before, with its recovery codes, and removes a thief’s',
    { tags: 'long' },
    async () => {
      const { email, userId, app } = await withApp();
      testApp.clock.advance(STEP);
      const since = testApp.clock.now();
      testApp.clock.advance(STEP);
      await takeAppCode(adminContextOf(testApp), userId);
      const thief = await addApp(testApp, userId);
      testApp.clock.advance(STEP);
      await restoreSince(testApp.db, userId, since, testApp.clock.now());
      const visitor = testApp.visitor();
      const { otpId } = await visitor.reachCode(email, PASSWORD);
      expect(await tried(visitor, otpId, userId, thief.code())).toBe('INVALID_OTP');
      expect(await tried(visitor, otpId, userId, thief.recovery[0] ?? '')).toBe('INVALID_OTP');
      expect(await tried(visitor, otpId, userId, app.recovery[0] ?? '')).toBe('right');
    },
  );
});

describe('[APP-05] recovery codes', () => {
  test('one opens once, is told by mail, and is nowhere in the database', async () => {
    const { email, app } = await withApp();
    const [code = ''] = app.recovery;
    expect(app.recovery).toHaveLength(10);
    const dump = await testApp.dump();
    for (const secret of [...app.recovery, app.key]) expect(dump).not.toContain(secret);
    const visitor = testApp.visitor();
    const first = await visitor.reachCode(email, PASSWORD);
    const wrong = String(Number(code) - 1);
    expect(await tried(visitor, first.otpId, first.userId, wrong)).toBe('INVALID_OTP');
    expect(await tried(visitor, first.otpId, first.userId, Number(code))).toBe('right');
    await testApp.app.outbox.settle();
    const told = (await testApp.inbox(email)).find(({ text }) => text.includes('recovery code'));
    expect(told?.text).toContain('You have 9 more');
    const other = testApp.visitor();
    const second = await other.reachCode(email, PASSWORD);
    expect(await tried(other, second.otpId, second.userId, code)).toBe('INVALID_OTP');
    expect(await tried(other, second.otpId, second.userId, app.recovery[1] ?? '')).toBe('right');
  });
});
