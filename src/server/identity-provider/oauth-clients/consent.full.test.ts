import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { clientEntry, createRelyingParty, follow } from '../../testing/relying-party.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const testApp = closeAtEnd(
  await createTestApp({
    clients: [clientEntry(), clientEntry({ id: 'book-club', name: 'Book Club' })],
    limitFactor: 100,
  }),
);
const garden = await createRelyingParty(testApp.url);

async function open(visitor: ReturnType<TestApp['visitor']>, extra: Record<string, string> = {}) {
  const begun = await garden.begin(extra);
  return { begun, place: await follow(visitor, begun.url, testApp.url) };
}
const audited = async () =>
  (
    await testApp.db.selectFrom('audit_events').select(['kind', 'details']).orderBy('id').execute()
  ).map((row) => row.kind);

test('a no goes back to the client as access_denied, and nothing is remembered', async () => {
  const visitor = testApp.visitor();
  await visitor.signIn('agent');
  const { place } = await open(visitor);
  expect(place.url.pathname).toBe('/account/Consent');
  const body = { request: place.request };
  const state = await visitor.ok('getVisit', { query: body });
  expect(state.client).toMatchObject({
    step: 'consent',
    clientName: 'Garden Club',
    scopes: ['openid', 'profile', 'email'],
  });
  expect(state.login?.memberName).toBe('Grace Mwangi');
  const { url } = await visitor.ok('denyInteraction', { body });
  const back = await follow(visitor, url, testApp.url);
  expect([back.isClient, back.url.searchParams.get('error')]).toEqual([true, 'access_denied']);
  expect((await open(visitor)).place.url.pathname).toBe('/account/Consent');
  expect(await audited()).toContain('client.denied');
});

test('a yes is remembered for the person, the client and the scopes; more scopes ask again, for those alone', async () => {
  const visitor = testApp.visitor();
  const { tokens } = await garden.signIn(visitor, 'partner', { scope: 'openid email' });
  expect(tokens.claims()).not.toHaveProperty('name');
  // Another session, another browser: no question for what was allowed.
  const later = testApp.visitor();
  await later.signIn('partner');
  expect((await open(later, { scope: 'openid email' })).place.isClient).toBe(true);
  expect((await open(later, { scope: 'openid' })).place.isClient).toBe(true);
  const more = await open(later, { scope: 'openid email profile' });
  expect(more.place.url.pathname).toBe('/account/Consent');
  const state = await later.ok('getVisit', { query: { request: more.place.request } });
  expect(state.client?.scopes).toEqual(['profile']);
  const { url } = await later.ok('allowInteraction', { body: { request: more.place.request } });
  const back = await follow(later, url, testApp.url);
  expect((await garden.redeem(more.begun, back.url)).claims()?.name).toBe('Noah Feldman');
  // Somebody else has said nothing yet.
  const other = testApp.visitor();
  await other.signIn('counter');
  expect((await open(other)).place.url.pathname).toBe('/account/Consent');
});

test('a yes that is taken back ends what was given, and the next request asks again', async () => {
  const visitor = testApp.visitor();
  const { tokens } = await garden.signIn(visitor, 'intake');
  const userinfo = () =>
    fetch(`${testApp.url}/idp/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
  expect((await userinfo()).status).toBe(200);
  expect(await visitor.ok('getConsents', {})).toEqual([
    { clientId: 'garden-club', name: 'Garden Club', scopes: ['openid', 'profile', 'email'] },
  ]);
  const stranger = testApp.visitor();
  await stranger.signIn('special');
  await stranger.ok('revokeConsent', { body: { clientId: 'garden-club' } });
  expect((await userinfo()).status).toBe(200);
  await visitor.ok('revokeConsent', { body: { clientId: 'garden-club' } });
  expect((await userinfo()).status).toBe(401);
  expect(await visitor.ok('getConsents', {})).toEqual([]);
  expect((await open(visitor)).place.url.pathname).toBe('/account/Consent');
});

test('[R8] a session that changed hands meanwhile allows nothing', async () => {
  const visitor = testApp.visitor();
  await visitor.signIn('mobile-counter');
  const { place } = await open(visitor);
  await visitor.signIn('academy');
  const answer = await visitor.call('allowInteraction', { body: { request: place.request } });
  expect(answer.errorFlag).toBe('REQUEST_OVER');
  expect(
    await testApp.db
      .selectFrom('consents')
      .selectAll()
      .where('user_id', '=', 4_000_000_011)
      .execute(),
  ).toEqual([]);
});

test('a question that waits for a yes is not answered by signing in', async () => {
  const visitor = testApp.visitor();
  await visitor.signIn('counter');
  const { place } = await open(visitor, { prompt: 'consent' });
  expect(place.url.pathname).toBe('/account/Consent');
  const answer = await visitor.call('continueInteraction', { body: { request: place.request } });
  expect(answer.errorFlag).toBe('REQUEST_OVER');
});

test('a question that the hosted login has forgotten is over', async () => {
  const visitor = testApp.visitor();
  await visitor.signIn('counter');
  const { place } = await open(visitor, { prompt: 'consent' });
  await testApp.db.deleteFrom('hosted_payloads').where('model', '=', 'Interaction').execute();
  const answer = await visitor.call('allowInteraction', { body: { request: place.request } });
  expect(answer.errorFlag).toBe('REQUEST_OVER');
});

describe('one yes is one person and one client', () => {
  const listed = async (visitor: ReturnType<TestApp['visitor']>) =>
    (await visitor.ok('getConsents', {})).map(({ name, scopes }) => [name, ...scopes]);

  test('what one client was allowed says nothing about another', async () => {
    const books = await createRelyingParty(testApp.url, 'book-club');
    const visitor = testApp.visitor();
    await garden.signIn(visitor, 'top');
    const begun = await books.begin({ prompt: 'none' });
    const back = await follow(visitor, begun.url, testApp.url);
    expect(back.url.searchParams.get('error')).toBe('consent_required');
    await books.signIn(visitor, 'top', { scope: 'openid' });
    expect(await listed(visitor)).toEqual([
      ['Book Club', 'openid'],
      ['Garden Club', 'openid', 'profile', 'email'],
    ]);
  });

  test('more is added to what was allowed before', async () => {
    const visitor = testApp.visitor();
    await garden.signIn(visitor, 'admin', { scope: 'openid email' });
    await garden.signIn(visitor, 'admin', { scope: 'openid profile' });
    expect(await listed(visitor)).toEqual([['Garden Club', 'openid', 'email', 'profile']]);
    const later = testApp.visitor();
    await later.signIn('admin');
    expect((await open(later)).place.isClient).toBe(true);
  });

  test("taken back for one client: nobody else's and no other client's goes with it", async () => {
    const books = await createRelyingParty(testApp.url, 'book-club');
    const [visitor, other] = [testApp.visitor(), testApp.visitor()];
    for (const [person, who] of [
      [visitor, 'staff'],
      [other, 'special'],
    ] as const) {
      await garden.signIn(person, who);
      await books.signIn(person, who);
    }
    await visitor.ok('revokeConsent', { body: { clientId: 'garden-club' } });
    expect((await listed(visitor)).map(([name]) => name)).toEqual(['Book Club']);
    expect((await listed(other)).map(([name]) => name)).toEqual(['Book Club', 'Garden Club']);
  });

  test('taking back is on record, once; taking back nothing is not', async () => {
    const count = async () =>
      (await audited()).filter((kind) => kind === 'client.consentRevoked').length;
    const visitor = testApp.visitor();
    await garden.signIn(visitor, 'member');
    const before = await count();
    for (const clientId of ['garden-club', 'garden-club', 'nobody'])
      await visitor.ok('revokeConsent', { body: { clientId } });
    expect(await count()).toBe(before + 1);
  });
});
