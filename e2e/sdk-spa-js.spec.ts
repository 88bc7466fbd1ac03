import type { Page } from '@playwright/test';
import { DEMO_PASSWORD, demoEmail } from './support/people.ts';
import { type RelyingParty, test } from './support/relying-party.ts';
import { signInByApi } from './support/session.ts';
import { boxes, enterCode, fillSignIn, loginButton } from './support/screens.ts';
import { awake, expect } from './support/test.ts';

/** Unmodified @auth0/auth0-spa-js 2.27.0 in a page of another origin: code, PKCE, silent renewal, refresh tokens. */

const credentials = { email: demoEmail('member'), password: DEMO_PASSWORD };

type Client = {
  loginWithPopup(options: object, config: object): Promise<void>;
  loginWithRedirect(options: object): Promise<void>;
  handleRedirectCallback(): Promise<unknown>;
  getUser(): Promise<Record<string, unknown>>;
  getTokenSilently(options: object): Promise<string>;
};

async function withClient<T>(
  page: Page,
  app: RelyingParty,
  useRefreshTokens: boolean,
  steps: (client: Client) => Promise<T>,
): Promise<T> {
  await page.waitForFunction(() => 'auth0' in window);
  const client = await page.evaluateHandle(
    async ([portal, origin, refresh]) => {
      type Sdk = { createAuth0Client(options: object): Promise<Client> };
      return (window as never as { auth0: Sdk }).auth0.createAuth0Client({
        domain: `${portal}/idp`,
        clientId: 'spa-app',
        useRefreshTokens: refresh,
        useRefreshTokensFallback: refresh,
        cacheLocation: 'localstorage',
        authorizationParams: {
          redirect_uri: `${origin}/callback?sdk=spa-js`,
          scope: refresh ? 'openid profile email offline_access' : 'openid profile email',
        },
      });
    },
    [app.portal, app.origin, useRefreshTokens] as const,
  );
  return client.evaluate(steps as never) as Promise<T>;
}

async function signedIn(
  page: Page,
  app: RelyingParty,
  code: (to: string) => Promise<string>,
  refresh: boolean,
) {
  await signInByApi(page, credentials, code);
  await page.waitForURL(/demo\/|SelectRoles|Redirect/);
  await page.goto(`${app.origin}/spa-js`);
  await Promise.all([
    page.waitForURL(/callback.*code=/),
    withClient(page, app, refresh, (client) => client.loginWithRedirect({})).catch(() => null),
  ]);
  return withClient(page, app, refresh, async (client) => {
    await client.handleRedirectCallback();
    return client.getUser();
  });
}

test(
  '[API-06] code and PKCE by redirect, then a silent renewal in a frame',
  { tag: '@full' },
  async ({ page, app, code }) => {
    const user = await signedIn(page, app, code, false);
    expect(user).toMatchObject({ email: credentials.email, name: 'Margaret Okafor' });
    const [one, two] = await withClient(page, app, false, async (client) => [
      await client.getTokenSilently({ cacheMode: 'off' }),
      await client.getTokenSilently({ cacheMode: 'off' }),
    ]);
    expect(one).toBeTruthy();
    expect(two).not.toBe(one);
  },
);

test(
  '[H4] a sign-in in a window of its own brings its answer back to the page',
  { tag: '@full' },
  async ({ page, app, code }) => {
    await page.goto(`${app.origin}/spa-js`);
    const opened = page.waitForEvent('popup');
    const user = withClient(page, app, false, async (client) => {
      await client.loginWithPopup({}, { timeoutInSeconds: 60 });
      return client.getUser();
    });
    const popup = await opened;
    await awake(popup);
    await fillSignIn(popup, credentials);
    await loginButton(popup).click();
    await expect(boxes(popup).first()).toBeVisible();
    await enterCode(popup, await code(credentials.email));
    expect(await user).toMatchObject({ email: credentials.email });
  },
);

test('[R27] refresh tokens rotate, and an old one that comes back late ends them all', async ({
  page,
  app,
  code,
  quiet,
}) => {
  quiet.allow(/Failed to load resource/);
  await signedIn(page, app, code, true);
  const stored = () =>
    page.evaluate(
      () =>
        /"refresh_token":"([^"]+)"/.exec(
          JSON.stringify({ ...localStorage }).replaceAll('\\', ''),
        )?.[1],
    );
  const first = await stored();
  await withClient(page, app, true, (client) => client.getTokenSilently({ cacheMode: 'off' }));
  const second = await stored();
  expect(first).toBeTruthy();
  expect(second).not.toBe(first);
  const refresh = (token: string | undefined) =>
    page.evaluate(
      async ([portal, value]) => {
        const response = await fetch(`${portal}/idp/oauth/token`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            grant_type: 'refresh_token',
            client_id: 'spa-app',
            refresh_token: value,
          }),
        });
        return response.status;
      },
      [app.portal, token] as const,
    );
  // The grace is over when the old token is refused; then its successors are dead as well.
  await expect.poll(() => refresh(first)).toBe(400);
  expect(await refresh(second)).toBe(400);
});

test(
  '[API-06] H21: a refresh token that is over leads to a silent sign-in in a frame',
  { tag: '@full' },
  async ({ page, app, code, quiet }) => {
    quiet.allow(/Failed to load resource/);
    await signedIn(page, app, code, true);
    await page.evaluate(() => {
      for (const [key, value] of Object.entries(localStorage)) {
        localStorage.setItem(
          key,
          value.replace(/"refresh_token":"[^"]+"/, '"refresh_token":"a token that is over"'),
        );
      }
    });
    const token = await withClient(page, app, true, (client) =>
      client.getTokenSilently({ cacheMode: 'off' }),
    );
    expect(token).toBeTruthy();
  },
);
