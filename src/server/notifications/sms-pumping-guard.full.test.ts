import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../config/config.ts';
import type { AppError } from '../http/app-error.ts';
import { createTestContext, createTestApp, PASSWORD, type TestApp } from '../testing/test-app.ts';
import { createSmsPumpingGuard } from './sms-pumping-guard.ts';

let testApp: TestApp;
let people = 0;
/** Asks for a code by mail and text, and tells what became of the text. */
async function text(countryCode: string, mobileNumber: string) {
  people += 1;
  const visitor = testApp.visitor();
  const emailAddress = `text-${people}@example.test`;
  const created = (await visitor.signUp({ emailAddress, countryCode, mobileNumber })).data;
  const sent = await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
  expect(sent.status).toBe(200);
  await testApp.app.outbox.settle();
  const { delivery } = await visitor.ok('getVisit', {});
  const stateOf = (channel: string) => {
    const found = delivery?.messages.find((message) => message.channel === channel);
    return found && [found.state, found.reason];
  };
  return {
    visitor,
    emailAddress,
    email: stateOf('email'),
    sms: stateOf('sms'),
    delivery,
    created,
    sent,
  };
}

const SENT = ['delivered', null];
const HELD = ['failed', 'notAllowed'];

let networks = 0;
/** Every text from a network of its own, unless a test is about networks. */
const nextIp = () => `10.9.${(networks += 1) >> 8}.${networks & 255}`;
let context: Awaited<ReturnType<typeof createTestContext>>;
/** The guard alone, and what it alerts to. */
async function guard(config: Partial<Config>) {
  context = await createTestContext({}, config);
  const alerts: string[] = [];
  const noted: string[] = [];
  const { take } = createSmsPumpingGuard(context, {
    alert: (what) => void alerts.push(what),
    recordHeldBack: async (error) => void noted.push((error as AppError).details.limit ?? ''),
  });
  const refusalFor = async (phone: string, from: Partial<Parameters<typeof take>[1]> = {}) =>
    (await take(phone, { ip: nextIp(), isSignIn: true, ...from })).refusal;
  return { alerts, noted, take, refusalFor };
}

describe('[R15] where texts go', () => {
  describe('only the USA is on', () => {
    beforeAll(async () => {
      testApp = await createTestApp({ smsCountries: ['US'] });
    });
    afterAll(() => testApp.close());

    test.each([
      ['+1', '2025550123', SENT],
      ['+254', '0712345678', HELD],
      // Jamaica has the dial code of the USA.
      ['+1', '8765550123', HELD],
      ['+1', '9005551234', HELD],
      ['+1', '8005551234', HELD],
    ])('%s %s', async (countryCode, number, expected) => {
      const before = await textsSent();
      const { sms, email } = await text(countryCode, number);
      expect(sms).toEqual(expected);
      // Whoever lives elsewhere has the mail.
      expect(email).toEqual(SENT);
      expect((await textsSent()) - before).toBe(expected === SENT ? 1 : 0);
    });
    test.each([
      ['+882', '1330065555'],
      ['+979', '1234567890'],
      ['+870', '8776123456'],
    ])('[SUP-10] %s %s is of no country: nobody signs up with it', async (countryCode, number) => {
      const form = { emailAddress: 'satellite@example.test', countryCode, mobileNumber: number };
      expect((await testApp.visitor().signUp(form)).errorFlag).toBe('PHONE_REFUSED');
    });
    const textsSent = async () => {
      const texts = await testApp.db.selectFrom('inbox_messages').select('channel').execute();
      return texts.filter(({ channel }) => channel === 'sms').length;
    };

    test('a text alone that is held back: the mail is offered, at once', async () => {
      const visitor = testApp.visitor();
      const person = { emailAddress: 'nairobi@example.test', countryCode: '+254' };
      const { userId } = await visitor.register({ ...person, mobileNumber: '0712345678' });
      await visitor.givePassword(person.emailAddress, PASSWORD);
      await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION', 1);
      const { delivery } = await visitor.ok('getVisit', {});
      expect(delivery).toMatchObject({ canAskNow: true, otherWays: [3] });
      const again = await visitor.call('resendOtp', {
        body: {
          id: delivery?.id ?? '',
          createdBy: userId,
          otpSendMedium: 3,
          otpType: 'TWOFACTORAUTHENTICATION',
        },
      });
      expect(again.data?.sentTo).toEqual({ email: expect.stringContaining('@'), phone: null });
    });
  });

  test('Kenya, once it is on', async () => {
    testApp = await createTestApp({ smsCountries: ['US', 'KE'] });
    expect((await text('+254', '0712345678')).sms).toEqual(SENT);
    // The zero is for calls at home; no provider knows it.
    expect((await testApp.inbox('+254712345678')).map(({ to }) => to)).toEqual(['+254712345678']);
    await testApp.close();
  });

  test('satellites and costly numbers are off everywhere', async () => {
    const { refusalFor } = await guard({ smsCountries: [] });
    expect(await refusalFor('+2540712345678')).toBeNull();
    for (const stored of ['+8821330065555', '+9791234567890', '+8708776123456']) {
      expect(await refusalFor(stored)).toBe('notAllowed');
    }
    expect(await refusalFor('+19005551234')).toBe('notAllowed');
    await context.database.close();
  });
});

describe('[R16] pumping', () => {
  afterEach(() => context.database.close());

  test('[LIM-05] 300 unused texts an hour to numbers that differ in the last four digits; the refusal has a name', async () => {
    const { refusalFor, noted } = await guard({});
    const number = (n: number) => `+1202555${String(n).padStart(4, '0')}`;
    for (let n = 1; n <= 300; n += 1) expect(await refusalFor(number(n))).toBeNull();
    expect(noted).toEqual([]);
    expect(await refusalFor(number(301))).toBe('notAllowed');
    expect(noted).toEqual(['textPerRange']);
    expect(await refusalFor('+12024440001')).toBeNull();
    context.clock.advance(60 * 60);
    expect(await refusalFor(number(302))).toBeNull();
  });

  test('[LIM-05] the range is a setting', async () => {
    const { refusalFor } = await guard({ limits: { textPerRange: { max: 2, windowMs: 60_000 } } });
    expect(await refusalFor('+12025550001')).toBeNull();
    expect(await refusalFor('+12025550002')).toBeNull();
    expect(await refusalFor('+12025550003')).toBe('notAllowed');
    context.clock.advance(60);
    expect(await refusalFor('+12025550003')).toBeNull();
  });

  test('[LIM-05] a used text is given back, and only to the window that it was counted in', async () => {
    const { take, refusalFor } = await guard({});
    const phone = '+12025550177';
    const from = { ip: '10.9.9.9', isSignIn: true };
    const receipts = [];
    for (let n = 1; n <= 6; n += 1) receipts.push((await take(phone, from)).counted);
    expect(await refusalFor(phone)).toBe('notAllowed');
    await context.rateLimits.refund(receipts[0] ?? []);
    expect(await refusalFor(phone)).toBeNull();
    context.clock.advance(60 * 60);
    for (let n = 1; n <= 5; n += 1) expect(await refusalFor(phone)).toBeNull();
    await context.rateLimits.refund(receipts[1] ?? []);
    expect(await refusalFor(phone)).toBeNull();
    expect(await refusalFor(phone)).toBe('notAllowed');
  });

  test('[LIM-05] a dozen strangers with unused sign-ups take the texts of nobody who signs in', async () => {
    const { refusalFor } = await guard({ smsDailyLimit: 100 });
    let sent = 0;
    for (let stranger = 0; stranger < 12; stranger += 1) {
      for (let n = 0; n < 20; n += 1) {
        const phone = `+1202${200 + stranger}${String(n).padStart(4, '0')}`;
        const refusal = await refusalFor(phone, { ip: `10.8.0.${stranger}`, isSignIn: false });
        if (refusal === null) sent += 1;
      }
    }
    expect(sent).toBe(50);
    for (let n = 0; n < 40; n += 1) {
      expect(await refusalFor(`+1202${400 + n}0100`)).toBeNull();
    }
  });

  test('[LIM-05] sign-ups of all countries together have half of the day', async () => {
    const { refusalFor } = await guard({ smsDailyLimit: 40, smsCountries: ['US', 'KE'] });
    const isSent = async (phone: string) => (await refusalFor(phone, { isSignIn: false })) === null;
    for (let n = 0; n < 18; n += 1) expect(await isSent(`+1202${200 + n}0100`)).toBe(true);
    // Two more fill it up, wherever they go.
    const abroad: boolean[] = [];
    for (let n = 0; n < 4; n += 1) abroad.push(await isSent(`+25471${n}345678`));
    expect(abroad).toEqual([true, true, false, false]);
  });

  test('[LIM-05] of a dial code abroad sign-ups have half of its fifth', async () => {
    const { refusalFor } = await guard({ smsDailyLimit: 30, smsCountries: ['US', 'KE'] });
    const abroad = (n: number, isSignIn: boolean) =>
      refusalFor(`+25471${n}345678`, { isSignIn }).then((refusal) => refusal === null);
    const sent: boolean[] = [];
    for (let n = 0; n < 4; n += 1) sent.push(await abroad(n, false));
    expect(sent).toEqual([true, true, true, false]);
    expect(await abroad(4, true)).toBe(true);
  });

  test('[LIM-05] what the day has no text for counts against no number', async () => {
    const { refusalFor } = await guard({ smsDailyLimit: 2 });
    for (let n = 0; n < 2; n += 1) expect(await refusalFor(`+1202${200 + n}0100`)).toBeNull();
    context.clock.advance(24 * 60 * 60 - 60);
    for (let n = 0; n < 12; n += 1) expect(await refusalFor('+12025550100')).toBe('notAllowed');
    context.clock.advance(60);
    expect(await refusalFor('+12025550100')).toBeNull();
  });

  test('[LIM-05] one number gets twelve unused texts a day, six in an hour', async () => {
    const { refusalFor } = await guard({});
    const texts = async (count: number) => {
      const refusals = [];
      for (let n = 0; n < count; n += 1) refusals.push(await refusalFor('+12025550100'));
      return refusals.filter((refusal) => refusal === null).length;
    };
    const hours: number[] = [];
    for (let hour = 0; hour < 3; hour += 1) {
      hours.push(await texts(7));
      context.clock.advance(3601);
    }
    expect(hours).toEqual([6, 6, 0]);
  });

  test('[LIM-05] one network has 300 unused texts a day', async () => {
    const { refusalFor } = await guard({});
    const text = (n: number, ip: string) =>
      refusalFor(`+1202${200 + n}0100`, { ip, isSignIn: true });
    for (let n = 0; n < 300; n += 1) expect(await text(n, '10.7.0.1')).toBeNull();
    expect(await text(300, '10.7.0.1')).toBe('notAllowed');
    expect(await text(300, '10.7.0.2')).toBeNull();
  });

  test('a day has so many texts and no more, abroad a fifth of them; the operator is told at 80 %', async () => {
    const { refusalFor, alerts } = await guard({
      smsDailyLimit: 10,
      smsCountries: ['US', 'KE', 'IN'],
    });
    const home = (n: number) => refusalFor(`+12025${String(n).padStart(2, '0')}0123`);
    const kenya = (n: number) => refusalFor(`+25407123${n}5678`);
    expect(await kenya(1)).toBeNull();
    expect(await kenya(2)).toBeNull();
    expect(await kenya(3)).toBe('notAllowed');
    for (let n = 1; n <= 5; n += 1) expect(await home(n)).toBeNull();
    expect(alerts).toEqual([]);
    for (let n = 6; n <= 8; n += 1) expect(await home(n)).toBeNull();
    expect(alerts).toEqual(['texts.nearLimit']);
    // What was refused has cost nothing.
    expect(await home(9)).toBe('notAllowed');
    expect(alerts).toEqual(['texts.nearLimit']);
    context.clock.advance(24 * 60 * 60);
    expect(await home(10)).toBeNull();
  });
});

describe('[R16] pumping, as visitors see it', () => {
  const told = async (kind: string) =>
    (
      await testApp.db
        .selectFrom('audit_events')
        .orderBy('id')
        .select('kind')
        .where('kind', '=', kind)
        .execute()
    ).length;
  afterEach(() => testApp.close());

  test('when the day has no text left there is still the mail, and the operator is told', async () => {
    testApp = await createTestApp({ smsDailyLimit: 3 });
    // Half of the day's texts, rounded down, are for sign-ups.
    expect(await text('+1', '2025550123')).toMatchObject({ sms: SENT, email: SENT });
    for (const number of ['2025560123', '2025570123', '2025580123']) {
      expect(await text('+1', number)).toMatchObject({ sms: HELD, email: SENT });
    }
    expect(await told('texts.nearLimit')).toBe(1);
    expect(await told('limit.refused')).toBe(3);
  });

  test('[LIM-05] fewer than a fifth of the last 200 codes used: the operator is told, and texts go on', async () => {
    testApp = await createTestApp();
    await text('+1', '2025550123');
    const { counted: _, ...code } = await testApp.db
      .selectFrom('otp_codes')
      .selectAll()
      .executeTakeFirstOrThrow();
    const old = (n: number, isUsed: boolean) => ({
      ...code,
      id: `old-${n}`,
      sent_at: new Date(code.sent_at.getTime() - n * 1000),
      expires_at: new Date(code.sent_at.getTime() - 1),
      verified_at: isUsed ? code.sent_at : null,
      closed_at: code.sent_at,
      subject: code.subject ?? '',
    });
    // The oldest are those that were used: whatever else was counted would push them out.
    const rows = Array.from({ length: 200 }, (_, n) => old(n + 1, n >= 160));
    const byMail = { ...old(0, false), id: 'by-mail', medium: 3 };
    rows.push(byMail);
    await testApp.db.insertInto('otp_codes').values(rows).execute();
    // Forty of two hundred: just enough.
    expect((await text('+1', '2025560123')).sms).toEqual(SENT);
    await testApp.db
      .updateTable('otp_codes')
      .set({ verified_at: null })
      .where('id', '=', 'old-200')
      .execute();
    expect(await told('texts.unusedCodes')).toBe(0);
    expect(await text('+1', '2025570123')).toMatchObject({ sms: SENT, email: SENT });
    expect((await text('+1', '2025590123')).sms).toEqual(SENT);
    expect(await told('texts.unusedCodes')).toBe(1);
  });
});
