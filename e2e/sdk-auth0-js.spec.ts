import type { Page } from '@playwright/test';
import type * as Auth0 from 'auth0-js';
import { DEMO_PASSWORD, demoEmail } from './support/people.ts';
import { REALM, type RelyingParty, test } from './support/relying-party.ts';
import { enterCode } from './support/screens.ts';
import { signInByApi } from './support/session.ts';
import { expect } from './support/test.ts';

/** Unmodified auth0-js 10.2.1 in a page of another origin. */

const REFUSED = /Failed to load resource/;
const credentials = { email: demoEmail('member'), password: DEMO_PASSWORD };

type Answer = {
  readonly error: Record<string, unknown> | null;
  readonly result: Record<string, unknown> | null;
};

/** Makes a WebAuth in the page and calls one of its methods; `client.x` and `management.x` reach its parts. */
async function call(
  page: Page,
  app: RelyingParty,
  method: string,
  args: readonly unknown[],
  extra: Record<string, unknown> = {},
): Promise<Answer> {
  return page.evaluate(
    ([portal, origin, name, given, more]) => {
      const { auth0 } = window as never as { auth0: typeof Auth0 };
      const domain = `${portal}/idp`;
      const options = {
        domain,
        clientID: 'legacy-app',
        redirectUri: `${origin}/callback`,
        responseType: 'token id_token',
        scope: 'openid profile email',
        overrides: { __token_issuer: `${domain}/`, __jwks_uri: `${domain}/.well-known/jwks.json` },
        ...more,
      };
      type Callable = Record<string, (...all: unknown[]) => void>;
      let target: Callable;
      if (name.startsWith('management.')) {
        target = new auth0.Management({ domain, ...(more as { token: string }) }) as never;
        // The SDK always says https to this API; the test has none.
        (target as never as { baseOptions: { rootUrl: string } }).baseOptions.rootUrl =
          `${domain}/api/v2/`;
      } else {
        const web = new auth0.WebAuth(options) as never as Callable & { client: Callable };
        target = name.startsWith('client.') ? web.client : web;
      }
      const last = name.split('.').at(-1) ?? '';
      return new Promise<{ error: null; result: null }>((resolve) => {
        target[last]?.(...given, (error: never, result: never) =>
          resolve(
            JSON.parse(JSON.stringify({ error: error ?? null, result: result ?? null })) as never,
          ),
        );
      });
    },
    [app.portal, app.origin, method, args, extra] as const,
  );
}

async function signedIn(page: Page, app: RelyingParty, code: (to: string) => Promise<string>) {
  await signInByApi(page, credentials, code);
  await page.waitForURL(/demo\/|SelectRoles|Redirect/);
  await page.goto(`${app.origin}/auth0-js`);
}

test('[API-05] [API-06] [H3] login by realm: the wrong password by its exact text, the right one asks for the code alone', async ({
  page,
  app,
  code,
  quiet,
}) => {
  quiet.allow(REFUSED);
  await page.goto(`${app.origin}/auth0-js`);
  const given = { realm: REALM, username: credentials.email };
  const wrong = await call(page, app, 'login', [{ ...given, password: 'x' }]);
  expect(wrong.error).toMatchObject({
    code: 'access_denied',
    description: 'Wrong email or password.',
  });
  // The right password navigates; without the code there is no token.
  await Promise.all([
    page.waitForURL(`${app.portal}/account/verifyOtp**`),
    call(page, app, 'login', [{ ...given, password: DEMO_PASSWORD }]).catch(() => null),
  ]);
  await enterCode(page, await code(credentials.email));
  await page.waitForURL(`${app.origin}/callback**`);
  const { error, result } = await call(page, app, 'parseHash', [{}]);
  expect(error).toBeNull();
  expect(result).toMatchObject({ idTokenPayload: { amr: ['pwd', 'otp'] } });
});

test('[API-05] checkSession: login_required, tokens, and its timeout', async ({
  page,
  app,
  code,
  quiet,
}) => {
  quiet.allow(REFUSED);
  await page.goto(`${app.origin}/auth0-js`);
  const none = await call(page, app, 'checkSession', [{ timeout: 5000 }]);
  expect(none.error).toMatchObject({ code: 'login_required' });
  await signedIn(page, app, code);
  const { error, result } = await call(page, app, 'checkSession', [{ timeout: 5000 }]);
  expect(error).toBeNull();
  expect(result).toMatchObject({
    accessToken: expect.any(String),
    idTokenPayload: { email: credentials.email, amr: ['pwd', 'otp'] },
  });
  const info = await call(page, app, 'client.userInfo', [result?.accessToken]);
  expect(info.result).toMatchObject({ email: credentials.email, email_verified: true });
  await page.route('**/idp/authorize**', () => undefined);
  const late = await call(page, app, 'checkSession', [{ timeout: 50 }]);
  expect(late.error).toMatchObject({ code: 'timeout' });
});

test('[API-05] parseHash and each of its errors', { tag: '@full' }, async ({ page, app, code }) => {
  await signedIn(page, app, code);
  const parse = (options: Record<string, unknown>, extra = {}) =>
    call(page, app, 'parseHash', [options], extra);
  expect((await parse({ hash: '#state=made-up&access_token=a&id_token=b' })).error).toMatchObject({
    error: 'invalid_token',
    errorDescription: '`state` does not match.',
  });
  expect((await parse({ hash: '#access_token=a&state=s', state: 's' })).error).toMatchObject({
    errorDescription: expect.stringContaining('does not contain an `id_token` property'),
  });
  expect((await parse({ hash: '#id_token=a&state=s', state: 's' })).error).toMatchObject({
    errorDescription: expect.stringContaining('does not contain an `access_token` property'),
  });

  const answerTo = async (extra: Record<string, string>): Promise<string> => {
    const query = new URLSearchParams({
      client_id: 'legacy-app',
      response_type: 'token id_token',
      redirect_uri: `${app.origin}/callback`,
      scope: 'openid profile email',
      ...extra,
    });
    await page.goto(`${app.portal}/idp/authorize?${query.toString()}`);
    return new URL(page.url()).hash;
  };
  const asked = { state: 'the-state', nonce: 'the-nonce' };
  const hash = await answerTo(asked);
  expect((await parse({ hash, ...asked })).result).toMatchObject({
    accessToken: expect.any(String),
    idTokenPayload: { nonce: 'the-nonce' },
  });
  expect((await parse({ hash, state: 'the-state', nonce: 'another' })).error).toMatchObject({
    errorDescription: expect.stringContaining('Nonce (nonce) claim value mismatch'),
  });
  // The SDK remembers the organization it asked for; here the question loses it on its way.
  await page.goto(`${app.origin}/auth0-js`);
  await page.route('**/idp/authorize**', (route) => {
    const url = new URL(route.request().url());
    url.searchParams.delete('organization');
    return route.continue({ url: url.href });
  });
  await Promise.all([
    page.waitForURL(/callback#/),
    call(page, app, 'authorize', [{ organization: 'org_another' }]).catch(() => null),
  ]);
  expect((await parse({})).error).toMatchObject({
    errorDescription: expect.stringContaining('Organization Id (org_id) claim value mismatch'),
  });
});

test(
  '[API-06] logout returns to a listed address and ends the session',
  { tag: '@full' },
  async ({ page, app, code }) => {
    await signedIn(page, app, code);
    await Promise.all([
      page.waitForURL(`${app.origin}/auth0-js`),
      call(page, app, 'logout', [{ returnTo: `${app.origin}/auth0-js` }]).catch(() => null),
    ]);
    await page.waitForFunction(() => 'auth0' in window);
    const after = await call(page, app, 'checkSession', [{ timeout: 5000 }]);
    expect(after.error).toMatchObject({ code: 'login_required' });
  },
);

test(
  '[API-06] password grants, when they are on: mfa_required, and tokens only with the code',
  { tag: '@full' },
  async ({ page, app, code, quiet }) => {
    quiet.allow(REFUSED);
    await page.goto(`${app.origin}/auth0-js`);
    const given = { realm: REALM, username: demoEmail('top'), scope: 'openid' };
    const wrong = await call(page, app, 'client.login', [{ ...given, password: 'x' }]);
    expect(wrong.error).toMatchObject({
      code: 'invalid_grant',
      description: 'Wrong email or password.',
    });
    const asked = await call(page, app, 'client.login', [{ ...given, password: DEMO_PASSWORD }]);
    expect(asked.error).toMatchObject({ code: 'mfa_required' });
    const original = asked.error?.original as { response: { body: { mfa_token: string } } };
    const token = original.response.body.mfa_token;
    const post = (path: string, body: Record<string, string>) =>
      page.evaluate(
        async ([portal, to, fields]) => {
          const response = await fetch(`${portal}/idp/${to}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ client_id: 'legacy-app', ...fields }),
          });
          return (await response.json()) as Record<string, unknown>;
        },
        [app.portal, path, body] as const,
      );
    // The SDK has no call for the second step: it is the page's own.
    const challenge = await post('mfa/challenge', { mfa_token: token, challenge_type: 'oob' });
    const proof = {
      grant_type: 'http://auth0.com/oauth/grant-type/mfa-oob',
      mfa_token: token,
      oob_code: String(challenge.oob_code),
    };
    const bindingCode = await code(demoEmail('top'));
    const refused = await post('oauth/token', { ...proof, binding_code: '12345' });
    expect(refused).toMatchObject({ error: 'invalid_grant' });
    expect(await post('oauth/token', { ...proof, binding_code: bindingCode })).toMatchObject({
      access_token: expect.any(String),
      id_token: expect.any(String),
    });
  },
);

test(
  '[API-06] sign-up and password reset go through the portal',
  { tag: '@full' },
  async ({ page, app, inbox, quiet }) => {
    quiet.allow(REFUSED);
    await page.goto(`${app.origin}/auth0-js`);
    const email = `sdk.${Date.now()}@example.org`;
    const person = { connection: REALM, email, givenName: 'Ada', familyName: 'Winslow' };
    const more = { userMetadata: { phone_number: '+15550142290' } };
    const weak = await call(page, app, 'signup', [{ ...person, ...more, password: 'weak' }]);
    expect(weak.error).toMatchObject({ code: 'invalid_password', name: 'PasswordStrengthError' });
    const created = await call(page, app, 'signup', [
      { ...person, ...more, password: 'Rocking-Chair-7' },
    ]);
    expect(created.result).toMatchObject({ Id: expect.any(String), email, emailVerified: false });
    await expect
      .poll(async () => (await inbox(email))[0]?.link)
      .toContain('/account/Activation?UID=');
    for (const address of [demoEmail('agent'), 'nobody.here@example.org']) {
      const reset = await call(page, app, 'changePassword', [
        { connection: REALM, email: address },
      ]);
      expect(reset).toEqual({
        error: null,
        result: "We've just sent you an email to reset your password.",
      });
    }
    await expect
      .poll(async () => (await inbox(demoEmail('agent')))[0]?.link)
      .toContain('resetLinkKey=');
  },
);

test(
  '[API-06] passwordless: start, and a sign-in by the code alone',
  { tag: '@full' },
  async ({ page, app, code, quiet }) => {
    quiet.allow(REFUSED);
    await page.goto(`${app.origin}/auth0-js`);
    const email = demoEmail('counter');
    const start = { connection: 'email', send: 'code', email };
    const started = await call(page, app, 'passwordlessStart', [start]);
    expect(started.result).toMatchObject({ Id: expect.any(String), email });
    const given = { connection: 'email', email };
    const wrong = await call(page, app, 'passwordlessLogin', [
      { ...given, verificationCode: '12345' },
    ]);
    expect(wrong.error).toMatchObject({ description: 'Wrong email or verification code.' });
    const verificationCode = await code(email);
    await Promise.all([
      page.waitForURL(/callback#/),
      call(page, app, 'passwordlessLogin', [{ ...given, verificationCode }]).catch(() => null),
    ]);
    await page.waitForFunction(() => 'auth0' in window);
    const { error, result } = await call(page, app, 'parseHash', [{}]);
    expect(error).toBeNull();
    expect(result).toMatchObject({ idTokenPayload: { email, amr: ['otp'] } });
  },
);

test(
  '[API-06] management: a person reads itself and changes its metadata, nothing else',
  { tag: '@full' },
  async ({ page, app, code, quiet }) => {
    quiet.allow(REFUSED);
    await signedIn(page, app, code);
    const asked = {
      audience: `${app.portal}/idp/api/v2/`,
      scope: 'openid read:current_user update:current_user_metadata',
    };
    const { result } = await call(page, app, 'checkSession', [{ ...asked, timeout: 5000 }]);
    const { accessToken: token, idTokenPayload } = result as {
      accessToken: string;
      idTokenPayload: { sub: string };
    };
    const id = idTokenPayload.sub;
    const manage = (method: string, ...args: unknown[]) =>
      call(page, app, `management.${method}`, [id, ...args], { token });
    expect((await manage('getUser')).result).toMatchObject({
      user_id: id,
      email: credentials.email,
    });
    const patched = await manage('patchUserMetadata', { theme: 'dark' });
    expect(patched.result).toMatchObject({ user_metadata: { theme: 'dark' } });
    expect((await manage('patchUserAttributes', { email: 'x@example.org' })).error).toMatchObject({
      statusCode: 400,
    });
  },
);
