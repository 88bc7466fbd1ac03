/** [OPS-97] My account: what a session may change, and what a stranger may not. */

import { describe, expect, test } from 'vitest';
import { createAccountPages } from '../testing/account-pages.ts';
import { createTestAppWithPages, PASSWORD, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const MINUTE = 60;
const DEVICES = '/account/me/devices';

const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));

const pages = createAccountPages(() => testApp);
const { signedIn, signInAgain, read } = pages;
const open = (visitor: Visitor, path = DEVICES) => pages.open(visitor, path);
const send = (visitor: Visitor, fields: Record<string, string>, path = DEVICES) =>
  pages.send(visitor, fields, path);

test('[OPS-97] without a session the page leads to the sign-in, which returns to it', async () => {
  const response = await testApp.visitor().request('/account/me/name');
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe('/account/signin?next=myName');
});

test('[CON-52] My account leads to the console where the session opens it', async () => {
  const row = async (name: string) => {
    const visitor = testApp.visitor();
    await visitor.signIn(name);
    return (await open(visitor, '/account/me')).opensConsole;
  };
  expect([await row('admin'), await row('house'), await row('staff')]).toEqual([true, true, true]);
  expect(await row('member')).toBe(false);
});

describe('[ACC-15] the sign-in before this one', { tags: 'long' }, () => {
  const before = async (visitor: Visitor) => (await open(visitor, '/account/me')).lastSignIn;

  test('none, then another device, then this one; the overview alone has it', async () => {
    const { email, visitor } = await signedIn();
    expect(await before(visitor)).toBe('none');
    expect((await open(visitor)).lastSignIn).toBeNull();
    testApp.clock.advance(3 * 60 * MINUTE);
    const other = await signInAgain(email);
    expect(await before(other)).toEqual({
      when: expect.stringMatching(/^[A-Z][a-z]+day \d+:\d\d [AP]M$/),
      agoMs: expect.closeTo(3 * 60 * MINUTE * 1000, -5),
      device: null,
      isHere: false,
    });
    const { appState } = await other.signIn(email, PASSWORD);
    await other.ok('logOut', {
      params: { userId: '1', appState, loggedInId: 'x', roleId: '1' },
    });
    testApp.clock.advance(MINUTE);
    await other.signIn(email, PASSWORD);
    expect(await before(other)).toMatchObject({ isHere: true });
  });

  test(
    'unknown for an older account: its sign-ins are no longer kept',
    { tags: 'long' },
    async () => {
      const { email, visitor } = await signedIn();
      await testApp.db
        .updateTable('users')
        .set({ created_at: new Date(testApp.clock.now().getTime() - 60 * 24 * 60 * MINUTE * 1000) })
        .where('email', '=', email)
        .execute();
      expect(await before(visitor)).toBeNull();
    },
  );
});

test(
  '[ACC-15] a session that was ended stays in the list for two minutes, unlit',
  { tags: 'long' },
  async () => {
    const { email, visitor } = await signedIn();
    const other = await signInAgain(email);
    expect((await open(visitor)).endedDevices).toEqual([]);
    await send(visitor, { session: 'others' });
    const { devices, endedDevices } = await open(visitor);
    expect([devices.length, endedDevices.length]).toEqual([1, 1]);
    testApp.clock.advance(2 * MINUTE);
    expect((await open(visitor)).endedDevices).toEqual([]);
    // An earlier session of this browser, and a sign-in that was never complete, are no devices that went out.
    await other.signIn(email, PASSWORD);
    const { appState } = await visitor.signIn(email, PASSWORD);
    const params = { userId: '1', appState, loggedInId: 'x', roleId: '1' };
    await visitor.ok('logOut', { params });
    await visitor.signIn(email, PASSWORD);
    await send(visitor, { session: 'others' });
    expect((await open(visitor)).endedDevices).toHaveLength(1);
    await testApp.db
      .updateTable('sign_ins')
      .set({ completed_at: null })
      .where('ended_at', 'is not', null)
      .execute();
    expect((await open(visitor)).endedDevices).toEqual([]);
  },
);

test(
  '[OPS-97] the visit cookie alone opens nothing: the account has to know the browser',
  { tags: 'long' },
  async () => {
    const { visitor } = await signedIn();
    expect((await open(visitor)).devices).toHaveLength(1);
    visitor.cookies.delete('device');
    expect((await visitor.request(DEVICES)).headers.get('location')).toContain('next=myDevices');
  },
);

describe('[OPS-97] ending sessions', () => {
  test('a sign-in of the last ten minutes ends the others, and its own stays', async () => {
    const { email, visitor } = await signedIn();
    const other = await signInAgain(email);
    const { devices } = await open(visitor);
    // The newest is not this one, which is first all the same.
    expect(devices.map(({ isHere }) => isHere)).toEqual([true, false]);
    expect((await open(other)).devices.map(({ isHere }) => isHere)).toEqual([true, false]);
    expect((await send(visitor, { session: 'others' })).status).toBe(303);
    expect((await open(visitor)).devices).toHaveLength(1);
    expect((await other.request(DEVICES)).status).toBe(302);
  });

  test('S69: a sign-in that waits for its code ends with the others', async () => {
    const { email, userId, visitor } = await signedIn();
    const half = testApp.visitor();
    await half.givePassword(email, PASSWORD);
    const sent = (await half.sendCode(userId, 'TWOFACTORAUTHENTICATION')).data;
    const code = await testApp.codeFor(email);
    await send(visitor, { session: 'others' });
    expect((await half.verify(sent?.id ?? '', userId, code)).data).not.toBe(true);
    expect((await open(visitor)).devices).toHaveLength(1);
  });

  test(
    'an older one needs a code first: nothing ends without it, and a wrong one is told',
    { tags: 'long' },
    async () => {
      const { email, visitor } = await signedIn();
      const other = await signInAgain(email);
      testApp.clock.advance(11 * MINUTE);
      const before = await open(visitor);
      expect(before).toMatchObject({ isFresh: false, code: { canBeSent: true, sentTo: null } });
      await send(visitor, { session: 'others' });
      expect((await open(visitor)).devices).toHaveLength(2);
      await send(visitor, { step: 'send' });
      expect((await open(visitor)).code.sentTo).toMatch(/^m•••@account\.test/);
      const right = await testApp.codeFor(email);
      const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0');
      const refused = await read(await send(visitor, { step: 'check', code: wrong }));
      expect(refused.problems.code?.message).toBe('otpWrong');
      expect((await send(visitor, { step: 'check', code: right })).status).toBe(303);
      expect((await open(visitor)).isFresh).toBe(true);
      await send(visitor, { session: 'others' });
      expect((await open(visitor)).devices).toHaveLength(1);
      expect((await other.request(DEVICES)).status).toBe(302);
      // The proof ages, too.
      testApp.clock.advance(11 * MINUTE);
      expect((await open(visitor)).isFresh).toBe(false);
    },
  );

  test(
    'the code of another session of the same account proves nothing here',
    { tags: 'long' },
    async () => {
      const { email, visitor } = await signedIn();
      const thief = await signInAgain(email);
      testApp.clock.advance(11 * MINUTE);
      await send(visitor, { step: 'send' });
      const code = await testApp.codeFor(email);
      const refused = await read(await send(thief, { step: 'check', code }));
      expect(refused.problems.code?.message).toBe('otpExpired');
      expect((await open(thief)).isFresh).toBe(false);
    },
  );

  test('the id of a stranger’s session ends nothing', { tags: 'long' }, async () => {
    const one = await signedIn();
    const other = await signedIn();
    const [session] = (await open(other.visitor)).devices;
    await send(one.visitor, { session: session?.id ?? '' });
    expect((await open(other.visitor)).devices).toHaveLength(1);
  });
});

test('[OPS-97] a consent is taken back by its own person alone', { tags: 'long' }, async () => {
  const [one, other] = [await signedIn(), await signedIn()];
  for (const { userId } of [one, other]) {
    await testApp.db
      .insertInto('consents')
      .values({
        user_id: userId,
        client_id: 'garden-club',
        scopes: ['openid'],
        changed_at: testApp.clock.now(),
      })
      .execute();
  }
  const path = '/account/me/apps';
  expect((await open(one.visitor, path)).apps).toHaveLength(1);
  await send(one.visitor, { client: 'garden-club' }, path);
  expect((await open(one.visitor, path)).apps).toEqual([]);
  expect((await open(other.visitor, path)).apps).toHaveLength(1);
});

test(
  '[OPS-97] a new name is written with its event; the same form sent twice changes once',
  { tags: 'long' },
  async () => {
    const { userId, visitor } = await signedIn();
    const fields = { firstName: 'Ruth', lastName: 'Castellanos', once: 'twice' };
    for (const _ of [1, 2]) await send(visitor, fields, '/account/me/name');
    expect((await open(visitor, '/account/me')).lastName).toBe('Castellanos');
    const events = await testApp.db
      .selectFrom('audit_events')
      .select('actor')
      .where('user_id', '=', userId)
      .where('kind', '=', 'account.changed')
      .execute();
    expect(events).toEqual([{ actor: 'visitor' }]);
  },
);

test(
  '[VOI-01] the code of a step-up is said by a call, to the phone of the account alone',
  { tags: 'long' },
  async () => {
    const { email, userId, visitor } = await signedIn();
    testApp.clock.advance(11 * MINUTE);
    await send(visitor, { step: 'send' });
    // A number that was only typed may be a stranger's (PRF-27).
    expect((await open(visitor)).call).toBeNull();
    await testApp.db
      .updateTable('users')
      .set({ phone_proven_at: testApp.clock.now() })
      .where('id', '=', userId)
      .execute();
    testApp.clock.advance(11 * MINUTE);
    expect((await open(visitor)).call).toBeNull();
    await send(visitor, { step: 'call' });
    await send(visitor, { step: 'send' });
    expect((await open(visitor)).call).toMatchObject({ state: null, againMs: 0 });
    const thief = await signInAgain(email);
    await send(thief, { step: 'call' });
    expect((await send(visitor, { step: 'call' })).status).toBe(303);
    expect((await open(visitor)).call?.state).toBe('calling');
    const calls = (await testApp.inbox('5550142290')).filter(({ channel }) => channel === 'voice');
    expect(calls).toHaveLength(1);
    await fetch(new URL(calls[0]?.press ?? '', testApp.url), {
      method: 'POST',
      redirect: 'manual',
    });
    const [said] = await testApp.inbox('5550142290');
    expect((await send(visitor, { step: 'check', code: said?.code ?? '' })).status).toBe(303);
    expect((await open(visitor)).isFresh).toBe(true);
  },
);
