import { expect, test } from 'vitest';
import { createTestApp, PASSWORD, type Visitor } from '../test-app.ts';
import { closeAtEnd } from '../close-at-end.ts';

const PEOPLE = 300;
const MINUTES = 60;

const testApp = closeAtEnd(await createTestApp());

/** Three hundred accounts, whose numbers lie side by side as those of one house do. */
async function house(): Promise<readonly string[]> {
  const first = testApp.visitor();
  await first.register({ emailAddress: 'resident-0@example.test', mobileNumber: '2025550000' });
  const {
    app_metadata: _,
    user_metadata: __,
    ...pattern
  } = await testApp.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', 'resident-0@example.test')
    .executeTakeFirstOrThrow();
  const others = Array.from({ length: PEOPLE - 1 }, (_, n) => {
    const email = `resident-${n + 1}@example.test`;
    const mobile = `202555${String(n + 1).padStart(4, '0')}`;
    return { ...pattern, id: 7_000_000_000 + n, email, email_canonical: email, mobile };
  });
  await testApp.db.insertInto('users').values(others).execute();
  await testApp.db
    .insertInto('user_roles')
    .values(others.map(({ id }) => ({ user_id: id, role_id: 1 })))
    .execute();
  return [pattern, ...others].map(({ email }) => email);
}

test('[LIM-06] [PRF-04] three hundred people behind one address sign in within five minutes', async () => {
  const emails = await house();
  testApp.clock.advance(24 * 60 * MINUTES);
  const ip = '203.0.113.50';
  const begun = testApp.clock.now();
  testApp.clock.pin(begun);
  const waiting: { visitor: Visitor; email: string; userId: number; otpId: string }[] = [];
  // Everybody types the password before the first one has read a code; each tenth mistypes it.
  for (const [n, email] of emails.entries()) {
    const visitor = testApp.visitor(ip);
    await visitor.call('checkUser', { params: { email } });
    if (n % 10 === 0) await visitor.authenticate(email, 'Mistyped-1');
    const { hostedLogin } = await visitor.ok('getSettings', {});
    expect(hostedLogin.clientId).not.toBe('');
    if (await isWorkDue(visitor)) {
      await visitor.call(
        'beginSession',
        { body: { entrance: 'portal', isFresh: true } },
        await visitor.prove('signIn'),
      );
    }
    testApp.clock.advanceMs(300);
    const { userId, otpId } = await visitor.reachCode(email, PASSWORD);
    waiting.push({ visitor, email, userId, otpId });
  }
  for (const { visitor, email, userId, otpId } of waiting) {
    const otp = await testApp.codeFor(email);
    expect((await visitor.verify(otpId, userId, otp)).errorFlag).toBeNull();
    expect((await visitor.complete()).loggedInUserId).toBe(userId);
  }
  const seconds = (testApp.clock.now().getTime() - begun.getTime()) / 1000;
  expect(seconds).toBeLessThanOrEqual(5 * MINUTES);
  // No text was held back either, and no use is left counted against the address.
  const held = await testApp.db
    .selectFrom('messages')
    .select('id')
    .where('reason', '=', 'notAllowed')
    .execute();
  expect(held).toEqual([]);
  const refused = await testApp.db
    .selectFrom('audit_events')
    .orderBy('id')
    .select('details')
    .where('kind', 'in', ['limit.refused', 'request.refused'])
    .execute();
  expect(refused.filter(({ details }) => 'limit' in details)).toEqual([]);

  async function isWorkDue(visitor: Visitor): Promise<boolean> {
    return (await visitor.ok('getSettings', {})).isCaptchaNeeded;
  }
}, 240_000);
