/** The page 'Codes from an app': set up, recovery codes, switched off; and the step-up of an account with an app. */

import { expect, test } from 'vitest';
import type { AccountData } from '#contract/my-account.ts';
import { addApp, appCodeAt } from '../testing/app-code.ts';
import { createTestAppWithPages, PASSWORD, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const STEP = 30;
const MINUTE = 60;
const PAGE = '/account/me/app-codes';

const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));

let count = 0;
async function signedIn() {
  const email = `my-app-${(count += 1)}@account.test`;
  const { userId } = await testApp.visitor().register({ emailAddress: email });
  const visitor = testApp.visitor();
  await visitor.signIn(email, PASSWORD);
  return { email, userId, visitor };
}

async function read(response: Response): Promise<AccountData> {
  const [, json = 'null'] = /id="boot">(.*?)<\/script>/s.exec(await response.text()) ?? [];
  return (JSON.parse(json) as { account: AccountData }).account;
}

const open = async (visitor: Visitor, path = PAGE) => read(await visitor.request(path));

const send = (visitor: Visitor, fields: Record<string, string>, path = PAGE) =>
  visitor.request(path, {
    method: 'POST',
    body: new URLSearchParams({ action: 'form', once: `app-${(count += 1)}`, ...fields }),
  });

const keyOf = ({ appCode }: AccountData) => (appCode?.setUp?.key ?? '').replaceAll(' ', '');
const digits = (code: string) => code.replaceAll(' ', '');

async function subjects(email: string) {
  await testApp.app.outbox.settle();
  return (await testApp.inbox(email)).map(({ subject }) => subject);
}

const eventsOf = async (userId: number) =>
  (
    await testApp.db
      .selectFrom('audit_events')
      .select(['kind', 'actor'])
      .where('user_id', '=', userId)
      .where('kind', 'like', 'account.%ode%')
      .orderBy('id')
      .execute()
  ).map(({ kind, actor }) => `${kind} by ${actor}`);

test('[APP-09] set up by its first code, with recovery codes shown once; told and written down', async () => {
  const { email, userId, visitor } = await signedIn();
  expect((await open(visitor)).appCode).toMatchObject({ isOn: false, setUp: null });
  await send(visitor, { do: 'start' });
  const begun = await open(visitor);
  expect(begun.appCode?.setUp?.key).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  expect(begun.appCode?.setUp?.qr.path).toMatch(/^M4 4h1v1h-1z/);
  // The key is on its own page alone, and no way in before its first code.
  expect((await open(visitor, '/account/me')).appCode?.setUp).toBeNull();
  expect(begun.asksApp).toBe(false);

  const code = appCodeAt(keyOf(begun), testApp.clock.now());
  const wrong = String((Number(code) + 7) % 1_000_000).padStart(6, '0');
  const refused = await read(await send(visitor, { do: 'confirm', appCode: wrong }));
  expect(refused.problems.appCode?.message).toBe('otpWrong');
  const done = await read(await send(visitor, { do: 'confirm', appCode: code }));
  expect(done.recoveryCodes).toHaveLength(10);
  expect(done.recoveryCodes[0]).toMatch(/^[1-9]\d{3} \d{4} \d{4}$/);
  const later = await open(visitor);
  expect(later).toMatchObject({
    recoveryCodes: [],
    appCode: { isOn: true, left: 10, setUp: null },
  });

  const renewed = await read(await send(visitor, { do: 'renew' }));
  expect(renewed.recoveryCodes).toHaveLength(10);
  expect(renewed.recoveryCodes).not.toContain(done.recoveryCodes[0]);
  await send(visitor, { do: 'remove' });
  expect((await open(visitor)).appCode?.isOn).toBe(false);
  expect((await subjects(email)).slice(0, 3)).toEqual([
    'Rosewood Senior Living: Codes from your app are switched off',
    'Rosewood Senior Living: You have new recovery codes',
    'Rosewood Senior Living: You now sign in with codes from an app',
  ]);
  expect(await eventsOf(userId)).toEqual([
    'account.appCodeAdded by visitor',
    'account.recoveryCodesRenewed by visitor',
    'account.appCodeRemoved by visitor',
  ]);
});

test(
  '[APP-09] the first code is used up, and a key of half an hour ago is none',
  { tags: 'long' },
  async () => {
    const { email, visitor } = await signedIn();
    await send(visitor, { do: 'start' });
    const key = keyOf(await open(visitor));
    const code = appCodeAt(key, testApp.clock.now());
    await send(visitor, { do: 'confirm', appCode: code });
    const other = testApp.visitor();
    const { otpId, userId } = await other.reachCode(email, PASSWORD);
    expect((await other.verify(otpId, userId, code)).errorFlag).toBe('OTP_OTHER_MINUTE');

    const late = await signedIn();
    await send(late.visitor, { do: 'start' });
    const old = keyOf(await open(late.visitor));
    testApp.clock.advance(29 * MINUTE);
    await late.visitor.request('/account/me');
    testApp.clock.advance(2 * MINUTE);
    await late.visitor.signIn(late.email, PASSWORD);
    expect((await open(late.visitor)).appCode?.setUp).toBeNull();
    await send(late.visitor, { do: 'confirm', appCode: appCodeAt(old, testApp.clock.now()) });
    expect((await open(late.visitor)).appCode?.isOn).toBe(false);
  },
);

test(
  '[APP-09] without a step-up of the last ten minutes nothing is shown and nothing changes',
  { tags: 'long' },
  async () => {
    const { userId, visitor } = await signedIn();
    await send(visitor, { do: 'start' });
    testApp.clock.advance(11 * MINUTE);
    expect((await open(visitor)).appCode?.setUp).toBeNull();
    const app = await addApp(testApp, userId);
    for (const verb of ['remove', 'renew', 'start', 'confirm']) {
      const answer = await send(visitor, { do: verb, appCode: app.code() });
      expect(answer.status).toBe(303);
    }
    expect((await open(visitor)).appCode).toMatchObject({ isOn: true, left: 10 });
  },
);

test(
  '[APP-10] the step-up of an account with an app asks the app, and no mail takes its place',
  { tags: 'long' },
  async () => {
    const { email, userId, visitor } = await signedIn();
    const app = await addApp(testApp, userId);
    testApp.clock.advance(11 * MINUTE);
    const before = await open(visitor);
    expect(before).toMatchObject({ isFresh: false, asksApp: true });
    const mails = (await subjects(email)).length;
    await send(visitor, { step: 'send' });
    expect(await subjects(email)).toHaveLength(mails);
    const wrong = await read(await send(visitor, { step: 'check', code: '000000' }));
    expect(wrong.problems.code?.message).toBe('otpWrong');
    await send(visitor, { step: 'check', code: app.code() });
    expect((await open(visitor)).isFresh).toBe(true);
    testApp.clock.advance(11 * MINUTE);
    const used = await read(
      await send(visitor, { step: 'check', code: app.code(-11 * MINUTE * 1000) }),
    );
    expect(used.problems.code?.message).toBe('otpWrong');
    await send(visitor, { step: 'check', code: digits(app.recovery[0] ?? '') });
    expect((await open(visitor)).isFresh).toBe(true);
    testApp.clock.advance(STEP);
  },
);

test(
  '[APP-01] where they are not offered nobody sets one up, and one that is there is asked for',
  { tags: 'long' },
  async () => {
    const closed = await createTestAppWithPages({ offersAppCodes: false, limitFactor: 100 });
    try {
      const email = 'closed@account.test';
      const { userId } = await closed.visitor().register({ emailAddress: email });
      const visitor = closed.visitor();
      await visitor.signIn(email, PASSWORD);
      expect((await open(visitor)).appCode).toBeNull();
      expect((await send(visitor, { do: 'start' })).status).toBe(400);
      const app = await addApp(closed, userId);
      closed.clock.advance(STEP);
      expect((await open(visitor)).appCode?.isOn).toBe(true);
      const other = closed.visitor();
      const { otpId } = await other.reachCode(email, PASSWORD);
      expect((await other.verify(otpId, userId, app.code())).data).toBe(true);
    } finally {
      await closed.close();
    }
  },
);

test('[APP-09] a key that waits for its first code belongs to the session that began it', async () => {
  const { email, userId, visitor } = await signedIn();
  const other = testApp.visitor();
  await other.signIn(email, PASSWORD);
  await send(visitor, { do: 'start' });
  const key = keyOf(await open(visitor));
  expect((await open(other)).appCode?.setUp).toBeNull();
  const code = () => appCodeAt(key, testApp.clock.now());
  const refused = await read(await send(other, { do: 'confirm', appCode: code() }));
  expect(refused.problems.appCode?.message).toBe('otpWrong');
  // Begun twice: each page confirms its own.
  await send(other, { do: 'start' });
  expect(keyOf(await open(visitor))).toBe(key);
  const second = keyOf(await open(other));
  expect(second).not.toBe(key);
  await send(visitor, { do: 'confirm', appCode: code() });
  // The first that counts ends the other.
  const late = { do: 'confirm', appCode: appCodeAt(second, testApp.clock.now()) };
  expect((await read(await send(other, late))).problems.appCode?.message).toBe('otpWrong');
  expect(await eventsOf(userId)).toEqual([expect.stringContaining('account.appCodeAdded')]);
});
