/**
 * A stranger prepares an account with somebody's address and an own phone before its owner comes: the five ways of
 * Sudhodanan and Paverd, "Pre-hijacked accounts" (USENIX Security 2022), and every order of the steps of both.
 */

import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { createNewcomer, findLink, newestLink, pressLink } from '../proving.ts';
import { resetPassword } from '../reset.ts';
import { createTestApp, type Visitor } from '../test-app.ts';
import { createWire, SPA, wireClients } from '../wire.ts';
import { closeAtEnd } from '../close-at-end.ts';

const testApp = closeAtEnd(
  await createTestApp((url) => ({ ...wireClients(url), limitFactor: 500 })),
);
const wire = createWire(testApp);

const PLANTED = 'Planted-Pass-1';
const OWN = 'Sunny-Porch-7';
const NEW = 'Evening-Light-8';

let count = 0;
/** A stranger and an owner of one address, each with a phone of their own. */
function two() {
  count += 1;
  const emailAddress = `owner-${count}@example.test`;
  const mobileOf = (digit: number) => `5550${digit}${String(count).padStart(5, '0')}`;
  const stranger = createNewcomer(testApp, {
    emailAddress,
    mobileNumber: mobileOf(6),
    firstName: 'Mallory',
    password: PLANTED,
  });
  const owner = createNewcomer(testApp, {
    emailAddress,
    mobileNumber: mobileOf(7),
    firstName: 'Olga',
    password: OWN,
  });
  return { emailAddress, stranger, owner };
}
type Two = ReturnType<typeof two>;

/** The stranger has an active account with the owner's address, proven by the own phone. */
async function prepare({ stranger }: Two) {
  await stranger.signUp();
  await stranger.send();
  expect((await stranger.readText()).data).toBe(true);
  expect((await stranger.activate()).data).toBe(true);
}

async function signUp({ owner }: Two) {
  await owner.signUp();
  await owner.send();
  expect((await owner.readMail()).data).toBe(true);
  expect((await owner.activate()).data).toBe(true);
}

const refresh = (token = '') =>
  wire.token({ grant_type: 'refresh_token', client_id: SPA, refresh_token: token });
const userInfo = async (token: string) =>
  (await fetch(`${wire.issuer}userinfo`, { headers: { authorization: `Bearer ${token}` } })).status;
const start = (body: object) =>
  wire.post('passwordless/start', { client_id: SPA, send: 'code', ...body });

/** Returns the ways in that a stranger still has. */
async function expectNothingLeft({ stranger }: Pick<Two, 'stranger'>) {
  const { mobileNumber } = stranger.person;
  expect(await stranger.hasSession()).toBe(false);
  const texts = (await testApp.inbox(mobileNumber)).length;
  expect(await stranger.signIn(mobileNumber)).toBe(false);
  await start({ connection: 'sms', phone_number: `+1${mobileNumber}` });
  expect(await testApp.inbox(mobileNumber)).toHaveLength(texts);
}

describe('[T15] [PRF-02] the five ways', () => {
  test('classic-federated merge: a sign-in by mail from an application does not open the prepared account', async () => {
    const both = two();
    await prepare(both);
    const { emailAddress: email } = both;
    const before = (await testApp.inbox(email)).length;
    expect((await start({ connection: 'email', email })).status).toBe(200);
    expect(await testApp.inbox(email)).toHaveLength(before);
    await signUp(both);
    expect(await both.owner.signIn(both.owner.person.mobileNumber)).toBe(true);
    await expectNothingLeft(both);
  });

  test('unexpired session: session and refresh token end when the owner signs up', async () => {
    const both = two();
    await prepare(both);
    const { stranger } = both;
    expect(await stranger.signIn(stranger.person.mobileNumber)).toBe(true);
    const tokens = await wire.tokens(stranger.visitor);
    expect(await userInfo(tokens.access_token)).toBe(200);
    await signUp(both);
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
    expect(await userInfo(tokens.access_token)).toBe(401);
    await expectNothingLeft(both);
    expect(await both.owner.signIn(both.owner.person.mobileNumber)).toBe(true);
    // Applications never mix the two.
    const own = await wire.tokens(both.owner.visitor);
    expect(decodeJwt(own.id_token ?? '').sub).not.toBe(decodeJwt(tokens.id_token ?? '').sub);
  });

  test.each(['presses the link', 'resets'] as const)(
    'unexpired session: it ends when the owner %s',
    async (way) => {
      const both = two();
      await prepare(both);
      const { stranger, emailAddress } = both;
      expect(await stranger.signIn(stranger.person.mobileNumber)).toBe(true);
      const tokens = await wire.tokens(stranger.visitor);
      const body = await newestLink(testApp, emailAddress);
      if (way === 'resets') await resetPassword(testApp, emailAddress, NEW);
      else await pressLink(testApp.visitor(), body);
      expect((await refresh(tokens.refresh_token)).status).toBe(400);
      await expectNothingLeft(both);
    },
  );

  test('trojan identifier: after a reset by mail the stranger’s phone gets nothing more', async () => {
    const both = two();
    await prepare(both);
    const { emailAddress, stranger } = both;
    await resetPassword(testApp, emailAddress, NEW);
    await expectNothingLeft(both);
    const owner = createNewcomer(testApp, { ...both.owner.person, password: NEW });
    const texts = (await testApp.inbox(stranger.person.mobileNumber)).length;
    expect(await owner.signIn(emailAddress)).toBe(true);
    expect(await testApp.inbox(stranger.person.mobileNumber)).toHaveLength(texts);
  });

  test('trojan identifier by the owner’s own press: password and phone of the stranger open nothing', async () => {
    const both = two();
    const { stranger, emailAddress } = both;
    await stranger.signUp();
    await stranger.send();
    const body = await newestLink(testApp, emailAddress);
    expect(await pressLink(testApp.visitor(), body)).toBe(true);
    await expectNothingLeft(both);
    await resetPassword(testApp, emailAddress, NEW);
    await expectNothingLeft(both);
  });

  test.each([
    ['waits for its code', false],
    ['was activated by a text', true],
  ] as const)(
    'unexpired email change: a form that was moved to the owner’s address and %s gives way',
    async (_, isActivated) => {
      const { emailAddress, stranger, owner } = two();
      const away = createNewcomer(testApp, {
        ...stranger.person,
        emailAddress: `away-${count}@example.test`,
      });
      await away.signUp();
      await away.send();
      const moved = await away.visitor.ok('changeAddress', {
        body: { id: away.state.otpId, createdBy: away.state.userId, emailAddress },
      });
      Object.assign(away.state, {
        userId: moved.userId,
        registrationId: moved.registrationId,
        otpId: moved.id,
        textCode: await testApp.codeFor(away.person.mobileNumber),
      });
      const link = await newestLink(testApp, emailAddress);
      if (isActivated) await away.readText();
      expect((await away.activate()).data ?? false).toBe(isActivated);
      await owner.signUp();
      await owner.send();
      expect((await owner.readMail()).data).toBe(true);
      expect((await owner.activate()).data).toBe(true);
      expect((await away.readText()).succeeded).toBe(false);
      expect((await away.activate()).succeeded).toBe(false);
      expect(await pressLink(testApp.visitor(), link)).toBe(false);
      await expectNothingLeft({ stranger });
      expect(await owner.signIn(owner.person.mobileNumber)).toBe(true);
    },
  );

  test('[PRF-01] non-verifying: what nobody read is called unverified', async () => {
    const both = two();
    await prepare(both);
    const { stranger } = both;
    expect(await stranger.signIn(stranger.person.mobileNumber)).toBe(true);
    const { id_token: idToken = '' } = await wire.tokens(stranger.visitor, {
      scope: 'openid email phone',
    });
    expect(decodeJwt(idToken)).toMatchObject({
      email: both.emailAddress,
      email_verified: false,
      phone_number: `+1${stranger.person.mobileNumber}`,
      phone_number_verified: true,
    });
  });
});

/** Every way to merge two lists that keeps the order within each. */
function interleavings<T>(one: readonly T[], other: readonly T[]): T[][] {
  const [a, ...restA] = one;
  const [b, ...restB] = other;
  if (a === undefined) return [[...other]];
  if (b === undefined) return [[...one]];
  return [
    ...interleavings(restA, other).map((rest) => [a, ...rest]),
    ...interleavings(one, restB).map((rest) => [b, ...rest]),
  ];
}

type Step = (both: Two, ownVisit: Visitor) => Promise<unknown>;
const strangers: Readonly<Record<string, Step>> = {
  's:signUp': ({ stranger }) => stranger.signUp(),
  's:send': ({ stranger }) => stranger.send(),
  's:readText': ({ stranger }) => stranger.readText(),
  's:activate': ({ stranger }) => stranger.activate(),
  's:signIn': ({ stranger }) => stranger.signIn(stranger.person.mobileNumber),
};
const owners: Readonly<Record<string, Step>> = {
  'o:signUp': ({ owner }) => owner.signUp(),
  'o:send': ({ owner }) => owner.send(),
  'o:readMail': ({ owner }) => owner.readMail(),
  'o:activate': ({ owner }) => owner.activate(),
  'o:pressLink': async ({ emailAddress }, ownVisit) => {
    const body = await findLink(testApp, emailAddress);
    return body && pressLink(ownVisit, body);
  },
  'o:reset': ({ emailAddress }) => resetPassword(testApp, emailAddress, NEW).catch(() => null),
};
const STEPS = { ...strangers, ...owners };

/** Neighbours in the list differ by one exchange of two steps: every sixth stands for them. */
const SHORT_SHARE = 6;

describe('[T15] [PRF-02] every order of a stranger with a phone and an owner with a mailbox', () => {
  // `npm run test:all` has every order, and those where the owner asks for the code later than by the form.
  const isFull = process.env.PORCHLIGHT_TEST_ALL === 'on';
  const signingUp = isFull ? [['o:signUp'], ['o:send']] : [['o:signUp', 'o:send']];
  const orders = (own: readonly (readonly string[])[]) =>
    interleavings(
      Object.keys(strangers).map((step) => [step]),
      own,
    )
      .filter((_, n) => isFull || n % SHORT_SHARE === 0)
      .map((order) => [order.flat().join(' '), order.flat()] as const);

  async function walk(order: readonly string[]) {
    const both = two();
    const ownVisit = testApp.visitor();
    for (const step of order) await STEPS[step as keyof typeof STEPS]?.(both, ownVisit);
    return both;
  }

  test.each(orders([...signingUp, ['o:readMail'], ['o:activate']]))(
    '%s: the owner has the account, the stranger nothing',
    async (_, order) => {
      const both = await walk(order);
      await expectNothingLeft(both);
      const { owner } = both;
      expect(await owner.signIn(owner.person.mobileNumber)).toBe(true);
      expect(decodeJwt((await wire.tokens(owner.visitor)).id_token ?? '')).toMatchObject({
        name: 'Olga Lind',
        email_verified: true,
      });
    },
  );

  test.each(orders([['o:pressLink'], ['o:reset']]))(
    '%s: after a reset at the end the stranger has nothing',
    async (_, order) => {
      const both = await walk(order);
      const { emailAddress } = both;
      const account = await testApp.db
        .selectFrom('users')
        .select('status')
        .where('email_canonical', '=', emailAddress)
        .executeTakeFirst();
      if (account?.status === 'active') await resetPassword(testApp, emailAddress, `${NEW}9`);
      await expectNothingLeft(both);
      if (account?.status !== 'active') return;
      const owner = createNewcomer(testApp, { ...both.owner.person, password: `${NEW}9` });
      expect(await owner.signIn(emailAddress)).toBe(true);
    },
  );
});
