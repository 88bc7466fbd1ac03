import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAudit } from '../audit/audit.ts';
import { demoEmail } from '../demo/seed.ts';
import { operate as run } from '../testing/operate.ts';
import { createTestApp, createTestContext, type TestApp } from '../testing/test-app.ts';
import { readCommand } from './verbs.ts';

let testApp: TestApp;
let context: Awaited<ReturnType<typeof createTestContext>>;
beforeAll(async () => {
  testApp = await createTestApp();
  context = await createTestContext();
});
afterAll(async () => {
  await testApp.close();
  await context.database.close();
});

function operate(...words: string[]) {
  const { db, clock, config } = testApp;
  return run({ ...context, config, db, clock, audit: createAudit({ db, clock }) }, ...words);
}

type Entry = { readonly what: string; readonly outcome: string; readonly request: string };

test('[OPS-16] one line of time: the wrong password, the code and its delivery, the sign-in; nobody else', async () => {
  const visitor = testApp.visitor();
  await visitor.authenticate(demoEmail('member'), 'Wrong-Password-1');
  await visitor.signIn('member');
  await testApp.visitor().signIn('agent');
  const { data, text } = await operate('support', demoEmail('member'));
  const entries = data as readonly Entry[];
  const whats = entries.map(({ what }) => what);
  expect(whats).toEqual(
    expect.arrayContaining(['signIn.wrongPassword', 'message.email', 'otp.verified']),
  );
  expect(whats.indexOf('signIn.wrongPassword')).toBeLessThan(whats.indexOf('message.email'));
  expect(entries.find(({ what }) => what === 'message.email')?.outcome).toBe('delivered');
  expect(whats.filter((what) => what === 'message.email')).toHaveLength(1);
  expect(text).toMatch(/signIn\.wrongPassword\tfailure\twrongPassword\t/);
  expect(text).not.toContain(demoEmail('agent'));
  const wrong = entries.find(({ what }) => what === 'signIn.wrongPassword');
  const byReference = await operate('support', wrong?.request ?? '');
  expect(byReference.data).toEqual(data);
  await expect(operate('support', 'nobody@example.test')).rejects.toThrow('Nothing is known');
  expect(() => readCommand(['support'])).toThrow('Usage:');
});

test.each([
  [['1'], 'portal', 'RED-06', 'To the module member-intake (login), with role 1.'],
  [['20'], 'portal', 'RED-08', 'To the module special (root), with role 20.'],
  [['9', '5'], 'portal', 'RED-10', 'To the module member-intake (root), with role 9.'],
  [['3'], 'portal', 'RED-07', 'To the account switcher'],
  [['3'], 'legalStaff', 'RED-09', 'To the module member-intake (root), with role 3.'],
  [['1'], 'legalStaff', 'RED-02', 'no staff role'],
  [['2', '7'], 'portal', 'SRV-10', 'no role is left'],
])('[OPS-17] explain route: %j by %s is %s', async (roles, entrance, rule, said) => {
  const words = roles.flatMap((role) => ['--role', role]);
  const { data, text } = await operate('explain', 'route', ...words, '--entrance', entrance);
  expect(data).toMatchObject({ rule });
  expect(text).toContain(said);
  expect(text).toContain(`By ${rule} of`);
});

test.each([
  ['--entrance', 'back'],
  ['--subtenant', 'x'],
  ['--door', 'x'],
])('[OPS-17] explain route with %s %s says how it is meant', (...words) => {
  expect(() => readCommand(['explain', 'route', '--role', '1', ...words])).toThrow('Usage:');
});
