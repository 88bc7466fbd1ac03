/** [HOU-09] The staff of a house on one page. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { FormPage, ListCell, ListPage } from '#contract/console.ts';
import { demoConsole } from '../../config/console-config.ts';
import { findAccountByEmail, grantRoles } from '../../accounts/account-store.ts';
import { DEMO_ACCOUNTS, demoEmail } from '../../demo/seed.ts';
import { closeAccount } from '../../people/close-account.ts';
import { addAdministrator } from '../../people/house.ts';
import { setPerson } from '../../people/set-person.ts';
import { setSuspended } from '../../people/people.ts';
import { adminContextOf } from '../../testing/admin-context.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';
import { addRosewood, keepAccount } from '../../testing/organisation.ts';
import { createTestAppWithPages } from '../../testing/test-app.ts';

const PATH = '/console/house/staff';
const BELOW = '/console/subtenants/742/staff';
const NAMED = 4_000_000_001;
const testApp = closeAtEnd(
  await createTestAppWithPages({
    limitFactor: 100,
    // By account: Margaret Okafor, a member of 742.
    console: [...demoConsole, { role: 'helpDesk', accountId: NAMED }],
  }),
);
const { db } = testApp;
const context = adminContextOf(testApp);
let house: Desk;
let harbor: Desk;
let operator: Desk;
let helpDesk: Desk;
beforeAll(async () => {
  house = await openDesk(testApp, 'house');
  harbor = await openDesk(testApp, 'harbor');
  operator = await openDesk(testApp, 'admin');
  helpDesk = await openDesk(testApp, 'staff');
});

const idOf = async (name: string) => (await findAccountByEmail(db, demoEmail(name)))?.id ?? 0;
const listOf = async (desk: Desk, path = PATH) =>
  (await desk.open(path)).page as unknown as ListPage;
const textOf = (cell?: ListCell) => (typeof cell === 'object' && 'text' in cell ? cell.text : cell);
async function rowOf(name: string, desk = house, path = PATH) {
  const id = String(await idOf(name));
  const row = (await listOf(desk, path)).rows.find((each) => each.id === id);
  return row && { ...row, cells: row.cells.map(textOf) };
}

let people = 0;
async function person(subtenant_id: number, roles: readonly number[] = [3]) {
  const email = `staff-${(people += 1)}@people.test`;
  const { userId: id } = await testApp.visitor().register({ emailAddress: email });
  await grantRoles(db, id, roles);
  await db.updateTable('users').set({ subtenant_id }).where('id', '=', id).execute();
  return { id, email };
}

describe('[HOU-09] the list', () => {
  test('has staff, help desk and administrators of the house; no member, operator or other house', async () => {
    const { rows, count, links, title } = await listOf(house);
    const members = [1, 9, 18];
    const expected = DEMO_ACCOUNTS.filter(
      ({ name, roles, house: of = 742 }) =>
        of === 742 &&
        (name === 'member' || roles.some((role) => !members.includes(role))) &&
        // Operators by settings.
        !roles.includes(4),
    ).map(({ person: [first, last] }) => `${first} ${last}`);
    expect(new Set(rows.map(({ cells }) => cells[0]))).toEqual(new Set(expected));
    expect([title, count]).toEqual(['Staff', expected.length]);
    expect(rows[0]?.cells[0]).toBe('Ana Ruiz');
    expect(links.map(({ href }) => href)).toEqual(['/console/invite']);
    expect((await listOf(harbor)).rows.map(({ cells }) => cells[0])).toEqual(['Tom Reyes']);
  });

  test('says role, last sign-in and way in of each', async () => {
    const own = await rowOf('house');
    expect(own?.cells.slice(1)).toEqual([
      'Administrator, Staff (you)',
      'Password',
      { at: expect.any(Number) },
      'On',
    ]);
    const at = { added_at: new Date(0), confirmed_at: new Date(0) };
    const id = await idOf('legal');
    await db
      .insertInto('saved_keys')
      .values({
        credential_id: 'key-of-legal',
        user_id: id,
        public_key: '',
        counter: 0,
        transports: [],
        is_syncable: false,
        is_synced: false,
        aaguid: '',
        name: '',
        rp_id: 'localhost',
        added_at: new Date(0),
      })
      .execute();
    await db
      .insertInto('app_codes')
      .values({ id: 'app', user_id: id, secret: '', ...at })
      .execute();
    expect((await rowOf('legal'))?.cells.slice(1, 4)).toEqual([
      'Legal Staff',
      'Password, Key, Codes from an app',
      'Not lately',
    ]);
    expect((await rowOf('staff'))?.cells[1]).toBe('Help desk, Staff');
    expect((await rowOf('member'))?.cells[1]).toBe('Help desk, Member');
  });

  test('names the sign-in of the organization', async () => {
    await addRosewood(testApp);
    await keepAccount(testApp, await idOf('counter'));
    expect((await rowOf('counter'))?.cells[2]).toBe('Sign-in of Rosewood, Password');
  });

  test('gives verbs for staff, and none for administrators', async () => {
    const id = await idOf('legal');
    expect((await rowOf('legal'))?.actions).toEqual([
      { label: 'Open', href: `/console/people/${id}` },
      { label: 'Switch off', href: `/console/people/${id}/suspend` },
    ]);
    const colleague = await person(742);
    await addAdministrator(context, colleague.id, null);
    const { rows } = await listOf(house);
    const administrators = rows.slice(0, 2).map((row) => [row.id, row.actions]);
    expect(new Map(administrators as never)).toEqual(
      new Map([
        [String(await idOf('house')), []],
        [String(colleague.id), []],
      ]),
    );
    expect((await house.open(`/console/people/${colleague.id}`)).page).toMatchObject({
      message: 'notYours',
    });
  });

  test('says who switched an account off, and names neither operators nor other houses', async () => {
    const id = await idOf('agent');
    const state = async () => {
      const { rows } = await listOf(house);
      return rows.find((row) => row.id === String(id))?.cells[4];
    };
    await house.send(`/console/people/${id}/suspend`);
    const { at } = await db
      .selectFrom('audit_events')
      .select('at')
      .where('user_id', '=', id)
      .where('kind', '=', 'account.suspended')
      .executeTakeFirstOrThrow();
    const byColleague = { text: 'Switched off by Ana Ruiz', tone: 'off', since: at.getTime() };
    expect(await state()).toEqual(byColleague);
    expect((await rowOf('agent'))?.actions).toEqual([
      { label: 'Open', href: `/console/people/${id}` },
    ]);
    await setSuspended(context, id, false);
    await operator.send(`/console/people/${id}/suspend`);
    expect(textOf(await state())).toBe('Switched off by an operator');
    await setSuspended(context, id, false);
    // What happened in another house is not told.
    const moved = await person(900);
    await setSuspended(context, moved.id, true);
    await db.updateTable('users').set({ subtenant_id: 742 }).where('id', '=', moved.id).execute();
    const { rows } = await listOf(house);
    const { cells } = rows.find((row) => row.id === String(moved.id)) ?? { cells: [] };
    expect(cells[4]).toEqual({ text: 'Switched off', tone: 'off' });
    await db.deleteFrom('users').where('id', '=', moved.id).execute();
  });

  test('is searched, and its file names people: it asks for a key or an app', async () => {
    expect((await listOf(house, `${PATH}?text=grace`)).rows).toHaveLength(1);
    const refused = await house.send(`${PATH}/csv`);
    expect(refused.page).toMatchObject({ problem: expect.stringMatching(/not enough/) });
    const { text } = await operator.send(`${BELOW}/csv`);
    expect(text).toContain('Grace Mwangi');
    const [event] = await db
      .selectFrom('audit_events')
      .select('details')
      .where('kind', '=', 'console.downloaded')
      .execute();
    expect(event?.details).toMatchObject({ list: 'staff-742' });
  });

  test('has the administrators and the newest 200, and says how many there are', async () => {
    const now = testApp.clock.now();
    const ids = Array.from({ length: 230 }, (_, i) => 5_000_000_000 + i);
    await db
      .insertInto('users')
      .values(
        ids.map((id) => ({
          id,
          email: `crowd-${id}@people.test`,
          email_canonical: `crowd-${id}@people.test`,
          first_name: 'Ida',
          last_name: String(id),
          dial_code: '',
          mobile: '',
          password_hash: null,
          status: 'active' as const,
          sign_up_platform: 1,
          subtenant_id: 900,
          created_at: new Date(now.getTime() + id - 6_000_000_000),
          activated_at: now,
          trial_ends_at: null,
        })),
      )
      .execute();
    await db
      .insertInto('user_roles')
      .values(ids.map((user_id) => ({ user_id, role_id: 13 })))
      .execute();
    const page = await listOf(harbor);
    expect([page.count, page.pages, page.rows[0]?.cells[0]]).toEqual([200, 4, 'Tom Reyes']);
    expect(page.rows[1]?.cells[0]).toBe(`Ida ${ids.at(-1)}`);
    expect(page.lead).toMatch(/newest 200 of 231/);
    const { page: home } = await harbor.open('/console/house');
    expect(JSON.stringify((home as FormPage).told)).toContain('["People who work here","231"]');
    await db.deleteFrom('users').where('id', 'in', ids).execute();
  });
});

describe('[HOU-09] rights', () => {
  test('a help desk has no such page, and no address leads to another house', async () => {
    const never = (await helpDesk.open('/console/never-was')).status;
    for (const path of [PATH, `${PATH}/csv`, BELOW]) {
      expect((await helpDesk.open(path)).status).toBe(never);
    }
    for (const path of [BELOW, `${BELOW}/csv`, `${PATH}/900`, `${PATH}/900/csv`, `${PATH}/csv/1`]) {
      expect([path, (await house.open(path)).status]).toEqual([path, 404]);
    }
    expect((await listOf(harbor, `${PATH}?house=742&id=742`)).rows).toHaveLength(1);
    expect((await operator.open(PATH)).status).toBe(404);
    expect((await operator.open('/console/subtenants/999/staff')).status).toBe(404);
  });

  test('[CON-52] leads to a person, whose page leads back to it', async () => {
    const { id: staff } = await person(742);
    const { id: member } = await person(742, [1]);
    const way = async (desk: Desk, id: number) => (await desk.open(`/console/people/${id}`)).page;
    expect(await way(house, staff)).toMatchObject({ kind: 'person', isOwnStaff: true });
    expect(await way(house, member)).toMatchObject({ kind: 'person', isOwnStaff: false });
    expect(await way(operator, member)).toMatchObject({ kind: 'person', isOwnStaff: false });
  });

  test('an operator sees the rows of the house, which is an event, and each look is one', async () => {
    const before = testApp.clock.now();
    testApp.clock.advance(1);
    const page = await listOf(operator, BELOW);
    expect(page.title).toBe('Staff of Rosewood Senior Living');
    expect(page.lead).toMatch(/^You look at this house as its administrator does/);
    expect(page.links.map(({ href }) => href)).toEqual(['/console/subtenants/742/house']);
    const { rows } = await listOf(house);
    expect(page.rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    const events = await db
      .selectFrom('audit_events')
      .select(['kind', 'actor', 'details'])
      .where('at', '>', before)
      .where('kind', 'in', ['house.looked', 'console.searched'])
      .orderBy('id')
      .execute();
    const [admin, own] = [`staff:${await idOf('admin')}`, `staff:${await idOf('house')}`];
    const shown = rows.length;
    expect(events).toEqual([
      { kind: 'house.looked', actor: admin, details: { subtenantId: 742 } },
      { kind: 'console.searched', actor: admin, details: { list: 'staff-742 1', shown } },
      { kind: 'console.searched', actor: own, details: { list: 'staff 1', shown } },
    ]);
  });
});

describe('[HOU-01] the end of an administrator by a move or a closing is an event', () => {
  const ends = (id: number) =>
    db
      .selectFrom('audit_events')
      .select(['details', 'subtenant_id'])
      .where('user_id', '=', id)
      .where('kind', '=', 'house.administratorRemoved')
      .execute();
  const expected = [{ details: { subtenantId: 742 }, subtenant_id: 742 }];

  test('by a move', async () => {
    const { id } = await person(742);
    await addAdministrator(context, id, null);
    await setPerson(context, id, { firstName: 'Ida' });
    expect(await ends(id)).toEqual([]);
    await setPerson(context, id, { subtenantId: 900 });
    expect(await ends(id)).toEqual(expected);
  });

  test('by a closing', async () => {
    const { id, email } = await person(742);
    await addAdministrator(context, id, null);
    await openDesk(testApp, email);
    const { id: signInId } = await db
      .selectFrom('sign_ins')
      .select('id')
      .where('user_id', '=', id)
      .where('stage', '=', 'complete')
      .executeTakeFirstOrThrow();
    expect(await closeAccount(context, { userId: id, signInId })).toBe(true);
    expect(await ends(id)).toEqual(expected);
  });
});
