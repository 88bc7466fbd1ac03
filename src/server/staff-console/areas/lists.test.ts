/** [CON-20] Each list of the operators' pages: who sees it, and the same list as a file. */

import { limitsDesk } from '#locales/operator/console-areas.ts';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { createCsvReader } from '#domain/text/csv.ts';
import { AREA_PATHS, type ConsoleArea } from '#domain/help-desk/console-paths.ts';
import { addClient } from '../../identity-provider/oauth-clients/client-operations.ts';
import { demoEmail } from '../../demo/seed.ts';
import { openDesk } from '../../testing/desk.ts';
import { createTestAppWithPages } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const FORMULA = '=HYPERLINK("https://evil.test")';
const MINUTE = 60;
const MODULE = {
  id: 'admin',
  rootUrl: 'https://module.test/',
  loginUrl: 'https://module.test/login',
  secretHash: null,
  sealedTo: null,
  signOutUrl: null,
  accepts: ['otp'],
} as const;

const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100, modules: [MODULE] }));
const operator = await openDesk(testApp, 'admin');
const helpDesk = await openDesk(testApp, 'staff');
beforeAll(async () => {
  for (const { fill } of LISTS) await fill?.();
});

const FORMULA_NAME = '=cmd|calc';

async function leaveAnswer() {
  const { db, clock } = testApp;
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', demoEmail('member'))
    .executeTakeFirstOrThrow();
  await db
    .updateTable('users')
    .set({ first_name: FORMULA_NAME })
    .where('id', '=', user.id)
    .execute();
  await db
    .insertInto('survey_answers')
    .values({
      id: randomUUID(),
      user_id: user.id,
      registration_id: null,
      subject_id: 213,
      response_id: 412,
      sub_response: '',
      sealed_text: null,
      created_at: clock.now(),
    })
    .execute();
}

const lead = { name: FORMULA_NAME, email: 'lead@people.test', phone: '+15550100199' };

/** Each list with a row whose cell begins like a formula, where a stranger can bring one there. */
const LISTS: readonly {
  readonly area: ConsoleArea;
  readonly isPersonal?: boolean;
  readonly fill?: () => Promise<unknown>;
  /** A text that the list has after that. */
  readonly has: string;
}[] = [
  {
    area: 'promoCodes',
    fill: () =>
      testApp.db
        .insertInto('promo_codes')
        .values({ code: FORMULA, valid_until: testApp.clock.now(), max_uses: 3 })
        .execute(),
    has: FORMULA,
  },
  {
    area: 'leads',
    isPersonal: true,
    fill: () =>
      testApp.db
        .insertInto('received_leads')
        .values({
          idempotency_key: 'lead:1',
          lead: JSON.stringify(lead),
          received_at: testApp.clock.now(),
        })
        .execute(),
    has: FORMULA_NAME,
  },
  { area: 'survey', isPersonal: true, fill: leaveAnswer, has: FORMULA_NAME },
  {
    area: 'clients',
    fill: () =>
      addClient(adminOf(), {
        id: 'shown-client',
        name: FORMULA_NAME,
        redirectUris: ['https://app.test/back'],
      }),
    has: FORMULA_NAME,
  },
  { area: 'modules', has: 'https://module.test/' },
  { area: 'keys', has: 'handoff' },
  { area: 'limits', has: 'Password per network' },
];

const adminOf = () => {
  const { db, clock, config } = testApp;
  return { db, clock, config, audit: async () => undefined };
};

const downloads = () =>
  testApp.db
    .selectFrom('audit_events')
    .select(['actor', 'details'])
    .where('kind', '=', 'console.downloaded')
    .execute();

describe.each(LISTS)('[CON-20] $area', ({ area, has, isPersonal = false }) => {
  const path = `/console/${AREA_PATHS[area]}`;

  test('an operator sees it; for a help desk the page does not exist', async () => {
    const { page } = await operator.open(path);
    expect(page).toMatchObject({ kind: 'list', area });
    expect(JSON.stringify(page)).toContain(JSON.stringify(has).slice(1, -1));
    for (const each of [path, `${path}/csv`]) {
      expect((await helpDesk.open(each)).page).toMatchObject({ message: 'notFound' });
    }
  });

  test('[CON-05] S70: what shows people leaves a line, and nothing else does', async () => {
    const looks = () =>
      testApp.db
        .selectFrom('audit_events')
        .select('details')
        .where('kind', '=', 'console.searched')
        .orderBy('id')
        .execute();
    const before = (await looks()).length;
    const { page } = await operator.open(path);
    const shown = page?.kind === 'list' ? page.rows.length : 0;
    const lines = (await looks()).slice(before).map(({ details }) => details);
    expect(lines).toEqual(isPersonal ? [{ list: `${area} 1`, shown }] : []);
  });

  test('the file has the same rows, none of which is a formula, and is one event', async () => {
    const { page } = await operator.open(path);
    if (page?.kind !== 'list') throw new Error('No list');
    const before = (await downloads()).length;
    const { text } = isPersonal
      ? await operator.send(`${path}/csv`)
      : await operator.open(`${path}/csv`);
    expect(text.startsWith('\uFEFF')).toBe(true);
    const reader = createCsvReader();
    const [head, ...rows] = [...reader.push(text.slice(1)), ...reader.end()].map(
      ({ cells }) => cells ?? [],
    );
    expect(head).toEqual(page.columns);
    const plain = page.rows.map(({ cells }) =>
      cells.map((cell) =>
        typeof cell === 'string'
          ? cell
          : 'at' in cell
            ? new Date(cell.at).toISOString()
            : cell.text,
      ),
    );
    const guarded = plain.map((cells) =>
      cells.map((cell) => (/^[=+\-@]/.test(cell) ? `'${cell}` : cell)),
    );
    expect(rows.slice(0, page.rows.length)).toEqual(guarded);
    expect(rows).toHaveLength(page.count);
    expect((await downloads()).slice(before)).toEqual([
      { actor: expect.stringMatching(/^staff:\d+$/), details: { list: area, count: page.count } },
    ]);
  });
});

test('[CON-20] a long list comes in pages, and its search finds a row of any of them', async () => {
  const codes = Array.from({ length: 60 }, (_, index) => `PAGE-${index + 100}`);
  await testApp.db
    .insertInto('promo_codes')
    .values(codes.map((code) => ({ code, valid_until: null, max_uses: null })))
    .execute();
  const ids = async (query: string) => {
    const { page } = await operator.open(`/console/promo-codes?text=page-${query}`);
    return page?.kind === 'list' ? page.rows.map(({ id }) => id) : [];
  };
  expect(await ids('')).toEqual(codes.slice(0, 50));
  expect(await ids('&page=2')).toEqual(codes.slice(50));
  expect(await ids('159')).toEqual(['PAGE-159']);
  expect(await ids('&page=9')).toEqual([]);
});

test(
  '[CON-21] a form changes nothing without a fresh code, and loses nothing while it is asked for',
  { tags: 'long' },
  async () => {
    const desk = await openDesk(testApp, 'admin');
    testApp.clock.advance(6 * MINUTE);
    const path = '/console/promo-codes/add';
    const typed = { promoCode: 'kept-1', until: '', uses: '5' };
    const saved = () =>
      testApp.db.selectFrom('promo_codes').select('code').where('code', '=', 'KEPT-1').execute();
    expect((await desk.send(path, typed)).page).toMatchObject({
      kind: 'form',
      isFresh: false,
      fields: [{ value: 'kept-1' }, {}, { value: '5' }],
    });
    expect(await saved()).toEqual([]);
    expect((await desk.send(path, { ...typed, step: 'send' })).page).toMatchObject({
      isFresh: false,
      code: { canBeSent: true, sentTo: expect.any(String) },
    });
    const code = await testApp.codeFor('admin@demo.porchlight.test');
    expect((await desk.send(path, { ...typed, step: 'check', code: '000000' })).page).toMatchObject(
      {
        isFresh: false,
        problem: expect.any(String),
        fields: [{ value: 'kept-1' }, {}, { value: '5' }],
      },
    );
    expect((await desk.send(path, { ...typed, step: 'check', code })).page).toMatchObject({
      isFresh: true,
      fields: [{ value: 'kept-1' }, {}, { value: '5' }],
    });
    expect(await saved()).toEqual([]);
    expect((await desk.send(path, { ...typed, uses: 'many' })).page).toMatchObject({
      fields: [{ value: 'kept-1' }, {}, { value: 'many', problem: expect.any(String) }],
    });
    expect((await desk.send(path, typed)).location).toBe('/console/promo-codes?done=add');
    expect(await saved()).toHaveLength(1);
  },
);

test('[CON-20] E44: limits say who is held back first, in words and not in the names of settings', async () => {
  const listed = async () => {
    const { page } = await operator.open('/console/limits');
    if (page?.kind !== 'list') throw new Error('No list');
    return page;
  };
  const { lead } = await listed();
  await testApp.db
    .insertInto('audit_events')
    .values({
      at: testApp.clock.now(),
      kind: 'limit.refused',
      user_id: null,
      visit_id: null,
      ip: null,
      request_id: null,
      details: '{"limit": "signUpPerIp"}',
    })
    .execute();
  const page = await listed();
  expect(lead).toBe(limitsDesk.nobody);
  expect(page.lead).toBe(limitsDesk.list.lead);
  expect(page.rows[0]?.cells.slice(0, 3)).toEqual([
    'Sign up per network',
    '0',
    { text: '1', tone: 'bad' },
  ]);
  expect(page.rows[0]?.cells[5]).toMatch(/^\d+ (day|hour|minute)s?$/);
  expect(JSON.stringify(page.rows.map(({ cells }) => cells))).not.toMatch(/[a-z][A-Z]/);
});
