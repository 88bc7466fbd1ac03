/** Forms without script that another site, another visit or an unknown page sends. */

import { expect, test } from 'vitest';
import { createTestAppWithPages, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestAppWithPages({}));

const PATH = '/account/signin';
const BODY = new URLSearchParams({ action: 'sign-in', once: 'of-one-page' });
const send = (visitor: Visitor, headers: Record<string, string> = {}, body = BODY) =>
  visitor.request(PATH, { method: 'POST', body, headers });

const own = () => testApp.url;
test.each([
  ['another site', 403, () => ({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })],
  ['a neighbour', 403, () => ({ 'sec-fetch-site': 'same-site', origin: own() })],
  ['another site, without fetch metadata', 403, () => ({ 'sec-fetch-site': '', origin: 'null' })],
  ['a browser that says nothing of itself', 403, () => ({ 'sec-fetch-site': '', origin: '' })],
  ['our page', 303, () => ({ origin: '' })],
  ['our page, without fetch metadata', 303, () => ({ 'sec-fetch-site': '', origin: own() })],
] as const)('[NOS-05] of %s, while its answer is kept: %i', async (_page, status, headers) => {
  expect((await send(testApp.visitor())).status).toBe(303);
  const victim = testApp.visitor();
  expect((await send(victim, headers())).status).toBe(status);
  const visit = testApp.visitor();
  await visit.ok('getVisit', {});
  expect((await send(visit, headers())).status).toBe(status);
});

test('[NOS-05] with the token of another visit a form is refused, while its answer is kept', async () => {
  const [one, other] = [testApp.visitor(), testApp.visitor()];
  await one.ok('getVisit', {});
  await other.ok('getVisit', {});
  const xsrf = one.cookies.get('XSRF-TOKEN') ?? '';
  const body = new URLSearchParams({ action: 'sign-in', once: 'of-another-page', xsrf });
  expect((await send(one, {}, body)).status).toBe(303);
  expect((await send(other, {}, body)).status).toBe(403);
});

test('[NOS-05] a refusal begins a visit for a browser that says nothing of itself, and for no other', async () => {
  const [silent, forged] = [testApp.visitor(), testApp.visitor()];
  await send(silent, { 'sec-fetch-site': '', origin: '' });
  await send(forged, { 'sec-fetch-site': 'cross-site' });
  expect([...silent.cookies.keys()]).toEqual(['visit', 'XSRF-TOKEN']);
  expect([...forged.cookies.keys()]).toEqual([]);
});
