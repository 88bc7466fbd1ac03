/** [CON-21] Each form of the operators' pages: nothing without a fresh code, then one change with one event. */

import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addClient,
  clientStoreOf,
} from '../../identity-provider/oauth-clients/client-operations.ts';
import { listKeys, rotateKeys } from '../../crypto/key-operations.ts';
import { addPromoCode } from '../../sign-up/promo-code-operations.ts';
import { createSecretBox, hashToken } from '../../crypto/secret-box.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';
import { freePort } from '../../testing/free-port.ts';
import { createTestAppWithPages, SECRET, type TestApp } from '../../testing/test-app.ts';

const MINUTE = 60;
let testApp: TestApp;
let desk: Desk;
let kid: string;
const module = createServer((request, response) => {
  response.statusCode = request.method === 'POST' ? 400 : 200;
  response.end();
});
beforeAll(async () => {
  const port = await freePort();
  const rootUrl = `http://127.0.0.1:${port}/`;
  await new Promise<void>((done) => {
    module.listen(port, '127.0.0.1', done);
  });
  testApp = await createTestAppWithPages({
    limitFactor: 100,
    crm: { url: 'https://crm.test/', key: 'k', tag: 't' },
    modules: [
      {
        id: 'admin',
        rootUrl,
        loginUrl: `${rootUrl}login`,
        secretHash: null,
        sealedTo: null,
        signOutUrl: `${rootUrl}out`,
        accepts: ['otp'],
      },
    ],
  });
  desk = await openDesk(testApp, 'admin');
  const admin = adminOf();
  for (const code of ['SET-1', 'END-1']) {
    await addPromoCode(admin, code, { validUntil: null, maxUses: 9 });
  }
  for (const id of ['set-me', 'rotate-me', 'remove-me']) await addClient(admin, client(id));
  await rotateKeys(admin, ['handoff'], false);
  kid = (await listKeys(admin)).find(({ state }) => state === 'next')?.kid ?? '';
  for (const key of ['lead:1', 'lead:2']) {
    const lead = JSON.stringify({ name: 'Ruth', email: 'ruth@people.test' });
    const row = { idempotency_key: key, lead, received_at: testApp.clock.now() };
    await testApp.db.insertInto('received_leads').values(row).execute();
  }
});
afterAll(async () => {
  await testApp.close();
  module.close();
});

const adminOf = () => {
  const { db, clock, config } = testApp;
  return { db, clock, config, secretBox: createSecretBox(SECRET), audit: async () => undefined };
};
const client = (id: string) => ({
  id,
  name: 'Calendar',
  redirectUris: ['https://app.test/back'],
  auth: { method: 'client_secret_basic' },
});
const promo = async (code: string) =>
  testApp.db.selectFrom('promo_codes').selectAll().where('code', '=', code).executeTakeFirst();
const secretHash = async (id: string) => {
  const entry = await clientStoreOf(adminOf()).find(id);
  return entry && 'secretHash' in entry.auth ? entry.auth.secretHash : null;
};
const leadKeys = async () => {
  const rows = await testApp.db.selectFrom('received_leads').select('idempotency_key').execute();
  return rows.map((row) => row.idempotency_key);
};

type Row = {
  readonly path: string | (() => string);
  readonly fields?: Record<string, string>;
  readonly kind: string;
  /** What the form changes. */
  readonly state: () => Promise<unknown>;
  readonly after: unknown;
};

const FORMS: readonly Row[] = [
  {
    path: 'promo-codes/add',
    fields: { promoCode: 'autumn-26', until: '2026-12-31', uses: '5' },
    kind: 'promo.saved',
    state: () => promo('AUTUMN-26'),
    after: expect.objectContaining({
      max_uses: 5,
      valid_until: new Date('2026-12-31T23:59:59.999Z'),
    }),
  },
  {
    path: 'promo-codes/SET-1/set',
    fields: { until: '', uses: '' },
    kind: 'promo.saved',
    state: () => promo('SET-1'),
    after: expect.objectContaining({ max_uses: null, valid_until: null }),
  },
  {
    path: 'promo-codes/END-1/end',
    kind: 'promo.saved',
    state: () => promo('END-1'),
    after: expect.objectContaining({ max_uses: 9, valid_until: expect.any(Date) }),
  },
  {
    path: 'clients/add',
    fields: {
      clientId: 'new-client',
      name: 'New',
      redirectUris: 'https://one.test/a\r\nhttps://one.test/b',
      method: 'client_secret_post',
    },
    kind: 'client.added',
    state: () => clientStoreOf(adminOf()).find('new-client'),
    after: expect.objectContaining({
      redirectUris: ['https://one.test/a', 'https://one.test/b'],
      firstParty: false,
    }),
  },
  {
    path: 'clients/set-me/set',
    fields: { definition: JSON.stringify({ ...client('of-another'), name: 'Diary' }) },
    kind: 'client.changed',
    state: async () => (await clientStoreOf(adminOf()).find('set-me'))?.name,
    after: 'Diary',
  },
  {
    path: 'clients/rotate-me/rotate',
    kind: 'client.secretRotated',
    state: () => secretHash('rotate-me'),
    after: expect.any(String),
  },
  {
    path: 'clients/remove-me/remove',
    kind: 'client.removed',
    state: () => clientStoreOf(adminOf()).find('remove-me'),
    after: null,
  },
  {
    path: 'leads/lead%3A1/purge',
    kind: 'leads.purged',
    state: leadKeys,
    after: ['lead:2'],
  },
  { path: 'leads/resend', kind: 'leads.resent', state: leadKeys, after: [] },
  {
    path: () => `keys/${kid}/retire`,
    kind: 'keys.retired',
    state: async () => (await listKeys(adminOf())).some((key) => key.kid === kid),
    after: false,
  },
  {
    path: 'keys/rotate',
    fields: { use: 'es256', hurry: 'on' },
    kind: 'keys.rotated',
    state: async () => (await listKeys(adminOf())).filter(({ state }) => state === 'next').length,
    after: 1,
  },
  {
    path: 'limits/signUpPerIp/clear',
    kind: 'limits.cleared',
    state: async () => null,
    after: null,
  },
  {
    path: 'modules/admin/check',
    kind: 'module.checked',
    state: async () => null,
    after: null,
  },
];

const eventsOf = (kind: string) =>
  testApp.db
    .selectFrom('audit_events')
    .select(['actor', 'details'])
    .where('kind', '=', kind)
    .execute();

describe.each(FORMS)('[CON-21] $path', ({ path: word, fields = {}, kind, state, after }) => {
  test('changes nothing without a fresh code, and is one event with it', async () => {
    const path = `/console/${typeof word === 'string' ? word : word()}`;
    testApp.clock.advance(6 * MINUTE);
    const [before, events] = [await state(), await eventsOf(kind)];
    expect((await desk.send(path, fields)).page).toMatchObject({ kind: 'form', isFresh: false });
    expect([await state(), await eventsOf(kind)]).toEqual([before, events]);
    await desk.stepUp(path);
    const { page, status } = await desk.send(path, fields);
    expect(status === 303 || (page?.kind === 'form' && page.told !== null)).toBe(true);
    expect(await state()).toEqual(after);
    expect((await eventsOf(kind)).slice(events.length)).toEqual([
      { actor: expect.stringMatching(/^staff:\d+$/), details: expect.anything() },
    ]);
  });
});

test('[CON-21] a secret is told once, and kept as a hash', async () => {
  const { page } = await desk.send('/console/clients/rotate-me/rotate');
  if (page?.kind !== 'form') throw new Error('No form');
  const secret = page.told?.secret ?? '';
  expect(hashToken(secret)).toBe(await secretHash('rotate-me'));
  expect(await testApp.dump()).not.toContain(secret);
  expect((await desk.open('/console/clients/rotate-me/set')).text).not.toContain(
    await secretHash('rotate-me'),
  );
});

test('[CON-21] a module is asked whether it answers and takes sign-out calls', async () => {
  const { page } = await desk.send('/console/modules/admin/check');
  expect(page).toMatchObject({
    told: { lines: [expect.stringContaining('answers'), expect.stringContaining('listens')] },
  });
});

const helpDeskPages = [
  'promo-codes/add',
  'clients/add',
  'clients/set-me/rotate',
  'keys/rotate',
  'leads/purge',
  'limits/signUpPerIp/clear',
  'modules/admin/check',
];

test.each(helpDeskPages)(
  '[CON-20] a help desk reaches no form: %s',
  { tags: 'long' },
  async (word) => {
    const helpDesk = await openDesk(testApp, 'staff');
    for (const answer of [
      await helpDesk.open(`/console/${word}`),
      await helpDesk.send(`/console/${word}`),
    ]) {
      expect([answer.status, answer.page]).toEqual([
        404,
        expect.objectContaining({ message: 'notFound' }),
      ]);
    }
  },
);

test.each([
  'clients/rotate-me/constructor',
  'clients/none/set',
  'keys/none/retire',
  'limits/toString/clear',
])('[CON-20] %s is no page', async (word) => {
  expect((await desk.open(`/console/${word}`)).status).toBe(404);
});
