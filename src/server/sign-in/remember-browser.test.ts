import { expect, test } from 'vitest';
import { demoEmail } from '../demo/seed.ts';
import { createTestApp, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));

const DAY = 24 * 60 * 60;
const SUBJECT = /^New sign-in to your .* account$/;
const noticesTo = async (email: string) =>
  (await testApp.inbox(email)).filter(({ subject }) => SUBJECT.test(subject));

/** Signs in anew, in this very browser. */
async function signIn(visitor: Visitor, name: string) {
  visitor.state.token = null;
  testApp.clock.advance(1);
  return visitor.signIn(name);
}

test('the first sign-in of an account surprises nobody; a new browser is told about, a known one is not', async () => {
  const email = demoEmail('member');
  const [home, elsewhere] = [testApp.visitor(), testApp.visitor()];
  await signIn(home, 'member');
  expect(await noticesTo(email)).toEqual([]);
  await signIn(elsewhere, 'member');
  expect(await noticesTo(email)).toHaveLength(1);
  for (const visitor of [home, elsewhere, home]) await signIn(visitor, 'member');
  expect(await noticesTo(email)).toHaveLength(1);
  const [notice] = await noticesTo(email);
  expect(notice).toMatchObject({ channel: 'email', code: null, link: null });
  expect(notice?.text).toContain('Was this not you? Call us now. Or choose a new password');
});

test(
  'one browser, two accounts: each knows it for itself, and the database cannot tell that it is one',
  { tags: 'long' },
  async () => {
    const visitor = testApp.visitor();
    await signIn(testApp.visitor(), 'agent');
    await signIn(testApp.visitor(), 'partner');
    await signIn(visitor, 'agent');
    expect(await noticesTo(demoEmail('agent'))).toHaveLength(1);
    await signIn(visitor, 'partner');
    expect(await noticesTo(demoEmail('partner'))).toHaveLength(1);
    const rows = await testApp.db.selectFrom('known_devices').select('device_hash').execute();
    expect(new Set(rows.map(({ device_hash }) => device_hash)).size).toBe(rows.length);
    const token = visitor.cookies.get('device') ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await testApp.dump()).not.toContain(token);
  },
);

test('[R24] the cookie: not for scripts, for us alone, 400 days', async () => {
  const visitor = testApp.visitor();
  const { userId, otpId } = await visitor.reachCode(demoEmail('intake'));
  const otp = await testApp.codeFor(demoEmail('intake'));
  await visitor.ok('verifyOtp', { body: { id: otpId, createdBy: userId, otp } });
  // Nobody is followed before a sign-in is complete.
  expect(visitor.cookies.has('device')).toBe(false);
  const silent = await visitor.authorize((await visitor.begin(false)).authorizeUrl);
  const { headers } = await visitor.record(silent);
  const line = headers.getSetCookie().find((cookie) => cookie.startsWith('device='));
  expect(line).toMatch(/; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
});

test('a made-up cookie makes no browser known', { tags: 'long' }, async () => {
  await signIn(testApp.visitor(), 'admin');
  const forger = testApp.visitor();
  forger.cookies.set('device', 'x');
  await signIn(forger, 'admin');
  expect(await noticesTo(demoEmail('admin'))).toHaveLength(1);
  expect(forger.cookies.get('device')).toMatch(/^[\w-]{43}$/);
});

test('a browser that stayed away for 400 days is a new one', { tags: 'long' }, async () => {
  const [home, other] = [testApp.visitor(), testApp.visitor()];
  await signIn(home, 'counter');
  await signIn(other, 'counter');
  testApp.clock.advance(200 * DAY);
  await signIn(home, 'counter');
  testApp.clock.advance(201 * DAY);
  await signIn(home, 'counter');
  expect(await noticesTo(demoEmail('counter'))).toHaveLength(1);
  await signIn(other, 'counter');
  expect(await noticesTo(demoEmail('counter'))).toHaveLength(2);
});
