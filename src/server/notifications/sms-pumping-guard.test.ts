import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../config/config.ts';
import { createTestContext, createWorld, type World } from '../testing/test-app.ts';
import { createSmsPumpingGuard } from './sms-pumping-guard.ts';

let world: World;
let people = 0;
/** Asks for a code by mail and text, and tells what became of the text. */
async function text(countryCode: string, mobileNumber: string, medium: 1 | 4 = 4) {
  people += 1;
  const visitor = world.visitor();
  const emailAddress = `text-${people}@example.test`;
  const created = (await visitor.signUp({ emailAddress, countryCode, mobileNumber })).data;
  const sent = await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION', medium);
  expect(sent.status).toBe(200);
  await world.app.outbox.settle();
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

let context: Awaited<ReturnType<typeof createTestContext>>;
/** The guard alone, and what it alerts to. */
async function guard(config: Partial<Config>) {
  context = await createTestContext({}, config);
  const alerts: string[] = [];
  const { refusalFor } = createSmsPumpingGuard(context, (what) => void alerts.push(what));
  return { alerts, refusalFor };
}

describe('[R15] where texts go', () => {
  describe('only the USA is on', () => {
    beforeAll(async () => {
      world = await createWorld({ smsCountries: ['US'] });
    });
    afterAll(() => world.close());

    test.each([
      ['+1', '2025550123', SENT],
      ['+254', '0712345678', HELD],
      // Jamaica has the dial code of the USA.
      ['+1', '8765550123', HELD],
      ['+1', '9005551234', HELD],
      ['+1', '8005551234', HELD],
      ['+882', '1330065555', HELD],
      ['+979', '1234567890', HELD],
      ['+870', '8776123456', HELD],
    ])('%s %s', async (countryCode, number, expected) => {
      const before = await textsSent();
      const { sms, email } = await text(countryCode, number);
      expect(sms).toEqual(expected);
      // Whoever lives elsewhere has the mail.
      expect(email).toEqual(SENT);
      expect((await textsSent()) - before).toBe(expected === SENT ? 1 : 0);
    });
    const textsSent = async () => {
      const texts = await world.db.selectFrom('inbox_messages').select('channel').execute();
      return texts.filter(({ channel }) => channel === 'sms').length;
    };

    test('a text alone that is held back: the mail is offered, at once', async () => {
      const { visitor, delivery, created } = await text('+254', '0712345678', 1);
      expect(delivery).toMatchObject({ canAskNow: true, otherWays: [3] });
      const again = await visitor.call('resendOtp', {
        body: {
          id: delivery?.id ?? '',
          createdBy: created?.userId ?? 0,
          otpSendMedium: 3,
          otpType: 'USER_ACTIVATION',
        },
      });
      expect(again.data?.sentTo).toEqual({ email: expect.stringContaining('@'), phone: null });
    });
  });

  test('Kenya, once it is on', async () => {
    world = await createWorld({ smsCountries: ['US', 'KE'] });
    expect((await text('+254', '0712345678')).sms).toEqual(SENT);
    // The zero is for calls at home; no provider knows it.
    expect((await world.inbox('+254712345678')).map(({ to }) => to)).toEqual(['+254712345678']);
    await world.close();
  });

  test('satellites and costly numbers are off everywhere', async () => {
    const { refusalFor } = await guard({ smsCountries: [] });
    expect(await refusalFor('+2540712345678')).toBeNull();
    expect(await refusalFor('+8821330065555')).toBe('notAllowed');
    expect(await refusalFor('+19005551234')).toBe('notAllowed');
    await context.database.close();
  });
});

describe('[R16] pumping', () => {
  afterEach(() => context.database.close());

  test('twenty texts an hour to numbers that differ in the last four digits', async () => {
    const { refusalFor } = await guard({});
    const number = (n: number) => `+1202555${String(n).padStart(4, '0')}`;
    for (let n = 1; n <= 20; n += 1) expect(await refusalFor(number(n))).toBeNull();
    expect(await refusalFor(number(21))).toBe('notAllowed');
    expect(await refusalFor('+12024440001')).toBeNull();
    context.clock.advance(60 * 60);
    expect(await refusalFor(number(22))).toBeNull();
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
    for (let n = 6; n <= 7; n += 1) expect(await home(n)).toBeNull();
    expect(alerts).toEqual(['texts.nearLimit']);
    expect(await home(8)).toBe('notAllowed');
    expect(alerts).toEqual(['texts.nearLimit']);
    context.clock.advance(24 * 60 * 60);
    expect(await home(9)).toBeNull();
  });
});

describe('[R16] pumping, as visitors see it', () => {
  const told = async (kind: string) =>
    (await world.db.selectFrom('audit_events').select('kind').where('kind', '=', kind).execute())
      .length;
  afterEach(() => world.close());

  test('when the day has no text left there is still the mail, and the operator is told', async () => {
    world = await createWorld({ smsDailyLimit: 1 });
    expect(await text('+1', '2025550123')).toMatchObject({ sms: SENT, email: SENT });
    expect(await text('+1', '2025560123')).toMatchObject({ sms: HELD, email: SENT });
    expect(await told('texts.nearLimit')).toBe(1);
  });

  test('fewer than a fifth of the last 200 codes used: no texts until people use them again', async () => {
    world = await createWorld();
    const { visitor, emailAddress, created, sent } = await text('+1', '2025550123');
    const code = await world.db.selectFrom('otp_codes').selectAll().executeTakeFirstOrThrow();
    const old = (n: number, isUsed: boolean) => ({
      ...code,
      id: `old-${n}`,
      sent_at: new Date(code.sent_at.getTime() - n * 1000),
      expires_at: new Date(code.sent_at.getTime() - 1),
      verified_at: isUsed ? code.sent_at : null,
      closed_at: code.sent_at,
    });
    // The oldest are those that were used: whatever else was counted would push them out.
    const rows = Array.from({ length: 200 }, (_, n) => old(n + 1, n >= 160));
    const byMail = { ...old(0, false), id: 'by-mail', medium: 3 };
    rows.push(byMail);
    await world.db.insertInto('otp_codes').values(rows).execute();
    // Forty of two hundred: just enough.
    expect((await text('+1', '2025560123')).sms).toEqual(SENT);
    await world.db
      .updateTable('otp_codes')
      .set({ verified_at: null })
      .where('id', '=', 'old-200')
      .execute();
    expect(await text('+1', '2025570123')).toMatchObject({ sms: HELD, email: SENT });
    expect((await text('+1', '2025590123')).sms).toEqual(HELD);
    expect(await told('texts.unusedCodes')).toBe(1);
    // One more is used.
    const digits = await world.codeFor(emailAddress);
    expect((await visitor.verify(sent.data?.id ?? '', created?.userId ?? 0, digits)).data).toBe(
      true,
    );
    expect((await text('+1', '2025580123')).sms).toEqual(SENT);
  });
});
