/** [HOU-05] What an administrator of a house has to prove, and what the house does for itself. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { FormPage } from '#contract/console.ts';
import type { ConsoleGrant } from '#domain/help-desk/console-rights.ts';
import { createRateLimits } from '../abuse/rate-limits.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { findAccountByEmail, grantRoles } from '../accounts/account-store.ts';
import { areIndependent } from '../contacts/independent-staff.ts';
import { demoEmail } from '../demo/seed.ts';
import { addAdministrator, setHouseRoles } from '../people/house.ts';
import { adminContextOf } from '../testing/admin-context.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { loadProductLogos } from '../subtenants/logos.ts';
import { samplePng } from '../testing/sample-png.ts';
import { createTestAppWithPages, SECRET } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const DAY_MS = 24 * 3600 * 1000;
const testApp = closeAtEnd(await createTestAppWithPages());
const { db } = testApp;
let house: Desk;
let operator: Desk;
beforeAll(async () => {
  house = await openDesk(testApp, 'house');
  operator = await openDesk(testApp, 'admin');
});

const idOf = async (name: string) => (await findAccountByEmail(db, demoEmail(name)))?.id ?? 0;
const rowOf = (id: number) =>
  db.selectFrom('subtenants').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

let count = 0;
async function member(roles: readonly number[] = [1]): Promise<number> {
  const email = `house-${(count += 1)}@people.test`;
  const { userId } = await testApp.visitor().register({ emailAddress: email });
  await db.deleteFrom('user_roles').where('user_id', '=', userId).execute();
  await grantRoles(db, userId, roles);
  await db.updateTable('users').set({ subtenant_id: 742 }).where('id', '=', userId).execute();
  return userId;
}

async function upload(desk: Desk, path: string, bytes: Buffer, name = 'logo.png') {
  const { page } = await desk.open(path);
  const body = new FormData();
  body.set('xsrf', page?.xsrf ?? '');
  body.set('once', `upload-${(count += 1)}`);
  body.set('file', new Blob([new Uint8Array(bytes)]), name);
  return desk.read(await desk.visitor.request(path, { method: 'POST', body }));
}

/** The person has had an app's code for long. */
async function giveApp(name: string) {
  const user_id = await idOf(name);
  const at = { added_at: new Date(0), confirmed_at: new Date(0) };
  await db
    .insertInto('app_codes')
    .values({ id: `app-${name}`, user_id, secret: '', ...at })
    .execute();
  return () => db.deleteFrom('app_codes').where('user_id', '=', user_id).execute();
}

describe('[HOU-06] the look of a house', () => {
  const look = { logo: '/logos/742.svg', language: 'es', accent: '#1f4e8c' };

  test('is changed at once, but for its name, and put back by one press', async () => {
    const before = await rowOf(742);
    const { location } = await house.send('/console/house/look', { ...look, name: 'Evil House' });
    expect(location).toBe('/console/house?done=look');
    const after = { ...before, language: 'es', accent: '#1F4E8C' };
    expect(await rowOf(742)).toEqual(after);
    expect((await rowOf(900)).accent).toBe('#8A3B12');
    expect((await house.send('/console/house/back')).status).toBe(303);
    expect(await rowOf(742)).toEqual(before);
    testApp.clock.advance(30 * 24 * 3600 + 1);
    house = await openDesk(testApp, 'house');
    operator = await openDesk(testApp, 'admin');
    expect((await house.open('/console/house/back')).status).toBe(404);
  });

  test('has no logo of another house, and none with the bytes of one', async () => {
    const drawn = await house.visitor.request('/logos/900.svg');
    const svg = Buffer.from(await drawn.arrayBuffer());
    const copied = await upload(house, '/console/house/logo', svg, 'logo.svg');
    expect((copied.page as FormPage).fields[0]?.problem).toMatch(/not one of your house/);
    const bytes = samplePng(30, 30);
    expect((await upload(operator, '/console/subtenants/900/logo', bytes)).status).toBe(303);
    const { logo_path: other } = await rowOf(900);
    // Of a house whose number begins as this one's; and of the product, but in use elsewhere.
    const added = { content: '', added_at: testApp.clock.now() };
    await db
      .insertInto('logos')
      .values({ file: '7420-1.png', ...added })
      .execute();
    const [used = ''] = loadProductLogos()
      .paths()
      .filter((path) => !/\d/.test(path));
    await db
      .insertInto('subtenants')
      .values({ id: 7420, name: 'Longer Number', logo_path: used })
      .execute();
    const others = [other, '/logos/900.svg', '/logos/never.svg', '/logos/7420-1.png', used];
    for (const logo of others) {
      const { page } = await house.send('/console/house/look', { ...look, logo });
      const problems = (page as FormPage).fields.map(({ problem }) => problem).filter(Boolean);
      expect(problems).toEqual([expect.stringMatching(/not one of your house/)]);
    }
    const { page } = await upload(house, '/console/house/logo', bytes);
    expect((page as FormPage).fields[0]?.problem).toMatch(/not one of your house/);
    const preview = await house.open(`/console/house/preview?logo=${encodeURIComponent(other)}`);
    expect(preview.text).not.toContain(other);
    const mail = await house.open('/console/house/preview?what=mail');
    expect([mail.status, mail.text]).toEqual([200, expect.stringContaining('Rosewood')]);
  });

  test('a new logo is mailed to operators with both pictures', async () => {
    const { logo_path: before } = await rowOf(742);
    expect((await upload(house, '/console/house/logo', samplePng(40, 20))).status).toBe(303);
    const { logo_path: after } = await rowOf(742);
    expect(after).toMatch(/^\/logos\/742-/);
    await testApp.app.outbox.settle();
    const mail = (await testApp.inbox(demoEmail('admin'))).find((each) =>
      each.subject.includes('new logo'),
    );
    expect(mail?.text).toContain(before);
    expect(mail?.text).toContain(after);
  });
});

test('[HOU-06] a note to the operators goes once an hour', async () => {
  const ask = () => house.send('/console/house/ask', { note: 'Our name has changed to Rosewood.' });
  expect((await ask()).status).toBe(303);
  expect((await ask()).page).toMatchObject({ problem: expect.stringMatching(/within this hour/) });
});

describe('[HOU-05] proofs', () => {
  test('every form of the house asks for a code of the last five minutes', async () => {
    const own = await openDesk(testApp, 'house');
    testApp.clock.advance(6 * 60);
    for (const path of ['look', 'logo', 'ask']) {
      const sent = await own.send(`/console/house/${path}`, { note: 'Change it', logo: 'x' });
      expect(sent.page).toMatchObject({ kind: 'form', isFresh: false });
    }
    house = await openDesk(testApp, 'house');
    operator = await openDesk(testApp, 'admin');
  });

  test('a role with help desk rights is given with a key or an app’s code, and only from the list', async () => {
    const id = await member();
    const path = `/console/people/${id}/giveRole`;
    const give = async () => (await house.send(path, { role: '3' })).page;
    const rolesOf = async () =>
      (await db.selectFrom('user_roles').selectAll().where('user_id', '=', id).execute()).map(
        (row) => [row.role_id, row.given_by],
      );
    expect(await give()).toMatchObject({ fields: [{ problem: expect.any(String) }] });
    await setHouseRoles(adminContextOf(testApp), 742, [3, 5]);
    expect(await give()).toMatchObject({ problem: expect.stringMatching(/by mail is not enough/) });
    expect(await rolesOf()).toEqual([[1, null]]);
    // Another role of the list needs no such proof.
    expect((await house.send(path, { role: '5' })).status).toBe(303);
    const takeApp = await giveApp('house');
    expect(await give()).toBe(null);
    await takeApp();
    expect(await rolesOf()).toContainEqual([3, await idOf('house')]);
  });

  test('a file that names people is, too, and the other administrators are told of it', async () => {
    const [off, other] = [await member(), await member()];
    for (const id of [off, other]) await addAdministrator(adminContextOf(testApp), id, null);
    await db.updateTable('users').set({ status: 'inactive' }).where('id', '=', off).execute();
    const path = '/console/survey/csv';
    const { page } = await house.send(path);
    expect(page).toMatchObject({ problem: expect.stringMatching(/by mail is not enough/) });
    const takeApp = await giveApp('house');
    expect((await house.send(path)).page).toBe(null);
    await takeApp();
    await testApp.app.outbox.settle();
    const told = async (email: string) =>
      (await testApp.inbox(email)).filter(({ subject }) =>
        subject.includes('A list of your house was downloaded'),
      ).length;
    expect([
      await told(`house-${count}@people.test`),
      // Switched off; the one who did it; another house's.
      await told(`house-${count - 1}@people.test`),
      await told(demoEmail('house')),
      await told(demoEmail('harbor')),
    ]).toEqual([1, 0, 0, 0]);
  });

  test.each(['house', 'staff'])(
    'after 20 people whom %s switched off the next is refused, and operators are told',
    async (name) => {
      const desk = await openDesk(testApp, name);
      const id = await member();
      const staff = String(await idOf(name));
      const uses = Array.from({ length: 19 }, () => [RATE_LIMITS.suspendsPerStaff, staff] as const);
      const secretBox = createSecretBox(SECRET);
      const { clock, config } = testApp;
      await createRateLimits({ db, clock, secretBox, config }).isWithin(...uses);
      const path = `/console/people/${id}/suspend`;
      expect((await desk.send(path)).status).toBe(303);
      const next = await member();
      const { page } = await desk.send(`/console/people/${next}/suspend`);
      expect(page).toMatchObject({ problem: expect.stringMatching(/20 people within an hour/) });
      await testApp.app.outbox.settle();
      const mails = await testApp.inbox(demoEmail('admin'));
      expect(mails.map(({ text }) => text).join()).toContain('switched off 20 people');
      const { status } = await db
        .selectFrom('users')
        .select('status')
        .where('id', '=', next)
        .executeTakeFirstOrThrow();
      expect(status).toBe('active');
    },
  );
});

test('[HOU-05] two staff members count as two only by rights that are old and not from each other', async () => {
  const now = testApp.clock.now();
  const rights = { grants: testApp.config.console, now };
  const old = new Date(now.getTime() - 30 * DAY_MS);
  const made = async (by: number | null, at: Date | null) => {
    const id = await member([]);
    await db
      .insertInto('user_roles')
      .values({ user_id: id, role_id: 3, given_by: by, given_at: at })
      .execute();
    return id;
  };
  const [first, unknown, young] = [
    await made(null, old),
    await made(null, null),
    await made(null, now),
  ];
  const given = await made(first, old);
  const newOperator = await member([]);
  await db
    .insertInto('user_roles')
    .values({ user_id: newOperator, role_id: 4, given_by: first, given_at: now })
    .execute();
  const administrator = await member();
  await db
    .insertInto('house_administrators')
    .values({ user_id: administrator, subtenant_id: 742, given_by: null, given_at: old })
    .execute();
  const hers = await made(administrator, old);
  const admin = await idOf('admin');
  const none = await member();
  const areTwo = (a: number, b: number) => areIndependent(db, [a, b], rights);
  expect([
    await areTwo(first, unknown),
    await areTwo(first, administrator),
    await areTwo(administrator, given),
    await areTwo(admin, first),
    await areTwo(newOperator, first),
    await areTwo(first, young),
    await areTwo(first, given),
    await areTwo(given, first),
    await areTwo(administrator, hers),
    await areTwo(first, none),
  ]).toEqual([true, true, true, true, true, false, false, false, false, false]);

  // A right that settings give to an account is as old as they are; a role counts in its own house alone.
  const grants: readonly ConsoleGrant[] = [
    ...testApp.config.console,
    { role: 'helpDesk', accountId: none },
    { role: 'helpDesk', subtenantId: 900, roleId: 5 },
  ];
  await db
    .insertInto('user_roles')
    .values({ user_id: young, role_id: 5, given_by: null, given_at: old })
    .execute();
  expect([
    await areIndependent(db, [first, none], { grants, now }),
    await areIndependent(db, [first, young], { grants, now }),
  ]).toEqual([true, false]);
});

describe('[HOU-01] the operators’ page of a house', () => {
  test('gives and takes the right and the list, of the own accounts alone', async () => {
    const path = '/console/subtenants/900/rights';
    const { page } = await operator.send(path, { add: demoEmail('member'), roles: '5' });
    expect((page as FormPage).fields[0]?.problem).toMatch(/No active account of this house/);
    const id = await member();
    await db.updateTable('users').set({ subtenant_id: 900 }).where('id', '=', id).execute();
    const email = `house-${count}@people.test`;
    expect((await operator.send(path, { add: email, roles: '5' })).status).toBe(303);
    const row = await db
      .selectFrom('house_administrators')
      .selectAll()
      .where('user_id', '=', id)
      .executeTakeFirst();
    expect(row).toMatchObject({ subtenant_id: 900, given_by: await idOf('admin') });
    expect((await operator.send(path, { remove: String(id) })).status).toBe(303);
    expect(
      await db.selectFrom('house_roles').selectAll().where('subtenant_id', '=', 900).execute(),
    ).toEqual([]);
  });

  test('[HOU-08] shows the house as its administrator sees it, and writes it down', async () => {
    const { page } = await operator.open('/console/subtenants/900/house');
    expect((page as FormPage).told?.lines).toEqual([
      'You look at this house as its administrator does. It is written down.',
    ]);
    const own = await (await openDesk(testApp, 'harbor')).open('/console/house');
    const rows = (of: typeof page) => (of as FormPage).told?.parts?.map((part) => part.rows);
    expect(rows(page)).toEqual(rows(own.page));
    const events = await db
      .selectFrom('audit_events')
      .selectAll()
      .where('kind', '=', 'house.looked')
      .execute();
    expect(events).toHaveLength(1);
  });
});
