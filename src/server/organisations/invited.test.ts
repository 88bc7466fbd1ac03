/** The link of a new account, by the invitation that it opens. */

import { expect, test } from 'vitest';
import { findAccount } from '../accounts/account-store.ts';
import { linkOf } from '../accounts/organisation-links.ts';
import { changeRoles, inviteNew, mailReset } from '../people/people.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import {
  comeBack,
  createOrganisationProvider,
  ORGANISATION_SECRET,
  press,
  signInThere,
} from '../testing/organisation-provider.ts';
import { createTestAppWithPages, type Visitor } from '../testing/test-app.ts';
import { addOrganisation } from './organisation-operations.ts';

const provider = closeAtEnd(await createOrganisationProvider());
const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));
const context = () => adminContextOf(testApp);
const entry = {
  subtenantId: 742,
  issuer: provider.issuer,
  clientId: 'porchlight',
  roles: [3],
  on: true,
};
const clientSecret = ORGANISATION_SECRET;
await addOrganisation(context(), { ...entry, id: 'rosewood', label: 'Rosewood', clientSecret });
const other = { id: 'willow', label: 'Willow', subject: 'oid', roles: [6], clientSecret } as const;
await addOrganisation(context(), { ...entry, ...other });

let count = 0;

/** Invites a new person. @returns the account, its subject over there, and the page of the mail's link */
async function invited(roleIds: readonly (3 | 16)[] = [3]) {
  const email = `invited-${(count += 1)}@rosewood.example`;
  const person = { email, firstName: 'Ada', lastName: 'Moss', phone: '', subtenantId: 742 };
  const account = await inviteNew(context(), { ...person, roleIds });
  if (!account) throw new Error('The address is taken.');
  const subject = provider.as(`invited-${count}`);
  return { ...account, subject, key: await keyOf(email) };
}

async function keyOf(email: string): Promise<string> {
  await testApp.app.outbox.settle();
  const [mail] = await testApp.inbox(email);
  return new URL(mail?.link ?? '').searchParams.get('resetLinkKey') ?? '';
}

const open = (visitor: Visitor, key: string) =>
  visitor.ok('getResetUser', { params: { resetKey: key, ip: '-' } });

const pressIn = (visitor: Visitor, invitation = '', id = 'rosewood') =>
  press(visitor, id, { invitation }, 'invitation');

test('[ORG-12] the invitation of a new account links it, and signs in, in the visit that opened it', async () => {
  const person = await invited();
  const visitor = testApp.visitor();
  const shown = await open(visitor, person.key);
  const organisations = [{ id: 'rosewood', label: 'Rosewood', isOnly: false }];
  expect(shown).toMatchObject({ isFirst: true, organisations });
  const away = await pressIn(visitor, shown?.forgotPasswordId);
  expect(await linkOf(testApp.db, person.id)).toBeUndefined();
  const answer = await signInThere(away);
  // Neither another visit nor a second time.
  expect(await comeBack(testApp.visitor(), answer)).toContain('why=refused');
  expect(await comeBack(visitor, answer)).toBe('/account/Redirect');
  expect(await comeBack(visitor, answer)).toContain('why=refused');
  const link = { subject: person.subject, made_by: 'invitation', organisation_id: 'rosewood' };
  expect(await linkOf(testApp.db, person.id)).toMatchObject(link);
  expect((await visitor.ok('getVisit', { query: {} })).signIn?.stage).toBe('otp');
  expect((await findAccount(testApp.db, person.id))?.password_hash).toBeNull();
  // The mail's link is used, and the person reads of it.
  await testApp.app.outbox.settle();
  expect((await testApp.inbox(person.email))[0]?.subject).toContain('Rosewood');
  const late = testApp.visitor();
  expect(
    (await late.call('getResetUser', { params: { resetKey: person.key, ip: '-' } })).data,
  ).toBeNull();
});

test('[ORG-12] only the visit that opened the invitation begins, and only for its own organisation', async () => {
  const person = await invited();
  const visitor = testApp.visitor();
  const handle = (await open(visitor, person.key))?.forgotPasswordId;
  const stranger = testApp.visitor();
  expect(await pressIn(stranger, handle)).toBe('/account/Invalid');
  expect(await pressIn(visitor, 'another')).toBe('/account/Invalid');
  expect(await pressIn(visitor, handle, 'willow')).toBe('/account/Invalid');
  expect(await linkOf(testApp.db, person.id)).toBeUndefined();
});

const ofUser = (id: number) => testApp.db.updateTable('users').where('id', '=', id);
const ofLinks = (id: number) => testApp.db.updateTable('reset_links').where('user_id', '=', id);
test.each<[string, (id: number) => Promise<unknown>]>([
  ['a password', (id) => ofUser(id).set({ password_hash: 'set' }).execute()],
  ['a suspension', (id) => ofUser(id).set({ status: 'inactive' }).execute()],
  ['another role', (id) => changeRoles(context(), id, { give: [16], take: [] })],
  ['its end', (id) => ofLinks(id).set({ used_at: testApp.clock.now() }).execute()],
  ['its time', (id) => ofLinks(id).set({ expires_at: testApp.clock.now() }).execute()],
])('[ORG-12] an invitation that %s overtakes links nothing', async (_, overtake) => {
  const person = await invited();
  const visitor = testApp.visitor();
  const handle = (await open(visitor, person.key))?.forgotPasswordId;
  const answer = await signInThere(await pressIn(visitor, handle));
  await overtake(person.id);
  expect(await comeBack(visitor, answer)).toContain('why=refused');
  expect(await linkOf(testApp.db, person.id)).toBeUndefined();
});

test('[ORG-12] a person who is linked already is linked to no second account', async () => {
  const [first, second] = [await invited(), await invited()];
  for (const { key } of [first, second]) {
    const browser = testApp.visitor();
    const opened = await open(browser, key);
    await comeBack(browser, await signInThere(await pressIn(browser, opened?.forgotPasswordId)));
  }
  expect(await linkOf(testApp.db, first.id)).toMatchObject({ subject: second.subject });
  expect(await linkOf(testApp.db, second.id)).toBeUndefined();
  const third = testApp.visitor();
  await mailReset(context(), first);
  expect((await open(third, await keyOf(first.email)))?.organisations).toBeUndefined();
});

test.each([
  ['a password', { password_hash: 'set' }],
  ['an earlier sign-in', { first_signed_in_at: new Date() }],
])('[ORG-12] an account with %s is offered a new password alone', async (_what, had) => {
  const person = await invited();
  await testApp.db.updateTable('users').set(had).where('id', '=', person.id).execute();
  await mailReset(context(), person);
  const shown = await open(testApp.visitor(), await keyOf(person.email));
  expect(shown?.organisations).toBeUndefined();
});

test('[ORG-12] roles that the organisation does not admit, and a reset of one’s own, offer no button', async () => {
  const person = await invited([3, 16]);
  expect((await open(testApp.visitor(), person.key))?.organisations).toBeUndefined();
  const asking = await invited();
  const body = { userName: asking.email, emailID: asking.email, requestedIP: '-' };
  await testApp.visitor().call('forgotPassword', { query: {}, body });
  const shown = await open(testApp.visitor(), await keyOf(asking.email));
  expect(shown?.organisations).toBeUndefined();
});
