/** [HOU-03] An administrator of a house has the own house, and nothing else is there. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { FormPage, ListPage } from '#contract/console.ts';
import { eventNames } from '#locales/operator/events.ts';
import { AREA_PATHS, CONSOLE_AREAS } from '#domain/help-desk/console-paths.ts';
import { consoleAreasOf } from '#domain/help-desk/console-rights.ts';
import { findAccountByEmail } from '../accounts/account-store.ts';
import { demoEmail } from '../demo/seed.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { createTestAppWithPages } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { KIND_IS_SHOWN } from './areas/house-kinds.ts';

const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));
const houses = { house: 742, harbor: 900 } as const;
type Name = keyof typeof houses;

let desks: Record<Name, Desk>;
let operator: Desk;
beforeAll(async () => {
  desks = {
    house: await openDesk(testApp, 'house'),
    harbor: await openDesk(testApp, 'harbor'),
  };
  operator = await openDesk(testApp, 'admin');
  await testApp.db
    .insertInto('received_leads')
    .values(
      ['member', 'harbor'].map((name) => ({
        idempotency_key: `lead:${name}`,
        lead: JSON.stringify({ name, email: demoEmail(name), phone: '' }),
        received_at: testApp.clock.now(),
      })),
    )
    .execute();
});

/** Returns an answer without what differs from one page to the next. */
const plain = (text: string) =>
  text.replaceAll(/nonce="?[^"\s>]+|"(?:once|xsrf|now)":(?:"[^"]*"|\d+)|'nonce-[^']+'/g, '');

/** The pages of a house below its id, and those of the own one with another's id behind them. */
const ofHouses = Object.values(houses).flatMap((id) =>
  ['staff', 'staff/csv', 'look'].flatMap((word) => [
    `/console/subtenants/${id}/${word}`,
    `/console/house/${id}/${word}`,
    `/console/house/${word}/${id}`,
  ]),
);

/** Returns every address of the console that an operator's pages lead to, two pages deep, and those of houses. */
async function addresses(): Promise<readonly string[]> {
  const found = new Set([
    ...CONSOLE_AREAS.map((area) => `/console/${AREA_PATHS[area]}`),
    ...ofHouses,
  ]);
  for (const path of [...found, '/console', '/console/more']) {
    const { text } = await operator.open(path);
    for (const [, href = ''] of text.matchAll(/"(\/console\/[^"?]+)/g)) found.add(href);
  }
  return [...found].filter((path) => !path.startsWith('/console/sign-out'));
}

describe.each(Object.keys(houses) as Name[])('[HOU-03] the administrator %s', (name) => {
  const house = houses[name];
  const areas: readonly string[] = consoleAreasOf('administrator').map((area) => AREA_PATHS[area]);
  const other = name === 'house' ? 'Harbor Point Care' : 'Rosewood Senior Living';
  const strangers = name === 'house' ? ['Tom Reyes'] : ['Margaret Okafor', 'Ana Ruiz'];

  test('finds of each address of the console the own house, or the same 404 to the letter', async () => {
    const desk = desks[name];
    const never = await desk.open('/console/never-was');
    expect([never.status, never.page?.kind]).toEqual([404, 'message']);
    const { visitor } = desk;
    const neverSent = await visitor.request('/console/never-was', { method: 'POST', body: '{}' });
    const neverText = plain(await neverSent.text());
    const rows = () =>
      testApp.db.selectFrom('audit_events').select('id').where('kind', 'not like', 'console.%');
    let closed = 0;
    for (const path of await addresses()) {
      const [, , word = ''] = path.split('/');
      const answer = await desk.open(path);
      expect([path, answer.text.includes(other)]).toEqual([path, false]);
      for (const stranger of strangers) expect(answer.text).not.toContain(stranger);
      if (areas.includes(word) || ['people', 'invite', 'more'].includes(word)) continue;
      closed += 1;
      expect([path, answer.status, plain(answer.text)]).toEqual([path, 404, plain(never.text)]);
      const before = (await rows().execute()).length;
      const bodies = [
        { body: new URLSearchParams({ xsrf: 'x' }) },
        { body: '{"a":1}', headers: { 'content-type': 'application/json' } },
        { body: '{}' },
      ];
      for (const body of bodies) {
        const sent = await visitor.request(path, { method: 'POST', ...body });
        expect([path, sent.status, plain(await sent.text())]).toEqual([path, 404, neverText]);
      }
      expect((await rows().execute()).length).toBe(before);
    }
    expect(closed).toBeGreaterThan(20);
  });

  test('has pages of the own house, whatever a query or a field names', async () => {
    const desk = desks[name];
    const elsewhere = house === 742 ? 900 : 742;
    for (const query of ['', `?house=${elsewhere}`, `?subtenantId=${elsewhere}&id=${elsewhere}`]) {
      const { page } = await desk.open(`/console/house${query}`);
      expect((page as FormPage).title).not.toBe(other);
      const staff = await desk.open(`/console/house/staff${query}`);
      expect(staff.page).toMatchObject({ kind: 'list', title: 'Staff' });
      for (const stranger of strangers) expect(staff.text).not.toContain(stranger);
      const figures = await desk.open(`/console/sign-ins${query}`);
      expect(figures.page).toMatchObject({ kind: 'signIns', house: null, houses: [] });
    }
    for (const path of ofHouses) {
      expect([path, (await desk.open(path)).status]).toEqual([path, 404]);
    }
    expect((await desk.open(`/console/house/${elsewhere}`)).status).toBe(404);
    expect((await desk.open(`/console/sign-ins/who/${elsewhere}/week/tried`)).status).toBe(404);
  });

  test('[HOU-06] counts leads and answers of the own accounts alone', async () => {
    const { page } = await desks[name].open('/console/leads');
    const { rows, count, links } = page as unknown as ListPage;
    expect([rows.map(({ cells }) => cells[0]), count, links]).toEqual([
      [name === 'house' ? 'member' : 'harbor'],
      1,
      [],
    ]);
    for (const path of ['purge', 'resend', 'lead:member/purge']) {
      expect((await desks[name].open(`/console/leads/${path}`)).status).toBe(404);
    }
  });
});

describe('[HOU-07] the audit of a house', () => {
  test('names each kind as in or out', () => {
    expect(Object.keys(KIND_IS_SHOWN).toSorted()).toEqual(Object.keys(eventNames).toSorted());
  });

  test('shows its accounts and its staff, and of operators neither name nor account', async () => {
    const member = await findAccountByEmail(testApp.db, demoEmail('member'));
    const path = `/console/people/${member?.id}/endSessions`;
    await openDesk(testApp, 'member');
    await operator.send(path);
    await openDesk(testApp, 'member');
    await desks.house.send(path);
    // The person's page names no operator either, nor a reference.
    const person = await desks.house.open(`/console/people/${member?.id}`);
    expect(person.text).toContain('"by":"An operator"');
    expect(person.text).not.toMatch(/Elena Sorensen|"request":"/);
    const read = async (desk: Desk) => {
      const { page, text } = await desk.open('/console/audit');
      expect(text).not.toMatch(/127\.0\.0\.1|"details"|staff[: ]\d/);
      return page as unknown as ListPage;
    };
    const page = await read(desks.house);
    const acts = page.rows.filter(({ cells }) => cells[1] === 'Signed out everywhere');
    expect(new Set(acts.map(({ cells }) => cells[3]))).toEqual(
      new Set(['An operator', 'Ana Ruiz']),
    );
    expect(JSON.stringify(page.rows)).not.toContain('Elena Sorensen');
    expect(page.fields.map((field) => field.name)).toEqual(['person', 'from', 'to', 'outcome']);
    // Nothing of an operator's own account: a sign-in of one adds no row, and each look at the list adds its own.
    await openDesk(testApp, 'admin');
    expect((await read(desks.house)).count).toBe(page.count + 1);
    const elsewhere = await read(desks.harbor);
    expect(JSON.stringify(elsewhere.rows)).not.toContain('Okafor');
    expect((await desks.house.open('/console/audit/verify')).status).toBe(404);
  });
});
