/** [CON-22] [CON-23] The look of a subtenant: previews, the look that is saved, and logos. */

import { expect, test } from 'vitest';
import { accentPairs } from '#domain/looks/theme.ts';
import { subtenantsDesk } from '#locales/operator/console-areas.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';
import { samplePng } from '../../testing/sample-png.ts';
import { createTestAppWithPages } from '../../testing/test-app.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const MINUTE = 60;
const testApp = closeAtEnd(await createTestAppWithPages({ limitFactor: 100 }));
const desk = await openDesk(testApp, 'admin');

const rowOf = (id: number) =>
  testApp.db.selectFrom('subtenants').selectAll().where('id', '=', id).executeTakeFirst();
const eventsOf = (kind: string) =>
  testApp.db
    .selectFrom('audit_events')
    .select(['actor', 'details'])
    .where('kind', '=', kind)
    .execute();
const LOOK = '/console/subtenants/900/look';
const typed = {
  name: 'Harbor House',
  logo: '/logos/742.svg',
  language: 'es',
  accent: '#7ac143',
  help_hours: '',
};

test('[CON-22] a look is shown before it is saved, and asks for a code when it is', async () => {
  const own = await openDesk(testApp, 'admin');
  testApp.clock.advance(6 * MINUTE);
  const shown = await own.send(LOOK, { ...typed, show: '1' });
  expect(shown.location).toBe(`${LOOK}?${String(new URLSearchParams(typed))}`);
  const { page } = await own.open(shown.location ?? '');
  if (page?.kind !== 'form' || !page.brand) throw new Error('No preview');
  expect(page.isFresh).toBe(true);
  expect(page.fields.map(({ value }) => value)).toEqual(Object.values(typed));
  expect(page.brand.asGiven).toBeCloseTo(2.2, 1);
  for (const { ratio } of page.brand.pairs) expect(ratio).toBeGreaterThanOrEqual(7);
  expect(await rowOf(900)).toMatchObject({ name: 'Harbor Point Care', accent: '#8A3B12' });
  expect((await own.send(LOOK, typed)).page).toMatchObject({ isFresh: false });
  expect(await eventsOf('subtenant.changed')).toEqual([]);
  await own.stepUp(LOOK);
  expect((await own.send(LOOK, typed)).location).toBe('/console/subtenants?done=look');
  expect(await rowOf(900)).toMatchObject({
    name: 'Harbor House',
    accent: '#7AC143',
    logo_path: '/logos/742.svg',
    language: 'es',
  });
  await desk.stepUp('/console/subtenants/add');
  expect(await eventsOf('subtenant.changed')).toEqual([
    { actor: expect.stringMatching(/^staff:\d+$/), details: expect.anything() },
  ]);
});

test('[CON-22] the button of a color shows the look in it, all else as it was typed (E72)', async () => {
  const shown = await desk.send(LOOK, { ...typed, show: '#1F4E8C' });
  const query = String(new URLSearchParams({ ...typed, accent: '#1F4E8C' }));
  expect(shown.location).toBe(`${LOOK}?${query}`);
});

test.each(Object.entries(subtenantsDesk.givenColors))(
  '[CON-22] white words are readable on the given color %s, %s (E72)',
  (color) => {
    expect(accentPairs(color).asGiven).toBeGreaterThanOrEqual(7);
  },
);

test('[CON-22] faults stand at their fields, and nothing is lost', async () => {
  const { page } = await desk.send(LOOK, { ...typed, name: '', accent: 'green' });
  expect(page).toMatchObject({
    fields: [
      { value: '', problem: expect.any(String) },
      {},
      { value: 'es' },
      { value: 'green', problem: expect.any(String) },
      { value: '' },
    ],
  });
  expect((await desk.send(LOOK, { ...typed, logo: '/logos/none.svg' })).page).toMatchObject({
    problem: expect.stringContaining('/logos/none.svg'),
  });
});

const preview = (what: string) =>
  `/console/subtenants/900/preview?what=${what}&theme=dark&${String(new URLSearchParams(typed))}`;

test.each([
  ['page', /style-src 'self' 'nonce-/],
  ['mail', /style-src 'unsafe-inline'; img-src 'self' data:; sandbox$/],
])(
  '[CON-22] R14: the preview of the %s is in the language of the house, runs nothing, and stands in our own frame alone',
  async (what, styles) => {
    const answer = await desk.visitor.request(preview(what));
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; /,
    );
    expect(policy).not.toContain('script-src');
    expect(policy).toMatch(styles);
    const html = await answer.text();
    expect(html).toContain('Harbor House');
    expect(html).toMatch(/<html[^>]* lang="es"/);
    expect(html).not.toContain('<script');
  },
);

test(
  '[CON-22] previews are for operators, and of a subtenant that exists',
  { tags: 'long' },
  async () => {
    const helpDesk = await openDesk(testApp, 'staff');
    expect((await helpDesk.open(preview('page'))).status).toBe(404);
    expect((await desk.open(preview('page').replace('900', '901'))).status).toBe(404);
  },
);

test('[CON-21] R13: a subtenant is added with its links, closed and opened', async () => {
  const add = { subtenantId: '31', name: 'Elm Court', accent: '', language: '' };
  expect(
    (await desk.send('/console/subtenants/add', { ...add, subtenantId: '0' })).page,
  ).toMatchObject({ fields: [{ problem: expect.any(String) }, { value: 'Elm Court' }, {}, {}] });
  const added = await desk.send('/console/subtenants/add', add);
  expect(added.location).toBe('/console/subtenants/31/links');
  const { page } = await desk.open('/console/subtenants/31/links');
  const { publicUrl } = testApp.config;
  const qr = { size: expect.any(Number) as number, path: expect.stringMatching(/^M/) as string };
  expect(page).toMatchObject({
    title: 'Elm Court',
    told: {
      lines: [expect.stringContaining('Its language: The usual one.')],
      doors: [
        { href: `${publicUrl}/Account/SignUp?subtenantId=31`, qr },
        { href: `${publicUrl}/account/signin?subtenantId=31`, qr },
      ],
    },
  });
  const helpDesk = await openDesk(testApp, 'staff');
  expect((await helpDesk.open('/console/subtenants/31/links')).status).toBe(404);
  expect(await rowOf(31)).toMatchObject({ name: 'Elm Court', accent: null, is_active: true });
  await desk.send('/console/subtenants/31/close');
  expect(await rowOf(31)).toMatchObject({ is_active: false });
  await desk.send('/console/subtenants/31/open');
  expect(await rowOf(31)).toMatchObject({ is_active: true });
  for (const kind of ['added', 'closed', 'opened']) {
    expect(await eventsOf(`subtenant.${kind}`)).toHaveLength(1);
  }
});

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`;

let forms = 0;
async function upload(name: string, content: string | Buffer, from: Desk = desk) {
  const path = '/console/subtenants/742/logo';
  const { page } = await from.open('/console');
  const body = new FormData();
  body.set('xsrf', page?.xsrf ?? '');
  body.set('once', `logo-${(forms += 1)}`);
  if (name) body.set('file', new File([content], name));
  return from.read(await from.visitor.request(path, { method: 'POST', body }));
}

test.each([
  ['notes.txt', 'text', 'no logo'],
  ['broken.png', 'no picture', 'cannot be read'],
  ['photo.jpg', samplePng(40, 40), 'cannot be read'],
  ['plain.svg', 'words', 'cannot be read'],
  ['script.svg', svg('<script>alert(1)</script>'), 'has code in it'],
  ['handler.svg', svg('<g onload="alert(1)"/>'), 'has code in it'],
  ['far.svg', svg('<image href="https://elsewhere.test/a.png"/>'), 'fetches something'],
  ['font.svg', svg('<style>@import "https://elsewhere.test/a.css"</style>'), 'fetches something'],
  [
    'large.png',
    Buffer.concat([samplePng(40, 40), Buffer.alloc(1_000_000)]),
    'larger than a megabyte',
  ],
  ['giant.png', samplePng(12_000, 9_000), 'has 12000 by 9000 pixels'],
  ['cut.png', samplePng(40, 40).subarray(0, 40), 'is cut off'],
  ['', '', 'Choose a file'],
] as const)('[CON-23] %s is refused at its field', async (name, content, says) => {
  const before = await rowOf(742);
  const { page } = await upload(name, content);
  expect(page).toMatchObject({ fields: [{ problem: expect.stringContaining(says) }] });
  expect(await rowOf(742)).toEqual(before);
});

test('[CON-23] a file beyond the limit of forms is told so', async () => {
  const { status, page } = await upload('huge.png', Buffer.alloc(1_600_000));
  expect([status, page]).toEqual([413, expect.objectContaining({ message: 'tooLarge' })]);
});

test.each([
  ['own.png', samplePng(96, 48), /^\/logos\/742-96x48-[\da-f]{16}\.png$/, 'image/png'],
  [
    'own.svg',
    svg('<rect fill="url(#a)"/>'),
    /^\/logos\/742-[\da-f]{16}\.svg$/,
    'image/svg+xml; charset=utf-8',
  ],
] as const)(
  '[CON-23] %s becomes the logo at once, of every instance',
  async (name, content, path, type) => {
    expect((await upload(name, content)).location).toBe('/console/subtenants?done=logo');
    const row = await rowOf(742);
    expect(row?.logo_path).toMatch(path);
    const logo = await testApp.visitor().request(row?.logo_path ?? '');
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, type]);
    expect(Buffer.from(await logo.arrayBuffer()).equals(Buffer.from(content))).toBe(true);
  },
);

test('[CON-23] the same file again is no second row, and a stale staff member sends none', async () => {
  const rows = () => testApp.db.selectFrom('logos').select('file').execute();
  const before = await rows();
  await upload('own.png', samplePng(96, 48));
  expect(await rows()).toEqual(before);
  const own = await openDesk(testApp, 'admin');
  testApp.clock.advance(6 * MINUTE);
  expect((await upload('other.png', samplePng(10, 10), own)).page).toMatchObject({
    isFresh: false,
  });
  expect(await rows()).toEqual(before);
});
