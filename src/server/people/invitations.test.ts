/** [HOU-11] [HOU-12] [HOU-13] Invitations: rows that are no accounts, from the console's form to the answer. */

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HELP_DESK_ROLES } from '#domain/help-desk/console-rights.ts';
import { houseDesk } from '#locales/operator/house-desk.ts';
import { findAccountByEmail, findRoleIds, grantRoles } from '../accounts/account-store.ts';
import { linkOf } from '../accounts/organisation-links.ts';
import { demoConsole } from '../config/console-config.ts';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { addOrganisation } from '../organisations/organisation-operations.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import {
  comeBack,
  createOrganisationProvider,
  ORGANISATION_SECRET,
  press as pressThere,
  signInThere,
} from '../testing/organisation-provider.ts';
import { createTestAppWithPages, PASSWORD, type Visitor } from '../testing/test-app.ts';
import { addAdministrator, setHouseRoles } from './house.ts';
import { declineInvitation, withdrawInvitation } from './invitations.ts';
import { removeAdministrator } from './remove-administrator.ts';
import { inviteNew, setSuspended } from './people.ts';

const DAY = 24 * 3600;
const testApp = closeAtEnd(
  await createTestAppWithPages({
    limitFactor: 1000,
    console: [...demoConsole, { subtenantId: 900, roleId: 3, role: 'helpDesk' }],
  }),
);
const { db } = testApp;
const context = () => adminContextOf(testApp);

let house: Desk;
let admin: number;
beforeAll(async () => {
  admin = (await findAccountByEmail(db, demoEmail('house')))?.id ?? 0;
});
beforeEach(async () => {
  await db
    .updateTable('users')
    .set({ status: 'active', subtenant_id: 742, closing_at: null })
    .where('id', '=', admin)
    .execute();
  await addAdministrator(context(), admin, null);
  await setHouseRoles(context(), 742, [5]);
  house = await openDesk(testApp, 'house');
});

let count = 0;
const newEmail = () => `invited-${(count += 1)}@people.test`;

const fieldsOf = (email: string, role = '5') => ({
  firstName: 'Sam',
  lastName: 'Hale',
  email,
  role,
});

const invite = (email: string, role = '5', desk = house) =>
  desk.send('/console/invite', fieldsOf(email, role), '/console/invite');

/** Invites a person. @returns the path of the mail's link */
async function invited(email = newEmail(), role = '5', desk = house): Promise<string> {
  expect((await invite(email, role, desk)).location).toBe('/console/invitations?done=invite');
  return linkTo(email);
}

async function linkTo(email: string): Promise<string> {
  await testApp.app.outbox.settle();
  const [mail] = await testApp.inbox(email);
  const { pathname, search } = new URL(mail?.link ?? '');
  return pathname + search;
}

async function newBrowser(): Promise<Visitor> {
  const visitor = testApp.visitor();
  await visitor.ok('getVisit', { query: {} });
  return visitor;
}

/** What the page of a link shows; the stub build prints its data. */
async function shownAt(path: string, visitor?: Visitor) {
  const text = await (await (visitor ?? testApp.visitor()).request(path)).text();
  return text;
}

/** Sends the form of the page. @returns where it led, or the page */
async function press(path: string, fields: Record<string, string>, browser?: Visitor) {
  const visitor = browser ?? (await newBrowser());
  const xsrf = visitor.cookies.get('XSRF-TOKEN') ?? '';
  const body = new URLSearchParams({ xsrf, ...fields });
  const response = await visitor.request(path, { method: 'POST', body });
  return response.headers.get('location') ?? (await response.text());
}

const CHOSEN = { password: PASSWORD, confirmPassword: PASSWORD };
/** The page that a press leads to says what was answered. */
const answeredAt = async (page: string) =>
  /"state":"(\w+)"/.exec(page.startsWith('/') ? await shownAt(page) : page)?.[1];

/** The invitations of an address that wait. */
const rowsOf = (email: string) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('email', '=', email)
    .where('answer', 'is', null)
    .execute();
const accountOf = (email: string) => findAccountByEmail(db, email);

describe('[HOU-11] an invitation is not an account', () => {
  test('the account begins with the password, and has the role by its sender', async () => {
    const email = newEmail();
    const path = await invited(email);
    expect(await accountOf(email)).toBeUndefined();
    const page = await shownAt(path);
    for (const word of [email, 'Ana Ruiz', 'Agent: Your clients and their plans']) {
      expect(page).toContain(word);
    }
    // Whatever house the address names.
    const elsewhere = await shownAt(path.replace('subtenantId=742', 'subtenantId=900'));
    expect(elsewhere).toContain('"house":"Rosewood Senior Living"');
    // Opening it changed nothing.
    const [row] = await rowsOf(email);
    if (!row) throw new Error('No invitation');
    expect(await answeredAt(await press(path, CHOSEN))).toBe('accepted');
    // What is answered is neither taken back nor declined.
    await withdrawInvitation(context(), row);
    expect(await declineInvitation(context(), row)).toBe(false);
    const answers = db.selectFrom('invitations').select('answer').where('email', '=', email);
    expect(await answers.execute()).toEqual([{ answer: 'accepted' }]);
    const account = await accountOf(email);
    expect(account).toMatchObject({
      status: 'active',
      subtenant_id: 742,
      first_name: 'Sam',
      mobile: '',
      email_proven_at: expect.any(Date) as Date,
    });
    const roles = await db
      .selectFrom('user_roles')
      .select(['role_id', 'given_by', 'given_at'])
      .where('user_id', '=', account?.id ?? 0)
      .execute();
    expect(roles).toEqual([{ role_id: 5, given_by: admin, given_at: expect.any(Date) as Date }]);
    expect(await rowsOf(email)).toEqual([]);
    await testApp.app.outbox.settle();
    expect((await testApp.inbox(email))[0]?.subject).toContain('password is set');
    const visitor = testApp.visitor();
    await visitor.signIn(email, PASSWORD);
    expect((await visitor.ok('getVisit', { query: {} })).login?.userName).toBe(email);
    // A second press, or the mail a day later, is no error.
    const again = await press(path, CHOSEN);
    expect(await answeredAt(again)).toBe('accepted');
    expect(again).toContain('<title>Drawn');
    // A refused password is one.
    const refused = await press(await invited(), { ...CHOSEN, confirmPassword: 'another' });
    expect(refused).toContain('<title>Error: Drawn');
    expect(await shownAt(path)).toContain('"state":"accepted"');
  });

  test.each([
    ['short', 'short', 'password'],
    [PASSWORD, `${PASSWORD}x`, 'confirmPassword'],
    ['Invited-Sam-Hale-1', 'Invited-Sam-Hale-1', 'password'],
  ])('a password that does not do, %s %s, is told at its field', async (password, again, field) => {
    const email = newEmail();
    const path = await invited(email);
    const page = await press(path, { password, confirmPassword: again });
    expect(page).toMatch(new RegExp(`"problems":\\{"${field}":`));
    expect(await accountOf(email)).toBeUndefined();
    expect(await answeredAt(await press(path, CHOSEN))).toBe('accepted');
  });

  test('a sign-up that waits for its proof keeps nobody away, and ends', async () => {
    const email = newEmail();
    const path = await invited(email);
    const visitor = testApp.visitor();
    await visitor.signUp({ emailAddress: email });
    const waiting = await accountOf(email);
    expect(await answeredAt(await press(path, CHOSEN))).toBe('accepted');
    expect((await accountOf(email))?.id).not.toBe(waiting?.id);
    expect(await findRoleIds(db, (await accountOf(email))?.id ?? 0)).toEqual([5]);
  });

  test('a signed-in person is asked to sign out, and gets nothing', async () => {
    const email = newEmail();
    const path = await invited(email);
    const visitor = testApp.visitor();
    await visitor.signIn(demoEmail('member'), DEMO_PASSWORD);
    expect(await shownAt(path, visitor)).toContain('"signedInAs":"Margaret Okafor"');
    expect(await press(path, CHOSEN, visitor)).toContain('"signedInAs":"Margaret Okafor"');
    expect(await accountOf(email)).toBeUndefined();
    const member = await accountOf(demoEmail('member'));
    expect(await findRoleIds(db, member?.id ?? 0)).not.toContain(5);
    const away = await press(path, { do: 'signOut' }, visitor);
    expect(away).toContain('/account/invitation?key=');
    expect((await visitor.ok('getVisit', { query: {} })).login).toBeNull();
    expect(await shownAt(away, visitor)).toContain('"signedInAs":null');
    expect(await answeredAt(await press(away, CHOSEN, visitor))).toBe('accepted');
  });

  test('“I do not know them” ends it, and operators are told', async () => {
    const email = newEmail();
    const path = await invited(email);
    expect(await answeredAt(await press(path, { do: 'decline' }))).toBe('declined');
    expect(await answeredAt(await press(path, CHOSEN))).toBe('declined');
    expect(await rowsOf(email)).toEqual([]);
    expect(await accountOf(email)).toBeUndefined();
    await testApp.app.outbox.settle();
    const [mail] = await testApp.inbox(demoEmail('admin'));
    expect(mail?.subject).toContain(houseDesk.declinedNote.subject);
    expect(mail?.text).toContain('Ana Ruiz');
    expect(mail?.text).not.toContain(email);
  });

  test('it can be sent anew, which ends its earlier link, and taken back', async () => {
    const email = newEmail();
    const first = await invited(email);
    const [row] = await rowsOf(email);
    const of = `/console/invitations/${row?.id}`;
    expect((await house.send(`${of}/resend`)).location).toContain('done=resend');
    const second = await linkTo(email);
    expect(await shownAt(first)).toContain('"state":"over"');
    expect(await shownAt(second)).toContain('"state":"open"');
    const gone = await house.send(`${of}/withdraw`);
    expect(gone.location).toContain('done=withdraw');
    expect(await shownAt(second)).toContain('"state":"over"');
    expect(await press(second, CHOSEN)).toContain('"state":"over"');
    expect(await accountOf(email)).toBeUndefined();
  });

  test('another house sees it nowhere, and cannot touch it', async () => {
    const email = newEmail();
    await invited(email);
    const [row] = await rowsOf(email);
    const harbor = await openDesk(testApp, 'harbor');
    expect((await harbor.open('/console/invitations')).text).not.toContain(email);
    for (const verb of ['resend', 'withdraw']) {
      expect((await harbor.send(`/console/invitations/${row?.id}/${verb}`)).status).toBe(404);
    }
    expect(await rowsOf(email)).toEqual([row]);
    // Operators see it, and send for their own house alone.
    const operator = await openDesk(testApp, 'admin');
    const fromHarbor = newEmail();
    await addAdministrator(context(), (await accountOf(demoEmail('harbor')))?.id ?? 0, null);
    await invited(fromHarbor, '1', harbor);
    const [there] = await rowsOf(fromHarbor);
    expect((await operator.open('/console/invitations')).text).toContain(fromHarbor);
    expect((await operator.send(`/console/invitations/${there?.id}/resend`)).status).toBe(404);
  });

  test('a help desk takes back what it may send, and nothing else of its house', async () => {
    const email = newEmail();
    await invited(email);
    const [row] = await rowsOf(email);
    const desk = await openDesk(testApp, 'staff');
    expect((await desk.open('/console/invitations')).text).toContain(email);
    expect((await desk.send(`/console/invitations/${row?.id}/withdraw`)).status).toBe(404);
    const member = newEmail();
    await invited(member, '1', desk);
    const [own] = await rowsOf(member);
    const gone = await desk.send(`/console/invitations/${own?.id}/withdraw`);
    expect(gone.location).toContain('done=withdraw');
  });
});

describe('[HOU-12] an address that has an account', () => {
  test('looks as a new one, 200 times, half of them taken', { tags: 'long' }, async () => {
    const known = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const email = `known-${i}@people.test`;
        const person = { email, firstName: 'Known', lastName: 'Person', phone: '' };
        await inviteNew(context(), { ...person, roleIds: [1], subtenantId: i % 2 ? 742 : 900 });
        return email;
      }),
    );
    const plain = ({ status, location, text }: Awaited<ReturnType<Desk['send']>>) => [
      status,
      location,
      text,
    ];
    const answers = new Set<string>();
    for (const email of known.flatMap((each) => [each, newEmail()])) {
      answers.add(JSON.stringify(plain(await invite(email))));
      await testApp.app.outbox.settle();
      // A house has 200 that wait at most.
      await db.deleteFrom('invitations').where('email', '<>', email).execute();
      const { page } = await house.open('/console/invitations');
      const [row] = (page as unknown as { rows: { cells: unknown[]; actions: unknown[] }[] }).rows;
      const cells = row?.cells.map((cell) => (cell === email ? 'email' : cell));
      expect([cells, row?.actions.length]).toEqual([
        ['Sam Hale', 'email', '5 Agent', 'Ana Ruiz', { at: expect.any(Number) as number }],
        2,
      ]);
      const again = await house.open('/console/invite');
      expect(again.text).not.toContain('has an account');
    }
    expect(answers.size).toBe(1);
  });

  test('is told so by a mail of the product, which names no house, and has no link', async () => {
    const email = demoEmail('harbor');
    await invite(email);
    await testApp.app.outbox.settle();
    const [mail] = await testApp.inbox(email);
    expect(mail?.subject).toBe('Porchlight: You have an account already');
    expect(mail?.link ?? null).toBeNull();
    expect(mail?.text).not.toMatch(/Rosewood|Ana Ruiz|invitation\?key/);
    const [row] = await rowsOf(email);
    expect(row?.key_hash).toBeNull();
  });
});

describe('[HOU-13] an invitation ends', () => {
  const ends: Readonly<Record<string, (email: string) => Promise<unknown>>> = {
    'after seven days': async () => testApp.clock.advance(7 * DAY + 1),
    'when its role leaves the list': () => setHouseRoles(context(), 742, []),
    'when its sender loses the right': () => removeAdministrator(context(), admin),
    'while its sender is switched off': () => setSuspended(context(), admin, true),
    'when its sender moves': () =>
      db.updateTable('users').set({ subtenant_id: 900 }).where('id', '=', admin).execute(),
    'when its sender moves, and comes back': async () => {
      for (const subtenant_id of [900, 742]) {
        await db.updateTable('users').set({ subtenant_id }).where('id', '=', admin).execute();
      }
    },
    'when its sender closes the account': () =>
      db
        .updateTable('users')
        .set({ closing_at: testApp.clock.now() })
        .where('id', '=', admin)
        .execute(),
    'when its house is closed': () =>
      db.updateTable('subtenants').set({ is_active: false }).where('id', '=', 742).execute(),
    'when its address gets an account': async (email) => {
      const person = { email, firstName: 'Own', lastName: 'Account', phone: '' };
      await inviteNew(context(), { ...person, roleIds: [1], subtenantId: 900 });
    },
  };

  test.each(Object.entries(ends))('%s', async (_when, end) => {
    const email = newEmail();
    const path = await invited(email);
    await end(email);
    expect(await shownAt(path)).toContain('"state":"over"');
    expect(await press(path, CHOSEN)).toContain('"state":"over"');
    expect((await accountOf(email))?.password_hash ?? null).toBeNull();
    await db.updateTable('subtenants').set({ is_active: true }).where('id', '=', 742).execute();
  });

  test('when its sender is no operator any more, and a help desk may not send it', async () => {
    const sender = `operator-${(count += 1)}@people.test`;
    const { userId } = await testApp.visitor().register({ emailAddress: sender });
    await grantRoles(db, userId, [3, 4]);
    await db.updateTable('users').set({ subtenant_id: 742 }).where('id', '=', userId).execute();
    const path = await invited(newEmail(), '5', await openDesk(testApp, sender));
    expect(await shownAt(path)).toContain('"state":"open"');
    await db
      .deleteFrom('user_roles')
      .where('user_id', '=', userId)
      .where('role_id', '=', 4)
      .execute();
    expect(await shownAt(path)).toContain('"state":"over"');
  });

  test.each([
    ['has a role less', (id: number) => db.deleteFrom('user_roles').where('user_id', '=', id)],
    // It is a help desk there, too.
    [
      'works for another house',
      (id: number) => db.updateTable('users').set({ subtenant_id: 900 }).where('id', '=', id),
    ],
  ] as const)('when the help desk that sent it %s', async (_how, change) => {
    const sender = `desk-${(count += 1)}@people.test`;
    const { userId } = await testApp.visitor().register({ emailAddress: sender });
    await db.insertInto('user_roles').values({ user_id: userId, role_id: 3 }).execute();
    const desk = await openDesk(testApp, sender);
    const path = await invited(newEmail(), '1', desk);
    expect(await shownAt(path)).toContain('"state":"open"');
    await change(userId).execute();
    expect(await shownAt(path)).toContain('"state":"over"');
  });

  test('for good with the right, and with the list, although both come back', async () => {
    const [first, second] = [newEmail(), newEmail()];
    const path = await invited(first);
    await removeAdministrator(context(), admin);
    await addAdministrator(context(), admin, null);
    expect(await shownAt(path)).toContain('"state":"over"');
    const later = await invited(second);
    await setHouseRoles(context(), 742, []);
    await setHouseRoles(context(), 742, [5]);
    expect(await shownAt(later)).toContain('"state":"over"');
  });

  test('not with the list, where a role of every help desk is invited for', async () => {
    for (const role of HELP_DESK_ROLES) {
      const path = await invited(newEmail(), String(role));
      await setHouseRoles(context(), 742, []);
      expect(await shownAt(path)).toContain('"state":"open"');
    }
  });
});

test('[HOU-11] [HOU-05] a role with help desk rights asks a saved key or an app’s code', async () => {
  await setHouseRoles(context(), 742, [3]);
  house = await openDesk(testApp, 'house');
  const email = newEmail();
  expect((await invite(email, '3')).text).toContain('A code by mail is not enough');
  expect(await rowsOf(email)).toEqual([]);
});

describe('[HOU-11] [ORG-12] by the house’s own sign-in', () => {
  test('the account begins and is linked in the visit that pressed', async () => {
    const provider = closeAtEnd(await createOrganisationProvider());
    await addOrganisation(context(), {
      id: 'rosewood',
      label: 'Rosewood',
      subtenantId: 742,
      issuer: provider.issuer,
      clientId: 'porchlight',
      clientSecret: ORGANISATION_SECRET,
      roles: [5],
      on: true,
    });
    const email = newEmail();
    const path = await invited(email);
    const subject = provider.as('invited-there');
    const visitor = await newBrowser();
    expect(await shownAt(path, visitor)).toContain('"label":"Rosewood"');
    const invitation = new URLSearchParams(path.split('?')[1]).get('key') ?? '';
    const away = await pressThere(visitor, 'rosewood', { invitation }, 'invitation');
    expect(await accountOf(email)).toBeUndefined();
    const answer = await signInThere(away);
    expect(await comeBack(await newBrowser(), answer)).toContain('why=refused');
    expect(await comeBack(visitor, answer)).toBe('/account/Redirect');
    const account = await accountOf(email);
    expect(account).toMatchObject({ status: 'active', password_hash: null });
    expect(await linkOf(db, account?.id ?? 0)).toMatchObject({ subject, made_by: 'invitation' });
    expect(await rowsOf(email)).toEqual([]);

    // The same person over there again: no second account, and the invitation stays.
    const other = newEmail();
    const next = await invited(other);
    const browser = await newBrowser();
    const key = new URLSearchParams(next.split('?')[1]).get('key') ?? '';
    const leaving = await pressThere(browser, 'rosewood', { invitation: key }, 'invitation');
    expect(await comeBack(browser, await signInThere(leaving))).toContain('why=refused');
    expect(await accountOf(other)).toBeUndefined();
    expect(await rowsOf(other)).toHaveLength(1);

    // Nor where the organization takes the role no more.
    provider.as('somebody-else');
    const late = await pressThere(browser, 'rosewood', { invitation: key }, 'invitation');
    const there = await signInThere(late);
    await db
      .updateTable('organisations')
      .set({ role_ids: [6] })
      .execute();
    expect(await comeBack(browser, there)).toContain('why=refused');
    expect(await accountOf(other)).toBeUndefined();
    await db
      .updateTable('organisations')
      .set({ role_ids: [5] })
      .execute();

    // Not in the session of another person.
    const member = testApp.visitor();
    await member.signIn(demoEmail('member'), DEMO_PASSWORD);
    const refused = await pressThere(member, 'rosewood', { invitation: key }, 'invitation');
    expect(refused).toBe('/account/Invalid');
  });
});
