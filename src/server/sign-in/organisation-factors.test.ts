/** What an organisation's answer proves, and what it does not. */

import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { endAllAccess } from '#cli/backup/end-all-access.ts';
import { addAdministrator } from '../people/house.ts';
import { changeRoles } from '../people/people.ts';
import { removeAdministrator } from '../people/remove-administrator.ts';
import { setPerson } from '../people/set-person.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { createDevice } from '../testing/authenticator.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { clientEntry, createRelyingParty, follow } from '../testing/relying-party.ts';
import { createTestApp, PASSWORD, type Visitor } from '../testing/test-app.ts';

const ORGANISATION = 'urn:porchlight:acr:organisation';

const testApp = closeAtEnd(
  await createTestApp({
    limitFactor: 50,
    clients: [clientEntry(), clientEntry({ id: 'strict-club', organisation: false })],
  }),
);
const garden = await createRelyingParty(testApp.url);
const strict = await createRelyingParty(testApp.url, 'strict-club');

const ISSUER = 'https://idp.rosewood.example';
await testApp.db
  .insertInto('organisations')
  .values({
    id: 'rosewood',
    subtenant_id: 742,
    label: 'Rosewood',
    issuer: ISSUER,
    client_id: 'porchlight',
    client_secret: '',
    subject_claim: 'sub',
    role_ids: [1],
    second_factor: 'ours',
    amr_values: [],
    acr_values: [],
    opens_console: false,
    is_only: false,
    role_map: '{}',
    is_on: true,
    created_at: testApp.clock.now(),
    changed_at: testApp.clock.now(),
  })
  .execute();

let count = 0;
async function person() {
  const emailAddress = `of-rosewood-${(count += 1)}@example.test`;
  const { userId } = await testApp.visitor().register({ emailAddress });
  await testApp.db
    .insertInto('organisation_links')
    .values({
      issuer: ISSUER,
      subject: emailAddress,
      organisation_id: 'rosewood',
      user_id: userId,
      shown_name: emailAddress,
      made_by: 'account',
      made_at: testApp.clock.now(),
    })
    .execute();
  return { email: emailAddress, userId };
}

const signInOf = (userId: number) =>
  testApp.db
    .selectFrom('sign_ins')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null);

/** The row as an organisation's answer leaves it: at the code, where nothing was typed. */
async function answered(visitor: Visitor, { email, userId }: Awaited<ReturnType<typeof person>>) {
  const { otpId } = await visitor.reachCode(email, PASSWORD);
  await testApp.db
    .updateTable('sign_ins')
    .set({ amr: ['fed'] })
    .where('user_id', '=', userId)
    .where('stage', '=', 'otp')
    .execute();
  return otpId;
}

async function enter(visitor: Visitor, of: Awaited<ReturnType<typeof person>>) {
  const id = await answered(visitor, of);
  const otp = await testApp.codeFor(of.email);
  await visitor.ok('verifyOtp', { body: { id, createdBy: of.userId, otp } });
  return visitor.complete();
}

test('[FED-01] O1: amr is appended, and mails and keys trust only a typed password', async () => {
  const { db, clock } = testApp;
  const rosa = await person();
  const owner = testApp.visitor();
  await owner.signIn(rosa.email, PASSWORD);
  const device = createDevice(testApp.url);
  const options = await owner.ok('keyCreation', { body: { isByItself: false } });
  await owner.ok('saveKey', { body: { answer: device.create(options) } });
  await db.transaction().execute((transaction) => endAllAccess(transaction, clock.now()));
  const mailed = { mail_codes_only: true, email_proven_at: null };
  await db.updateTable('users').set(mailed).where('id', '=', rosa.userId).execute();

  const visitor = testApp.visitor();
  const answer = device.use(await visitor.ok('keyRequest', { body: { use: 'signIn' } }));
  const shown = await visitor.ok('signInWithKey', { body: { answer, entrance: 'portal' } });
  expect(shown.outcome).toBe('codeFirst');
  await enter(visitor, rosa);

  const { amr } = await signInOf(rosa.userId).executeTakeFirstOrThrow();
  expect(amr).toEqual(['fed', 'otp']);
  const key = db.selectFrom('saved_keys').select(['needs_code', 'shown_in']);
  expect(await key.where('user_id', '=', rosa.userId).executeTakeFirst()).toMatchObject({
    needs_code: true,
    shown_in: expect.anything(),
  });
  const account = db.selectFrom('users').selectAll().where('id', '=', rosa.userId);
  // The code proves the mailbox to whom the organisation named, and nothing of who set the password.
  expect(await account.executeTakeFirst()).toMatchObject({
    mail_codes_only: true,
    email_proven_at: expect.any(Date),
  });

  await testApp.visitor().signIn(rosa.email, PASSWORD);
  expect(await account.executeTakeFirst()).toMatchObject({ mail_codes_only: false });
  await db.updateTable('key_domain').set({ restored_at: null }).execute();
});

test('[FED-02] O2: a client takes it as password and code, unless its entry refuses it', async () => {
  const rosa = await person();
  const visitor = testApp.visitor();
  await enter(visitor, rosa);
  const begun = await garden.begin();
  const place = await follow(visitor, begun.url, testApp.url);
  expect(place.url.pathname).toBe('/account/Consent');
  const { url } = await visitor.ok('allowInteraction', { body: { request: place.request } });
  const tokens = await garden.redeem(begun, (await follow(visitor, url, testApp.url)).url);
  expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({
    acr: ORGANISATION,
    amr: ['fed', 'otp'],
    sub: String(rosa.userId),
  });

  const silent = await follow(visitor, (await strict.begin({ prompt: 'none' })).url, testApp.url);
  expect(silent.url.searchParams.get('error')).toBe('login_required');
  const asked = await follow(visitor, (await strict.begin()).url, testApp.url);
  expect(asked.url.pathname).toBe('/account/AppSignIn');
  const body = { request: asked.request };
  expect((await visitor.call('continueInteraction', { body })).errorFlag).toBe('SIGN_IN_AGAIN');
  await visitor.signIn(rosa.email, PASSWORD);
  expect((await visitor.call('continueInteraction', { body })).succeeded).toBe(true);
});

test('[FED-03] a code joins a complete sign-in that has none, once', async () => {
  const rosa = await person();
  const visitor = testApp.visitor();
  await enter(visitor, rosa);
  const { id } = await signInOf(rosa.userId).executeTakeFirstOrThrow();
  // The organisation's own second step stood for the code.
  await testApp.db
    .updateTable('sign_ins')
    .set({ amr: ['fed'] })
    .where('id', '=', id)
    .execute();
  const session = () => visitor.cookies.get('idp_session');
  const before = session();
  const sent = await visitor.sendCode(rosa.userId, 'TWOFACTORAUTHENTICATION');
  const otp = await testApp.codeFor(rosa.email);
  const body = { id: sent.data?.id ?? '', createdBy: rosa.userId, otp };
  await visitor.ok('verifyOtp', { body });
  expect(await signInOf(rosa.userId).executeTakeFirst()).toMatchObject({
    id,
    stage: 'complete',
    amr: ['fed', 'otp'],
  });
  expect(session()).toBe(before);
  const again = await visitor.sendCode(rosa.userId, 'TWOFACTORAUTHENTICATION');
  expect(again.errorFlag).toBe('FORBIDDEN');
});

test('[FED-04] O3: its sign-in is never a fresh proof, a password’s is', async () => {
  const rosa = await person();
  const visitor = testApp.visitor();
  const creation = () => visitor.call('keyCreation', { body: { isByItself: false } });
  await enter(visitor, rosa);
  expect((await creation()).errorFlag).toBe('FORBIDDEN');
  await visitor.signIn(rosa.email, PASSWORD);
  const fresh = (await creation()).data;
  const answer = fresh && createDevice(testApp.url).create(fresh);
  expect(answer && (await visitor.call('saveKey', { body: { answer } })).succeeded).toBe(true);
});

describe('an application’s session', () => {
  const context = adminContextOf(testApp);
  const { db } = testApp;

  /** Returns whether the garden club signs its person in without a page. */
  async function opens(visitor: Visitor): Promise<boolean> {
    const { url } = await garden.begin({ prompt: 'none' });
    return (await follow(visitor, url, testApp.url)).url.searchParams.has('code');
  }

  test.each<[string, (id: number) => Promise<unknown>]>([
    ['moves to another house', (id) => setPerson(context, id, { subtenantId: 900 })],
    ['becomes an administrator', (id) => addAdministrator(context, id, null)],
  ])('[ORG-07] by the organization ends when its person %s', async (_, change) => {
    const rosa = await person();
    const visitor = testApp.visitor();
    await enter(visitor, rosa);
    await garden.goThrough(visitor, rosa.email, (await garden.begin()).url);
    expect(await opens(visitor)).toBe(true);
    await change(rosa.userId);
    expect(await opens(visitor)).toBe(false);
  });

  test.each<[string, (id: number) => Promise<unknown>, (id: number) => Promise<unknown>]>([
    [
      'a role outside the entry',
      (id) => changeRoles(context, id, { give: [6], take: [] }),
      (id) => changeRoles(context, id, { give: [], take: [6] }),
    ],
    [
      'the right of an administrator',
      (id) => addAdministrator(context, id, null),
      (id) => removeAdministrator(context, id),
    ],
  ])(
    '[ORG-09] by a password ends with %s, where the link is the only way in',
    async (_, give, take) => {
      const only = (is_only: boolean) => db.updateTable('organisations').set({ is_only }).execute();
      const rosa = await person();
      await give(rosa.userId);
      await only(true);
      const visitor = testApp.visitor();
      await visitor.signIn(rosa.email, PASSWORD);
      await garden.goThrough(visitor, rosa.email, (await garden.begin()).url);
      expect(await opens(visitor)).toBe(true);
      await take(rosa.userId);
      expect(await opens(visitor)).toBe(false);
      await only(false);
    },
  );
});
