/** [CON-01] [CON-02] Who comes in at the console, and how long. */

import { describe, expect, test } from 'vitest';
import { findAccountByEmail } from '../accounts/account-store.ts';
import { consoleRights } from '../config/console-config.ts';
import { demoEmail } from '../demo/seed.ts';
import { openDesk } from '../testing/desk.ts';
import { addRosewood, keepAccount } from '../testing/organisation.ts';
import { createTestAppWithPages, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const MINUTE = 60;

const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));

test('[CON-01] without a session the page leads to the sign-in, which returns to it', async () => {
  const answer = await testApp.visitor().request('/console/people/1');
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/account/signin?next=console');
});

test(
  '[CON-01] for an account without console rights the page does not exist',
  { tags: 'long' },
  async () => {
    for (const name of ['member', 'legal', 'counter', 'agent']) {
      const desk = await openDesk(testApp, name);
      const { status, location } = await desk.open('/console');
      expect([name, status, location]).toEqual([name, 303, '/account/ErrorPage']);
    }
  },
);

test('[CON-01] the visit cookie alone opens nothing: the account has to know the browser', async () => {
  const desk = await openDesk(testApp, 'staff');
  expect((await desk.open('/console')).status).toBe(200);
  desk.visitor.cookies.delete('device');
  expect((await desk.open('/console')).location).toContain('next=console');
});

test('[ORG-07] a session by the organization opens the console where the entry says so alone', async () => {
  const { db } = testApp;
  await addRosewood(testApp);
  const { id = 0 } = (await findAccountByEmail(db, demoEmail('staff'))) ?? {};
  await keepAccount(testApp, id);
  const desk = await openDesk(testApp, 'staff');
  await db
    .updateTable('sign_ins')
    .set({ amr: ['fed', 'otp'] })
    .where('user_id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
  expect((await desk.open('/console')).location).toBe('/account/ErrorPage');
  // Beside the store, which would end the session.
  await db.updateTable('organisations').set({ opens_console: true }).execute();
  expect((await desk.open('/console')).status).toBe(200);
  await db.deleteFrom('organisation_links').execute();
});

describe('[CON-01] a body', () => {
  const send = (visitor: Visitor, path: string, type: string, body: string) =>
    visitor.request(path, { method: 'POST', headers: { 'content-type': type }, body });
  const FILES = 'multipart/form-data; boundary=x';
  const URLENCODED = 'application/x-www-form-urlencoded';

  test.each([FILES, URLENCODED, 'application/xml'])(
    'is not read before the session is known: %s',
    async (type) => {
      const answer = await send(testApp.visitor(), '/console/subtenants', type, 'no form at all');
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        '/account/signin?next=console',
      ]);
    },
  );

  test('with a file is read on the pages of subtenants alone', async () => {
    const { visitor } = await openDesk(testApp, 'admin');
    expect((await send(visitor, '/console/invite', FILES, '')).status).toBe(415);
    expect((await send(visitor, '/console/subtenants', FILES, '')).status).toBe(400);
  });

  test('has 32 fields at most', async () => {
    const { visitor } = await openDesk(testApp, 'admin');
    const xsrf = visitor.cookies.get('XSRF-TOKEN') ?? '';
    const statusOf = async (fields: number) => {
      const body = `xsrf=${encodeURIComponent(xsrf)}${'&a=1'.repeat(fields - 1)}`;
      return (await send(visitor, '/console/invite', URLENCODED, body)).status;
    };
    expect([await statusOf(32), await statusOf(33)]).toEqual([200, 403]);
  });
});

test(
  '[CON-01] a page has no script, is not stored, not framed and not indexed',
  { tags: 'long' },
  async () => {
    const desk = await openDesk(testApp, 'staff');
    const { headers } = await desk.visitor.request('/console');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toMatch(/script-src|unsafe|https?:/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect((await desk.open('/console')).text).not.toContain('<script');
  },
);

test(
  '[CON-01] fifteen idle minutes end the session; each page begins them anew',
  { tags: 'long' },
  async () => {
    // An operator is no staff to the portal: there the session would live for thirty.
    const desk = await openDesk(testApp, 'admin');
    for (const _ of [1, 2]) {
      testApp.clock.advance(14 * MINUTE);
      expect((await desk.open('/console')).status).toBe(200);
    }
    testApp.clock.advance(15 * MINUTE);
    const { status, location } = await desk.open('/console');
    expect([status, location]).toEqual([303, '/account/signin?next=console&expired=1']);
    expect((await desk.open('/account/me')).location).toContain('/account/signin');
  },
);

test('[CON-01] signing out ends the session for the portal, too', { tags: 'long' }, async () => {
  const desk = await openDesk(testApp, 'admin');
  expect((await desk.send('/console/sign-out')).status).toBe(303);
  expect((await desk.open('/console')).location).toContain('next=console');
});

describe('[CON-01] a form that is none of the page’s own', () => {
  const FORGED = [
    ['without a token', '', {}],
    ['from another site', 'own', { 'sec-fetch-site': 'cross-site' }],
    ['with a token of nobody', 'made-up', {}],
    ['with another origin', 'own', { 'sec-fetch-site': '', origin: 'https://else.test' }],
  ] as const;
  for (const [index, [name, given, headers]] of FORGED.entries()) {
    const tags = index < 2 ? [] : ['long'];
    test(`${name} changes nothing`, { tags }, async () => {
      const desk = await openDesk(testApp, 'admin');
      const person = await newPerson();
      const { page } = await desk.open('/console');
      const xsrf = given === 'own' ? page?.xsrf : given;
      const answer = await desk.visitor.request(`/console/people/${person}/suspend`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ how: 'called', ...(xsrf && { xsrf }) }),
      });
      expect(answer.status).toBe(403);
      expect(await statusOf(person)).toBe('active');
    });
  }

  test(
    'with the token of another staff member’s page changes nothing',
    { tags: 'long' },
    async () => {
      const [desk, other] = [await openDesk(testApp, 'admin'), await openDesk(testApp, 'staff')];
      const person = await newPerson();
      const { page } = await other.open('/console');
      const answer = await desk.send(`/console/people/${person}/suspend`, {
        xsrf: page?.xsrf ?? '',
      });
      expect(answer.status).toBe(403);
      expect(await statusOf(person)).toBe('active');
    },
  );
});

test('[CON-02] in production nobody has rights by default; a demo has them unless the settings name others', () => {
  const none = { PORCHLIGHT_CONSOLE_HELP_DESK: [], PORCHLIGHT_CONSOLE_OPERATORS: [] };
  expect(consoleRights(none, true)).toEqual([]);
  expect(consoleRights(none, false)).toEqual([
    { role: 'helpDesk', subtenantId: 742, roleId: 3 },
    { role: 'operator', subtenantId: 742, roleId: 4 },
  ]);
  const named = { ...none, PORCHLIGHT_CONSOLE_OPERATORS: ['account:17'] };
  expect(consoleRights(named, false)).toEqual([{ role: 'operator', accountId: 17 }]);
});

let count = 0;
async function newPerson(): Promise<number> {
  const { userId } = await testApp
    .visitor()
    .register({ emailAddress: `entrance-${(count += 1)}@people.test` });
  return userId;
}

async function statusOf(id: number): Promise<string | undefined> {
  const row = await testApp.db
    .selectFrom('users')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.status;
}
