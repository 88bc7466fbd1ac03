import { afterEach, describe, expect, test } from 'vitest';
import { createWorld, type World, type WorldOptions } from '../testing/world.ts';

let world: World;
afterEach(() => world.close());
const open = async (options: WorldOptions = {}) => {
  world = await createWorld(options);
};

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
  const delivery = await visitor.ok('getDelivery', {});
  const stateOf = (channel: string) => {
    const found = delivery?.messages.find((message) => message.channel === channel);
    return found && [found.state, found.reason];
  };
  return { visitor, email: stateOf('email'), sms: stateOf('sms'), delivery, created, sent };
}

const SENT = ['delivered', null];
const HELD = ['failed', 'notAllowed'];

describe('[R15] where texts go', () => {
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
  ])('only the USA is on: %s %s', async (countryCode, number, expected) => {
    await open({ smsCountries: ['US'] });
    const { sms, email } = await text(countryCode, number);
    expect(sms).toEqual(expected);
    // Whoever lives elsewhere has the mail.
    expect(email).toEqual(SENT);
    const texts = await world.db.selectFrom('inbox_messages').select('channel').execute();
    expect(texts.filter(({ channel }) => channel === 'sms')).toHaveLength(
      expected === SENT ? 1 : 0,
    );
  });

  test('Kenya, once it is on', async () => {
    await open({ smsCountries: ['US', 'KE'] });
    expect((await text('+254', '0712345678')).sms).toEqual(SENT);
    // The zero is for calls at home; no provider knows it.
    expect((await world.inbox('+254712345678')).map(({ to }) => to)).toEqual(['+254712345678']);
  });

  test('satellites and costly numbers are off everywhere', async () => {
    await open({ smsCountries: [] });
    expect((await text('+254', '0712345678')).sms).toEqual(SENT);
    expect((await text('+882', '1330065555')).sms).toEqual(HELD);
    expect((await text('+1', '9005551234')).sms).toEqual(HELD);
  });

  test('a text alone that is held back: the mail is offered, at once', async () => {
    await open({ smsCountries: ['US'] });
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

// Each person signs up for real: a busy machine takes its time.
describe('[R16] pumping', { timeout: 120_000 }, () => {
  test('twenty texts an hour to numbers that differ in the last four digits', async () => {
    await open();
    const number = (n: number) => `202555${String(n).padStart(4, '0')}`;
    for (let n = 1; n <= 20; n += 1) expect((await text('+1', number(n))).sms).toEqual(SENT);
    const { sms, email } = await text('+1', number(21));
    expect([sms, email]).toEqual([HELD, SENT]);
    expect((await text('+1', '2024440001')).sms).toEqual(SENT);
    world.clock.advance(60 * 60);
    expect((await text('+1', number(22))).sms).toEqual(SENT);
  });

  test('a day has so many texts and no more, abroad a fifth of them; the operator is told at 80 %', async () => {
    await open({ smsDailyLimit: 10, smsCountries: ['US', 'KE', 'IN'] });
    const told = () =>
      world.db
        .selectFrom('audit_events')
        .select('kind')
        .where('kind', '=', 'texts.nearLimit')
        .execute();
    const home = (n: number) => text('+1', `2025${String(n).padStart(2, '0')}0123`);
    const kenya = (n: number) => text('+254', `07123${n}5678`);
    expect((await kenya(1)).sms).toEqual(SENT);
    expect((await kenya(2)).sms).toEqual(SENT);
    expect((await kenya(3)).sms).toEqual(HELD);
    for (let n = 1; n <= 5; n += 1) expect((await home(n)).sms).toEqual(SENT);
    expect(await told()).toHaveLength(0);
    for (let n = 6; n <= 7; n += 1) expect((await home(n)).sms).toEqual(SENT);
    expect(await told()).toHaveLength(1);
    expect(await home(8)).toMatchObject({ sms: HELD, email: SENT });
    expect(await told()).toHaveLength(1);
    world.clock.advance(24 * 60 * 60);
    expect((await home(9)).sms).toEqual(SENT);
  });

  test('fewer than a fifth of the last 200 codes used: no texts until people use them again', async () => {
    await open();
    const { visitor, created, sent } = await text('+1', '2025550123');
    const code = await world.db.selectFrom('otp_codes').selectAll().executeTakeFirstOrThrow();
    const old = (n: number, isUsed: boolean) => ({
      ...code,
      id: `old-${n}`,
      sent_at: new Date(code.sent_at.getTime() - n * 1000),
      expires_at: new Date(code.sent_at.getTime() - 1),
      verified_at: isUsed ? code.sent_at : null,
      closed_at: code.sent_at,
    });
    const rows = Array.from({ length: 200 }, (_, n) => old(n + 1, n < 40));
    await world.db.insertInto('otp_codes').values(rows).execute();
    // Forty of two hundred: just enough.
    expect((await text('+1', '2025560123')).sms).toEqual(SENT);
    await world.db
      .updateTable('otp_codes')
      .set({ verified_at: null })
      .where('id', '=', 'old-1')
      .execute();
    expect(await text('+1', '2025570123')).toMatchObject({ sms: HELD, email: SENT });
    const events = await world.db
      .selectFrom('audit_events')
      .select('kind')
      .where('kind', '=', 'texts.unusedCodes')
      .execute();
    expect(events).toHaveLength(1);
    // One more is used.
    const digits = await world.codeFor('text-' + String(people - 2) + '@example.test');
    expect((await visitor.verify(sent.data?.id ?? '', created?.userId ?? 0, digits)).data).toBe(
      true,
    );
    expect((await text('+1', '2025580123')).sms).toEqual(SENT);
  });
});
