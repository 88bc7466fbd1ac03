import { describe, expect, test } from 'vitest';
import { demoEmail } from '../demo/seed.ts';
import { createTestApp, type Visitor } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestApp({ limitFactor: 50 }));

const CLIENT = 'porchlight-portal';
const target = () => `${testApp.url}/account/Signout?hosted=done`;
const logoutPath = (returnTo: string = target()) =>
  `/idp/v2/logout?${String(new URLSearchParams({ client_id: CLIENT, returnTo }))}`;

/** What a browser sends when somebody follows a link or types an address. */
const NAVIGATION = {
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-user': '?1',
  authorization: '',
  origin: '',
  'x-xsrf-token': '',
};
const navigate = (visitor: Visitor, path: string, headers: Record<string, string> = {}) =>
  visitor.request(path, { headers: { ...NAVIGATION, ...headers } });

const issue = (visitor: Visitor) =>
  visitor.call('issueHandoff', { body: { choice: null, entrance: 'portal' } });
const silent = async (visitor: Visitor) =>
  visitor.authorize((await visitor.begin(false)).authorizeUrl);

async function signedIn(name = 'member') {
  const visitor = testApp.visitor();
  await visitor.signIn(name);
  return visitor;
}

async function expectSignedIn(visitor: Visitor) {
  expect((await visitor.ok('getVisit', {})).login).not.toBeNull();
  expect((await silent(visitor)).code).not.toBe('');
}

async function expectSignedOut(visitor: Visitor) {
  expect(visitor.cookies.has('idp_session')).toBe(false);
  expect(await issue(visitor)).toMatchObject({ status: 401, data: null });
  expect(await visitor.ok('getVisit', {})).toMatchObject({ signIn: null, login: null });
  expect((await silent(visitor)).error).toBe('login_required');
}

describe('[SCR-01] by the bearer', () => {
  test('the hosted session of this browser ends too, that of another does not', async () => {
    const [visitor, elsewhere] = [await signedIn(), await signedIn()];
    const params = { userId: '1', appState: 'x', loggedInId: 'x', roleId: '1' };
    expect(await visitor.call('logOut', { params })).toMatchObject({ status: 200, data: true });
    await expectSignedOut(visitor);
    await expectSignedIn(elsewhere);
    expect(await visitor.call('logOut', { params })).toMatchObject({ status: 200, data: false });
  });

  test('that of an earlier session ends nothing, and the answer says so', async () => {
    const visitor = await signedIn();
    visitor.state.token = 'the-bearer-of-an-earlier-session';
    const params = { userId: '1', appState: 'x', loggedInId: 'x', roleId: '1' };
    expect(await visitor.call('logOut', { params })).toMatchObject({ status: 200, data: false });
    await navigate(visitor, logoutPath());
    await expectSignedOut(visitor);
  });
});

describe('[SCR-01] by the hosted login', () => {
  for (const site of ['same-origin', 'none', '']) {
    const tags = site === 'same-origin' ? [] : ['long'];
    test(
      `somebody goes there (Sec-Fetch-Site '${site}'): hosted session and sign-in of this browser end`,
      { tags },
      async () => {
        const [visitor, elsewhere] = [await signedIn(), await signedIn()];
        const answer = await navigate(visitor, logoutPath(), {
          'sec-fetch-site': site,
          ...(site === '' && { 'sec-fetch-dest': '', 'sec-fetch-mode': '', 'sec-fetch-user': '' }),
        });
        expect(answer.status).toBe(302);
        expect(answer.headers.get('location')).toBe(target());
        await expectSignedOut(visitor);
        await expectSignedIn(elsewhere);
      },
    );
  }

  test(
    '[SRV-20] again and again, and with nothing to end, it leads to the same page',
    { tags: 'long' },
    async () => {
      const visitor = await signedIn();
      for (const each of [visitor, visitor, visitor, testApp.visitor()]) {
        const answer = await navigate(each, logoutPath());
        expect([answer.status, answer.headers.get('location')]).toEqual([302, target()]);
      }
      await expectSignedOut(visitor);
      expect((await visitor.signIn('member')).memberName).toBe('Margaret Okafor');
    },
  );

  test('a half-done sign-in ends as well, and its code is no way in', async () => {
    const visitor = testApp.visitor();
    const { userId, otpId } = await visitor.reachCode(demoEmail('top'));
    const otp = await testApp.codeFor(demoEmail('top'));
    await navigate(visitor, logoutPath());
    expect((await visitor.verify(otpId, userId, otp)).succeeded).toBe(false);
    expect(await visitor.ok('getVisit', {})).toMatchObject({ signIn: null, code: null });
    expect(visitor.cookies.has('idp_session')).toBe(false);
  });

  test('the right code of before is no way back in', async () => {
    const visitor = testApp.visitor();
    const { userId, otpId } = await visitor.reachCode(demoEmail('agent'));
    const otp = await testApp.codeFor(demoEmail('agent'));
    expect((await visitor.verify(otpId, userId, otp)).data).toBe(true);
    await navigate(visitor, logoutPath());
    expect((await visitor.verify(otpId, userId, otp)).succeeded).toBe(false);
    await expectSignedOut(visitor);
  });

  test(
    'who begins anew with another password leaves no way back to the sign-in before',
    { tags: 'long' },
    async () => {
      const visitor = testApp.visitor();
      const { userId, otpId } = await visitor.reachCode(demoEmail('counter'));
      const otp = await testApp.codeFor(demoEmail('counter'));
      await visitor.givePassword(demoEmail('partner'));
      expect((await visitor.verify(otpId, userId, otp)).succeeded).toBe(false);
      expect(visitor.cookies.has('idp_session')).toBe(false);
    },
  );

  test.each([
    ['an image', { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }],
    ['an image of another site', { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' }],
    ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' }],
    ['a script', { 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'no-cors' }],
    ['fetch', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }],
    ['a prefetch', { 'sec-purpose': 'prefetch' }],
    ['a prerendering', { 'sec-purpose': 'prefetch;prerender' }],
  ])('[D12] %s signs nobody out', { tags: 'long' }, async (_what, headers) => {
    const visitor = await signedIn();
    const { status } = await navigate(visitor, logoutPath(), headers);
    expect(status).toBe(204);
    await expectSignedIn(visitor);
    expect((await issue(visitor)).status).toBe(200);
  });

  test('[D12] HEAD, POST and an unknown return address sign nobody out', async () => {
    const visitor = await signedIn();
    for (const method of ['HEAD', 'POST']) {
      const headers = { ...NAVIGATION };
      expect((await visitor.request(logoutPath(), { method, headers })).status).toBe(404);
    }
    for (const returnTo of [
      'https://evil.example/',
      `${testApp.url}.evil.example/`,
      '//evil.example',
    ]) {
      const answer = await navigate(visitor, logoutPath(returnTo));
      expect(answer.status).toBe(400);
      expect(answer.headers.get('location')).toBeNull();
    }
    await expectSignedIn(visitor);
  });

  test('[D12] a link on another site is asked about first; the yes ends the portal as well', async () => {
    const visitor = await signedIn();
    const asked = await navigate(visitor, logoutPath(), { 'sec-fetch-site': 'cross-site' });
    expect(asked.headers.get('location')).toContain('/idp/oidc/logout?');
    await expectSignedIn(visitor);
    const page = await navigate(visitor, asked.headers.get('location') ?? '');
    const html = await page.text();
    await expectSignedIn(visitor);
    const action = new URL(/action="([^"]+)"/.exec(html)?.[1] ?? '').pathname;
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const confirm = (fields: Record<string, string>) =>
      visitor.request(action, {
        method: 'POST',
        headers: { ...NAVIGATION, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      });
    expect((await confirm({ xsrf: 'guessed', logout: 'yes' })).status).toBe(400);
    await expectSignedIn(visitor);
    expect((await confirm({ xsrf, logout: 'yes' })).status).toBe(303);
    await expectSignedOut(visitor);
  });

  test('[D12] where nobody is signed in at the hosted login, another site ends nothing either', async () => {
    const visitor = await signedIn();
    for (const each of visitor.cookies.keys()) {
      if (each.startsWith('idp_session')) visitor.cookies.delete(each);
    }
    const page = await navigate(visitor, `/idp/oidc/logout?client_id=${CLIENT}`, {
      'sec-fetch-site': 'cross-site',
    });
    const html = await page.text();
    const action = /action="([^"]+)"/.exec(html)?.[1];
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    if (action) {
      await visitor.request(new URL(action).pathname, {
        method: 'POST',
        headers: { ...NAVIGATION, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
      });
    }
    expect((await visitor.ok('getVisit', {})).login).not.toBeNull();
    expect((await issue(visitor)).status).toBe(200);
  });
});
