import { sql } from 'kysely';
import { refreshTokenGrant } from 'openid-client';
import { describe, expect, test } from 'vitest';
import { clientSchema } from '../../config/client-file.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { clientEntry, createRelyingParty, follow } from '../../testing/relying-party.ts';
import { closeAtEnd } from '../../testing/close-at-end.ts';

const MAY_REFRESH = {
  grants: ['authorization_code', 'refresh_token'],
  scopes: ['openid', 'profile', 'email', 'offline_access'],
};
const OFFLINE = { scope: 'openid email offline_access' };
const HOUR = 3600;
const DAY = 24 * HOUR;

const testApp = closeAtEnd(
  await createTestApp({
    clients: [
      clientEntry(MAY_REFRESH),
      clientEntry({
        ...MAY_REFRESH,
        id: 'phone-app',
        refreshTokenLifeDays: 90,
        refreshTokenIdleDays: 14,
      }),
      clientEntry({ id: 'no-refresh', name: 'No Refresh' }),
    ],
    limitFactor: 100,
  }),
);

/** Seconds that the newest rows of a client still live. */
async function lives(clientId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ model: string; left: number }>`
    select model, extract(epoch from max(expires_at) - now())::float8 as left
    from hosted_payloads where payload ->> 'clientId' = ${clientId}
    group by model order by model`.execute(testApp.db);
  return Object.fromEntries(rows.map(({ model, left }) => [model, left]));
}

describe("[IDP-17] another party's refresh token without prompt=consent", { tags: 'long' }, () => {
  test('comes after one question, and later without any', async () => {
    const garden = await createRelyingParty(testApp.url);
    const visitor = testApp.visitor();
    await visitor.signIn('agent');
    const begun = await garden.begin(OFFLINE);
    const place = await follow(visitor, begun.url, testApp.url);
    expect(place.url.pathname).toBe('/account/Consent');
    const asked = await visitor.ok('getVisit', { query: { request: place.request } });
    expect(asked.client?.scopes).toEqual(['openid', 'email', 'offline_access']);
    const body = { request: place.request };
    const { url } = await visitor.ok('allowInteraction', { body });
    const back = await follow(visitor, url, testApp.url);
    const tokens = await garden.redeem(begun, back.url);
    expect(tokens.refresh_token).toEqual(expect.any(String));

    const later = testApp.visitor();
    await later.signIn('agent');
    const again = await garden.begin(OFFLINE);
    const straight = await follow(later, again.url, testApp.url);
    expect(straight.isClient).toBe(true);
    const second = await garden.redeem(again, straight.url);
    expect(second.refresh_token).toEqual(expect.any(String));
  });

  test('not for a client that may not refresh', { tags: 'long' }, async () => {
    const party = await createRelyingParty(testApp.url, 'no-refresh');
    const { tokens } = await party.signIn(testApp.visitor(), 'partner', OFFLINE);
    expect(tokens.refresh_token).toBeUndefined();
    expect(tokens.scope).not.toContain('offline_access');
  });
});

describe('[IDP-18] how long refresh tokens live', () => {
  test('as long as a session, unless the client has days of its own', async () => {
    const garden = await createRelyingParty(testApp.url);
    await garden.signIn(testApp.visitor(), 'counter', OFFLINE);
    const usual = await lives('garden-club');
    expect(usual.RefreshToken).toBeLessThanOrEqual(HOUR / 2);
    expect(usual.Grant).toBeLessThanOrEqual(12 * HOUR);

    const phone = await createRelyingParty(testApp.url, 'phone-app');
    const { tokens } = await phone.signIn(testApp.visitor(), 'counter', OFFLINE);
    const own = await lives('phone-app');
    expect(own.RefreshToken).toBeGreaterThan(13 * DAY);
    expect(own.RefreshToken).toBeLessThanOrEqual(14 * DAY);
    expect(own.Grant).toBeGreaterThan(90 * DAY);

    // The session is over by itself: what the person allowed goes on.
    await sql`delete from hosted_payloads where model = 'Session'`.execute(testApp.db);
    const renewed = await refreshTokenGrant(phone.config, tokens.refresh_token ?? '');
    expect(renewed.refresh_token).toEqual(expect.any(String));
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
  });

  test('the days of all count from the sign-in, those without use from each renewal', async () => {
    const { refreshLifeSeconds } = await import('#openid-provider/refresh-rotation.ts');
    const now = Math.floor(Date.now() / 1000);
    const own = { idleSeconds: 14 * DAY, seconds: 90 * DAY };
    expect(refreshLifeSeconds({ iiat: now - 30 * DAY }, own)).toBe(14 * DAY);
    expect(refreshLifeSeconds({ iiat: now - 89 * DAY }, own)).toBeLessThanOrEqual(DAY);
    expect(refreshLifeSeconds({ iiat: now - 91 * DAY }, own)).toBe(1);
  });

  test.each([
    ['no grant for it', { refreshTokenLifeDays: 30 }],
    ['idle alone', { ...MAY_REFRESH, refreshTokenIdleDays: 3 }],
    ['idle longer than all', { ...MAY_REFRESH, refreshTokenLifeDays: 3, refreshTokenIdleDays: 4 }],
    ['more than a year', { ...MAY_REFRESH, refreshTokenLifeDays: 366 }],
    ['no whole day', { ...MAY_REFRESH, refreshTokenLifeDays: 0.5 }],
  ])('an entry is refused: %s', (_what, extra) => {
    const { auth: _auth, ...entry } = clientEntry();
    expect(clientSchema({ isDemo: true }).safeParse({ ...entry, ...extra }).success).toBe(false);
  });
});

describe('[IDP-19] what requests and tokens carry', () => {
  test('sid in the ID token of a client without a back-channel address, the same after a renewal', async () => {
    const garden = await createRelyingParty(testApp.url);
    const { tokens } = await garden.signIn(testApp.visitor(), 'legal', OFFLINE);
    const sid = tokens.claims()?.sid;
    expect(sid).toEqual(expect.any(String));
    const renewed = await refreshTokenGrant(garden.config, tokens.refresh_token ?? '');
    expect(renewed.claims()?.sid).toBe(sid);
  });

  test('a display that OpenID Connect does not know is refused, the four that it knows change nothing', async () => {
    const garden = await createRelyingParty(testApp.url);
    const visitor = testApp.visitor();
    const answer = async (display: string) =>
      follow(visitor, (await garden.begin({ display })).url, testApp.url);
    expect((await answer('nonsense')).url.searchParams.get('error')).toBe('invalid_request');
    for (const known of ['page', 'popup', 'touch', 'wap']) {
      expect((await answer(known)).url.pathname).toBe('/account/AppSignIn');
    }
  });
});
