import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RATE_LIMITS } from '../config/limits.ts';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { createNewcomer, newestLink, pressLink } from '../testing/proving.ts';
import { resetPassword } from '../testing/reset.ts';
import {
  activation,
  createTestApp,
  PASSWORD,
  signUpBody,
  type TestApp,
} from '../testing/test-app.ts';
import { untilHolds } from '../testing/until.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp());

const refusals = ({ db }: TestApp, ip: string) =>
  db
    .selectFrom('audit_events')
    .selectAll()
    .where('kind', '=', 'request.refused')
    .where('ip', '=', ip)
    .orderBy('id')
    .execute();
const accountOf = async (email: string) => {
  const { id } = await testApp.db
    .selectFrom('users')
    .select('id')
    .where('email_canonical', '=', email)
    .executeTakeFirstOrThrow();
  return id;
};
/** The browser that an account last signed in by. */
const visitOf = async (userId: number) => {
  const { visit_id } = await testApp.db
    .selectFrom('sign_ins')
    .select('visit_id')
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return visit_id;
};

describe('[AUD-06] [R50] every refusal leaves an event with its reason', () => {
  test('a locked account: which account, from where, on which way', async () => {
    const ip = '198.51.100.31';
    const email = demoEmail('staff');
    const visitor = testApp.visitor(ip);
    for (let n = 0; n < RATE_LIMITS.passwordPerAccountAndIp.max; n += 1) {
      await visitor.authenticate(email, 'Wrong-Pass-1');
    }
    const { status, headers } = await visitor.authenticate(email, DEMO_PASSWORD);
    expect(status).toBe(429);
    await untilHolds(async () => expect(await refusals(testApp, ip)).toHaveLength(1));
    const userId = await accountOf(email);
    expect(await refusals(testApp, ip)).toMatchObject([
      {
        user_id: userId,
        outcome: 'failure',
        reason: 'TOO_MANY',
        request_id: headers.get('x-request-id'),
        details: { path: '/idp/co/authenticate', count: 1 },
      },
    ]);
  });

  test(
    'a call of the portal: the account that the browser last tried to be',
    { tags: 'long' },
    async () => {
      const ip = '198.51.100.32';
      const email = demoEmail('member');
      const visitor = testApp.visitor(ip);
      const { userId } = await visitor.reachCode(email);
      let answer = await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION');
      for (let n = 0; n < RATE_LIMITS.codePerAccount.max && answer.status !== 429; n += 1) {
        testApp.clock.advance(121);
        answer = await visitor.sendCode(userId, 'TWOFACTORAUTHENTICATION');
      }
      expect(answer.status).toBe(429);
      await untilHolds(async () => expect(await refusals(testApp, ip)).not.toEqual([]));
      expect((await refusals(testApp, ip)).at(-1)).toMatchObject({
        user_id: await accountOf(email),
        visit_id: await visitOf(userId),
        reason: answer.errorFlag,
        details: { path: '/api/OTP/Send-OTP-To-User' },
      });
    },
  );

  test('what no page sends leaves none', async () => {
    const ip = '198.51.100.33';
    const visitor = testApp.visitor(ip);
    await visitor.request('/api/nowhere');
    await visitor.post('/api/OTP/Verify', { nothing: true });
    await visitor.ok('getVisit', {});
    await visitor.call('issueHandoff', {
      body: { choice: { kind: 'role', roleId: 4 }, entrance: 'portal' },
    });
    await untilHolds(async () => expect(await refusals(testApp, ip)).not.toEqual([]));
    const rows = await refusals(testApp, ip);
    expect(rows.map(({ reason }) => reason)).toEqual(['NO_SESSION']);
  });
});

describe('[R50] every step leaves its event', () => {
  const eventsOf = async (ip: string) => {
    const rows = await testApp.db
      .selectFrom('audit_events')
      .select(['kind', 'outcome'])
      .where('ip', '=', ip)
      // Noted once the answer is out, so in no order with what follows.
      .where('kind', '!=', 'request.refused')
      .orderBy('id')
      .execute();
    return rows.map(({ kind, outcome }) => `${kind} ${outcome}`);
  };

  test('of a journey: sign-up, code, sign-in, role, hand-off, sign-out, reset', async () => {
    const ip = '198.51.100.40';
    const emailAddress = 'every.step@example.test';
    const visitor = testApp.visitor(ip);
    const created = await visitor.ok('createUser', {
      body: signUpBody({ emailAddress: 'mistyped.step@example.test' }),
    });
    const body = { createdBy: created.userId, otpType: 'USER_ACTIVATION' } as const;
    const first = await visitor.ok('sendOtp', { body: { ...body, otpSendMedium: 4 } });
    const moved = await visitor.ok('changeAddress', {
      body: { id: first.id, createdBy: created.userId, emailAddress },
    });
    expect((await visitor.verify(moved.id, moved.userId, 'none')).succeeded).toBe(false);
    const otp = await testApp.codeFor(emailAddress);
    expect((await visitor.verify(moved.id, moved.userId, otp)).succeeded).toBe(true);
    const claim = { userId: moved.userId, id: moved.registrationId };
    await visitor.ok('activateUser', { body: activation(claim, moved.id) });
    await visitor.authenticate(emailAddress, 'Wrong-Password-1');
    const login = await visitor.signIn(emailAddress, PASSWORD);
    const { url } = await visitor.ok('issueHandoff', {
      body: { choice: null, entrance: 'portal' },
    });
    const token = Buffer.from(new URL(url).searchParams.get('token') ?? '', 'base64').toString();
    const id = 'member-intake';
    const secret = createSecretBox(testApp.config.secret).hmac('demo-module', id);
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    for (let n = 0; n < 2; n += 1) {
      const module = testApp.visitor(ip);
      await module.call('redeemHandoff', { body: { token } }, { authorization });
    }
    await visitor.ok('logOut', {
      params: {
        userId: String(login.loggedInUserId),
        appState: login.appState,
        loggedInId: login.logUserLoginId,
        roleId: '1',
      },
    });
    await visitor.call('getResetUser', { params: { resetKey: 'x'.repeat(43), ip: '::1' } });
    await resetPassword(testApp, emailAddress, 'Evening-Light-8', ip);
    expect(await eventsOf(ip)).toEqual([
      'signUp.created success',
      'otp.sent success',
      'signUp.addressChanged success',
      'otp.sent success',
      'otp.wrong failure',
      'otp.verified success',
      'account.activated success',
      'signIn.wrongPassword failure',
      'signIn.password success',
      'otp.sent success',
      'otp.verified success',
      'signIn.complete success',
      'handoff.issued success',
      'handoff.redeemed success',
      'handoff.replayed failure',
      'signOut success',
      'reset.invalidLink failure',
      'reset.asked success',
      'reset.done success',
    ]);
  });

  test('of a mailed link: wrong, refused by the owner, pressed', { tags: 'long' }, async () => {
    const ip = '198.51.100.41';
    const emailAddress = 'every.link@example.test';
    const links = [];
    for (let n = 0; n < 2; n += 1) {
      const stranger = createNewcomer(testApp, { emailAddress, mobileNumber: `555014229${n}` });
      await stranger.signUp();
      await stranger.send();
      links.push(await newestLink(testApp, emailAddress));
    }
    const [refused, pressed] = links;
    if (!refused || !pressed) throw new Error('No links');
    const owner = testApp.visitor(ip);
    const wrong = { ...pressed, activationKey: 'x'.repeat(43) };
    await owner.call('confirmLink', { body: wrong });
    await owner.ok('rejectLink', { body: refused });
    expect(await pressLink(owner, pressed)).toBe(true);
    expect(await eventsOf(ip)).toEqual([
      'activation.invalidLink failure',
      'activation.rejected failure',
      'activation.linkConfirmed success',
      'account.activated success',
    ]);
  });

  test('of what is held back: truthful answers, a text, a reset', { tags: 'long' }, async () => {
    const ip = '198.51.100.42';
    const visitor = testApp.visitor(ip);
    for (let n = 0; n < RATE_LIMITS.lookUpPerIp.max + 1; n += 1) {
      await visitor.ok('checkUser', { params: { email: demoEmail('partner') } });
    }
    expect(await eventsOf(ip)).toEqual(['enumeration.suspected failure']);

    const caller = testApp.visitor('198.51.100.43');
    const form = { emailAddress: 'toll.free@example.test', mobileNumber: '8005550123' };
    const created = (await caller.signUp(form)).data;
    await caller.sendCode(created?.userId ?? 0, 'USER_ACTIVATION');
    expect(await eventsOf(caller.ip)).toContain('text.refused failure');

    const email = demoEmail('partner');
    const body = { userName: email, emailID: email };
    const asking = async () => {
      const owner = testApp.visitor();
      await owner.ok('forgotPassword', { body });
      return eventsOf(owner.ip);
    };
    for (let n = 0; n < RATE_LIMITS.resetPerAccount.max; n += 1) {
      expect(await asking()).toEqual(['reset.asked success']);
    }
    expect(await asking()).toEqual(['reset.heldBack failure', 'reset.asked success']);
  });
});

test('[OPS-76] a call of Redeem that is no such call leaves one, a flood of them one a minute', async () => {
  const ip = '198.51.100.34';
  const call = (body: string, type = 'application/json') =>
    fetch(`${testApp.url}/api/Handoff/Redeem`, {
      method: 'POST',
      headers: { 'content-type': type, 'x-forwarded-for': ip },
      body,
    });
  expect((await call('{}')).status).toBe(400);
  for (let n = 0; n < 8; n += 1) expect((await call('{"token":')).status).toBe(400);
  expect((await call('token=a', 'application/x-www-form-urlencoded')).status).toBe(415);
  await untilHolds(async () => expect(await refusals(testApp, ip)).toHaveLength(2));
  // They are written after the answer, so that either may come first.
  const rows = (await refusals(testApp, ip)).toSorted((a, b) =>
    String(a.reason).localeCompare(String(b.reason)),
  );
  expect(rows.map(({ reason, details }) => [reason, details.path, details.count])).toEqual([
    ['BAD_REQUEST', '/api/Handoff/Redeem', 1],
    ['UNSUPPORTED_TYPE', '/api/Handoff/Redeem', 1],
  ]);
});

describe('[AUD-07] a flood of refusals', () => {
  let flooded: TestApp;
  beforeEach(async () => {
    flooded = await createTestApp();
    flooded.clock.pin(new Date());
  });
  afterEach(() => flooded.close());

  test('leaves one event a minute with the number it stands for', async () => {
    const ip = '198.51.100.41';
    const visitor = flooded.visitor(ip);
    const email = demoEmail('member');
    const attempts = async (count: number) => {
      for (let n = 0; n < count; n += 1) await visitor.authenticate(email, 'Wrong-Pass-1');
    };
    await attempts(RATE_LIMITS.passwordPerAccountAndIp.max + 12);
    await untilHolds(async () => expect(await refusals(flooded, ip)).toHaveLength(1));
    flooded.clock.advance(60);
    await attempts(3);
    await untilHolds(async () => expect(await refusals(flooded, ip)).toHaveLength(2));
    const counts = (await refusals(flooded, ip)).map(({ details }) => details.count);
    expect(counts).toEqual([1, 12]);
  });
});

describe('[AUD-08] [PRF-09] a suspended account with the right password', () => {
  test('is told as suspended, counts as no failure, and is never a wrong password', async () => {
    const email = demoEmail('suspended');
    const ip = '198.51.100.51';
    const visitor = testApp.visitor(ip);
    for (let n = 0; n <= RATE_LIMITS.passwordPerAccountAndIp.max; n += 1) {
      expect((await visitor.authenticate(email, DEMO_PASSWORD)).status).toBe(200);
    }
    const userId = await accountOf(email);
    const kinds = await testApp.db
      .selectFrom('audit_events')
      .orderBy('id')
      .select(['kind', 'reason'])
      .where('user_id', '=', userId)
      .where('ip', '=', ip)
      .execute();
    expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(['signIn.suspended']));
    expect(kinds[0]).toMatchObject({ reason: 'suspended' });
  });
});
