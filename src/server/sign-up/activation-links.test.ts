import { describe, expect, test } from 'vitest';
import { type ActivationLink, parseActivationLink } from '#domain/proofs/activation-link.ts';
import { later } from '../core/clock.ts';
import { createHashing } from '../proofs/password/hashing.ts';
import { hashToken } from '../crypto/secret-box.ts';
import { activation, createTestApp, PASSWORD, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
let count = 0;
const newEmail = () => `link-${(count += 1)}@example.test`;

function linkIn(url: string | null | undefined): ActivationLink {
  const query = new URL(url ?? '').searchParams;
  const link = parseActivationLink(query.get('UID'), query.get('SUP'));
  if (!link) throw new Error(`${url} is no link`);
  return link;
}

/** The newest link that was mailed to an address. */
async function mailedUrl(email: string): Promise<string> {
  const url = (await testApp.inbox(email)).find(({ link }) => link !== null)?.link;
  if (!url) throw new Error(`No link was mailed to ${email}`);
  return url;
}

const validate = (visitor: Visitor, link: ActivationLink) =>
  visitor.call('validateLink', {
    body: {
      userRegstrtnId: link.registrationId,
      userId: link.userId,
      activationKey: link.key,
      signUpPlatform: link.platform,
      clientIPAddress: '::1',
    },
  });

/** Somebody who signed up, and the link in the mail that brought the code. */
async function signedUp(subtenantId = 900, email = newEmail()) {
  const visitor = testApp.visitor();
  // What was sent or filled in at one moment has no order.
  testApp.clock.advance(1);
  const created = (await visitor.signUp({ emailAddress: email, subtenantId })).data;
  if (!created) throw new Error('No account');
  await visitor.sendCode(created.userId, 'USER_ACTIVATION');
  const link = linkIn(await mailedUrl(email));
  return { visitor, email, created, link, userId: created.userId };
}

/** An account that somebody else made: its owner has neither a visit nor, usually, a password. */
async function invited(platform: number, passwordHash: string | null = null) {
  const email = newEmail();
  const userId = 6_000_000_000 + (count += 1);
  const person = { first_name: 'Ada', last_name: 'Lund', dial_code: '+1', mobile: '5550142277' };
  const now = testApp.clock.now();
  await testApp.db
    .insertInto('users')
    .values({
      id: userId,
      email,
      email_canonical: email,
      ...person,
      password_hash: passwordHash,
      status: 'pending',
      sign_up_platform: platform,
      subtenant_id: 900,
      created_at: now,
      activated_at: null,
      trial_ends_at: null,
    })
    .execute();
  const registrationId = `invited-${userId}`;
  await testApp.db
    .insertInto('registrations')
    .values({
      id: registrationId,
      visit_id: null,
      user_id: userId,
      ...person,
      email,
      password_hash: null,
      role_id: 1,
      subtenant_id: 900,
      promo_code: null,
      mode: 'VERIFY_OTP',
      created_at: now,
      completed_at: null,
    })
    .execute();
  const key = `key-of-${registrationId}`;
  await testApp.db
    .insertInto('activation_links')
    .values({
      id: `link-${registrationId}`,
      key_hash: hashToken(key),
      user_id: userId,
      registration_id: registrationId,
      visit_id: null,
      created_at: now,
      expires_at: later(now, DAY * 1000),
    })
    .execute();
  return { email, userId, link: { key, registrationId, userId, platform } };
}

/** Follows a link in a browser of its own, up to a right code. */
async function proven({ email, link }: { readonly email: string; readonly link: ActivationLink }) {
  const visitor = testApp.visitor();
  expect((await validate(visitor, link)).data?.isValidLink).toBe(true);
  testApp.clock.advance(1);
  const sent = await visitor.sendCode(link.userId, 'USER_ACTIVATION');
  const otpId = sent.data?.id ?? '';
  expect((await visitor.verify(otpId, link.userId, await testApp.codeFor(email))).data).toBe(true);
  return {
    visitor,
    otpId,
    claim: activation({ userId: link.userId, id: link.registrationId }, otpId),
  };
}

const userOf = (id: number) =>
  testApp.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const statusOf = async (id: number) => (await userOf(id)).status;
const accepts = async (email: string, password: string) =>
  (await testApp.visitor().authenticate(email, password)).status === 200;

const INVALID = {
  status: 200,
  succeeded: false,
  data: null,
  messages: ['Invalid Link'],
  errorFlag: 'INVALID_LINK',
};
const EXPIRED = {
  status: 200,
  succeeded: false,
  data: null,
  messages: ['This link is expired'],
  errorFlag: 'EXPIRED_LINK',
};

describe('reading a link', () => {
  test('[ACT-02] [ACT-04] a valid one: the contacts, masked', async () => {
    const { link, email } = await signedUp();
    const answer = await validate(testApp.visitor(), link);
    expect(answer.data).toEqual({
      isValidLink: true,
      isDone: false,
      canConfirm: true,
      canSendOtp: true,
      otpSendMedium: 4,
      subtenantId: 900,
      userId: link.userId,
      primaryPhoneNumber: '••• ••90',
      primaryEmailId: 'l•••@example.test',
      userActivationId: expect.stringMatching(/^[\w-]{22}$/),
    });
    expect(JSON.stringify(answer)).not.toContain(email);
    expect(JSON.stringify(answer)).not.toContain('5550142290');
  });

  test(
    '[R31] twenty readings by whoever scans mails change nothing, send nothing and use nothing up',
    { tags: 'long' },
    async () => {
      const person = await signedUp();
      const state = async () => ({
        user: await userOf(person.userId),
        links: await testApp.db
          .selectFrom('activation_links')
          .selectAll()
          .where('user_id', '=', person.userId)
          .execute(),
        registrations: await testApp.db
          .selectFrom('registrations')
          .selectAll()
          .where('user_id', '=', person.userId)
          .execute(),
        mails: await testApp.inbox(person.email),
      });
      const before = await state();
      const scanner = testApp.visitor();
      const url = new URL(await mailedUrl(person.email));
      for (let n = 0; n < 20; n += 1) {
        await scanner.request(url.pathname + url.search);
        await scanner.request(url.pathname + url.search, { method: 'HEAD' });
        const reader = n % 2 === 0 ? scanner : testApp.visitor();
        expect((await validate(reader, person.link)).data?.isValidLink).toBe(true);
      }
      expect(await state()).toEqual(before);
      const { visitor, claim } = await proven(person);
      await visitor.ok('activateUser', { body: claim });
      expect(await statusOf(person.userId)).toBe('active');
    },
  );

  test('[D10] of the key, only a hash is in the database', async () => {
    const { link, visitor, email } = await signedUp();
    await validate(testApp.visitor(), link);
    await visitor.call('forgotPassword', { body: { userName: email, emailID: email } });
    const own = await visitor.ok('createActivationLink', { body: { userRegstrtnId: null } });
    const ownKey = linkIn(own?.activationURL).key;
    expect(ownKey).not.toBe(link.key);
    await testApp.db.deleteFrom('inbox_messages').execute();
    const dump = await testApp.dump();
    for (const key of [link.key, ownKey]) {
      expect(dump).toContain(hashToken(key));
      expect(dump).not.toContain(key);
    }
  });

  test('[D10] [ACT-02] a part that was changed: Invalid Link, and nothing follows', async () => {
    const [one, other] = [await signedUp(), await signedUp()];
    const changes: readonly Partial<ActivationLink>[] = [
      { key: 'x'.repeat(43) },
      { key: other.link.key },
      { key: `${one.link.key}x` },
      { key: hashToken(one.link.key) },
      { userId: other.userId },
      { registrationId: other.link.registrationId },
      { registrationId: other.link.registrationId, userId: other.userId },
      { platform: 12 },
      { platform: 5 },
      { platform: 0 },
    ];
    const visitor = testApp.visitor();
    for (const change of changes) {
      expect(await validate(visitor, { ...one.link, ...change })).toMatchObject(INVALID);
    }
    expect((await visitor.sendCode(one.userId, 'USER_ACTIVATION')).status).toBe(403);
    expect((await visitor.sendCode(other.userId, 'USER_ACTIVATION')).status).toBe(403);
  });

  test('[D10] ten wrong links from one network are enough', { tags: 'long' }, async () => {
    const real = await createTestApp();
    try {
      const { ip } = real.visitor();
      const link = { key: 'x'.repeat(43), registrationId: 'r', userId: 1, platform: 1 };
      for (let n = 0; n < 10; n += 1) {
        expect(await validate(real.visitor(ip), link)).toMatchObject(INVALID);
      }
      expect((await validate(real.visitor(ip), link)).status).toBe(429);
      expect(await validate(real.visitor(), link)).toMatchObject(INVALID);
    } finally {
      await real.close();
    }
  });

  test.each([
    [-1, true],
    [0, false],
  ] as const)('[R31] [ACT-02] a day and %i ms: %j', async (offset, isAlive) => {
    const { link, userId } = await signedUp();
    const row = await testApp.db
      .selectFrom('activation_links')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    expect(row.expires_at.getTime() - row.created_at.getTime()).toBe(DAY * 1000);
    testApp.clock.pin(later(row.expires_at, offset));
    const late = testApp.visitor();
    const answer = await validate(late, link);
    expect(answer).toMatchObject(isAlive ? { data: { isDone: false } } : EXPIRED);
    const { status } = await late.sendCode(userId, 'USER_ACTIVATION');
    expect(status).toBe(isAlive ? 200 : 403);
  });

  test('a link that was followed in time sends no code when its day is over', async () => {
    const { link, userId } = await signedUp();
    const visitor = testApp.visitor();
    await validate(visitor, link);
    testApp.clock.advance(DAY);
    expect((await visitor.sendCode(userId, 'USER_ACTIVATION')).status).toBe(403);
  });

  test('the link of an account that was closed: expired, and no code for anybody', async () => {
    const { link, userId, visitor } = await signedUp();
    await testApp.db
      .updateTable('users')
      .set({ status: 'inactive' })
      .where('id', '=', userId)
      .execute();
    expect(await validate(testApp.visitor(), link)).toMatchObject(EXPIRED);
    expect((await visitor.sendCode(userId, 'USER_ACTIVATION')).status).toBe(403);
  });

  test(
    'a used link of an active account says it is done, also after its day, and opens nothing',
    { tags: 'long' },
    async () => {
      const person = await signedUp();
      const { visitor, claim } = await proven(person);
      await visitor.ok('activateUser', { body: claim });
      for (const seconds of [0, DAY, 30 * DAY]) {
        testApp.clock.advance(seconds);
        const late = testApp.visitor();
        expect((await validate(late, person.link)).data).toMatchObject({
          isValidLink: true,
          isDone: true,
        });
        expect((await late.sendCode(person.userId, 'USER_ACTIVATION')).status).toBe(403);
      }
    },
  );
});

describe('[ACT-03] from a link to an account', () => {
  test('in another browser: the code activates, the typed password works, the subtenant stays', async () => {
    const person = await signedUp();
    const { visitor, claim } = await proven(person);
    expect(await statusOf(person.userId)).toBe('pending');
    expect((await visitor.ok('getVisit', {})).subtenantId).toBe(900);
    expect(await visitor.ok('isAuthUser', { params: { email: person.email } })).toBe(false);
    expect(await visitor.ok('activateUser', { body: claim })).toBe(true);
    expect(await userOf(person.userId)).toMatchObject({ status: 'active', subtenant_id: 900 });
    testApp.clock.advance(1);
    expect((await visitor.signIn(person.email, PASSWORD)).loggedInUserId).toBe(person.userId);
    expect((await visitor.ok('getVisit', {})).subtenantId).toBe(900);
  });

  test('[D14] without the code no later step gets anywhere', async () => {
    const person = await signedUp();
    const visitor = testApp.visitor();
    const linkId = (await validate(visitor, person.link)).data?.userActivationId ?? '';
    const { userId } = person;
    const stranger = await signedUp();
    const others = await proven(stranger);

    // Following opens the way to the code for who follows, and for nobody else.
    expect((await testApp.visitor().sendCode(userId, 'USER_ACTIVATION')).status).toBe(403);
    expect((await visitor.ok('getVisit', {})).proof).toBeNull();
    for (const email of [person.email, 'l•••@example.test', '']) {
      expect(await visitor.ok('isAuthUser', { params: { email: email || '-' } })).toBe(false);
    }
    expect(await visitor.ok('getLoginUser', { query: { emailId: person.email } })).toBeNull();
    expect(await visitor.ok('createActivationLink', { body: { userRegstrtnId: null } })).toBeNull();
    for (const otpType of [
      'TWOFACTORAUTHENTICATION',
      'FORGOT_PASSWORD',
      'VERIFY_CONTACT',
    ] as const) {
      expect((await visitor.sendCode(userId, otpType)).status).toBe(403);
    }
    const claimWith = (otpId: string) => ({
      ...activation({ userId, id: person.link.registrationId }, otpId),
      activationKey: person.link.key,
      userActivationId: linkId,
      password: PASSWORD,
    });
    const sent = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
    await visitor.verify(sent, userId, '-');
    for (const otpId of ['', linkId, person.link.key, sent, others.otpId]) {
      const answer = await visitor.call('activateUser', { body: claimWith(otpId) });
      expect(answer).toMatchObject({ status: 403, data: null });
    }
    // Nor does somebody else's right code, in his own browser, for this account.
    const swapped = await others.visitor.call('activateUser', { body: claimWith(others.otpId) });
    expect(swapped.status).toBe(403);
    expect(await statusOf(userId)).toBe('pending');
    expect((await visitor.ok('getVisit', {})).login).toBeNull();
    expect(await accepts(person.email, PASSWORD)).toBe(false);
  });

  test(
    '[D14] each id that was changed is refused, and the right ones still work',
    { tags: 'long' },
    async () => {
      const [person, other] = [await signedUp(), await signedUp()];
      const { visitor, claim } = await proven(person);
      const changes = [
        { userId: other.userId },
        { userRegstrtnId: other.link.registrationId },
        { userRegstrtnId: 'made-up' },
        { otpId: 'made-up' },
        { userId: other.userId, userRegstrtnId: other.link.registrationId },
      ];
      for (const change of changes) {
        const answer = await visitor.call('activateUser', { body: { ...claim, ...change } });
        expect(answer.status).toBe(403);
      }
      const elsewhere = testApp.visitor();
      await validate(elsewhere, person.link);
      expect((await elsewhere.call('activateUser', { body: claim })).status).toBe(403);
      expect([await statusOf(person.userId), await statusOf(other.userId)]).toEqual([
        'pending',
        'pending',
      ]);
      await visitor.ok('activateUser', { body: claim });
      expect(await statusOf(person.userId)).toBe('active');
      expect(await visitor.ok('activateUser', { body: claim })).toBe(true);
    },
  );

  test.each([
    [-1, 200],
    [0, 403],
  ])('[D14] a right code is worth ten minutes and %i ms: %i', async (offset, status) => {
    const person = await signedUp();
    const { visitor, otpId, claim } = await proven(person);
    const code = await testApp.db
      .selectFrom('otp_codes')
      .select('verified_at')
      .where('id', '=', otpId)
      .executeTakeFirstOrThrow();
    testApp.clock.pin(later(code.verified_at ?? new Date(0), 10 * MINUTE * 1000 + offset));
    expect((await visitor.call('activateUser', { body: claim })).status).toBe(status);
  });

  test(
    'an account that was closed meanwhile stays closed, however right the code was',
    { tags: 'long' },
    async () => {
      const person = await signedUp();
      const { visitor, claim } = await proven(person);
      await testApp.db
        .updateTable('users')
        .set({ status: 'inactive' })
        .where('id', '=', person.userId)
        .execute();
      expect((await visitor.call('activateUser', { body: claim })).status).toBe(403);
      expect(await statusOf(person.userId)).toBe('inactive');
    },
  );

  test.each([false, true])(
    'two forms for one address: the link that was followed last counts (followed before, too: %j)',
    async (isFollowedBefore) => {
      const first = await signedUp();
      const { email, userId, link } = first;
      const visitor = testApp.visitor();
      if (isFollowedBefore) await validate(visitor, link);
      testApp.clock.advance(1);
      const second = (await visitor.signUp({ emailAddress: email, subtenantId: 742 })).data;
      expect(second?.id).not.toBe(link.registrationId);
      testApp.clock.advance(1);
      // The mail of the first form, opened where the second one was filled in.
      expect((await validate(visitor, link)).data?.isValidLink).toBe(true);
      const otpId = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
      await visitor.verify(otpId, userId, await testApp.codeFor(email));
      const body = activation({ userId, id: link.registrationId }, otpId);
      expect(await visitor.call('activateUser', { body })).toMatchObject({ data: true });
      expect(await userOf(userId)).toMatchObject({ status: 'active', subtenant_id: 900 });
    },
  );
});

describe("[PWD-04] 'Verify here.'", () => {
  /** A visitor who asked for a new password of a pending account, and the link he was given. */
  async function verifying(email: string) {
    const visitor = testApp.visitor();
    await visitor.call('forgotPassword', { body: { userName: email, emailID: email } });
    const answer = await visitor.ok('createActivationLink', {
      body: { userRegstrtnId: null, userId: 1, createdBy: 1, signUpPlatform: 12 },
    });
    return { visitor, url: answer?.activationURL ?? '', link: linkIn(answer?.activationURL) };
  }

  test('leads to the code, in this browser', async () => {
    const person = await signedUp();
    const { visitor, url, link } = await verifying(person.email);
    expect(url.startsWith(`${testApp.url}/account/Activation?UID=`)).toBe(true);
    expect(await visitor.ok('getLoginUser', { query: { emailId: person.email } })).toMatchObject({
      userId: person.userId,
      emailId: 'l•••@example.test',
      mobileNo: '••• ••90',
    });
    expect((await visitor.ok('getActivationLink', {}))?.activationURL).toContain('UID=');
    expect((await validate(visitor, link)).data).toMatchObject({ isDone: false, subtenantId: 900 });
    testApp.clock.advance(1);
    const otpId = (await visitor.sendCode(person.userId, 'USER_ACTIVATION')).data?.id ?? '';
    await visitor.verify(otpId, person.userId, await testApp.codeFor(person.email));
    const body = activation({ userId: person.userId, id: link.registrationId }, otpId);
    await visitor.ok('activateUser', { body });
    expect(await accepts(person.email, PASSWORD)).toBe(true);
    expect((await validate(visitor, link)).data?.isDone).toBe(true);
  });

  test('is no link in another browser, and proves nothing in its own', async () => {
    const person = await signedUp();
    const { visitor, link } = await verifying(person.email);
    const thief = testApp.visitor();
    expect(await validate(thief, link)).toMatchObject(INVALID);
    expect((await thief.sendCode(person.userId, 'USER_ACTIVATION')).status).toBe(403);

    await validate(visitor, link);
    const { userId } = person;
    expect((await visitor.ok('getVisit', {})).proof).toBeNull();
    expect(await visitor.ok('isAuthUser', { params: { email: person.email } })).toBe(false);
    const sent = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data?.id ?? '';
    const ids = ['', sent, link.key, (await validate(visitor, link)).data?.userActivationId ?? ''];
    for (const otpId of ids) {
      const body = {
        ...activation({ userId, id: link.registrationId }, otpId),
        password: PASSWORD,
      };
      expect((await visitor.call('activateUser', { body })).status).toBe(403);
    }
    expect(await statusOf(userId)).toBe('pending');
    expect((await visitor.ok('getVisit', {})).login).toBeNull();
  });

  test('lives a quarter of an hour', async () => {
    const { email } = await signedUp();
    const { visitor, link } = await verifying(email);
    testApp.clock.advance(15 * MINUTE);
    expect(await validate(visitor, link)).toMatchObject(EXPIRED);
  });

  test('somebody else asking gets no link to what he did not ask about', async () => {
    const { userId, created } = await signedUp();
    const visitor = testApp.visitor();
    const body = { userRegstrtnId: created.id, userId, createdBy: userId, signUpPlatform: 1 };
    expect(await visitor.ok('createActivationLink', { body })).toBeNull();
    expect(await visitor.ok('getActivationLink', {})).toBeNull();
  });

  test("[D27] leads to the visitor's own form before anybody else's", async () => {
    const email = newEmail();
    const owner = await signedUp(900, email);
    const stranger = await signedUp(742, email);
    const ask = { body: { userName: email, emailID: email } };
    await owner.visitor.call('forgotPassword', ask);
    const link = await owner.visitor.ok('createActivationLink', { body: { userRegstrtnId: null } });
    const { registrationId } = linkIn(link?.activationURL);
    expect(registrationId).toBe(owner.link.registrationId);
    expect(registrationId).not.toBe(stranger.link.registrationId);
  });

  test('[D27] and to an invitation before what a stranger typed', async () => {
    const { email, link } = await invited(5);
    await signedUp(742, email);
    expect((await verifying(email)).link.registrationId).toBe(link.registrationId);
  });

  test('five links an hour for an account', { tags: 'long' }, async () => {
    const real = await createTestApp();
    try {
      const visitor = real.visitor();
      const emailAddress = newEmail();
      await visitor.signUp({ emailAddress });
      await visitor.call('forgotPassword', {
        body: { userName: emailAddress, emailID: emailAddress },
      });
      for (let n = 0; n < 5; n += 1) {
        expect(await visitor.ok('getActivationLink', {})).not.toBeNull();
      }
      expect((await visitor.call('getActivationLink', {})).status).toBe(429);
    } finally {
      await real.close();
    }
  });
});

describe('which password', () => {
  test.each([1, 12])(
    '[OTP-11] platform %i is activated with the one typed at sign-up',
    async (platform) => {
      const person = await signedUp();
      await testApp.db
        .updateTable('users')
        .set({ sign_up_platform: platform })
        .where('id', '=', person.userId)
        .execute();
      const { visitor, claim } = await proven({ ...person, link: { ...person.link, platform } });
      await visitor.ok('activateUser', { body: claim });
      expect(await accepts(person.email, PASSWORD)).toBe(true);
    },
  );

  test(
    '[OTP-10] [PWD-09] an invited person sets one: none is not enough, a weak one neither',
    { tags: 'long' },
    async () => {
      const person = await invited(5);
      const { visitor, claim } = await proven(person);
      expect(await visitor.ok('getVisit', {})).toMatchObject({ proof: { signUpPlatform: 5 } });
      expect(await visitor.ok('isAuthUser', { params: { email: 'l•••@example.test' } })).toBe(
        false,
      );
      for (const password of [undefined, null, '', 'weak', 'porchlight-1', 'Porchlight1']) {
        const answer = await visitor.call('activateUser', { body: { ...claim, password } });
        expect(answer).toMatchObject({ status: 400, data: null });
      }
      expect(await statusOf(person.userId)).toBe('pending');
      await visitor.ok('activateUser', { body: { ...claim, password: 'My-First-1' } });
      testApp.clock.advance(1);
      expect((await visitor.signIn(person.email, 'My-First-1')).loggedInUserId).toBe(person.userId);
      // A replay sets no second password.
      await visitor.call('activateUser', { body: { ...claim, password: 'My-Second-2' } });
      expect(await accepts(person.email, 'My-Second-2')).toBe(false);
      expect(await accepts(person.email, 'My-First-1')).toBe(true);
    },
  );

  test(
    '[OTP-09] an account with a password keeps it, whatever is typed',
    { tags: 'long' },
    async () => {
      const person = await invited(5, await createHashing().hash('Long-Known-1'));
      const { visitor, claim } = await proven(person);
      expect(await visitor.ok('isAuthUser', { params: { email: person.email } })).toBe(true);
      await visitor.ok('activateUser', { body: { ...claim, password: 'Typed-Now-1' } });
      expect(await accepts(person.email, 'Typed-Now-1')).toBe(false);
      expect(await accepts(person.email, 'Long-Known-1')).toBe(true);
    },
  );

  test('[D15] isAuthUser: only after the right code, only here, only for the address it proved', async () => {
    const person = await invited(5, await createHashing().hash('Long-Known-1'));
    const isAuthUser = (visitor: Visitor, email: string) =>
      visitor.ok('isAuthUser', { params: { email } });
    const early = testApp.visitor();
    await validate(early, person.link);
    await early.sendCode(person.userId, 'USER_ACTIVATION');
    // Delivered before the next is asked for: of two on their way either may be the newest.
    await testApp.codeFor(person.email);
    expect(await isAuthUser(early, person.email)).toBe(false);
    testApp.clock.advance(1);

    const { visitor, claim } = await proven(person);
    expect(await isAuthUser(visitor, person.email)).toBe(true);
    expect(await isAuthUser(visitor, person.email.toUpperCase())).toBe(true);
    expect(await isAuthUser(visitor, 'l•••@example.test')).toBe(true);
    const foreign = ['member@demo.porchlight.test', 'm•••@demo.porchlight.test', '-', '•••', '%'];
    for (const email of foreign) expect(await isAuthUser(visitor, email)).toBe(false);
    expect(await isAuthUser(early, person.email)).toBe(false);
    expect(await isAuthUser(testApp.visitor(), person.email)).toBe(false);
    await visitor.ok('activateUser', { body: claim });
    expect(await isAuthUser(visitor, person.email)).toBe(false);
  });

  test(
    '[D15] a second proof in the same browser does not hide the first',
    { tags: 'long' },
    async () => {
      const known = await invited(5, await createHashing().hash('Long-Known-1'));
      const fresh = await invited(5);
      const { visitor } = await proven(fresh);
      await validate(visitor, known.link);
      const otpId = (await visitor.sendCode(known.userId, 'USER_ACTIVATION')).data?.id ?? '';
      await visitor.verify(otpId, known.userId, await testApp.codeFor(known.email));
      expect(await visitor.ok('isAuthUser', { params: { email: known.email } })).toBe(true);
      expect(await visitor.ok('isAuthUser', { params: { email: fresh.email } })).toBe(false);
    },
  );
});
