import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertAccounts } from '#server/accounts/account-store.ts';
import { createAudit } from '#server/audit/audit.ts';
import { demoEmail } from '#server/demo/seed.ts';
import { EMBEDDED_CLIENT_ID } from '#server/identity-provider/embedded/embedded-provider.ts';
import { writeStubBuild } from '#server/testing/stub-build.ts';
import { operate as run } from '#server/testing/operate.ts';
import { createTestApp, createTestContext, type TestApp } from '#server/testing/test-app.ts';
import { readCommand } from './verbs.ts';
import { untilHolds } from '#server/testing/until.ts';

const testApp = await createTestApp();
const context = await createTestContext();
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
  expect(text).toMatch(/signIn\.wrongPassword +failure +wrongPassword /);
  expect(text).not.toContain(demoEmail('agent'));
  const wrong = entries.find(({ what }) => what === 'signIn.wrongPassword');
  const byReference = await operate('support', wrong?.request ?? '');
  expect(byReference.data).toEqual(data);
  await expect(operate('support', 'nobody@example.test')).rejects.toThrow('Nothing is known');
  expect(() => readCommand(['support'])).toThrow('Usage:');
});

describe('[OPS-83] N2: support says first why a person cannot sign in', () => {
  const first = async (word: string) => (await operate('support', word)).text.split('\n')[0];
  const PASSWORD = 'Quiet-Lantern-52';

  test('a wrong password; too many; unlocked by the verb that it names', async () => {
    const email = demoEmail('agent');
    const visitor = testApp.visitor('198.51.100.83');
    await visitor.authenticate(email, 'Wrong-Password-1');
    expect(await first(email)).toMatch(/ typed a wrong password, and has not signed in since\.$/);
    for (let n = 0; n < 300; n += 1) {
      if ((await first(email))?.includes('until')) break;
      await visitor.authenticate(email, 'Wrong-Password-1');
    }
    const { text } = await operate('support', email);
    expect(text).toMatch(/^.* cannot sign in from one place until \d{4}-.*Z: /);
    const [, id] = /porchlight user unlock (\d+)/.exec(text) ?? [];
    await operate('user', 'unlock', String(id));
    expect(await first(String(id))).not.toContain('until');
  });

  test('never verified, although the password is right', async () => {
    const visitor = testApp.visitor();
    const emailAddress = 'mabel.late@example.test';
    await visitor.signUp({ emailAddress, password: PASSWORD });
    await visitor.authenticate(emailAddress, PASSWORD);
    const { text } = await operate('support', emailAddress);
    expect(text).toMatch(/: the sign-up is not finished\. No code and no link was used\.\n/);
    expect(text).toMatch(
      /Account \d+: pending\. Roles: .*\. Mail: not proven\. Phone: not proven\./,
    );
  });

  test(
    'switched off; nothing has happened; no role; no password; the code was not typed',
    { tags: 'long' },
    async () => {
      expect(await first(demoEmail('suspended'))).toContain('the account is switched off');
      const email = 'otto.new@example.test';
      await operate('user', 'add', email, 'Otto', 'Lund');
      expect(await first(email)).toBe('Otto Lund cannot sign in: no password is set yet.');
      const of = await operate('user', 'show', demoEmail('legal'));
      const { id, roles } = of.data as { readonly id: number; readonly roles: readonly number[] };
      await testApp.visitor().reachCode(demoEmail('legal'));
      expect(await first(String(id))).toContain('the code was not typed in yet');
      await operate(
        'user',
        'roles',
        String(id),
        ...roles.flatMap((role) => ['--take', String(role)]),
      );
      expect(await first(String(id))).toContain('no role is left that leads to an app');
    },
  );

  test('an account without any event is known', async () => {
    const { db, clock } = testApp;
    const made = await insertAccounts(db, [
      {
        email: 'silent@example.test',
        first_name: 'Sil',
        last_name: 'Ent',
        dial_code: '',
        mobile: '',
        subtenant_id: 742,
        created_at: clock.now(),
      },
    ]);
    const { text } = await operate('support', String(made[0]?.id));
    expect(text).toContain('Nothing has happened with this account yet.');
  });
});

test(
  '[OPS-62] the reference of an error that nothing foresaw leads to its name and its path, and to no more',
  { tags: 'long' },
  async () => {
    const build = writeStubBuild();
    const failing = "export const render = async () => { throw new RangeError('Mrs. Okafor'); };";
    const rest =
      "export const themeCss = () => ''; export const preHydration = () => '', sprite = '';";
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
        const found = await untilHolds(look);
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
  },
);

describe('[OPS-66] the hosted login tells a reference, and it leads to the event', () => {
  let broken: TestApp;
  beforeAll(async () => {
    broken = await createTestApp();
    for (const table of ['hosted_payloads', 'hosted_tickets'] as const) {
      await broken.db.schema.alterTable(table).renameTo(`${table}_gone`).execute();
    }
  });
  afterAll(() => broken.close());

  const page = { accept: 'text/html,*/*;q=0.8' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const json = { 'content-type': 'application/json' };
  const asked = (redirectUri: string) => ({
    client_id: EMBEDDED_CLIENT_ID,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 'okafor',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  const code = {
    grant_type: 'authorization_code',
    client_id: EMBEDDED_CLIENT_ID,
    code: 'x'.repeat(43),
    code_verifier: 'okafor'.repeat(8),
  };

  test.each([
    ['a page of an address that Auth0 has', { login_ticket: 'okafor' }, page, null],
    ['a page of an address of OpenID Connect', {}, page, null],
    ['a call with JSON', {}, json, JSON.stringify],
    [
      'a call with a form',
      {},
      form,
      (fields: object) => String(new URLSearchParams({ ...fields })),
    ],
  ] as const)('%s', async (_what, more, headers, write) => {
    const { db, clock, config, url } = broken;
    const redirectUri = `${url}/account/Redirect`;
    const query = new URLSearchParams({ ...asked(redirectUri), ...more });
    const response = write
      ? await fetch(`${url}/idp/oauth/token`, {
          method: 'POST',
          headers,
          body: write({ ...code, redirect_uri: redirectUri }),
        })
      : await fetch(`${url}/idp/authorize?${String(query)}`, { headers, redirect: 'manual' });
    const text = await response.text();
    expect([response.status, text]).toEqual([500, expect.stringContaining('eference: ')]);
    expect(text).toMatch(write ? /^\{"error":"server_error"/ : /<h1>.*try again/s);
    const [reference = ''] = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/.exec(text) ?? [];
    expect(reference).toBe(response.headers.get('x-request-id'));
    const look = () =>
      run(
        { ...context, config, db, clock, audit: createAudit({ db, clock }) },
        'support',
        reference,
      );
    const found = await untilHolds(look);
    const entries = found.data as readonly Entry[];
    expect(entries.find(({ request }) => request === reference)).toMatchObject({
      what: 'request.failed',
      reason: 'error',
      details: { path: write ? '/idp/oauth/token' : '/idp/authorize' },
    });
    expect(`${text} ${found.text}`).not.toMatch(/okafor|hosted_/);
  });
});

describe('[OPS-75] the reference of "The app made a mistake"', () => {
  const ask = (query: string, ip: string) =>
    fetch(`${testApp.url}/idp/authorize?response_type=code&state=st-secret&${query}`, {
      headers: { accept: 'text/html', 'x-forwarded-for': ip },
    });
  const mistakes = (ip: string) =>
    testApp.db
      .selectFrom('audit_events')
      .selectAll()
      .where('kind', '=', 'request.mistaken')
      .where('ip', '=', ip)
      .orderBy('id')
      .execute();

  test.each([
    ['client_id=nobody&redirect_uri=https://x.example/cb', 'invalid_client', null],
    [
      'client_id=demo-garden-club&redirect_uri=https://x.example/cb',
      'invalid_redirect_uri',
      'demo-garden-club',
    ],
    ['client_id=demo-garden-club', 'invalid_request', 'demo-garden-club'],
  ])(
    '%s: the kind of refusal and the client, no word of the address',
    async (query, code, clientId) => {
      const answer = await ask(query, '198.51.100.75');
      expect(answer.status).toBe(400);
      const page = await answer.text();
      expect(page).toContain('made a mistake. Reference: ');
      const [reference = ''] = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/.exec(page) ?? [];
      const { data, text } = await untilHolds(() => operate('support', reference));
      expect(data).toMatchObject([
        {
          what: 'request.mistaken',
          outcome: 'failure',
          reason: expect.stringMatching(new RegExp(`^${code}: `)),
          request: reference,
          details: { path: '/idp/authorize', count: 1, clientId },
        },
      ]);
      expect(text).not.toMatch(/x\.example|st-secret|nobody/);
    },
  );

  test('a stranger who sends many leaves ten events and a count', async () => {
    const ip = '198.51.100.76';
    for (let n = 0; n < 14; n += 1) await ask('client_id=nobody', ip);
    await untilHolds(async () => expect(await mistakes(ip)).toHaveLength(11));
    await ask('client_id=nobody', '198.51.100.77');
    await untilHolds(async () => expect(await mistakes('198.51.100.77')).toHaveLength(1));
    expect(await mistakes(ip)).toHaveLength(11);
  });
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
  ['--entrance', 'back', 'Allowed choices are portal, legalStaff.'],
  ['--subtenant', 'x', 'x is no subtenant'],
  ['--door', 'x', "Unknown option '--door'"],
])('[OPS-17] role route with %s %s says what is wrong', (option, value, said) => {
  expect(() => readCommand(['role', 'route', '--role', '1', option, value])).toThrow(said);
});
