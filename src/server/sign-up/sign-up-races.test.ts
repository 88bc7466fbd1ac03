/** Parallel sign-ups. PGlite has one connection and so cannot lose these races: there only the logic is checked. */

import { expect, test } from 'vitest';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { createTestApp, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));

const FIFTY = Array.from({ length: 50 }, (_, index) => index);

/** A busy machine says 503 with Retry-After; a browser tries again, and so does this. */
async function persist(visitor: Visitor, input: Parameters<Visitor['signUp']>[0]) {
  for (;;) {
    const answer = await visitor.signUp(input);
    if (answer.status !== 503) return answer;
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
}

const accounts = (email: string) =>
  testApp.db.selectFrom('users').selectAll().where('email_canonical', '=', email).execute();
const registrations = (email: string) =>
  testApp.db.selectFrom('registrations').selectAll().where('email', '=', email).execute();

test('[SUP-16] fifty parallel posts of one visitor: one account, one registration, one answer', async () => {
  const visitor = testApp.visitor();
  await visitor.ok('getVisit', {});
  const emailAddress = 'fifty@example.test';
  const answers = await Promise.all(FIFTY.map(() => persist(visitor, { emailAddress })));
  const texts = new Set(answers.map((answer) => JSON.stringify({ ...answer, headers: null })));
  expect([...texts]).toHaveLength(1);
  expect(answers[0]?.data?.userActivationMode).toBe('VERIFY_OTP');
  expect(await accounts(emailAddress)).toHaveLength(1);
  expect(await registrations(emailAddress)).toHaveLength(1);
});

test('[SUP-18] [PRF-03] a double click on the academy form of one’s own account: one role, one mail, one lead, one answer', async () => {
  const visitor = testApp.visitor();
  await visitor.ok('getVisit', {});
  const emailAddress = demoEmail('member');
  const input = { emailAddress, subtenantId: 3, password: DEMO_PASSWORD };
  const answers = await Promise.all(FIFTY.map(() => persist(visitor, input)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.data))).size).toBe(1);
  expect(answers[0]?.data?.userActivationMode).toBe('ROLE_MAPPED');
  expect(await testApp.inbox(emailAddress)).toHaveLength(1);
  expect(await testApp.leads()).toHaveLength(1);
});

test('ten strangers with one address: one account, ten forms that know nothing of each other', async () => {
  const emailAddress = 'shared@example.test';
  const answers = await Promise.all(
    FIFTY.slice(0, 10).map(() => persist(testApp.visitor(), { emailAddress })),
  );
  expect(new Set(answers.map((answer) => answer.data?.userId)).size).toBe(1);
  expect(new Set(answers.map((answer) => answer.data?.id)).size).toBe(10);
  expect(await accounts(emailAddress)).toHaveLength(1);
});

test('first requests of one visitor that arrive together still make one account', async () => {
  const visitor = testApp.visitor();
  const emailAddress = 'first@example.test';
  await Promise.all([persist(visitor, { emailAddress }), persist(visitor, { emailAddress })]);
  expect(await accounts(emailAddress)).toHaveLength(1);
});

test('fifty parallel activations of one right code: one account, one lead', async () => {
  const visitor = testApp.visitor();
  const emailAddress = 'activated@example.test';
  const created = (await persist(visitor, { emailAddress, subtenantId: 3 })).data;
  const userId = created?.userId ?? 0;
  const sent = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data;
  const otpId = sent?.id ?? '';
  await visitor.verify(otpId, userId, await testApp.codeFor(emailAddress));
  const body = { userId, userRegstrtnId: created?.id ?? '', otpId };
  const answers = await Promise.all(FIFTY.map(() => visitor.call('activateUser', { body })));
  expect(new Set(answers.map((answer) => answer.data))).toEqual(new Set([true]));
  const leads = (await testApp.leads()).filter((lead) => lead.email === emailAddress);
  expect(leads).toHaveLength(1);
  const audits = await testApp.db
    .selectFrom('audit_events')
    .select('id')
    .where('kind', '=', 'account.activated')
    .where('user_id', '=', userId)
    .execute();
  expect(audits).toHaveLength(1);
});
