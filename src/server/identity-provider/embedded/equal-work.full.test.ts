import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoEmail } from '../../demo/seed.ts';
import { type Statements, watchStatements } from '../../testing/statements.ts';
import { createTestApp, signUpBody, type TestApp } from '../../testing/test-app.ts';
import { createWire, SPA, type Wire, wireClients } from '../../testing/wire.ts';

const REALM = 'Username-Password-Authentication';
const PASSWORDLESS = 'http://auth0.com/oauth/grant-type/passwordless/otp';

let statements: Statements;
let testApp: TestApp;
let wire: Wire;
let pending: string;
let count = 0;
const unknown = () => `nobody-${(count += 1)}@example.test`;

/** Makes one call. @returns its answer without ids and addresses, and its SQL statements */
async function work(path: string, body: object, ip: string) {
  await testApp.app.outbox.settle();
  statements.take();
  const response = await wire.post(path, { client_id: SPA, ...body }, { ip });
  const text = await response.text();
  return {
    status: response.status,
    answer: text.replaceAll(/"(?:_id|email|phone_number)":"[^"]+"/g, ''),
    statements: statements.take(),
  };
}

async function spend(ip: string) {
  const visitor = testApp.visitor(ip);
  for (let n = 0; n < 6; n += 1) await visitor.ok('checkUser', { params: { email: unknown() } });
}

describe.each(['balanced', 'strict'] as const)('[IDP-16] [D5] %s', (enumerationProtection) => {
  beforeAll(async () => {
    statements = watchStatements();
    const settings = (url: string) => ({ ...wireClients(url), enumerationProtection });
    testApp = await createTestApp(settings, null, { plugins: [statements.plugin] });
    wire = createWire(testApp);
    pending = unknown();
    const visitor = testApp.visitor();
    await visitor.signUp(signUpBody({ emailAddress: pending }));
  });
  afterAll(() => testApp.close());

  test('a code is asked for: the same statements for every address and number', async () => {
    const start = (contact: object, ip: string) => work('passwordless/start', contact, ip);
    const byMail = [demoEmail('member'), demoEmail('suspended'), pending, unknown()];
    const seen = [];
    for (const email of byMail) {
      // The second time there is a challenge already.
      for (const ip of ['10.7.0.1', '10.7.0.2']) {
        seen.push(await start({ connection: 'email', email }, ip));
      }
    }
    expect(seen[0]).toMatchObject({ status: 200 });
    expect(seen[0]?.statements.length).toBeGreaterThan(0);
    for (const each of seen) expect(each).toEqual(seen[0]);

    const member = await testApp.db
      .selectFrom('users')
      .select(['dial_code', 'mobile'])
      .where('email', '=', demoEmail('member'))
      .executeTakeFirstOrThrow();
    const numbers = [`${member.dial_code}${member.mobile}`, '+15559990000'];
    const [known, nobody] = [
      await start({ connection: 'sms', phone_number: numbers[0] }, '10.7.0.3'),
      await start({ connection: 'sms', phone_number: numbers[1] }, '10.7.0.4'),
    ];
    expect(known).toEqual(nobody);
  });

  test('[SEC-15] wrong codes: the same answers and statements, also past the tries and past the limit', async () => {
    const rounds: Record<string, unknown[]> = {};
    for (const [who, email] of Object.entries({ known: demoEmail('agent'), unknown: unknown() })) {
      const seen = (rounds[who] = [] as unknown[]);
      for (let round = 0; round < 3; round += 1) {
        await work('passwordless/start', { connection: 'email', email }, '10.7.1.1');
        for (let n = 0; n < 7; n += 1) {
          const code = { connection: 'email', email, verification_code: 'none' };
          seen.push(await work('passwordless/verify', code, '10.7.1.2'));
          const grant = { grant_type: PASSWORDLESS, realm: 'email', username: email, otp: 'none' };
          seen.push(await work('oauth/token', grant, '10.7.1.2'));
        }
      }
    }
    expect(rounds.unknown).toEqual(rounds.known);
    const statuses = (rounds.known as { status: number }[]).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([403, 429]));
  });

  test('signing up where nothing may be told, and asking for a new password', async () => {
    const ip = '10.7.2.1';
    await spend(ip);
    const emails = [demoEmail('member'), demoEmail('partner'), demoEmail('suspended'), pending];
    for (const path of ['dbconnections/signup', 'dbconnections/change_password']) {
      const seen = [];
      for (const email of [...emails.slice(0, 3), unknown(), unknown()]) {
        const form = {
          connection: REALM,
          email,
          password: 'Sunny-Porch-7',
          given_name: 'Ada',
          family_name: 'Winslow',
          user_metadata: { phone_number: '+15550142290' },
        };
        seen.push(await work(path, form, ip));
      }
      expect(seen[0]).toMatchObject({ status: 200 });
      for (const each of seen) expect(each).toEqual(seen[0]);
    }
  });
});
