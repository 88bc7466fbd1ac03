import { RATE_LIMITS } from '../abuse/rate-limit-rules.ts';
import { rateLimitKey } from '../abuse/rate-limits.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OtpMedium } from '#domain/otp.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { demoEmail } from '../demo/seed.ts';
import { activation, createWorld, SECRET, type World } from '../testing/test-app.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const SECOND = 1000;
let count = 0;
const newEmail = () => `code-${(count += 1)}@example.test`;

/** Somebody who signed up and was sent a code. */
async function waiting(medium: OtpMedium = 4, ip?: string) {
  const visitor = world.visitor(ip);
  const emailAddress = newEmail();
  // A crowd behind one address is asked for a proof of work.
  const proof = ip ? await visitor.prove('signUp') : undefined;
  const created = (await visitor.signUp({ emailAddress }, proof)).data;
  if (!created) throw new Error('No account');
  const { userId } = created;
  const sent = (await visitor.sendCode(userId, 'USER_ACTIVATION', medium)).data;
  if (!sent) throw new Error('No code');
  // A test that moves the clock on means a person who has the message.
  await world.app.outbox.settle();
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
  world.db.selectFrom('otp_codes').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
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
    const [mail] = await world.inbox(emailAddress);
    expect(mail).toMatchObject({ channel: 'email', code: expect.stringMatching(/^\d{6}$/) });
    expect(mail?.subject.startsWith(mail.code ?? '-')).toBe(true);
    const texts = (await world.inbox('5550142290')).filter(({ text }) =>
      text.includes(`${mail?.code}`),
    );
    expect(texts).toHaveLength(1);
    expect(texts[0]?.text.split('\n').at(-1)).toBe(`@localhost #${mail?.code}`);
  });

  test.each([
    [1, ['sms'], { email: null, phone: '••• ••90' }],
    [2, ['whatsapp'], { email: null, phone: '••• ••90' }],
    [3, ['email'], { email: 'c•••@example.test', phone: null }],
  ] as const)('[OTP-12] medium %i: %j', async (medium, channels, sentTo) => {
    const { sent, id } = await waiting(medium);
    expect(sent).toMatchObject({ otpSendMedium: medium, sentTo });
    await world.app.outbox.settle();
    const rows = await world.db
      .selectFrom('inbox_messages')
      .select('channel')
      .where('idempotency_key', 'like', `otp:${id}:%`)
      .execute();
    expect(rows.map((row) => row.channel)).toEqual(channels);
  });

  test('[OTP-13] destination, count and user of the request are not believed', async () => {
    const { visitor, userId } = await waiting();
    world.clock.advance(120);
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
    expect(await world.inbox('thief@example.test')).toEqual([]);
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
    expect(await world.inbox(emailAddress)).toHaveLength(1);
    world.clock.advance(120);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => visitor.sendCode(userId, 'USER_ACTIVATION')),
    );
    expect(new Set(answers.map((answer) => answer.data?.id)).size).toBe(1);
    expect(await world.inbox(emailAddress)).toHaveLength(2);
  });
});

describe('[OTP-03] resend', () => {
  test('is refused before zero, with the wait, and works at zero', async () => {
    const { id, resend, emailAddress } = await waiting();
    const { expires_at: end } = await rowOf(id);
    world.clock.pin(new Date(end.getTime() - 1));
    const refused = await resend();
    expect(refused).toMatchObject({ status: 429, succeeded: false, errorFlag: 'TOO_SOON' });
    expect(refused.headers.get('retry-after')).toBe('1');
    world.clock.pin(end);
    const again = await resend();
    expect(again).toMatchObject({
      status: 200,
      data: { remainingMs: 120 * SECOND, canExtend: true },
    });
    expect(again.data?.id).not.toBe(id);
    expect(await world.inbox(emailAddress)).toHaveLength(2);
  });

  test('only the newest code counts', async () => {
    const { visitor, userId, id, resend, emailAddress } = await waiting();
    const old = await world.codeFor(emailAddress);
    const { expires_at: end } = await rowOf(id);
    world.clock.pin(end);
    const newest = (await resend()).data?.id ?? '';
    world.clock.advanceMs(1);
    expect((await visitor.verify(id, userId, old)).errorFlag).toBe('OTP_EXPIRED');
    expect((await visitor.verify(newest, userId, await world.codeFor(emailAddress))).data).toBe(
      true,
    );
  });

  test('parallel resends send one code', async () => {
    const { resend, emailAddress } = await waiting();
    world.clock.advance(120);
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(resend));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.errorFlag === 'TOO_SOON')).toHaveLength(5);
    expect(await world.inbox(emailAddress)).toHaveLength(2);
  });

  test('a code that was tried to death frees the way at once', async () => {
    const { visitor, userId, id, resend, emailAddress } = await waiting();
    const otp = await world.codeFor(emailAddress);
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
      const otp = await world.codeFor(emailAddress);
      const { sent_at: sentAt } = await rowOf(id);
      world.clock.pin(new Date(sentAt.getTime() + 135 * SECOND + offset));
      expect(await visitor.verify(id, userId, otp)).toMatchObject({ data, errorFlag });
    },
  );

  test('"I need more time" gives 120 s, and ten minutes from sending at most', async () => {
    const { visitor, userId, id, extend, emailAddress } = await waiting();
    const otp = await world.codeFor(emailAddress);
    const sentAt = (await rowOf(id)).sent_at.getTime();
    const at = (seconds: number) => world.clock.pin(new Date(sentAt + seconds * SECOND));
    for (const seconds of [119, 238, 357, 476]) {
      at(seconds);
      expect((await extend()).data).toEqual({ remainingMs: 120 * SECOND, canExtend: true });
    }
    at(590);
    expect((await extend()).data).toEqual({ remainingMs: 10 * SECOND, canExtend: false });
    expect((await extend()).data).toEqual({ remainingMs: 10 * SECOND, canExtend: false });
    at(600);
    expect(await extend()).toMatchObject({ status: 200, data: null, errorFlag: 'OTP_LIFE_OVER' });
    at(614);
    expect((await visitor.verify(id, userId, otp)).data).toBe(true);
  });

  test('nobody gives more time to a code of another visit', async () => {
    const { id, userId } = await waiting();
    const thief = world.visitor();
    expect((await thief.call('extendOtp', { body: { id, createdBy: userId } })).status).toBe(403);
  });
});

describe('checking', () => {
  test('[OTP-05] a wrong code; after five the right one is dead too', async () => {
    const { visitor, userId, id, emailAddress } = await waiting();
    const otp = await world.codeFor(emailAddress);
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
    const otp = await world.codeFor(emailAddress);
    const guesses = Array.from({ length: 64 }, () => visitor.verify(id, userId, wrong(otp)));
    const flags = (await Promise.all(guesses)).map((answer) => answer.errorFlag);
    expect(flags.filter((flag) => flag === 'INVALID_OTP')).toHaveLength(4);
    expect(flags.filter((flag) => flag === 'OTP_DEAD')).toHaveLength(60);
    const compared = await world.db
      .selectFrom('audit_events')
      .select('id')
      .where('kind', '=', 'otp.wrong')
      .where('user_id', '=', userId)
      .execute();
    expect(compared).toHaveLength(5);
    expect((await rowOf(id)).tries).toBe(5);
  });

  test('[OTP-13] a number or a string, leading zeros put back', async () => {
    for (const otp of [42, '42', '000042', ' 000042 ']) {
      const { visitor, userId, id } = await waiting();
      const hmac = createSecretBox(SECRET).hmac('otp', `${id}:000042`);
      await world.db
        .updateTable('otp_codes')
        .set({ code_hmac: hmac })
        .where('id', '=', id)
        .execute();
      expect((await visitor.verify(id, userId, otp)).data).toBe(true);
    }
  });

  test.each(['', 'abcdef', '1234567', '-1', '12 34 5'])(
    '%j is a wrong code and costs a try',
    async (otp) => {
      const { visitor, userId, id } = await waiting();
      expect((await visitor.verify(id, userId, otp)).errorFlag).toBe('INVALID_OTP');
      expect((await rowOf(id)).tries).toBe(1);
    },
  );

  test('the right code again gives the same answer, until it is spent or over', async () => {
    const { visitor, userId, id, emailAddress, created } = await waiting();
    const otp = await world.codeFor(emailAddress);
    const answers = await Promise.all([1, 2, 3].map(() => visitor.verify(id, userId, otp)));
    expect(answers.map((answer) => answer.data)).toEqual([true, true, true]);
    expect((await visitor.verify(id, userId, wrong(otp))).succeeded).toBe(false);
    await visitor.ok('activateUser', { body: activation(created, id) });
    expect((await visitor.verify(id, userId, otp)).errorFlag).toBe('CONFLICT');
  });

  test('a right code is no answer for ever', async () => {
    const { visitor, userId, id, emailAddress } = await waiting();
    const otp = await world.codeFor(emailAddress);
    await visitor.verify(id, userId, otp);
    world.clock.advance(136);
    expect((await visitor.verify(id, userId, otp)).errorFlag).toBe('OTP_EXPIRED');
  });

  test('[D18] the code of one type, visit or account is no code of another', async () => {
    const [one, other] = [await waiting(), await waiting()];
    const otp = await world.codeFor(one.emailAddress);
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
    const otp = await world.codeFor(emailAddress);
    // The demo's inbox stands for people's mailboxes.
    await world.db.deleteFrom('inbox_messages').execute();
    const isolated = new RegExp(`(?<![\\w-])${otp}(?![\\w-])`);
    expect(`mail ${otp}.`).toMatch(isolated);
    expect(await world.dump()).not.toMatch(isolated);
  });
});

describe('limits', () => {
  test('ten wrong codes of one account stop it for a quarter of an hour, the right one included', async () => {
    const { visitor, userId, id, resend, emailAddress } = await waiting();
    for (let n = 0; n < 5; n += 1) await visitor.verify(id, userId, '-');
    const second = (await resend()).data?.id ?? '';
    for (let n = 0; n < 5; n += 1) await visitor.verify(second, userId, '-');
    const third = (await resend()).data?.id ?? '';
    const refused = await visitor.verify(third, userId, await world.codeFor(emailAddress));
    expect(refused).toMatchObject({ status: 429, errorFlag: 'TOO_MANY' });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(14 * 60);
    world.clock.advance(wait);
    const fourth = (await resend()).data?.id ?? '';
    expect((await visitor.verify(fourth, userId, await world.codeFor(emailAddress))).data).toBe(
      true,
    );
  });

  test('a right code forgives the wrong ones before it', async () => {
    const { visitor, userId, id, emailAddress } = await waiting();
    const points = async () =>
      (
        await world.db
          .selectFrom('limits')
          .select('points')
          .where(
            'key',
            '=',
            rateLimitKey(createSecretBox(SECRET), [
              RATE_LIMITS.wrongCodePerAccount,
              String(userId),
            ]),
          )
          .executeTakeFirst()
      )?.points;
    for (let n = 0; n < 4; n += 1) await visitor.verify(id, userId, '-');
    expect(await points()).toBe(4);
    await visitor.verify(id, userId, await world.codeFor(emailAddress));
    expect(await points()).toBeUndefined();
  });

  test('[R13] five new codes an hour', async () => {
    const { resend } = await waiting();
    for (let n = 1; n <= 5; n += 1) {
      world.clock.advance(120);
      expect((await resend()).status).toBe(200);
    }
    world.clock.advance(120);
    expect(await resend()).toMatchObject({ status: 429, errorFlag: 'TOO_MANY' });
    world.clock.advance(60 * 60);
    expect((await resend()).status).toBe(200);
  });

  test('[R13] ten new codes a day for one account, from however many browsers', async () => {
    const email = demoEmail('partner');
    const statuses: number[] = [];
    for (let browser = 1; browser <= 3; browser += 1) {
      const visitor = world.visitor();
      const { userId, otpId } = await visitor.reachCode(email);
      for (let n = 1; n <= 4; n += 1) {
        world.clock.advance(120);
        const { status } = await visitor.call('resendOtp', {
          body: {
            id: otpId,
            createdBy: userId,
            otpSendMedium: 4,
            otpType: 'TWOFACTORAUTHENTICATION',
          },
        });
        statuses.push(status);
      }
      world.clock.advance(60 * 60);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
  });

  test('[R14] a hundred codes a day from one network', async () => {
    const { ip } = world.visitor();
    for (let n = 1; n <= 101; n += 1) {
      const person = world.visitor();
      const created = (await person.signUp({ emailAddress: newEmail() })).data;
      const body = {
        createdBy: created?.userId ?? 0,
        otpSendMedium: 3,
        otpType: 'USER_ACTIVATION',
      } as const;
      const sent = await person.call('sendOtp', { body }, { 'x-forwarded-for': ip });
      expect([n, sent.status]).toEqual([n, n <= 100 ? 200 : 429]);
      world.clock.advance(20);
    }
  });

  test('[R13] ten codes for one account', async () => {
    const { visitor, userId, resend } = await waiting();
    for (let n = 2; n <= 6; n += 1) {
      world.clock.advance(120);
      expect((await resend()).status).toBe(200);
    }
    for (let n = 7; n <= 10; n += 1) {
      world.clock.advance(120);
      expect((await visitor.sendCode(userId, 'USER_ACTIVATION')).status).toBe(200);
    }
    world.clock.advance(120);
    const refused = await visitor.sendCode(userId, 'USER_ACTIVATION');
    expect(refused).toMatchObject({ status: 429, errorFlag: 'TOO_MANY' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30 * 60);
    expect(refused.messages[0]).toMatch(/Please wait \d+ minutes/);
  });

  test('[R14] 25 codes in five minutes from one network, whoever asks', async () => {
    const { ip } = world.visitor();
    for (let n = 1; n <= 20; n += 1) await waiting(4, ip);
    world.clock.advance(60);
    const { userId, visitor } = await (async () => {
      const people = [];
      // The sign-up limit of the network is full: these ask from elsewhere and send from here.
      for (let n = 21; n <= 26; n += 1) {
        const person = world.visitor();
        const created = (await person.signUp({ emailAddress: newEmail() })).data;
        people.push({ visitor: person, userId: created?.userId ?? 0 });
      }
      for (const { visitor: person, userId: id } of people.slice(0, 5)) {
        const body = { createdBy: id, otpSendMedium: 3, otpType: 'USER_ACTIVATION' } as const;
        expect((await person.call('sendOtp', { body }, { 'x-forwarded-for': ip })).status).toBe(
          200,
        );
      }
      return people[5] ?? people[0] ?? { userId: 0, visitor: world.visitor() };
    })();
    const body = { createdBy: userId, otpSendMedium: 3, otpType: 'USER_ACTIVATION' } as const;
    expect((await visitor.call('sendOtp', { body }, { 'x-forwarded-for': ip })).status).toBe(429);
    expect((await visitor.call('sendOtp', { body })).status).toBe(200);
  });
});
