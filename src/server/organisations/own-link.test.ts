/** Links of people to their organisation, and the rule that it is their only way in. */

import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { changeRoles, setSuspended } from '../people/people.ts';
import { listSessions } from '../access/sessions.ts';
import { endLink, linkOf, waysOf } from '../accounts/organisation-links.ts';
import { contactsThatOpen } from '../accounts/proven-contacts.ts';
import { later } from '../core/clock.ts';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { createAccountPages } from '../testing/account-pages.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { createDevice } from '../testing/authenticator.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import {
  comeBack,
  createOrganisationProvider,
  ORGANISATION_SECRET,
  press,
  signInBy,
  signInThere,
} from '../testing/organisation-provider.ts';
import { createTestAppWithPages, PASSWORD, type Visitor } from '../testing/test-app.ts';
import {
  addOrganisation,
  removeOrganisation,
  replaceOrganisation,
} from './organisation-operations.ts';

const ID = 'rosewood';
const PAGE = '/account/me/organization';
const provider = closeAtEnd(await createOrganisationProvider());
const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));
const { db, clock } = testApp;
const { signedIn, signInAgain, open, send, mailsTo, refused } = createAccountPages(() => testApp);
const context = () => adminContextOf(testApp);
const entry = {
  id: ID,
  subtenantId: 742,
  label: 'Rosewood',
  issuer: provider.issuer,
  clientId: 'porchlight',
  roles: [1],
  on: true,
};
const evenSo = { evenSo: true };
await addOrganisation(context(), { ...entry, clientSecret: ORGANISATION_SECRET }, evenSo);
const change = (values: object) => replaceOrganisation(context(), { ...entry, ...values }, evenSo);

let count = 0;
const newSubject = () => provider.as(`person-${(count += 1)}`);

/** Presses 'Go to Rosewood’s sign-in' in My account, signs in there and comes back. */
async function answerFor(visitor: Visitor, id = ID): Promise<string> {
  const response = await visitor.request(`/account/organization/${id}/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  });
  const page = await response.text();
  const [, away = ''] = /content="0;url=([^"]*)"/.exec(page) ?? [];
  if (away === '') return response.headers.get('location') ?? '';
  return comeBack(visitor, await signInThere(away.replaceAll('&#38;', '&')));
}

async function linked(person: Awaited<ReturnType<typeof signedIn>>) {
  const subject = newSubject();
  expect(await answerFor(person.visitor)).toBe(PAGE);
  const answer = await send(person.visitor, { do: 'link' }, PAGE);
  expect(answer.headers.get('location')).toBe('/account/me?saved=1');
  return subject;
}

test('[ORG-11] a link is made by a press that shows both names, told by mail, and opens the account', async () => {
  const person = await signedIn();
  expect((await open(person.visitor, PAGE)).organisation).toEqual({
    id: ID,
    label: 'Rosewood',
    linkedAs: null,
    isKept: false,
    handOver: null,
    asked: null,
  });
  const subject = newSubject();
  expect(await answerFor(person.visitor)).toBe(PAGE);
  // Nothing is linked before the press.
  expect(await linkOf(db, person.userId)).toBeUndefined();
  const { organisation } = await open(person.visitor, PAGE);
  expect(organisation?.asked).toBe(`${subject}@rosewood.example`);
  await send(person.visitor, { do: 'link' }, PAGE);
  expect(await linkOf(db, person.userId)).toMatchObject({ subject, made_by: 'account' });
  expect((await mailsTo(person.email))[0]?.subject).toContain('You can sign in by Rosewood');
  // The person made it, and no directory keeps the account.
  expect(await waysOf(db, person.userId)).toEqual({ keptBy: null });
  const fresh = testApp.visitor();
  expect(await signInBy(fresh, ID)).toBe('/account/Redirect');
  expect((await fresh.ok('getVisit', { query: {} })).signIn?.stage).toBe('otp');
});

test('[ORG-11] only the session that began it links, freshly proven, and once', async () => {
  const person = await signedIn();
  newSubject();
  await answerFor(person.visitor);
  // Another session of the same person has no answer.
  const other = await signInAgain(person.email);
  await send(other, { do: 'link' }, PAGE);
  expect(await linkOf(db, person.userId)).toBeUndefined();
  // An answer of a sign-in links nothing.
  const third = await signInAgain(person.email);
  await signInBy(third, ID);
  await send(third, { do: 'link' }, PAGE);
  expect(await linkOf(db, person.userId)).toBeUndefined();
  const last = await signInAgain(person.email);
  clock.advance(11 * 60);
  const { length } = provider.asked;
  expect(await answerFor(last)).toBe(PAGE);
  expect(provider.asked).toHaveLength(length);
  expect((await open(last, PAGE)).isFresh).toBe(false);
  await send(last, { do: 'link' }, PAGE);
  expect(await linkOf(db, person.userId)).toBeUndefined();
  expect(await answerFor(testApp.visitor())).toBe(PAGE);
});

test('[ORG-11] an answer counts for ten minutes, with a fresh proof, and not for the next person', async () => {
  const person = await signedIn();
  const next = await signedIn();
  const provedBefore = (minutes: number) =>
    db
      .updateTable('sign_ins')
      .set({ stepped_up_at: later(clock.now(), -minutes * MINUTE_MS) })
      .where('user_id', '=', person.userId)
      .where('stage', '=', 'complete')
      .execute();
  const isLinkedBy = async ({ visitor, userId }: typeof person) => {
    await send(visitor, { do: 'link' }, PAGE);
    return (await linkOf(db, userId)) !== undefined;
  };
  newSubject();
  expect(await answerFor(person.visitor)).toBe(PAGE);
  await provedBefore(11);
  expect(await isLinkedBy(person)).toBe(false);
  clock.advance(10 * 60);
  await provedBefore(0);
  expect(await isLinkedBy(person)).toBe(false);
  newSubject();
  expect(await answerFor(person.visitor)).toBe(PAGE);
  await person.visitor.signIn(next.email, PASSWORD);
  expect(await isLinkedBy({ ...next, visitor: person.visitor })).toBe(false);
});

test('[ORG-11] an answer of another organization of the house links nothing', async () => {
  const second = closeAtEnd(await createOrganisationProvider());
  const willow = { ...entry, id: 'willow', label: 'Willow', issuer: second.issuer, roles: [6] };
  await addOrganisation(context(), { ...willow, clientSecret: ORGANISATION_SECRET });
  const person = await signedIn();
  expect(await answerFor(person.visitor, 'willow')).toBe(PAGE);
  await send(person.visitor, { do: 'link' }, PAGE);
  expect(await linkOf(db, person.userId)).toBeUndefined();
  await removeOrganisation(context(), 'willow');
});

test('[ORG-11] a link, and its end, end what waits for a code elsewhere', async () => {
  const person = await signedIn();
  const waits = async () => {
    const other = testApp.visitor();
    await other.reachCode(person.email, PASSWORD);
    return async () => (await other.ok('getVisit', { query: {} })).signIn !== null;
  };
  const first = await waits();
  expect(await first()).toBe(true);
  await linked(person);
  expect(await first()).toBe(false);
  const second = await waits();
  await send(person.visitor, { do: 'unlink' }, PAGE);
  expect(await second()).toBe(false);
  // The answer is used.
  await send(person.visitor, { do: 'link' }, PAGE);
  expect(await linkOf(db, person.userId)).toBeUndefined();
});

test('[ORG-11] one subject is one account, and a link that ended opens nothing', async () => {
  const first = await signedIn();
  const subject = await linked(first);
  const second = await signedIn();
  await answerFor(second.visitor);
  expect(await refused(second.visitor, { do: 'link' }, PAGE)).toBe('linkTaken');
  expect(await linkOf(db, second.userId)).toBeUndefined();
  // One account is one person over there.
  newSubject();
  await answerFor(first.visitor);
  expect(await refused(first.visitor, { do: 'link' }, PAGE)).toBe('linkTaken');
  expect(await linkOf(db, first.userId)).toMatchObject({ subject });
  provider.as(subject);

  const unlinked = await send(first.visitor, { do: 'unlink' }, PAGE);
  expect(unlinked.headers.get('location')).toBe('/account/me?saved=1');
  expect(await signInBy(testApp.visitor(), ID)).toContain('why=unlinked');
  expect((await mailsTo(first.email))[0]?.subject).toContain('no longer');
  // The subject went to somebody else over there, who links it by a proof of their own.
  await answerFor(second.visitor);
  await send(second.visitor, { do: 'link' }, PAGE);
  expect(await linkOf(db, second.userId)).toMatchObject({ subject });
  expect(await linkOf(db, first.userId)).toBeUndefined();
});

test('[FED-06] O12: neither of two joined accounts is linked to an organization', async () => {
  const [one, other] = [await signedIn(), await signedIn()];
  await db
    .insertInto('linked_accounts')
    .values({ user_id: other.userId, primary_id: one.userId, linked_at: clock.now() })
    .execute();
  for (const person of [one, other]) {
    expect((await open(person.visitor, PAGE)).organisation).toBeNull();
    newSubject();
    await answerFor(person.visitor);
    await send(person.visitor, { do: 'link' }, PAGE);
    expect(await linkOf(db, person.userId)).toBeUndefined();
  }
});

const grants = testApp.config.console as unknown as object[];
test.each<[string, (accountId: number) => Promise<unknown>]>([
  ['a role beside the entry', (id) => changeRoles(context(), id, { give: [6], take: [] })],
  ['no role', (id) => db.deleteFrom('user_roles').where('user_id', '=', id).execute()],
  [
    'another house',
    (id) => db.updateTable('users').set({ subtenant_id: 900 }).where('id', '=', id).execute(),
  ],
  ['the rights of an operator', async (accountId) => grants.push({ role: 'operator', accountId })],
])('[ORG-11] who has %s is offered no link', async (_, give) => {
  const person = await signedIn();
  await give(person.userId);
  expect((await open(person.visitor, PAGE)).organisation).toBeNull();
  newSubject();
  await answerFor(person.visitor);
  await send(person.visitor, { do: 'link' }, PAGE);
  expect(await linkOf(db, person.userId)).toBeUndefined();
});

test('[ORG-11] what a directory keeps is not its person’s to end', async () => {
  const person = await signedIn();
  await linked(person);
  const kept = { scim_id: crypto.randomUUID() };
  await db
    .updateTable('organisation_links')
    .set(kept)
    .where('user_id', '=', person.userId)
    .execute();
  expect((await open(person.visitor, PAGE)).organisation?.isKept).toBe(true);
  expect((await send(person.visitor, { do: 'unlink' }, PAGE)).status).toBe(403);
  expect(await linkOf(db, person.userId)).toBeDefined();
});

test('[ORG-11] a reset by mail ends a link of the last 30 days', async () => {
  const { removeNewWays } = await import('../access/ways-in.ts');
  const person = await signedIn();
  const subject = await linked(person);
  const set = (values: { made_at?: Date; scim_id?: string | null }) =>
    db.updateTable('organisation_links').set(values).where('user_id', '=', person.userId).execute();
  await set({ made_at: later(clock.now(), -31 * DAY_MS) });
  expect(await removeNewWays(db, person.userId, clock.now())).toEqual([]);
  // What a directory keeps is no doing of a thief.
  await set({ made_at: clock.now(), scim_id: crypto.randomUUID() });
  expect(await removeNewWays(db, person.userId, clock.now())).toEqual([]);
  await set({ scim_id: null });
  expect(await removeNewWays(db, person.userId, clock.now())).toEqual([
    `${subject}@rosewood.example`,
  ]);
  expect(await linkOf(db, person.userId)).toBeUndefined();
});

test('[ORG-09] where it is the only way in, all others answer as for a wrong password, until it ends', async () => {
  const person = await signedIn();
  await linked(person);
  const opensBy = async () => (await testApp.visitor().authenticate(person.email, PASSWORD)).status;
  const isIn = async () => (await person.visitor.ok('getVisit', { query: {} })).login !== null;
  expect([await opensBy(), await isIn()]).toEqual([200, true]);
  await change({ only: true });
  expect(await isIn()).toBe(false);
  const wrong = await testApp.visitor().authenticate(person.email, 'Wrong-password-1');
  expect(await opensBy()).toBe(wrong.status);
  expect(await signInBy(testApp.visitor(), ID)).toBe('/account/Redirect');
  // Nobody is locked out by it: a link that rests, an organisation that is off, and an end of the link.
  await changeRoles(context(), person.userId, { give: [6], take: [] });
  expect(await opensBy()).toBe(200);
  await changeRoles(context(), person.userId, { give: [], take: [6] });
  expect(await opensBy()).toBe(wrong.status);
  await change({ only: true, on: false });
  expect(await opensBy()).toBe(200);
  await change({ only: true });
  expect(await opensBy()).toBe(wrong.status);
  await endLink(db, person.userId, clock.now());
  expect(await opensBy()).toBe(200);
  await change({});
});

test('[ORG-09] a link to the only way in ends what began by another one, also for applications', async () => {
  const person = await signedIn();
  await change({ only: true });
  expect(await listSessions(context(), { id: person.userId })).not.toEqual([]);
  await linked(person);
  expect(await listSessions(context(), { id: person.userId })).toEqual([]);
  await change({});
});

test('[ORG-09] neither a saved key nor a code without a password opens it', async () => {
  const person = await signedIn();
  const device = createDevice(testApp.url);
  const options = await person.visitor.ok('keyCreation', { body: { isByItself: false } });
  await person.visitor.ok('saveKey', { body: { answer: device.create(options) } });
  await linked(person);
  const opensBy = async () => {
    const visitor = testApp.visitor();
    const answer = device.use(await visitor.ok('keyRequest', { body: { use: 'signIn' } }));
    const { outcome } = await visitor.ok('signInWithKey', {
      body: { answer, entrance: 'portal' },
    });
    const contacts = await contactsThatOpen(db, person.userId, clock.now());
    return [outcome, contacts.has('email')];
  };
  expect(await opensBy()).toEqual(['signedIn', true]);
  await change({ only: true });
  expect(await opensBy()).toEqual(['refused', false]);
  await change({});
});

test('[ORG-08] the page of a person without a link names whom this browser came as', async () => {
  const [visitor, stranger] = [testApp.visitor(), testApp.visitor()];
  await stranger.ok('getVisit', { query: {} });
  const subject = newSubject();
  const page = await signInBy(visitor, ID);
  expect(page).toContain('why=unlinked');
  const isNamedTo = async (reader: Visitor) =>
    (await (await reader.request(page)).text()).includes(`${subject}@rosewood.example`);
  expect([await isNamedTo(visitor), await isNamedTo(stranger)]).toEqual([true, false]);
});

test('[ORG-06] a press, and a call of the page that wakes at it, are of one visit', async () => {
  const visitor = testApp.visitor();
  const visitAt = async (subtenant: number) => {
    await visitor.request(`/account/signin?subtenantId=${subtenant}`);
    return visitor.cookies.get('visit');
  };
  expect(await visitAt(900)).toBeUndefined();
  const visit = await visitAt(742);
  expect(visit).toBeDefined();
  const called = visitor.ok('keyRequest', { body: { use: 'signIn' } });
  newSubject();
  expect(await signInBy(visitor, ID)).toContain('why=unlinked');
  await called;
  expect(visitor.cookies.get('visit')).toBe(visit);
});

test('[ORG-06] a shared device has no button, and a press there begins and ends nothing', async () => {
  const device = testApp.visitor();
  const hasButton = async () => {
    const page = await (await device.request('/account/signin?subtenantId=742')).text();
    return page.includes(`"id":"${ID}"`);
  };
  expect(await hasButton()).toBe(true);
  await device.signIn(demoEmail('staff'), DEMO_PASSWORD);
  const begunBefore = await signInThere(await press(device, ID));
  await send(device, { name: 'Front desk' }, '/account/me/shared-device');
  expect(device.cookies.has('shared')).toBe(true);
  expect(await hasButton()).toBe(false);
  expect(await press(device, ID)).toBe('/account/signin');
  expect(await comeBack(device, begunBefore)).toBe('/account/signin');
});

test('[ORG-07] a role outside the entry, and another rule of it, end the sessions everywhere', async () => {
  const person = await signedIn();
  await linked(person);
  const sessions = () =>
    db
      .selectFrom('sign_ins')
      .select('id')
      .where('user_id', '=', person.userId)
      .where('ended_at', 'is', null)
      .where('stage', '=', 'complete')
      .execute();
  expect(await sessions()).toHaveLength(1);
  await change({ label: 'Rosewood Staff' });
  expect(await sessions()).toHaveLength(0);
  await signInAgain(person.email);
  await changeRoles(context(), person.userId, { give: [6], take: [] });
  expect(await sessions()).toHaveLength(0);
});

test('[ORG-11] an organisation that is removed leaves its people their other ways', async () => {
  const person = await signedIn();
  await linked(person);
  await setSuspended(context(), person.userId, false);
  expect(await listSessions(context(), { id: person.userId })).toHaveLength(1);
  await removeOrganisation(context(), ID);
  expect(await listSessions(context(), { id: person.userId })).toEqual([]);
  expect(await linkOf(db, person.userId)).toBeUndefined();
  expect(await press(testApp.visitor(), ID)).toBe('/account/signin');
  expect((await testApp.visitor().authenticate(person.email, PASSWORD)).status).toBe(200);
});
