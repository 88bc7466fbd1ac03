/** [HOU-11] [HOU-12] [HOU-13] Invitations of a sender with bad intent, and answers that come late. */

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { findAccountByEmail } from '../accounts/account-store.ts';
import { demoEmail } from '../demo/seed.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { createNewcomer } from '../testing/proving.ts';
import { createTestAppWithPages, PASSWORD } from '../testing/test-app.ts';
import { addAdministrator, setHouseRoles } from './house.ts';
import { inviteNew } from './people.ts';
import { erasePerson } from './privacy/erase.ts';

const testApp = closeAtEnd(await createTestAppWithPages());
const { db } = testApp;
const context = () => adminContextOf(testApp);

let house: Desk;
let admin: number;
beforeAll(async () => {
  admin = await idOf(demoEmail('house'));
  await addAdministrator(context(), admin, null);
  house = await openDesk(testApp, 'house');
});
beforeEach(() => setHouseRoles(context(), 742, [3, 5]));

const idOf = async (email: string) => (await findAccountByEmail(db, email))?.id ?? 0;

let count = 0;
const newEmail = () => `harm-${(count += 1)}@people.test`;

const invite = (email: string, role = '5', desk = house) =>
  desk.send(
    '/console/invite',
    { firstName: 'Sam', lastName: 'Hale', email, role },
    '/console/invite',
  );

/** Invites a person. @returns the mail */
async function invited(email: string, role = '5', desk = house) {
  expect((await invite(email, role, desk)).location).toBe('/console/invitations?done=invite');
  await testApp.app.outbox.settle();
  const [mail] = await testApp.inbox(email);
  return mail;
}

const pathIn = (mail: Awaited<ReturnType<typeof invited>>) => {
  const { pathname, search } = new URL(mail?.link ?? '');
  return pathname + search;
};

async function press(path: string, fields: Record<string, string>) {
  const visitor = testApp.visitor();
  await visitor.ok('getVisit', { query: {} });
  const body = new URLSearchParams({ xsrf: visitor.cookies.get('XSRF-TOKEN') ?? '', ...fields });
  const response = await visitor.request(path, { method: 'POST', body });
  return response.headers.get('location') ?? (await response.text());
}

const stateAt = async (path: string) =>
  /"state":"(\w+)"/.exec(await (await testApp.visitor().request(path)).text())?.[1];

const addKnown = (email: string) =>
  inviteNew(context(), {
    email,
    firstName: 'Known',
    lastName: 'Person',
    phone: '',
    roleIds: [1],
    subtenantId: 900,
  });

test('[HOU-12] the end of an account elsewhere changes nothing on the list of the house', async () => {
  const [known, fresh] = [newEmail(), newEmail()];
  await addKnown(known);
  await invited(known);
  await invited(fresh);
  await erasePerson(context(), await idOf(known));
  const { text } = await house.open('/console/invitations');
  expect([text.includes(fresh), text.includes(known)]).toEqual([true, true]);
});

test('[HOU-03] the ids of invitations do not count those of other houses', async () => {
  const harbor = await openDesk(testApp, 'harbor');
  await addAdministrator(context(), await idOf(demoEmail('harbor')), null);
  const id = async (email: string) => {
    const row = await db
      .selectFrom('invitations')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    return Number(row.id);
  };
  const [first, second] = [newEmail(), newEmail()];
  await invited(first);
  for (let n = 0; n < 3; n += 1) await invited(newEmail(), '1', harbor);
  await invited(second);
  expect((await id(second)) - (await id(first))).not.toBe(4);
});

test('[HOU-07] the list names no operator to the house', async () => {
  const operator = await findAccountByEmail(db, demoEmail('admin'));
  const name = `${operator?.first_name} ${operator?.last_name}`;
  const desk = await openDesk(testApp, 'admin');
  const email = newEmail();
  await invited(email, '5', desk);
  const { text } = await house.open('/console/invitations');
  expect(text).toContain(email);
  expect(text).not.toContain(name);
});

test('[HOU-11] [CON-50] an invitation that is refused for its proof is none of the two of the week', async () => {
  const email = newEmail();
  for (let n = 0; n < 2; n += 1) {
    expect((await invite(email, '3')).text).toContain('A code by mail is not enough');
  }
  expect((await invite(email, '5')).location).toBe('/console/invitations?done=invite');
});

test('[HOU-11] [D27] the sender’s name in the mail is a name, and no advertisement', async () => {
  const name = { first_name: 'Your account is locked. Call +1 800 555 0100', last_name: 'x' };
  await db.updateTable('users').set(name).where('id', '=', admin).execute();
  const mail = await invited(newEmail());
  const back = { first_name: 'Ana', last_name: 'Ruiz' };
  await db.updateTable('users').set(back).where('id', '=', admin).execute();
  expect(mail?.text).not.toContain('800 555 0100');
});

test('[HOU-11] the event of a declined invitation says whose it was', async () => {
  await press(pathIn(await invited(newEmail())), { do: 'decline' });
  const event = await db
    .selectFrom('audit_events')
    .select(['user_id', 'details'])
    .where('kind', '=', 'invitation.declined')
    .executeTakeFirstOrThrow();
  expect(JSON.stringify(event)).toContain(String(admin));
});

test('[HOU-12] a stranger who proves a phone with the address keeps its reader not away', async () => {
  const email = newEmail();
  const path = pathIn(await invited(email));
  const stranger = createNewcomer(testApp, {
    emailAddress: email,
    mobileNumber: '5550140111',
    password: PASSWORD,
  });
  await stranger.signUp();
  await stranger.send();
  await stranger.readText();
  await stranger.activate();
  expect(await findAccountByEmail(db, email)).toMatchObject({
    status: 'active',
    email_proven_at: null,
  });
  expect(await stateAt(path)).toBe('open');
  await press(path, { password: PASSWORD, confirmPassword: PASSWORD });
  expect(await findAccountByEmail(db, email)).toMatchObject({ mobile: '', first_name: 'Sam' });
  expect(await stateAt(path)).toBe('accepted');
});
