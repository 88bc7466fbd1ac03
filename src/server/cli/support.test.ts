import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAudit } from '../audit/audit.ts';
import { demoEmail } from '../demo/seed.ts';
import { writeStubBuild } from '../testing/stub-build.ts';
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

test('[OPS-62] the reference of an error that nothing foresaw leads to its name and its path, and to no more', async () => {
  const build = writeStubBuild();
  const failing = "export const render = async () => { throw new RangeError('Mrs. Okafor'); };";
  const rest =
    "export const themeCss = () => ''; export const earlySource = '', sprite = '', fontUrl = '';";
  writeFileSync(join(build, 'server/entry-server.js'), failing + rest);
  const broken = await createTestApp({}, build);
  try {
    const { db, clock, config } = broken;
    const page = await (
      await fetch(`${broken.url}/account/signin?email=okafor%40example.test`)
    ).text();
    await db.schema.alterTable('authorizations').renameTo('gone').execute();
    const visitor = broken.visitor('198.51.100.62');
    await visitor.reachCode(demoEmail('member')).catch(() => undefined);
    const body = { entrance: 'portal', isFresh: true } as const;
    const { messages } = await visitor.call('beginSession', { body });
    for (const [text, reason, path] of [
      [page, 'RangeError', ''],
      [messages.join(' '), 'error', '/api/Session/Begin'],
    ] as const) {
      const [reference = ''] = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/.exec(text) ?? [];
      const look = () =>
        run(
          { ...context, config, db, clock, audit: createAudit({ db, clock }) },
          'support',
          reference,
        );
      const found = await vi.waitFor(look);
      const entries = found.data as readonly Entry[];
      expect(entries.find(({ request }) => request === reference)).toMatchObject({
        what: 'request.failed',
        outcome: 'failure',
        reason,
        details: { path, count: 1 },
      });
      expect(found.text).not.toMatch(/okafor|authorizations/i);
    }
  } finally {
    await broken.close();
    rmSync(build, { recursive: true, force: true });
  }
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
