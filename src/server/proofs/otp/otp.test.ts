import { rateLimitKey } from '../../abuse/rate-limits.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import { describe, expect, test } from 'vitest';
import type { OtpMedium } from '#domain/proofs/otp.ts';
import { createSecretBox } from '../../crypto/secret-box.ts';
import { demoEmail } from '../../demo/seed.ts';
import {
  activation,
  createTestApp,
  PASSWORD,
  SECRET,
  type Visitor,
} from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

const SECOND = 1000;
let count = 0;
const newEmail = () => `code-${(count += 1)}@example.test`;
/** A number for each address: limits count numbers as well. */
const ownNumber = () => String(5_550_142_190 + 100 * count);

/** Somebody who signed up and was sent a code. */
async function waiting(medium: OtpMedium = 4, ip?: string) {
  const visitor = testApp.visitor(ip);
  const emailAddress = newEmail();
  // A crowd behind one address is asked for a proof of work.
  const proof = ip ? await visitor.prove('signUp') : undefined;
  const form = { emailAddress, mobileNumber: ownNumber() };
  const created = (await visitor.signUp(form, proof)).data;
  if (!created) throw new Error('No account');
  const { userId } = created;
  const sent = (await visitor.sendCode(userId, 'USER_ACTIVATION', medium)).data;
  if (!sent) throw new Error('No code');
  // A test that moves the clock on means a person who has the message.
  await testApp.app.outbox.settle();
  const { id } = sent;
  const resend = () =>
    visitor.call('resendOtp', {
      body: {
        id,
        createdBy: userId,
        otpSendMedium: medium,
        otpType: 'USER_ACTIVATION',
        resendCount: 1,
      },
    });
  const extend = () => visitor.call('extendOtp', { body: { id, createdBy: userId } });
  return { visitor, emailAddress, created, userId, id, sent, resend, extend };
}

const rowOf = (id: string) =>
  testApp.db.selectFrom('otp_codes').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const wrong = (otp: string) => String((Number(otp) + 1) % 1_000_000).padStart(6, '0');

describe('sending', () => {
  test('[OTP-06] [OTP-12] by mail and SMS, with the specified words and a masked destination', async () => {
    const { visitor, emailAddress, userId } = await waiting();
    const answer = await visitor.sendCode(userId, 'USER_ACTIVATION');
    expect(answer.messages).toEqual(['OTP has been sent to your email address and phone number.']);
    expect(answer.data).toMatchObject({
      otpSendMedium: 4,
      otpSendOn: 'c•••@example.test, ••• ••90',
      sentTo: { email: 'c•••@example.test', phone: '••• ••90' },
      canExtend: true,
    });
    expect(JSON.stringify(answer)).not.toContain(emailAddress);
    expect(JSON.stringify(answer)).not.toContain('5550142290');
    const [mail] = await testApp.inbox(emailAddress);
    expect(mail).toMatchObject({ channel: 'email', code: expect.stringMatching(/^\d{6}$/) });
    expect(mail?.subject.startsWith(mail.code ?? '-')).toBe(true);
    const [text] = await testApp.inbox('5550142290');
    expect(text).toMatchObject({ channel: 'sms', code: expect.stringMatching(/^\d{6}$/) });
    expect(text?.text.split('\n').at(-1)).toBe(`@localhost #${text?.code}`);
  });

  const channelsOf = async (id: string) => {
    await testApp.app.outbox.settle();
    const rows = await testApp.db
      .selectFrom('inbox_messages')
      .select('channel')
      .where('idempotency_key', 'like', `otp:${id}:%`)
      .orderBy('channel')
      .execute();
    return rows.map((row) => row.channel);
  };

  test.each([
    [1, 'special', ['sms'], { email: null, phone: '••• ••11' }],
    [2, 'legal', ['whatsapp'], { email: null, phone: '••• ••03' }],
    [3, 'intake', ['email'], { email: 'i•••@demo.porchlight.test', phone: null }],
  ] as const)(
    '[OTP-12] at sign-in, medium %i',
    { tags: 'long' },
    async (medium, name, channels, sentTo) => {
      const visitor = testApp.visitor();
      await visitor.givePassword(demoEmail(name));
      const user = await visitor.ok('getLoginUser', { query: { emailId: demoEmail(name) } });
      const sent = await visitor.sendCode(user?.userId ?? 0, 'TWOFACTORAUTHENTICATION', medium);
      expect(sent.data).toMatchObject({ otpSendMedium: medium, sentTo });
      expect(await channelsOf(sent.data?.id ?? '')).toEqual(channels);
    },
  );

  test.each([
    [1, 4, ['email', 'sms']],
    [2, 4, ['email', 'sms']],
    [3, 3, ['email']],
  ] as const)(
    '[PRF-02] at sign-up a mail always goes, also for medium %i',
    { tags: 'long' },
    async (asked, medium, channels) => {
      const { sent, id } = await waiting(asked);
      expect(sent.otpSendMedium).toBe(medium);
      expect(await channelsOf(id)).toEqual(channels);
    },
  );

  test('[OTP-13] destination, count and user of the request are not believed', async () => {
    const { visitor, userId } = await waiting();
    testApp.clock.advance(120);
    await visitor.ok('sendOtp', {
      body: {
        createdBy: userId,
        otpSendMedium: 4,
        otpType: 'USER_ACTIVATION',
        subtenantId: 900,
        otpSendOn: 'thief@example.test',
        resendCount: 0,
      },
    });
    expect(await testApp.inbox('thief@example.test')).toEqual([]);
    expect((await visitor.sendCode(userId + 1, 'USER_ACTIVATION')).status).toBe(403);
  });

  test('a type that the stage does not allow is refused', async () => {
    const { visitor, userId } = await waiting();
    for (const type of ['TWOFACTORAUTHENTICATION', 'FORGOT_PASSWORD', 'VERIFY_CONTACT'] as const) {
      expect((await visitor.sendCode(userId, type)).status).toBe(403);
    }
  });

  test('a double click sends one code', async () => {
    const { visitor, userId, id, emailAddress } = await waiting();
    expect((await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id).toBe(id);
    expect(await testApp.inbox(emailAddress)).toHaveLength(1);
    testApp.clock.advance(120);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => visitor.sendCode(userId, 'USER_ACTIVATION')),
    );
    expect(new Set(answers.map((answer) => answer.data?.id)).size).toBe(1);
    expect(await testApp.inbox(emailAddress)).toHaveLength(2);
  });
});

describe('[PRF-01] one code per channel', () => {
  let phones = 0;
  /** With a phone of one's own, so that its messages are told apart. */
  async function withPhone() {
    const mobileNumber = `55501437${String((phones += 1)).padStart(2, '0')}`;
    const visitor = testApp.visitor();
    const emailAddress = newEmail();
    const created = (await visitor.signUp({ emailAddress, mobileNumber })).data;
    const userId = created?.userId ?? 0;
    const id = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
    const [mail, text] = [await testApp.codeFor(emailAddress), await testApp.codeFor(mobileNumber)];
    return { visitor, userId, id, mail, text, emailAddress };
  }
  const readOf = async (id: string) => (await rowOf(id)).proven;

  test('mail and text differ, either passes, and the row says which was read', async () => {
    const [one, other] = [await withPhone(), await withPhone()];
    expect(one.mail).not.toBe(one.text);
    expect((await one.visitor.verify(one.id, one.userId, one.mail)).data).toBe(true);
    expect(await readOf(one.id)).toBe('email');
    expect((await other.visitor.verify(other.id, other.userId, other.text)).data).toBe(true);
    expect(await readOf(other.id)).toBe('phone');
  });

  test(
    'after one was right the other gives the same answer, and proves nothing more',
    { tags: 'long' },
    async () => {
      const { visitor, userId, id, mail, text } = await withPhone();
      await visitor.verify(id, userId, text);
      expect((await visitor.verify(id, userId, mail)).data).toBe(true);
      expect(await readOf(id)).toBe('phone');
    },
  );

  test('[R12] five tries for both together, and each is two comparisons', async () => {
    const { visitor, userId, id, mail, text, emailAddress } = await withPhone();
    const guess = ['000000', '000001', '000002'].find((each) => ![mail, text].includes(each)) ?? '';
    for (let n = 0; n < 5; n += 1) await visitor.verify(id, userId, guess);
    expect((await rowOf(id)).tries).toBe(5);
    expect((await visitor.verify(id, userId, mail)).errorFlag).toBe('OTP_DEAD');
    // Ten comparisons: as many as two codes of one channel would have had.
    testApp.clock.advance(1);
    const next = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
    const right = await testApp.codeFor(emailAddress);
    expect((await visitor.verify(next, userId, right)).errorFlag).toBe('TOO_MANY');
  });
});

describe('[OTP-03] resend', () => {
  test('is refused before zero, with the wait, and works at zero', async () => {
    const { id, resend, emailAddress } = await waiting();
    const { expires_at: end } = await rowOf(id);
    testApp.clock.pin(new Date(end.getTime() - 1));
    const refused = await resend();
    expect(refused).toMatchObject({ status: 429, succeeded: false, errorFlag: 'TOO_SOON' });
    expect(refused.headers.get('retry-after')).toBe('1');
    testApp.clock.pin(end);
    const again = await resend();
    expect(again).toMatchObject({
      status: 200,
      data: { remainingMs: 120 * SECOND, canExtend: true },
    });
    expect(again.data?.id).not.toBe(id);
    expect(await testApp.inbox(emailAddress)).toHaveLength(2);
  });

  test('only the newest code counts', { tags: 'long' }, async () => {
    const { visitor, userId, id, resend, emailAddress } = await waiting();
    const old = await testApp.codeFor(emailAddress);
    const { expires_at: end } = await rowOf(id);
    testApp.clock.pin(end);
    const newest = (await resend()).data?.id ?? '';
    testApp.clock.advanceMs(1);
    expect((await visitor.verify(id, userId, old)).errorFlag).toBe('OTP_EXPIRED');
    expect((await visitor.verify(newest, userId, await testApp.codeFor(emailAddress))).data).toBe(
      true,
    );
  });

  for (const seconds of [3600, 86_400]) {
    const tags = seconds === 3600 ? [] : ['long'];
    test(
      `S48: a code of a clock that was ${seconds} s ahead makes nobody wait for the next one, and still works`,
      { tags },
      async () => {
        testApp.clock.advance(seconds);
        const one = await waiting();
        const other = await waiting();
        const code = await testApp.codeFor(other.emailAddress);
        testApp.clock.advance(-seconds);
        expect((await one.visitor.ok('getVisit', {})).code?.remainingMs).toBe(0);
        expect(await one.resend()).toMatchObject({
          status: 200,
          data: { remainingMs: 120 * SECOND },
        });
        expect((await other.visitor.verify(other.id, other.userId, code)).data).toBe(true);
      },
    );
  }

  test('parallel resends send one code', async () => {
    const { resend, emailAddress } = await waiting();
    testApp.clock.advance(120);
    // With the first one, what an hour has.
    const answers = await Promise.all([1, 2, 3, 4, 5].map(resend));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.errorFlag === 'TOO_SOON')).toHaveLength(4);
    expect(await testApp.inbox(emailAddress)).toHaveLength(2);
  });

  test('a code that was tried to death frees the way at once', { tags: 'long' }, async () => {
    const { visitor, userId, id, resend, emailAddress } = await waiting();
    const otp = await testApp.codeFor(emailAddress);
    for (let n = 0; n < 5; n += 1) await visitor.verify(id, userId, wrong(otp));
    expect((await resend()).status).toBe(200);
  });
});

describe('[OTP-07] the end of a code', () => {
  test.each([
    [-1, true, null],
    [0, null, 'OTP_EXPIRED'],
  ] as const)(
    '120 s and 15 s for the network: %i ms from there',
    async (offset, data, errorFlag) => {
      const { visitor, userId, id, emailAddress } = await waiting();
      const otp = await testApp.codeFor(emailAddress);
      const { sent_at: sentAt } = await rowOf(id);
      testApp.clock.pin(new Date(sentAt.getTime() + 135 * SECOND + offset));
      expect(await visitor.verify(id, userId, otp)).toMatchObject({ data, errorFlag });
    },
  );

  test('"I need more time" gives 120 s, and ten minutes from sending at most', async () => {
    const { visitor, userId, id, extend, emailAddress } = await waiting();
    const otp = await testApp.codeFor(emailAddress);
    const sentAt = (await rowOf(id)).sent_at.getTime();
    const at = (seconds: number) => testApp.clock.pin(new Date(sentAt + seconds * SECOND));
    // Asked for in the first second too, it is two minutes more: nobody loses what was left.
    for (const [seconds, left, canExtend] of [
      [1, 239, true],
      [119, 241, true],
      [357, 123, true],
      [476, 124, false],
    ] as const) {
      at(seconds);
      expect((await extend()).data).toEqual({ remainingMs: left * SECOND, canExtend });
    }
    at(590);
    expect((await extend()).data).toEqual({ remainingMs: 10 * SECOND, canExtend: false });
    expect((await extend()).data).toEqual({ remainingMs: 10 * SECOND, canExtend: false });
    at(600);
    expect(await extend()).toMatchObject({ status: 200, data: null, errorFlag: 'OTP_LIFE_OVER' });
    at(614);
    expect((await visitor.verify(id, userId, otp)).data).toBe(true);
  });

  test('nobody gives more time to a code of another visit', { tags: 'long' }, async () => {
    const { id, userId } = await waiting();
    const thief = testApp.visitor();
    expect((await thief.call('extendOtp', { body: { id, createdBy: userId } })).status).toBe(403);
  });
});

describe('checking', () => {
  test('[OTP-05] a wrong code; after five the right one is dead too', async () => {
    const { visitor, userId, id, emailAddress } = await waiting();
    const otp = await testApp.codeFor(emailAddress);
    for (let n = 1; n <= 4; n += 1) {
      expect(await visitor.verify(id, userId, wrong(otp))).toMatchObject({
        status: 200,
        succeeded: false,
        data: null,
        messages: ['Invalid Otp.'],
        errorFlag: 'INVALID_OTP',
      });
    }
    expect((await visitor.verify(id, userId, wrong(otp))).errorFlag).toBe('OTP_DEAD');
    expect((await visitor.verify(id, userId, otp)).errorFlag).toBe('OTP_DEAD');
  });

  // PGlite answers one statement at a time: only PostgreSQL can lose this race.
  test('64 guesses at once are five comparisons', async () => {
    const { visitor, userId, id, emailAddress } = await waiting();
    const otp = await testApp.codeFor(emailAddress);
    const guesses = Array.from({ length: 64 }, () => visitor.verify(id, userId, wrong(otp)));
    const flags = (await Promise.all(guesses)).map((answer) => answer.errorFlag);
    expect(flags.filter((flag) => flag === 'INVALID_OTP')).toHaveLength(4);
    expect(flags.filter((flag) => flag === 'OTP_DEAD')).toHaveLength(60);
    const compared = await testApp.db
      .selectFrom('audit_events')
      .orderBy('id')
      .select('id')
      .where('kind', '=', 'otp.wrong')
      .where('user_id', '=', userId)
      .execute();
    expect(compared).toHaveLength(5);
    expect((await rowOf(id)).tries).toBe(5);
  });

  test('[OTP-13] a number or a string, leading zeros put back', { tags: 'long' }, async () => {
    for (const otp of [42, '42', '000042', ' 000042 ']) {
      const { visitor, userId, id } = await waiting();
      const hmac = createSecretBox(SECRET).hmac('otp', `${id}:000042`);
      await testApp.db
        .updateTable('otp_codes')
        .set({ code_hmac: hmac })
        .where('id', '=', id)
        .execute();
      expect((await visitor.verify(id, userId, otp)).data).toBe(true);
    }
  });

  test.each(['', 'abcdef', '1234567', '-1', '12 34 5'])(
    '%j is a wrong code and costs a try',
    { tags: 'long' },
    async (otp) => {
      const { visitor, userId, id } = await waiting();
      expect((await visitor.verify(id, userId, otp)).errorFlag).toBe('INVALID_OTP');
      expect((await rowOf(id)).tries).toBe(1);
    },
  );

  test('the right code again gives the same answer, until it is spent or over', async () => {
    const { visitor, userId, id, emailAddress, created } = await waiting();
    const otp = await testApp.codeFor(emailAddress);
    const answers = await Promise.all([1, 2, 3].map(() => visitor.verify(id, userId, otp)));
    expect(answers.map((answer) => answer.data)).toEqual([true, true, true]);
    expect((await visitor.verify(id, userId, wrong(otp))).succeeded).toBe(false);
    await visitor.ok('activateUser', { body: activation(created, id) });
    expect((await visitor.verify(id, userId, otp)).errorFlag).toBe('CONFLICT');
  });

  test('a right code is no answer for ever', { tags: 'long' }, async () => {
    const { visitor, userId, id, emailAddress } = await waiting();
    const otp = await testApp.codeFor(emailAddress);
    await visitor.verify(id, userId, otp);
    testApp.clock.advance(136);
    expect((await visitor.verify(id, userId, otp)).errorFlag).toBe('OTP_EXPIRED');
  });

  test('[OTP-08] B5: of a sign-in that a newer one of this browser ended, and of none that ended by itself', async () => {
    const visitor = testApp.visitor();
    const first = await visitor.reachCode('member@demo.porchlight.test');
    const otp = await testApp.codeFor('member@demo.porchlight.test');
    await visitor.reachCode('agent@demo.porchlight.test');
    const flagOf = async () => (await visitor.verify(first.otpId, first.userId, otp)).errorFlag;
    expect(await flagOf()).toBe('OTHER_SIGN_IN');
    await testApp.db
      .updateTable('sign_ins')
      .set({ ended_at: testApp.clock.now(), stage: 'ended' })
      .where('ended_at', 'is', null)
      .execute();
    expect(await flagOf()).toBe('OTP_EXPIRED');
  });

  test('[D18] the code of one type, visit or account is no code of another', async () => {
    const [one, other] = [await waiting(), await waiting()];
    const otp = await testApp.codeFor(one.emailAddress);
    const refused = [
      await other.visitor.verify(one.id, one.userId, otp),
      await one.visitor.verify(other.id, one.userId, otp),
      await one.visitor.verify(one.id, other.userId, otp),
      await one.visitor.verify('000000', one.userId, otp),
    ];
    expect(refused.map((answer) => answer.errorFlag)).toEqual(Array(4).fill('FORBIDDEN'));
    expect((await rowOf(one.id)).tries).toBe(0);
    const { otpId, userId } = await one.visitor.reachCode('member@demo.porchlight.test');
    expect((await one.visitor.verify(otpId, one.userId, otp)).errorFlag).toBe('FORBIDDEN');
    expect((await one.visitor.verify(one.id, userId, otp)).errorFlag).toBe('FORBIDDEN');
  });

  test('[R10] the code itself is nowhere in the database', async () => {
    const { emailAddress } = await waiting();
    const otp = await testApp.codeFor(emailAddress);
    // The demo's inbox stands for people's mailboxes.
    await testApp.db.deleteFrom('inbox_messages').execute();
    const isolated = new RegExp(`(?<![\\w-])${otp}(?![\\w-])`);
    expect(`mail ${otp}.`).toMatch(isolated);
    expect(await testApp.dump()).not.toMatch(isolated);
  });
});

/** Somebody with an account who has given the password and was sent a code to sign in with. */
async function signingIn(email: string, visitor = testApp.visitor()) {
  testApp.clock.advance(1);
  const { userId, otpId } = await visitor.reachCode(email, PASSWORD);
  await testApp.app.outbox.settle();
  return { visitor, userId, otpId };
}
async function account(): Promise<string> {
  const emailAddress = newEmail();
  await testApp.visitor().register({ emailAddress, mobileNumber: ownNumber() });
  return emailAddress;
}
/** Types wrong codes until the code is dead, and tells whether they were compared. */
async function guess(from: { visitor: Visitor; userId: number; otpId: string }, times = 5) {
  const flags: (string | null)[] = [];
  for (let n = 0; n < times; n += 1) {
    flags.push((await from.visitor.verify(from.otpId, from.userId, '-')).errorFlag);
  }
  return flags;
}
const COMPARED = ['INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'OTP_DEAD'];

describe('[LIM-03] wrong codes', () => {
  const MINUTES = 60;

  test(
    '[R12] ten wrong comparisons stop for 15 minutes, ten more for 30, and after thirty for the day',
    { tags: 'long' },
    async () => {
      const email = await account();
      const waits: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        // Mail and text: five tries are ten comparisons.
        expect(await guess(await signingIn(email))).toEqual(COMPARED);
        const again = await signingIn(email);
        const refused = await again.visitor.verify(
          again.otpId,
          again.userId,
          await testApp.codeFor(email),
        );
        expect(refused).toMatchObject({ status: 429, errorFlag: 'TOO_MANY' });
        waits.push(Number(refused.headers.get('retry-after')));
        testApp.clock.advance(waits.at(-1) ?? 0);
      }
      // A second has gone by until the code after it.
      expect(waits.slice(0, 2)).toEqual([15 * MINUTES - 1, 30 * MINUTES - 1]);
      expect(waits[2]).toBeGreaterThan(22 * 60 * MINUTES);
      // The day is over.
      const { visitor, userId, otpId } = await signingIn(email);
      expect((await visitor.verify(otpId, userId, await testApp.codeFor(email))).data).toBe(true);
    },
  );

  test(
    '[PRF-05] a browser that has signed in counts by itself: who knows the password stops nobody there',
    { tags: 'long' },
    async () => {
      const email = await account();
      const home = testApp.visitor();
      testApp.clock.advance(1);
      await home.signIn(email, PASSWORD);
      home.state.token = null;
      await guess(await signingIn(email));
      const stranger = await signingIn(email);
      expect(await guess(stranger, 1)).toEqual(['TOO_MANY']);
      const { userId, otpId } = await signingIn(email, home);
      expect((await home.verify(otpId, userId, await testApp.codeFor(email))).data).toBe(true);
      // Nor does the owner's right code give strangers more guesses.
      expect(await guess(await signingIn(email), 1)).toEqual(['TOO_MANY']);
    },
  );

  test(
    '[R12] an owner who signs in gives strangers no second thirty',
    { tags: 'long' },
    async () => {
      const email = await account();
      for (let round = 0; round < 3; round += 1) {
        await guess(await signingIn(email), 4);
        const owner = await signingIn(email);
        expect(
          (await owner.visitor.verify(owner.otpId, owner.userId, await testApp.codeFor(email)))
            .data,
        ).toBe(true);
      }
      const stranger = await signingIn(email);
      expect(await guess(stranger, 4)).toEqual([
        'INVALID_OTP',
        'INVALID_OTP',
        'INVALID_OTP',
        'TOO_MANY',
      ]);
    },
  );

  test(
    'strangers who type a pending address hold up their own form, never another one',
    { tags: 'long' },
    async () => {
      const owner = await waiting();
      const stranger = testApp.visitor();
      testApp.clock.advance(1);
      const other = (await stranger.signUp({ emailAddress: owner.emailAddress })).data;
      const sent = (await stranger.sendCode(other?.userId ?? 0, 'USER_ACTIVATION')).data;
      const claim = { visitor: stranger, userId: other?.userId ?? 0, otpId: sent?.id ?? '' };
      expect(claim.userId).toBe(owner.userId);
      expect(await guess(claim)).toEqual(COMPARED);
      const next = (await stranger.sendCode(claim.userId, 'USER_ACTIVATION')).data;
      expect(await guess({ ...claim, otpId: next?.id ?? '' }, 1)).toEqual(['TOO_MANY']);
      const digits = (await testApp.inbox(owner.emailAddress))
        .filter(({ channel, code }) => channel === 'email' && code !== null)
        .at(-1)?.code;
      expect((await owner.visitor.verify(owner.id, owner.userId, digits ?? '')).data).toBe(true);
    },
  );

  test('a right code forgives the wrong ones in a row before it', { tags: 'long' }, async () => {
    const { visitor, userId, id, emailAddress, created } = await waiting();
    const points = async () =>
      (
        await testApp.db
          .selectFrom('limits')
          .select('points')
          .where(
            'key',
            '=',
            rateLimitKey(createSecretBox(SECRET), [
              RATE_LIMITS.wrongCodePerAccount,
              'form',
              created.id,
            ]),
          )
          .executeTakeFirst()
      )?.points;
    for (let n = 0; n < 4; n += 1) await visitor.verify(id, userId, '-');
    expect(await points()).toBe(8);
    await visitor.verify(id, userId, await testApp.codeFor(emailAddress));
    expect(await points()).toBeUndefined();
  });

  // PGlite answers one statement at a time: only PostgreSQL can lose this race.
  test('[R12] of 64 guesses at codes of many forms at once no more are compared than one form may', async () => {
    const { visitor, created, userId, emailAddress } = await waiting();
    const row = await rowOf((await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '');
    const ids = Array.from({ length: 16 }, (_, n) => `many-${created.id}-${n}`);
    const { counted: _, ...same } = row;
    await testApp.db
      .insertInto('otp_codes')
      .values(ids.map((id) => ({ ...same, subject: same.subject ?? '', id })))
      .execute();
    const guesses = ids.flatMap((id) =>
      Array.from({ length: 4 }, () => visitor.verify(id, userId, '-')),
    );
    const flags = (await Promise.all(guesses)).map(({ errorFlag }) => errorFlag);
    // Two comparisons each.
    expect(flags.filter((flag) => flag === 'INVALID_OTP')).toHaveLength(5);
    expect(flags.filter((flag) => flag === 'TOO_MANY')).toHaveLength(59);
    expect(await testApp.inbox(emailAddress)).not.toEqual([]);
  });
});

describe('[LIM-04] codes that are sent', () => {
  const again = (visitor: Visitor, id: string, createdBy: number) =>
    visitor.call('resendOtp', {
      body: { id, createdBy, otpSendMedium: 4, otpType: 'TWOFACTORAUTHENTICATION' },
    });

  test('[R13] a first one and five new ones an hour', async () => {
    const { resend } = await waiting();
    for (let n = 1; n <= 5; n += 1) {
      testApp.clock.advance(120);
      expect((await resend()).status).toBe(200);
    }
    testApp.clock.advance(120);
    const refused = await resend();
    expect(refused).toMatchObject({ status: 429, errorFlag: 'TOO_MANY' });
    expect(refused.messages[0]).toMatch(/Please wait \d+ minutes/);
    testApp.clock.advance(60 * 60);
    expect((await resend()).status).toBe(200);
  });

  test(
    '[R13] asking anew after the end counts like asking again: ten a day, from however many browsers',
    { tags: 'long' },
    async () => {
      const email = await account();
      const statuses: number[] = [];
      for (let browser = 1; browser <= 4; browser += 1) {
        const visitor = testApp.visitor();
        await visitor.givePassword(email, PASSWORD);
        const user = await visitor.ok('getLoginUser', { query: { emailId: email } });
        for (let n = 1; n <= 3; n += 1) {
          const sent = await visitor.sendCode(user?.userId ?? 0, 'TWOFACTORAUTHENTICATION');
          statuses.push(sent.status);
          testApp.clock.advance(136);
        }
        testApp.clock.advance(60 * 60);
      }
      expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    },
  );

  test('[PRF-05] a known browser gets its code all the same', { tags: 'long' }, async () => {
    const email = await account();
    const home = testApp.visitor();
    testApp.clock.advance(1);
    await home.signIn(email, PASSWORD);
    home.state.token = null;
    const { visitor, userId, otpId } = await signingIn(email);
    for (let n = 1; n <= 6; n += 1) {
      testApp.clock.advance(120);
      expect((await again(visitor, otpId, userId)).status).toBe(n <= 5 ? 200 : 429);
    }
    await signingIn(email, home);
  });

  test('[PRF-04] a code that is used costs nothing, however often', { tags: 'long' }, async () => {
    const email = await account();
    const visitor = testApp.visitor();
    for (let n = 1; n <= 25; n += 1) {
      testApp.clock.advance(1);
      expect([n, (await visitor.signIn(email, PASSWORD)).userName]).toEqual([n, email]);
      visitor.state.token = null;
      visitor.cookies.delete('device');
    }
  });

  test(
    '[R14] a hundred codes a day that nobody used from one network',
    { tags: 'long' },
    async () => {
      const { ip } = testApp.visitor();
      for (let n = 1; n <= 101; n += 1) {
        const person = testApp.visitor();
        const created = (await person.signUp({ emailAddress: newEmail() })).data;
        const body = {
          createdBy: created?.userId ?? 0,
          otpSendMedium: 3,
          otpType: 'USER_ACTIVATION',
        } as const;
        const sent = await person.call('sendOtp', { body }, { 'x-forwarded-for': ip });
        expect([n, sent.status]).toEqual([n, n <= 100 ? 200 : 429]);
        testApp.clock.advance(20);
      }
    },
  );

  test(
    '[LIM-05] [PRF-04] one mailbox gets ten codes an hour and thirty a day, from however many networks; others go on',
    { tags: 'long' },
    async () => {
      const emailAddress = newEmail();
      const ask = async (times: number) => {
        const statuses: number[] = [];
        for (let n = 1; n <= times; n += 1) {
          const stranger = testApp.visitor();
          const created = (await stranger.signUp({ emailAddress })).data;
          statuses.push((await stranger.sendCode(created?.userId ?? 0, 'USER_ACTIVATION')).status);
        }
        return statuses;
      };
      const ten = Array<number>(10).fill(200);
      expect(await ask(12)).toEqual([...ten, 429, 429]);
      const mails = (await testApp.inbox(emailAddress)).filter(
        ({ channel }) => channel === 'email',
      );
      expect(mails).toHaveLength(10);
      expect((await waiting()).sent.id).not.toBe('');
      for (const ofHour of [ten, ten, [429]]) {
        testApp.clock.advance(60 * 60);
        expect(await ask(ofHour.length)).toEqual(ofHour);
      }
      expect((await waiting()).sent.id).not.toBe('');
      testApp.clock.advance(21 * 60 * 60);
      expect(await ask(1)).toEqual([200]);
    },
  );

  test(
    '[LIM-05] one number gets six texts an hour at sign-up; the mail goes on, and so do its own sign-ins',
    { tags: 'long' },
    async () => {
      const mobileNumber = '2025550191';
      const own = newEmail();
      await testApp.visitor().register({ emailAddress: own, mobileNumber });
      const reasons: (string | null | undefined)[] = [];
      for (let n = 1; n <= 8; n += 1) {
        const stranger = testApp.visitor();
        const created = (await stranger.signUp({ emailAddress: newEmail(), mobileNumber })).data;
        expect((await stranger.sendCode(created?.userId ?? 0, 'USER_ACTIVATION')).status).toBe(200);
        await testApp.app.outbox.settle();
        const { delivery } = await stranger.ok('getVisit', {});
        reasons.push(delivery?.messages.find(({ channel }) => channel === 'sms')?.reason);
      }
      expect(reasons).toEqual([...Array<null>(6).fill(null), 'notAllowed', 'notAllowed']);
      const { visitor } = await signingIn(own);
      const { delivery } = await visitor.ok('getVisit', {});
      expect(delivery?.messages.find(({ channel }) => channel === 'sms')?.reason).toBeNull();
    },
  );
});
