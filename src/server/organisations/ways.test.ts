/** [FED-05] Each door that sets a password, key or app code, before an account that an organisation's directory keeps. */

import { beforeAll, describe, expect, test } from 'vitest';
import { confirmByCode, keyToConfirm, startAppCode } from '../access/authenticator.ts';
import { freshProof } from '../access/freshness.ts';
import { findAccount } from '../accounts/account-store.ts';
import { linkOf, updateLink, waysOf } from '../accounts/organisation-links.ts';
import { closeAccount } from '../people/close-account.ts';
import { changeOwnPassword } from '../my-account/change-password.ts';
import { invite, mailReset, setOffByDirectory, setSuspended } from '../people/people.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { appCodeAt } from '../testing/app-code.ts';
import { createDevice } from '../testing/authenticator.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { addRosewood, keepAccount, ROSEWOOD } from '../testing/organisation.ts';
import { activation, createTestApp, PASSWORD, type Visitor } from '../testing/test-app.ts';
import { sentBack } from '../testing/reset.ts';
import { createWire, wireClients } from '../testing/wire.ts';
import { replaceOrganisation } from './organisation-operations.ts';

const testApp = closeAtEnd(
  await createTestApp((url) => ({ ...wireClients(url), limitFactor: 50 })),
);
const { db } = testApp;
const wire = createWire(testApp);
const machine = (await wire.machine()).access_token;
const context = () => adminContextOf(testApp);
beforeAll(() => addRosewood(testApp));

let count = 0;
const NEW = 'Evening-Light-8';

/** A person with a fresh session, whom the directory keeps from now on. */
async function kept() {
  const email = `kept-${(count += 1)}@rosewood.example`;
  const visitor = testApp.visitor();
  const { userId } = await visitor.register({ emailAddress: email });
  await visitor.signIn(email, PASSWORD);
  const { id: signInId } = await db
    .selectFrom('sign_ins')
    .select('id')
    .where('user_id', '=', userId)
    .where('stage', '=', 'complete')
    .executeTakeFirstOrThrow();
  return { email, visitor, userId, session: { userId, signInId } };
}
type Kept = Awaited<ReturnType<typeof kept>>;

/** Every way in of an account, and its roles. */
async function waysThere(userId: number) {
  const ofUser = (table: 'saved_keys' | 'app_codes' | 'reset_links' | 'user_roles') =>
    db.selectFrom(table).selectAll().where('user_id', '=', userId).execute();
  const { password_hash: hash, closing_at: closing } = (await findAccount(db, userId)) ?? {};
  return {
    hash,
    closing,
    keys: await ofUser('saved_keys'),
    appCodes: await ofUser('app_codes'),
    links: (await ofUser('reset_links')).filter((link) => 'used_at' in link && !link.used_at),
    roles: await ofUser('user_roles'),
  };
}

const refused = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => value,
    (error: { readonly code?: string }) => error.code,
  );

const accountOf = async ({ userId }: Kept) =>
  (await findAccount(db, userId)) ?? Promise.reject(new Error('no account'));

const saveKey = async (visitor: Visitor) =>
  (await visitor.call('keyCreation', { body: { isByItself: false } })).errorFlag;

/** The code that the person's app shows for the key that waits. */
async function firstCode(session: Kept['session']): Promise<string> {
  const waiting = await keyToConfirm(context(), session);
  return waiting ? appCodeAt(waiting.key, testApp.clock.now()) : '';
}

const DOORS: readonly (readonly [name: string, (of: Kept) => Promise<unknown>, answer: unknown])[] =
  [
    [
      'a reset by mail, which a helper asks for, too',
      async ({ email, visitor }) => {
        const body = { userName: email, emailID: email };
        const answer = await visitor.call('forgotPassword', { body });
        await testApp.app.outbox.settle();
        const [mail] = await testApp.inbox(email);
        return [
          answer.succeeded,
          mail?.text.includes('Rosewood'),
          mail?.text.includes('resetLinkKey'),
        ];
      },
      [true, true, false],
    ],
    [
      'the reset of a help desk',
      async (of) => mailReset(context(), await accountOf(of)),
      'KEPT_BY_ORGANISATION',
    ],
    [
      'an invitation, sent again',
      async (of) => invite(context(), await accountOf(of)),
      'KEPT_BY_ORGANISATION',
    ],
    [
      'a ticket of the Management API',
      async ({ userId }) =>
        (await wire.manage(machine, 'POST', 'tickets/password-change', { user_id: String(userId) }))
          .body.ticket,
      undefined,
    ],
    [
      'a password of the Management API',
      async ({ userId }) =>
        (await wire.manage(machine, 'PATCH', `users/${userId}`, { password: NEW })).status,
      400,
    ],
    ['a saved key', ({ visitor }) => saveKey(visitor), 'KEPT_BY_ORGANISATION'],
    ['an app code', ({ session }) => startAppCode(context(), session), 'KEPT_BY_ORGANISATION'],
    [
      'one’s own new password',
      ({ session }) => changeOwnPassword(context(), session, async () => undefined),
      'KEPT_BY_ORGANISATION',
    ],
    [
      'closing, which is the organization’s',
      ({ session }) => closeAccount(context(), session),
      'KEPT_BY_ORGANISATION',
    ],
  ];

describe('[FED-05] O8: each door', () => {
  test.each(DOORS)('%s', async (_, open, answer) => {
    const person = await kept();
    await keepAccount(testApp, person.userId);
    const before = await waysThere(person.userId);
    expect(await refused(open(person))).toEqual(answer);
    expect(await waysThere(person.userId)).toEqual(before);
  });

  test('what was begun before the directory came sets nothing', async () => {
    const person = await kept();
    await mailReset(context(), await accountOf(person));
    const { session, userId, visitor } = person;
    await startAppCode(context(), session);
    const options = await visitor.ok('keyCreation', { body: { isByItself: false } });
    await keepAccount(testApp, userId);
    const answer = createDevice(testApp.url).create(options);
    const said = await visitor.call('saveKey', { body: { answer } });
    expect(said.errorFlag).toBe('KEPT_BY_ORGANISATION');
    expect((await waysThere(userId)).keys).toEqual([]);
    const app = confirmByCode(context(), session, await firstCode(session));
    expect(await refused(app)).toBe('KEPT_BY_ORGANISATION');
    const [mail] = await testApp.inbox(person.email);
    const [, key = ''] = /resetLinkKey=([\w-]+)/.exec(mail?.text ?? '') ?? [];
    const reader = testApp.visitor();
    const shown = await reader.ok('getResetUser', { params: { resetKey: key, ip: '::1' } });
    if (!shown) throw new Error('The link is dead');
    const proof = await reader.prove('resetPassword');
    const body = { ...sentBack(shown), password: NEW, accessIP: '::1' };
    const set = await reader.call('updatePassword', { body }, proof);
    expect(set.errorFlag).toBe('KEPT_BY_ORGANISATION');
  });

  test('a sign-up with the address adds no role, and its mail names the button', async () => {
    const person = await kept();
    await keepAccount(testApp, person.userId);
    await db.deleteFrom('user_roles').where('user_id', '=', person.userId).execute();
    const form = { emailAddress: person.email, password: PASSWORD };
    const stranger = testApp.visitor();
    const { data } = await stranger.signUp({ ...form, password: NEW });
    const sent = await stranger.sendCode(data?.userId ?? 0, 'USER_ACTIVATION');
    expect(sent.succeeded).toBe(true);
    await testApp.app.outbox.settle();
    const subjects = (await testApp.inbox(person.email)).map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringContaining('How you sign in'));
    // The person's own session gets no role at once, either.
    const own = await person.visitor.signUp(form);
    expect(own.data?.userActivationMode).toBe('ACTIVATE_USER');
    expect((await waysThere(person.userId)).roles).toEqual([]);
  });

  test('a role’s code that was sent before the directory came adds none', async () => {
    const { email, userId } = await kept();
    await db.deleteFrom('user_roles').where('user_id', '=', userId).execute();
    const stranger = testApp.visitor();
    const form = (await stranger.signUp({ emailAddress: email, password: NEW })).data;
    const id = (await stranger.sendCode(form?.userId ?? 0, 'USER_ACTIVATION')).data?.id ?? '';
    const code = await testApp.codeFor(email);
    await keepAccount(testApp, userId);
    await stranger.verify(id, form?.userId ?? 0, code);
    const body = activation({ userId: form?.userId ?? 0, id: form?.id ?? '' }, id);
    expect((await stranger.call('activateUser', { body })).errorFlag).toBe('FORBIDDEN');
    expect((await waysThere(userId)).roles).toEqual([]);
  });

  test('[FED-06] O12: neither of two accounts that are joined is one of an organization', async () => {
    const scope = 'openid read:current_user update:current_user_identities';
    const audience = `${wire.issuer}api/v2/`;
    const [one, other] = [await kept(), await kept()];
    const tokens = await wire.tokens(one.visitor, { audience, scope });
    const { id_token: linkWith } = await wire.tokens(other.visitor, { audience, scope });
    for (const { userId } of [one, other]) {
      await keepAccount(testApp, userId);
      const path = `users/${one.userId}/identities`;
      const body = { link_with: linkWith };
      expect((await wire.manage(tokens.access_token, 'POST', path, body)).status).toBe(400);
      await db.deleteFrom('organisation_links').where('user_id', '=', userId).execute();
    }
    expect(await db.selectFrom('linked_accounts').selectAll().execute()).toEqual([]);
  });

  test('an organization that is off keeps nobody: an invitation gives a password', async () => {
    const person = await kept();
    await keepAccount(testApp, person.userId);
    await replaceOrganisation(context(), { ...ROSEWOOD, on: false });
    expect(await waysOf(db, person.userId)).toEqual({ keptBy: null });
    expect(await invite(context(), await accountOf(person))).toBe('done');
    await replaceOrganisation(context(), ROSEWOOD);
    expect(await waysOf(db, person.userId)).toEqual({ keptBy: 'Rosewood' });
  });
});

test('[FED-07] O9: nobody resumes over a directory that switched a person off', async () => {
  const { userId } = await kept();
  await keepAccount(testApp, userId);
  expect(await setOffByDirectory(context(), userId, true)).toBe('done');
  expect(await refused(setSuspended(context(), userId, false))).toBe('OFF_BY_ORGANISATION');
  const blocked = { blocked: false };
  expect((await wire.manage(machine, 'PATCH', `users/${userId}`, blocked)).status).toBe(400);
  expect(await findAccount(db, userId)).toMatchObject({ status: 'inactive' });
  expect(await setOffByDirectory(context(), userId, false)).toBe('done');
  expect((await linkOf(db, userId))?.off_at).toBeNull();
  // Staff switch off for a reason of their own: activating there leaves it, and takes the mark away alone.
  expect(await setSuspended(context(), userId, true)).toBe('done');
  await updateLink(db, userId, { off_at: testApp.clock.now() });
  expect(await refused(setSuspended(context(), userId, false))).toBe('OFF_BY_ORGANISATION');
});

describe('[FED-04] O3: in a session by the organization', () => {
  test('a code to its own mailbox proves nothing', async () => {
    const person = await kept();
    await db
      .updateTable('sign_ins')
      .set({ amr: ['fed', 'otp'], stepped_up_at: testApp.clock.now() })
      .where('id', '=', person.session.signInId)
      .execute();
    expect(await freshProof(context(), person.session)).not.toBeNull();
    await keepAccount(testApp, person.userId);
    expect(await freshProof(context(), person.session)).toBeNull();
    // A download and the console ask for a code alone.
    expect(await freshProof(context(), person.session, { byAnyCode: true })).not.toBeNull();
    await db
      .updateTable('sign_ins')
      .set({ amr: ['pwd', 'otp'] })
      .where('id', '=', person.session.signInId)
      .execute();
    expect(await freshProof(context(), person.session)).not.toBeNull();
  });
});
