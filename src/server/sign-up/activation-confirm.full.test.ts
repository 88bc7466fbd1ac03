import { describe, expect, test } from 'vitest';
import { type ActivationLink, parseActivationLink } from '#domain/proofs/activation-link.ts';
import { activation, createTestApp, PASSWORD, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));

let count = 0;
const newEmail = () => `confirm-${(count += 1)}@example.test`;

function bodyOf(url: string) {
  const query = new URL(url).searchParams;
  const link = parseActivationLink(query.get('UID'), query.get('SUP')) as ActivationLink;
  const { registrationId, userId, key, platform } = link;
  return { userRegstrtnId: registrationId, userId, activationKey: key, signUpPlatform: platform };
}

/** Somebody who waits at the code screen, and the link in the mail beside that code. */
async function waiting(email = newEmail(), more: { firstName?: string; password?: string } = {}) {
  const visitor = testApp.visitor();
  testApp.clock.advance(1);
  const created = (await visitor.signUp({ emailAddress: email, ...more })).data;
  const userId = created?.userId ?? 0;
  const sent = (await visitor.sendCode(userId, 'USER_ACTIVATION')).data;
  const code = await testApp.codeFor(email);
  const url = (await testApp.inbox(email)).find(({ link }) => link !== null)?.link ?? '';
  return {
    visitor,
    email,
    userId,
    registrationId: created?.id ?? '',
    otpId: sent?.id ?? '',
    code,
    body: bodyOf(url),
    url,
  };
}

const confirm = (visitor: Visitor, body: ReturnType<typeof bodyOf>) =>
  visitor.call('confirmLink', { body });
const userOf = (id: number) =>
  testApp.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
const stateOf = (visitor: Visitor) => visitor.ok('getVisit', {});

/** The button, and what the page does after it. */
async function activateBy(visitor: Visitor, body: ReturnType<typeof bodyOf>) {
  const proof = (await confirm(visitor, body)).data;
  expect(proof).not.toBeNull();
  expect(await visitor.ok('isAuthUser', { params: { email: proof?.email ?? '' } })).toBe(false);
  const claim = activation({ userId: body.userId, id: body.userRegstrtnId }, proof?.otpId ?? '');
  return visitor.call('activateUser', { body: claim });
}

describe('[ACT-03] [OTP-11] the button of a mailed link', () => {
  test('on another device: it activates, and the page that waits learns of it', async () => {
    const person = await waiting();
    const phone = testApp.visitor();
    expect((await stateOf(person.visitor)).activated).toBeNull();
    expect((await activateBy(phone, person.body)).data).toBe(true);
    expect(await userOf(person.userId)).toMatchObject({ status: 'active' });
    expect(await stateOf(person.visitor)).toMatchObject({
      code: null,
      proof: null,
      activated: person.registrationId,
    });
    testApp.clock.advance(1);
    expect((await person.visitor.signIn(person.email, PASSWORD)).userName).toBe(person.email);
  });

  test('in the same browser it is no different', async () => {
    const person = await waiting();
    expect((await activateBy(person.visitor, person.body)).data).toBe(true);
    expect((await stateOf(person.visitor)).activated).toBe(person.registrationId);
  });

  test('the news is half an hour old at most', async () => {
    const person = await waiting();
    await activateBy(testApp.visitor(), person.body);
    testApp.clock.advance(30 * 60);
    expect((await stateOf(person.visitor)).activated).toBeNull();
  });

  test('code and link are one power: after either the other is spent', async () => {
    const byLink = await waiting();
    await activateBy(testApp.visitor(), byLink.body);
    const late = await byLink.visitor.verify(byLink.otpId, byLink.userId, byLink.code);
    expect(late.succeeded).toBe(false);

    const byCode = await waiting();
    await byCode.visitor.verify(byCode.otpId, byCode.userId, byCode.code);
    const claim = activation({ userId: byCode.userId, id: byCode.registrationId }, byCode.otpId);
    await byCode.visitor.ok('activateUser', { body: claim });
    // Nothing is left to prove, and that is no error.
    expect(await confirm(testApp.visitor(), byCode.body)).toMatchObject({
      succeeded: true,
      data: null,
    });
  });

  test('pressed twice, or on two devices: one account, no error', async () => {
    const person = await waiting();
    const [one, two] = [testApp.visitor(), testApp.visitor()];
    const proofs = await Promise.all([one, two].map((each) => confirm(each, person.body)));
    const claims = proofs.map(({ data }) =>
      activation({ userId: person.userId, id: person.registrationId }, data?.otpId ?? ''),
    );
    const [first, second] = claims as [(typeof claims)[number], (typeof claims)[number]];
    for (const [visitor, body] of [
      [one, first],
      [one, first],
      [two, second],
    ] as const) {
      expect((await visitor.call('activateUser', { body })).status).toBe(200);
    }
  });
});

describe('what only looks at the link', () => {
  test('[R31] twenty readings by GET and HEAD and by asking prove nothing', async () => {
    const person = await waiting();
    const { pathname, search } = new URL(person.url);
    const scanner = testApp.visitor();
    for (let n = 0; n < 20; n += 1) {
      for (const method of ['GET', 'HEAD']) {
        await scanner.request(pathname + search, { method });
        await scanner.request('/api/UserActivation/ConfirmLink', { method });
      }
      await scanner.call('validateLink', { body: person.body });
    }
    expect((await stateOf(scanner)).proof).toBeNull();
    expect((await stateOf(person.visitor)).activated).toBeNull();
    expect(await userOf(person.userId)).toMatchObject({ status: 'pending' });
    expect((await activateBy(testApp.visitor(), person.body)).data).toBe(true);
  });

  test('[D12] another site cannot press the button', async () => {
    const person = await waiting();
    const visitor = testApp.visitor();
    await stateOf(visitor);
    const path = '/api/UserActivation/ConfirmLink';
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'x-xsrf-token': 'x' }]) {
      expect((await visitor.post(path, person.body, headers)).status).toBe(403);
    }
    expect((await stateOf(visitor)).proof).toBeNull();
  });
});

describe('[D27] the power of a link ends at its own form', () => {
  test('the proof counts in the browser that pressed, and for nothing else', async () => {
    const [person, other] = [await waiting(), await waiting()];
    const phone = testApp.visitor();
    const otpId = (await confirm(phone, person.body)).data?.otpId ?? '';
    const own = activation({ userId: person.userId, id: person.registrationId }, otpId);
    expect((await testApp.visitor().call('activateUser', { body: own })).status).toBe(403);
    const foreign = activation({ userId: other.userId, id: other.registrationId }, otpId);
    expect((await phone.call('activateUser', { body: foreign })).status).toBe(403);
    const swapped = activation({ userId: person.userId, id: other.registrationId }, otpId);
    expect((await phone.call('activateUser', { body: swapped })).status).toBe(403);
  });

  test('who typed the same address before gets nothing: not the account, not the news of it', async () => {
    const email = newEmail();
    const stranger = await waiting(email, { firstName: 'Mallory', password: 'Planted-1!' });
    const owner = await waiting(email, { firstName: 'Olga' });
    await activateBy(testApp.visitor(), owner.body);
    expect(await userOf(owner.userId)).toMatchObject({ first_name: 'Olga', status: 'active' });
    expect((await stateOf(stranger.visitor)).activated).toBeNull();
    expect((await confirm(testApp.visitor(), stranger.body)).data).toBeNull();
    expect(await userOf(owner.userId)).toMatchObject({ first_name: 'Olga' });
    expect((await stranger.visitor.authenticate(email, 'Planted-1!')).status).toBe(403);
    expect((await owner.visitor.authenticate(email, PASSWORD)).status).toBe(200);
  });

  test('"I did not sign up": form, code and link are gone, and the owner can still come', async () => {
    const email = newEmail();
    const stranger = await waiting(email, { firstName: 'Mallory' });
    const owner = testApp.visitor();
    expect(await owner.ok('rejectLink', { body: stranger.body })).toBe(true);
    const late = await stranger.visitor.verify(stranger.otpId, stranger.userId, stranger.code);
    expect(late.status).toBe(403);
    expect((await stranger.visitor.sendCode(stranger.userId, 'USER_ACTIVATION')).status).toBe(403);
    expect(await confirm(owner, stranger.body)).toMatchObject({ errorFlag: 'INVALID_LINK' });
    await owner.register({ emailAddress: email, firstName: 'Olga' });
    expect(await userOf(stranger.userId)).toMatchObject({ first_name: 'Olga', status: 'active' });
  });

  test('an account that is there cannot be rejected away', async () => {
    const person = await waiting();
    await activateBy(testApp.visitor(), person.body);
    expect(await testApp.visitor().ok('rejectLink', { body: person.body })).toBe(false);
    expect(await userOf(person.userId)).toMatchObject({ status: 'active' });
  });

  test('the link of "Verify here." is no proof, in its own browser either', async () => {
    const person = await waiting();
    const { email, visitor } = person;
    await visitor.call('forgotPassword', { body: { userName: email, emailID: email } });
    const own = await visitor.ok('createActivationLink', { body: { userRegstrtnId: null } });
    const body = bodyOf(own?.activationURL ?? '');
    expect((await visitor.call('validateLink', { body })).data).toMatchObject({
      canConfirm: false,
    });
    expect(await confirm(visitor, body)).toMatchObject({ errorFlag: 'INVALID_LINK', data: null });
    expect(await visitor.ok('rejectLink', { body })).toBe(false);
  });

  test.each([
    ['a day later', 'EXPIRED_LINK', async () => testApp.clock.advance(24 * 60 * 60)],
    [
      'after the account was closed',
      'EXPIRED_LINK',
      async (userId: number) => {
        await testApp.db
          .updateTable('users')
          .set({ status: 'inactive' })
          .where('id', '=', userId)
          .execute();
      },
    ],
  ] as const)('%s: %s', async (_, errorFlag, happen) => {
    const person = await waiting();
    await happen(person.userId);
    const visitor = testApp.visitor();
    expect(await confirm(visitor, person.body)).toMatchObject({ errorFlag, data: null });
    expect((await stateOf(visitor)).proof).toBeNull();
  });

  test('a made-up key: refused, and counted', async () => {
    const person = await waiting();
    const body = { ...person.body, activationKey: 'x'.repeat(43) };
    expect(await confirm(testApp.visitor(), body)).toMatchObject({ errorFlag: 'INVALID_LINK' });
    const real = await createTestApp();
    try {
      const { ip } = real.visitor();
      for (let n = 0; n < 10; n += 1) await confirm(real.visitor(ip), body);
      expect((await confirm(real.visitor(ip), body)).status).toBe(429);
    } finally {
      await real.close();
    }
  });
});
