import { describe, expect, test } from 'vitest';
import { createSecretBox, hashToken } from '../crypto/secret-box.ts';
import { clientEntry, createRelyingParty, follow } from '../testing/relying-party.ts';
import { createTestAppWithPages, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(
  await createTestAppWithPages({ limitFactor: 50, clients: [clientEntry()] }),
);

const GRACE_SECONDS = 10;
const cookieOf = ({ cookies }: Visitor) => cookies.get('visit') ?? '';
const stateOf = (visitor: Visitor) => visitor.ok('getVisit', {});

/** As 0.1.0 computes it, of the cookie alone; forms of pages have that of the visit's id. */
const xsrfOf = (text: string) => createSecretBox(testApp.config.secret).hmac('xsrf', text);
const visitIdOf = async (visitor: Visitor) =>
  (
    await testApp.db
      .selectFrom('visits')
      .select('id')
      .where('token_hash', '=', hashToken(cookieOf(visitor)))
      .executeTakeFirstOrThrow()
  ).id;

/** Somebody who has this cookie and nothing else of the browser. */
function withCookie(cookie: string): Visitor {
  const other = testApp.visitor();
  other.cookies.set('visit', cookie);
  return other;
}
const NAVIGATION = {
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  authorization: '',
  'x-xsrf-token': '',
};
async function expectRenewed(visitor: Visitor, before: string) {
  expect(cookieOf(visitor)).not.toBe(before);
  expect((await stateOf(visitor)).signIn).toBeNull();
  const cookie = cookieOf(visitor);
  testApp.clock.advance(GRACE_SECONDS + 1);
  await stateOf(withCookie(before));
  await stateOf(visitor);
  // The same visit still, under the new cookie alone.
  expect(cookieOf(visitor)).toBe(cookie);
  const stranger = withCookie(before);
  await stateOf(stranger);
  expect(cookieOf(stranger)).not.toBe(before);
}
/** Whether a cookie opens a visit that somebody signed in to. */
const isSignedIn = async (cookie: string) =>
  (await stateOf(withCookie(cookie))).signIn?.stage === 'complete';

describe('[R8] [SEC-04] a visit that signs in or out', () => {
  test('gets another cookie with the right code, and again with the sign-out', async () => {
    const visitor = testApp.visitor();
    await stateOf(visitor);
    const before = cookieOf(visitor);
    const { userId, otpId } = await visitor.reachCode('member@demo.porchlight.test');
    expect(cookieOf(visitor)).toBe(before);
    await visitor.verify(otpId, userId, await testApp.codeFor('member@demo.porchlight.test'));
    const after = cookieOf(visitor);
    expect(after).not.toBe(before);
    await visitor.complete();
    expect((await stateOf(visitor)).signIn).toMatchObject({ stage: 'complete' });

    const params = { userId: '0', appState: '-', loggedInId: '-', roleId: '0' };
    await visitor.ok('logOut', { params });
    expect(cookieOf(visitor)).not.toBe(after);
    expect((await stateOf(visitor)).signIn).toBeNull();
  });

  test('gets another cookie from the hosted login where the sign-out is done there', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const before = cookieOf(visitor);
    await visitor.request('/idp/v2/logout?client_id=porchlight-portal', { headers: NAVIGATION });
    // In the same answer: what the visitor sends next may come to an instance of the release before (N4).
    expect(visitor.cookies.get('XSRF-TOKEN')).toBe(xsrfOf(cookieOf(visitor)));
    await expectRenewed(visitor, before);
  });

  test('gets another cookie where an application ended the session and the person said yes', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('member');
    const before = cookieOf(visitor);
    const page = await visitor.request('/idp/oidc/logout', { headers: NAVIGATION });
    const html = await page.text();
    expect(cookieOf(visitor)).toBe(before);
    const [, action = '', xsrf = ''] = /"action":"([^"]+)","xsrf":"([^"]+)"/.exec(html) ?? [];
    await visitor.request(new URL(action).pathname, {
      method: 'POST',
      headers: { ...NAVIGATION, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
    });
    await expectRenewed(visitor, before);
  });

  test('a cookie that somebody knew before is worth nothing soon after', async () => {
    const visitor = testApp.visitor();
    await stateOf(visitor);
    const planted = cookieOf(visitor);
    await visitor.signIn('top');
    // Requests that were under way bring it.
    expect(await isSignedIn(planted)).toBe(true);
    testApp.clock.advance(GRACE_SECONDS + 1);
    expect(await isSignedIn(planted)).toBe(false);
    expect(await isSignedIn(cookieOf(visitor))).toBe(true);
  });

  test('the answer with the new cookie is lost: the old one goes on until a new one comes back', async () => {
    const visitor = testApp.visitor();
    await stateOf(visitor);
    const old = cookieOf(visitor);
    const { userId, otpId } = await visitor.reachCode('admin@demo.porchlight.test');
    await visitor.verify(otpId, userId, await testApp.codeFor('admin@demo.porchlight.test'));
    visitor.cookies.set('visit', old);
    testApp.clock.advance(6 * GRACE_SECONDS);
    expect((await stateOf(visitor)).signIn).toMatchObject({ stage: 'verified' });
    await visitor.complete();
    expect(await isSignedIn(old)).toBe(true);
  });

  test('other tabs go on: calls around the change, and a CSRF token that a page read before', async () => {
    const visitor = testApp.visitor();
    await stateOf(visitor);
    const old = cookieOf(visitor);
    const xsrf = xsrfOf(await visitIdOf(visitor));
    const { userId, otpId } = await visitor.reachCode('intake@demo.porchlight.test');
    const code = await testApp.codeFor('intake@demo.porchlight.test');
    const tabs = Array.from({ length: 8 }, () => withCookie(old));
    const [verified, ...states] = await Promise.all([
      visitor.verify(otpId, userId, code),
      ...tabs.map(stateOf),
    ]);
    expect(verified.data).toBe(true);
    for (const state of states) expect(state.signIn).not.toBeNull();
    // None of them got a visit of its own.
    for (const tab of tabs) expect(cookieOf(tab)).toBe(old);

    const tab = withCookie(cookieOf(visitor));
    tab.cookies.set('XSRF-TOKEN', xsrf);
    const body = { entrance: 'portal', isFresh: false } as const;
    expect((await tab.call('beginSession', { body })).status).toBe(200);
  });

  test('[OPS-42] N4: 0.1.0 accepts the CSRF cookie, before and after the cookie was renewed', async () => {
    const visitor = testApp.visitor();
    await stateOf(visitor);
    expect(visitor.cookies.get('XSRF-TOKEN')).toBe(xsrfOf(cookieOf(visitor)));
    const { userId, otpId } = await visitor.reachCode('legal@demo.porchlight.test');
    await visitor.verify(otpId, userId, await testApp.codeFor('legal@demo.porchlight.test'));
    expect(visitor.cookies.get('XSRF-TOKEN')).toBe(xsrfOf(cookieOf(visitor)));
  });

  test('a double click on the right code leaves one cookie that works', async () => {
    const visitor = testApp.visitor();
    await stateOf(visitor);
    const { userId, otpId } = await visitor.reachCode('counter@demo.porchlight.test');
    const code = await testApp.codeFor('counter@demo.porchlight.test');
    await Promise.all([1, 2].map(() => visitor.verify(otpId, userId, code)));
    await visitor.complete();
    testApp.clock.advance(GRACE_SECONDS + 1);
    expect(await isSignedIn(cookieOf(visitor))).toBe(true);
  });

  test('a made-up cookie renews nothing', async () => {
    const visitor = withCookie('made-up');
    const params = { userId: '0', appState: '-', loggedInId: '-', roleId: '0' };
    expect((await visitor.call('logOut', { params })).status).toBe(200);
    expect(await isSignedIn('made-up')).toBe(false);
  });
});

describe('[R8] [SEC-04] what the cookie alone tells', () => {
  test('the name that "Continue as" shows, and neither address, ids nor roles', async () => {
    const visitor = testApp.visitor();
    const login = await visitor.signIn('multi');
    const known = await stateOf(visitor);
    expect(known.login).toMatchObject({ userName: 'multi@demo.porchlight.test' });
    expect(known.login?.roles).toHaveLength(4);

    const state = await stateOf(withCookie(cookieOf(visitor)));
    expect(state.signIn).toEqual({ stage: 'complete', entrance: 'portal', email: null });
    expect(state.login).toEqual({
      appState: '',
      loggedInUserId: 0,
      signInId: '',
      userName: '',
      memberName: login.memberName,
      roles: [],
    });
    expect(JSON.stringify(state)).not.toMatch(/multi@|•/);
  });

  test('the switcher is drawn with its roles for a browser that the account knows, and for no other', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('multi');
    const page = (who: Visitor) => who.request('/account/SelectRoles', { headers: NAVIGATION });
    const drawn = await page(visitor);
    expect(drawn.status).toBe(200);
    expect(await drawn.text()).toMatch(/multi@demo.*roleId/);

    const thief = withCookie(cookieOf(visitor));
    const away = await page(thief);
    // There the hosted login's own session decides who goes on.
    expect([away.status, away.headers.get('location')]).toEqual([302, '/account/Redirect']);
    const shown = await thief.request('/account/Redirect', { headers: NAVIGATION });
    expect(await shown.text()).not.toMatch(/multi@|roleId/);
    // Known, but to another account.
    const other = testApp.visitor();
    await other.signIn('agent');
    thief.cookies.set('device', other.cookies.get('device') ?? '');
    expect((await page(thief)).status).toBe(302);
  });

  test("a third party's question names the person to a browser that the account knows, and to no other", async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('partner');
    const garden = await createRelyingParty(testApp.url);
    const { url } = await garden.begin();
    const { request } = await follow(visitor, url, testApp.url);
    const path = `/account/Consent?request=${request}`;
    const drawn = await visitor.request(path, { headers: NAVIGATION });
    expect(await drawn.text()).toContain('partner@demo.porchlight.test');
    visitor.state.token = null;
    const asked = await visitor.ok('getVisit', { query: { request } });
    expect(asked.login?.userName).toBe('partner@demo.porchlight.test');

    const thief = withCookie(cookieOf(visitor));
    expect((await thief.ok('getVisit', { query: { request } })).login).toMatchObject({
      userName: '',
      roles: [],
    });
    const page = await thief.request(path, { headers: NAVIGATION });
    expect(page.status).toBe(200);
    expect(await page.text()).not.toMatch(/partner@|roleId/);
  });

  test('a bearer of somebody else, or a dead one, adds nothing to it', async () => {
    const visitor = testApp.visitor();
    await visitor.signIn('agent');
    const other = testApp.visitor();
    await other.signIn('partner');
    const thief = withCookie(cookieOf(visitor));
    thief.state.token = other.state.token;
    expect((await stateOf(thief)).login?.roles).toEqual([]);
  });
});
