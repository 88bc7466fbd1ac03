/** [KEY-01] Passkeys: making them, signing in by them, and each way in which one is refused. */

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { endAllAccess } from '#cli/backup/end-all-access.ts';
import { createAudit } from '../../audit/audit.ts';
import { createSecretBox } from '../../crypto/secret-box.ts';
import { createAccountPages } from '../../testing/account-pages.ts';
import { createDevice, type Lie } from '../../testing/authenticator.ts';
import { resetPassword } from '../../testing/reset.ts';
import { operate as run } from '../../testing/operate.ts';
import {
  createTestApp,
  createTestAppWithPages,
  PASSWORD,
  SECRET,
  type Visitor,
} from '../../testing/test-app.ts';
import { removeAddedSince, restoreSince } from './key-store.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const KEYS = '/account/me/keys';
const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));

const pages = createAccountPages(() => testApp);
const { signedIn } = pages;
const open = (visitor: Visitor) => pages.open(visitor, KEYS);
const send = (visitor: Visitor, fields: Record<string, string>) =>
  pages.send(visitor, fields, KEYS);

/** A person with one key on a device of their own. */
async function withKey(isSynced = false) {
  const person = await signedIn();
  const device = createDevice(testApp.url, { isSynced });
  await save(person.visitor, device);
  return { ...person, device };
}

async function save(visitor: Visitor, device: ReturnType<typeof createDevice>, lie: Lie = {}) {
  const options = await visitor.ok('keyCreation', { body: { isByItself: false } });
  return visitor.call('saveKey', { body: { answer: device.create(options, lie) } });
}

const ask = (visitor: Visitor, use: 'signIn' | 'stepUp' = 'signIn') =>
  visitor.ok('keyRequest', { body: { use } });

/** One sign-in by the newest key of a device, in a browser of its own. */
async function signInBy(
  device: ReturnType<typeof createDevice>,
  lie: Lie = {},
  visitor = testApp.visitor(),
) {
  const answer = device.use(await ask(visitor), undefined, lie);
  const said = await visitor.call('signInWithKey', { body: { answer, entrance: 'portal' } });
  return { visitor, answer, said };
}

async function complete(visitor: Visitor) {
  const begun = await visitor.begin(false);
  const silent = await visitor.authorize(begun.authorizeUrl);
  if (!silent.code) return silent.error;
  const login = await visitor.ok('recordLogin', {
    body: { authId: silent.code, appState: silent.state },
  });
  visitor.state.token = login.authToken;
  return login;
}

const eventsOf = (userId: number) =>
  testApp.db
    .selectFrom('audit_events')
    .select(['kind', 'reason'])
    .where('user_id', '=', userId)
    .where('kind', 'like', 'key.%')
    .orderBy('id')
    .execute();

describe('[KEY-01] saving a key', () => {
  test('keeps its public part, tells the owner by mail, and lists it by a name that people know', async () => {
    const { email, visitor } = await signedIn();
    visitor.state.userAgent =
      'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1';
    expect((await save(visitor, createDevice(testApp.url))).data).toEqual({
      name: 'Safari on an iPad',
    });
    expect((await save(visitor, createDevice(testApp.url))).data?.name).toBe('Safari on an iPad 2');
    const { keys } = await open(visitor);
    expect(keys?.list.map(({ name, usedAgoMs }) => [name, usedAgoMs])).toEqual([
      ['Safari on an iPad', null],
      ['Safari on an iPad 2', null],
    ]);
    expect((await testApp.inbox(email))[0]?.subject).toContain('A saved key was added');
  });

  test('needs a sign-in of the last ten minutes', { tags: 'long' }, async () => {
    const { visitor } = await signedIn();
    testApp.clock.advance(11 * MINUTE);
    expect((await visitor.call('keyCreation', { body: { isByItself: false } })).status).toBe(403);
  });

  test.each<[string, Lie]>([
    ['without the device’s lock', { isVerified: false }],
    ['of another origin', { origin: 'https://evil.test' }],
    ['for another domain', { rpId: 'evil.test' }],
    ['for a challenge that was never issued', { challenge: 'bWFkZS11cA' }],
    ['in a frame of another site', { crossOrigin: true }],
  ])('refuses one %s', { tags: 'long' }, async (_, lie) => {
    const { visitor } = await signedIn();
    expect((await save(visitor, createDevice(testApp.url), lie)).errorFlag).toBe('KEY_REFUSED');
    expect((await open(visitor)).keys?.list).toEqual([]);
  });

  test(
    'an answer counts once, within five minutes, and in the visit that asked',
    { tags: 'long' },
    async () => {
      const { email, visitor } = await signedIn();
      const device = createDevice(testApp.url);
      const options = await visitor.ok('keyCreation', { body: { isByItself: false } });
      const answer = device.create(options);
      const elsewhere = testApp.visitor();
      await elsewhere.signIn(email, PASSWORD);
      expect((await elsewhere.call('saveKey', { body: { answer } })).errorFlag).toBe('KEY_REFUSED');
      expect((await visitor.call('saveKey', { body: { answer } })).succeeded).toBe(true);
      expect((await visitor.call('saveKey', { body: { answer } })).errorFlag).toBe('KEY_REFUSED');
      const late = await visitor.ok('keyCreation', { body: { isByItself: false } });
      testApp.clock.advance(5 * MINUTE);
      const saved = await visitor.call('saveKey', { body: { answer: device.create(late) } });
      expect(saved.errorFlag).toBe('KEY_REFUSED');
    },
  );

  test('a credential of one account is none of another', { tags: 'long' }, async () => {
    const [one, other] = [await withKey(), await signedIn()];
    const id = one.device.keys[0]?.id ?? '';
    const taken = await save(other.visitor, createDevice(testApp.url), { id });
    expect(taken.errorFlag).toBe('CONFLICT');
    expect((await open(other.visitor)).keys?.list).toEqual([]);
    const { visitor } = await signInBy(one.device);
    expect(await complete(visitor)).toMatchObject({ loggedInUserId: one.userId });
  });

  test('no device makes the twenty-first, whether asked before it or after it', async () => {
    const { userId, visitor } = await withKey();
    await sql`insert into saved_keys select (jsonb_populate_record(
      saved_keys, jsonb_build_object('credential_id', userId || n, 'name', n))).*
      from saved_keys, generate_series(2, 19) n, cast(${userId} as text) userId
      where user_id = ${userId}`.execute(testApp.db);
    const asked = await visitor.ok('keyCreation', { body: { isByItself: false } });
    expect((await save(visitor, createDevice(testApp.url))).succeeded).toBe(true);
    const answer = createDevice(testApp.url).create(asked);
    expect((await visitor.call('saveKey', { body: { answer } })).errorFlag).toBe('KEY_REFUSED');
    const late = await visitor.call('keyCreation', { body: { isByItself: false } });
    expect(late.errorFlag).toBe('KEY_REFUSED');
  });

  test(
    '[KEY-10] by itself only where the operator wants it, and only then without the lock',
    { tags: 'long' },
    async () => {
      const { visitor } = await signedIn();
      expect((await visitor.call('keyCreation', { body: { isByItself: true } })).status).toBe(403);
      const automatic = await createTestApp({
        limitFactor: 100,
        keys: { rpId: 'localhost', isAutomatic: true, acceptsChange: false },
      });
      const email = 'automatic@keys.test';
      await automatic.visitor().register({ emailAddress: email });
      const browser = automatic.visitor();
      await browser.signIn(email, PASSWORD);
      const quiet = { isPresent: false, isVerified: false };
      const device = createDevice(automatic.url);
      const asked = await browser.ok('keyCreation', { body: { isByItself: false } });
      const refused = await browser.call('saveKey', {
        body: { answer: device.create(asked, quiet) },
      });
      expect(refused.errorFlag).toBe('KEY_REFUSED');
      const options = await browser.ok('keyCreation', { body: { isByItself: true } });
      const saved = await browser.call('saveKey', {
        body: { answer: device.create(options, quiet) },
      });
      expect(saved.succeeded).toBe(true);
      await automatic.close();
    },
  );
});

describe('[KEY-02] signing in by a key', () => {
  for (const isSynced of [true, false]) {
    const tags = isSynced ? [] : ['long'];
    test(
      `is both steps, and begins the hosted session; synced: ${isSynced}`,
      { tags },
      async () => {
        const { device, userId } = await withKey(isSynced);
        const { visitor, said } = await signInBy(device);
        expect(said.data).toEqual({ outcome: 'signedIn', forgets: false });
        expect(await complete(visitor)).toMatchObject({ loggedInUserId: userId });
        const { amr } = await testApp.db
          .selectFrom('sign_ins')
          .select('amr')
          .where('user_id', '=', userId)
          .where('stage', '=', 'complete')
          .orderBy('created_at', 'desc')
          .executeTakeFirstOrThrow();
        expect(amr).toEqual(['pop', 'user', 'mfa']);
      },
    );
  }

  test(
    '[R8] gives the visit a new cookie: one that was planted before opens nothing',
    { tags: 'long' },
    async () => {
      const { device } = await withKey();
      const visitor = testApp.visitor();
      await ask(visitor);
      const planted = [...visitor.cookies];
      await signInBy(device, {}, visitor);
      const [name, before] = planted.find(([each]) => each.includes('visit')) ?? ['', ''];
      expect(visitor.cookies.get(name)).not.toBe(before);
    },
  );

  test('ends the sign-in of another person in this browser', { tags: 'long' }, async () => {
    const [one, other] = [await withKey(), await signedIn()];
    expect((await open(other.visitor)).email).toBe(other.email);
    await signInBy(one.device, {}, other.visitor);
    expect(await complete(other.visitor)).toMatchObject({ loggedInUserId: one.userId });
  });

  test('two accounts on one device: each key opens its own', { tags: 'long' }, async () => {
    const device = createDevice(testApp.url);
    const people = [await signedIn(), await signedIn()];
    for (const { visitor } of people) await save(visitor, device);
    for (const [index, { userId }] of people.entries()) {
      const visitor = testApp.visitor();
      const answer = device.use(await ask(visitor), device.keys[index]);
      await visitor.ok('signInWithKey', { body: { answer, entrance: 'portal' } });
      expect(await complete(visitor)).toMatchObject({ loggedInUserId: userId });
    }
  });

  test(
    'a replayed answer opens nothing, here or in another browser',
    { tags: 'long' },
    async () => {
      const { device, userId } = await withKey(true);
      const { answer } = await signInBy(device);
      for (const visitor of [testApp.visitor(), testApp.visitor()]) {
        await ask(visitor);
        const again = await visitor.call('signInWithKey', { body: { answer, entrance: 'portal' } });
        expect(again.data?.outcome).toBe('refused');
        expect(await complete(visitor)).toBe('login_required');
      }
      expect((await eventsOf(userId)).map(({ kind }) => kind)).toEqual(['key.added']);
    },
  );

  test('an answer to a challenge of another visit opens nothing', { tags: 'long' }, async () => {
    const { device } = await withKey(true);
    const [asked, thief] = [testApp.visitor(), testApp.visitor()];
    const answer = device.use(await ask(asked));
    await ask(thief);
    const said = await thief.call('signInWithKey', { body: { answer, entrance: 'portal' } });
    expect(said.data?.outcome).toBe('refused');
  });

  test('an answer after five minutes is refused', { tags: 'long' }, async () => {
    const { device } = await withKey(true);
    const visitor = testApp.visitor();
    const answer = device.use(await ask(visitor));
    testApp.clock.advance(5 * MINUTE);
    const said = await visitor.call('signInWithKey', { body: { answer, entrance: 'portal' } });
    expect(said.data?.outcome).toBe('refused');
  });

  test.each<[string, Lie, string]>([
    ['without the device’s lock', { isVerified: false }, 'unverified'],
    ['from another origin', { origin: 'https://evil.test' }, 'unverified'],
    ['for another domain', { rpId: 'evil.test' }, 'unverified'],
    ['without the account’s name', { userHandle: null }, 'otherAccount'],
    ['with the name of another account', { userHandle: 'bWFkZS11cA' }, 'otherAccount'],
  ])('[KEY-04] one %s is refused and noted', { tags: 'long' }, async (_, lie, reason) => {
    const { device, userId } = await withKey(true);
    const { said, visitor } = await signInBy(device, lie);
    expect(said.data).toEqual({ outcome: 'refused', forgets: false });
    expect((await eventsOf(userId)).at(-1)).toEqual({ kind: 'key.refused', reason });
    expect(await complete(visitor)).toBe('login_required');
  });

  test('[KEY-04] one signed by another key is refused', { tags: 'long' }, async () => {
    const [one, other] = [await withKey(true), await withKey(true)];
    const visitor = testApp.visitor();
    const key = other.device.keys[0];
    const forged = one.device.use(await ask(visitor));
    const said = await visitor.call('signInWithKey', {
      body: {
        answer: {
          ...forged,
          id: key?.id ?? '',
          rawId: key?.id ?? '',
          response: { ...forged.response, userHandle: key?.userHandle },
        },
        entrance: 'portal',
      },
    });
    expect(said.data?.outcome).toBe('refused');
  });

  test(
    '[KEY-05] a counter that goes back is refused, told and noted; it is never reset by that',
    { tags: 'long' },
    async () => {
      const { device, userId, email } = await withKey();
      await signInBy(device);
      await signInBy(device);
      for (const counter of [2, 1, 0]) {
        expect((await signInBy(device, { counter })).said.data?.outcome).toBe('refused');
      }
      expect((await eventsOf(userId)).at(-1)?.reason).toBe('counterBack');
      const subjects = (await testApp.inbox(email)).map(({ subject }) => subject);
      expect(subjects.filter((subject) => subject?.includes('was stopped'))).toHaveLength(1);
      expect((await signInBy(device, { counter: 20 })).said.data?.outcome).toBe('signedIn');
    },
  );

  test(
    '[KEY-06] the account of a key that is suspended is told so, and only after the key',
    { tags: 'long' },
    async () => {
      const { device, userId } = await withKey(true);
      await testApp.db
        .updateTable('users')
        .set({ status: 'inactive' })
        .where('id', '=', userId)
        .execute();
      const { said, visitor } = await signInBy(device);
      expect(said.errorFlag).toBe('ACCOUNT_SUSPENDED');
      expect(await complete(visitor)).toBe('login_required');
      const wrong = await signInBy(device, { isVerified: false });
      expect(wrong.said.data?.outcome).toBe('refused');
    },
  );

  test(
    '[KEY-06] a key of an erased account is unknown for certain, and the device may forget it',
    { tags: 'long' },
    async () => {
      const { device, userId } = await withKey(true);
      await testApp.db.deleteFrom('users').where('id', '=', userId).execute();
      expect((await signInBy(device)).said.data).toEqual({ outcome: 'unknown', forgets: true });
    },
  );
});

test(
  '[KEY-04] [KEY-13] a key of the domain of before is refused and noted',
  { tags: 'long' },
  async () => {
    const { device, userId } = await withKey(true);
    const old = testApp.db.updateTable('saved_keys').set({ rp_id: 'old.test' });
    await old.where('user_id', '=', userId).execute();
    expect((await signInBy(device)).said.data).toEqual({ outcome: 'refused', forgets: false });
    expect((await eventsOf(userId)).at(-1)).toEqual({ kind: 'key.refused', reason: 'otherDomain' });
  },
);

describe('[KEY-03] removing a key', () => {
  test('needs a recent proof, is told by mail, and the key opens nothing', async () => {
    const { device, visitor, email } = await withKey(true);
    const [key] = device.keys;
    testApp.clock.advance(11 * MINUTE);
    await send(visitor, { key: key?.id ?? '' });
    expect((await open(visitor)).keys?.list).toHaveLength(1);
    const proved = device.use(await ask(visitor, 'stepUp'));
    await visitor.ok('stepUpWithKey', { body: { answer: proved } });
    const removed = await send(visitor, { key: key?.id ?? '' });
    expect(removed.headers.get('location')).toBe(`${KEYS}?removed=1`);
    expect((await open(visitor)).keys?.list).toEqual([]);
    expect((await testApp.inbox(email))[0]?.subject).toContain('A saved key was removed');
    // An undo can bring it back: the device is told later.
    expect((await signInBy(device)).said.data).toEqual({ outcome: 'unknown', forgets: false });
    testApp.clock.advance(4 * DAY);
    expect((await signInBy(device)).said.data).toEqual({ outcome: 'unknown', forgets: true });
  });

  test('nobody removes the key of another account', { tags: 'long' }, async () => {
    const [one, other] = [await withKey(), await signedIn()];
    await send(other.visitor, { key: one.device.keys[0]?.id ?? '' });
    expect((await open(one.visitor)).keys?.list).toHaveLength(1);
  });

  test(
    '[KEY-09] an undo restores removed ones and removes added ones; a reset removes added ones',
    { tags: 'long' },
    async () => {
      const { device, visitor, userId } = await withKey(true);
      testApp.clock.advance(60);
      const since = testApp.clock.now();
      await send(visitor, { key: device.keys[0]?.id ?? '' });
      await save(visitor, createDevice(testApp.url));
      await restoreSince(testApp.db, userId, since, testApp.clock.now());
      const list = (await open(visitor)).keys?.list ?? [];
      expect(list.map(({ id }) => id)).toEqual([device.keys[0]?.id]);
      const names = await removeAddedSince(testApp.db, userId, new Date(0), testApp.clock.now());
      expect(names).toEqual(list.map(({ name }) => name));
    },
  );
});

test(
  '[ACC-04] after an undo an older key sets a new password, and the mailbox alone does so again',
  { tags: 'long' },
  async () => {
    const { device, userId, email } = await withKey(true);
    // What an undo leaves.
    const undone = { password_hash: null, recovery_since: testApp.clock.now() };
    await testApp.db.updateTable('users').set(undone).where('id', '=', userId).execute();
    const { visitor } = await signInBy(device);
    await complete(visitor);
    const typed = { password: 'Quiet-Harbor-77', confirmPassword: 'Quiet-Harbor-77' };
    await pages.send(visitor, typed, '/account/me/password');
    expect(await pages.rowOf(userId)).toMatchObject({
      password_hash: expect.any(String) as string,
      recovery_since: null,
    });
    await resetPassword(testApp, email, 'Lantern-Porch-9');
  },
);

test(
  '[KEY-20] an operator lists the keys of a person and removes one; support names them',
  { tags: 'long' },
  async () => {
    const { db, clock, config } = testApp;
    const audit = createAudit({ db, clock, actor: 'operator:test' });
    const operate = (...words: string[]) =>
      run({ db, clock, config, secretBox: createSecretBox(SECRET), audit }, ...words);
    const { device, email } = await withKey(true);
    const { data } = await operate('user', 'keys', email);
    expect(data).toMatchObject([{ key: 1, lastUsedAt: '', domain: 'localhost' }]);
    const [{ name = '' } = {}] = data as { name?: string }[];
    expect((await operate('support', email)).text).toContain(`Saved keys: ${name}.`);
    await expect(operate('user', 'remove-key', email, '--key', '2')).rejects.toThrow(
      'no saved key 2',
    );
    expect((await operate('user', 'remove-key', email, '--key', '1')).text).toContain(name);
    expect((await signInBy(device)).said.data?.outcome).toBe('unknown');
    expect((await testApp.inbox(email))[0]?.subject).toContain('A saved key was removed');
  },
);

test('[KEY-20] managers of keys find the page for them', async () => {
  const answer = await testApp.visitor().request('/.well-known/passkey-endpoints');
  const page = `${testApp.url}${KEYS}`;
  expect(await answer.json()).toEqual({ enroll: page, manage: page });
});

describe('[KEY-07] the step-up by key', () => {
  test('refuses the key of another account, an answer for a sign-in, and a stale challenge', async () => {
    const [one, other] = [await withKey(true), await withKey(true)];
    testApp.clock.advance(11 * MINUTE);
    const foreign = other.device.use(await ask(one.visitor, 'stepUp'));
    const downgraded = one.device.use(await ask(one.visitor, 'signIn'));
    for (const answer of [foreign, downgraded]) {
      expect(await one.visitor.ok('stepUpWithKey', { body: { answer } })).toEqual({
        isFresh: false,
      });
      expect((await open(one.visitor)).isFresh).toBe(false);
    }
    const answer = one.device.use(await ask(one.visitor, 'stepUp'));
    expect(await one.visitor.ok('stepUpWithKey', { body: { answer } })).toEqual({ isFresh: true });
    expect((await open(one.visitor)).isFresh).toBe(true);
  });

  test('an answer for a step-up signs nobody in', { tags: 'long' }, async () => {
    const { device, visitor } = await withKey(true);
    const answer = device.use(await ask(visitor, 'stepUp'));
    const said = await visitor.call('signInWithKey', { body: { answer, entrance: 'portal' } });
    expect(said.data?.outcome).toBe('refused');
  });

  test(
    '[PRF-24] a challenge answers its own question, in the session that asked',
    { tags: 'long' },
    async () => {
      const { email, device, visitor } = await withKey(true);
      const create = () => visitor.ok('keyCreation', { body: { isByItself: false } });
      const stepUp = async (challenge: unknown) => {
        const answer = device.use({ ...(await ask(visitor, 'stepUp')), challenge });
        return (await visitor.ok('stepUpWithKey', { body: { answer } })).isFresh;
      };
      expect(await stepUp((await create()).challenge)).toBe(false);
      const { challenge } = await ask(visitor, 'stepUp');
      const answer = createDevice(testApp.url).create({ ...(await create()), challenge });
      expect((await visitor.call('saveKey', { body: { answer } })).errorFlag).toBe('KEY_REFUSED');
      const { challenge: earlier } = await ask(visitor, 'stepUp');
      await visitor.signIn(email, PASSWORD);
      expect(await stepUp(earlier)).toBe(false);
      expect(await stepUp((await ask(visitor, 'stepUp')).challenge)).toBe(true);
    },
  );
});

describe('[KEY-08] after a restore', { tags: 'long' }, () => {
  test('each key needs password and code once, in the same browser; an unknown one is not forgotten', async () => {
    const [one, lost] = [await withKey(true), await withKey(true)];
    await testApp.db
      .transaction()
      .execute((transaction) => endAllAccess(transaction, testApp.clock.now()));
    await sql`delete from saved_keys where user_id = ${lost.userId}`.execute(testApp.db);
    expect((await signInBy(lost.device)).said.data).toEqual({ outcome: 'unknown', forgets: false });
    const { visitor, said } = await signInBy(one.device);
    expect(said.data?.outcome).toBe('codeFirst');
    expect(await complete(visitor)).toBe('login_required');
    // A sign-in elsewhere proves nothing about this device.
    await testApp.visitor().signIn(one.email, PASSWORD);
    expect((await signInBy(one.device, {}, visitor)).said.data?.outcome).toBe('codeFirst');
    await visitor.signIn(one.email, PASSWORD);
    expect((await signInBy(one.device)).said.data?.outcome).toBe('signedIn');
    await sql`update key_domain set restored_at = null`.execute(testApp.db);
  });
});

test('[SEC-20] S58: a visit keeps its newest challenges, and the last one still signs in', async () => {
  const { device } = await withKey();
  const visitor = testApp.visitor();
  for (let nth = 0; nth < 30; nth += 1) await ask(visitor);
  const options = await ask(visitor);
  const rows = await testApp.db
    .selectFrom('key_challenges')
    .innerJoin('key_challenges as own', 'own.visit_id', 'key_challenges.visit_id')
    .where('own.challenge', '=', String(options.challenge))
    .select('key_challenges.challenge')
    .execute();
  expect(rows).toHaveLength(8);
  const said = await visitor.call('signInWithKey', {
    body: { answer: device.use(options), entrance: 'portal' },
  });
  expect(said.status).toBe(200);
});
