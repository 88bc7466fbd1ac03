import { expect, test } from 'vitest';
import { demoEmail } from '../demo/seed.ts';
import { createTestApp, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

const TEN_MINUTES = 10 * 60;
let count = 0;
const newEmail = () => `disclosure-${(count += 1)}@example.test`;
const signUp = async (visitor: Visitor, emailAddress: string) =>
  visitor.signUp({ emailAddress }, await visitor.prove('signUp'));
/** Asks about five addresses, as a form or as a look-up. */
async function spend(ip: string, how: 'look-up' | 'sign-up') {
  const visitor = testApp.visitor(ip);
  for (let n = 0; n < 5; n += 1) {
    if (how === 'look-up') await visitor.ok('checkUser', { params: { email: newEmail() } });
    else await signUp(visitor, newEmail());
  }
}

/** All that a page sees of a sign-up, without ids and addresses. */
async function seen(visitor: Visitor, email: string) {
  const { headers: _, ...answer } = await signUp(visitor, email);
  const sent = await visitor.sendCode(answer.data?.userId ?? 0, 'USER_ACTIVATION');
  await testApp.app.outbox.settle();
  const { delivery } = await visitor.ok('getVisit', {});
  const { data } = sent;
  const wrong = await visitor.verify(data?.id ?? '', answer.data?.userId ?? 0, '-');
  return {
    answer: { ...answer, data: { ...answer.data, userId: 0, id: '' } },
    sent: {
      status: sent.status,
      medium: data?.otpSendMedium,
      hasMail: Boolean(data?.sentTo.email),
      phone: data?.sentTo.phone,
    },
    messages: delivery?.messages.map(({ agoMs: _ago, ...message }) => message),
    canAskNow: delivery?.canAskNow,
    wrong: wrong.errorFlag,
  };
}

test.each(['look-up', 'sign-up'] as const)(
  '[LIM-08] [D7] after five answers by %s a taken address looks like a free one at sign-up, too',
  async (how) => {
    const ip = `203.0.113.${how === 'look-up' ? 70 : 71}`;
    const told = await signUp(testApp.visitor(ip), demoEmail('agent'));
    const [free, taken] = [newEmail(), demoEmail('member')];
    expect(told.status).toBe(200);
    expect((await signUp(testApp.visitor(), taken)).errorFlag).toBe('EMAIL_IN_USE');
    await spend(ip, how);
    const ofTaken = await seen(testApp.visitor(ip), taken);
    expect(ofTaken).toEqual(await seen(testApp.visitor(ip), free));
    expect(ofTaken).toMatchObject({
      answer: { succeeded: true, errorFlag: null },
      sent: { status: 200, hasMail: true, phone: null },
    });
    // Its owner reads what the page did not say.
    const mails = await testApp.inbox(taken);
    expect(mails.filter(({ code }) => code !== null)).toEqual([]);
    expect(mails[0]?.subject).toMatch(/account/);
    testApp.clock.advance(TEN_MINUTES);
    expect((await signUp(testApp.visitor(ip), taken)).errorFlag).toBe('EMAIL_IN_USE');
  },
);

test('[LIM-08] [D5] twenty truthful answers a day for one network', async () => {
  const ip = '203.0.113.72';
  const truths: boolean[] = [];
  for (let round = 0; round < 6; round += 1) {
    const visitor = testApp.visitor(ip);
    for (let n = 0; n < 4; n += 1) {
      truths.push(!(await visitor.ok('checkUser', { params: { email: newEmail() } })));
    }
    testApp.clock.advance(TEN_MINUTES);
  }
  expect(truths).toEqual([...Array<boolean>(20).fill(true), ...Array<boolean>(4).fill(false)]);
});

test('[LIM-08] [D5] twenty truthful answers a day for one browser, from however many networks', async () => {
  const visitor = testApp.visitor();
  const truths: boolean[] = [];
  for (let n = 0; n < 22; n += 1) {
    const elsewhere = { 'x-forwarded-for': `203.0.113.${100 + n}` };
    const answer = await visitor.call('checkUser', { params: { email: newEmail() } }, elsewhere);
    truths.push(answer.data === false);
  }
  expect(truths).toEqual([...Array<boolean>(20).fill(true), false, false]);
});

test('[LIM-08] whoever signs up past the limit gets in by the mail', { tags: 'long' }, async () => {
  const ip = '203.0.113.73';
  await spend(ip, 'look-up');
  const visitor = testApp.visitor(ip);
  const emailAddress = newEmail();
  const created = (await signUp(visitor, emailAddress)).data;
  const sent = (await visitor.sendCode(created?.userId ?? 0, 'USER_ACTIVATION')).data;
  const otp = await testApp.codeFor(emailAddress);
  expect((await visitor.verify(sent?.id ?? '', created?.userId ?? 0, otp)).data).toBe(true);
});
