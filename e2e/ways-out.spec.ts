import type { Page, Route } from '@playwright/test';
import { enterCode, fillSignIn, heading, loginButton, open, takeTime } from './support/screens.ts';
import { authToken, handOffStatus, signInByApi } from './support/session.ts';
import { expect, test } from './support/test.ts';

/** Ends the module's own session. @returns the portal's address that it leads to */
async function wayBack(page: Page): Promise<string> {
  const href = await page.getByRole('link', { name: 'Sign out' }).getAttribute('href');
  const answer = await page.request.get(href ?? '', { maxRedirects: 0 });
  return answer.headers().location ?? '';
}

/** The interactions that stop the page from leaving (SCR-03, WCAG 2.2.1). */
const SIGNS_OF_LIFE: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  ['a key', (page) => page.keyboard.press('Shift')],
  ['the pointer', (page) => page.mouse.move(200, 300)],
  ['a press', (page) => page.mouse.click(5, 400)],
  ['the wheel', (page) => page.mouse.wheel(0, 40)],
  ['scrolling', (page) => page.evaluate(() => dispatchEvent(new Event('scroll')))],
  ['the focus', (page) => page.getByRole('link', { name: 'Sign In' }).focus()],
];

for (const [name, act] of SIGNS_OF_LIFE) {
  test(`[SCR-03] ${name} keeps an unauthorized visitor on the page`, async ({ page }) => {
    await page.clock.install();
    await open(page, '/account/UnAuthorizedAccess');
    // Counting, so awake: what happens before that is the page's own settling.
    await expect(page.getByRole('main')).toContainText('Taking you to Sign In in 4 seconds');
    await act(page);
    await expect(page.getByRole('main')).toContainText('You stay on this page.');
    await page.clock.runFor(10_000);
    await expect(page).toHaveURL('/account/UnAuthorizedAccess');
  });
}

test('[SCR-03] a tick that is due while the count stops does not begin it anew', async ({
  page,
}) => {
  await page.clock.install();
  await page.addInitScript(() => {
    const ticks = new Map<number, () => void>();
    const [begin, end] = [window.setInterval, window.clearInterval];
    window.setInterval = ((tick: () => void, ms: number) => {
      const id = begin(tick, ms);
      ticks.set(id, tick);
      return id;
    }) as typeof setInterval;
    window.clearInterval = ((id: number) => {
      ticks.delete(id);
      end(id);
    }) as typeof clearInterval;
    // Right after the page has said it, and before React has ended the effects of the previous state.
    new MutationObserver(() => {
      if (document.body?.textContent.includes('You stay on this page.')) {
        for (const tick of ticks.values()) tick();
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await open(page, '/account/UnAuthorizedAccess');
  await expect(page.getByRole('main')).toContainText('Taking you to Sign In in 4 seconds');
  await page.evaluate(() => dispatchEvent(new Event('scroll')));
  await expect(page.getByRole('main')).toContainText('You stay on this page.');
  await page.clock.runFor(10_000);
  await expect(page.getByRole('main')).toContainText('You stay on this page.');
});

test('[SCR-03] "Take your time" never counts down', async ({ page }) => {
  await takeTime(page);
  await page.clock.install();
  await open(page, '/account/UnAuthorizedAccess');
  await page.clock.runFor(10_000);
  await expect(heading(page, 'Oops... Something went wrong !!!')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('Taking you to Sign In');
});

test('[HND-06] Back and Forward after the sign-out of a module show neither name nor address', async ({
  page,
  account,
  code,
  quiet,
}) => {
  quiet.allow(/401 \(Unauthorized\)/);
  const member = await account();
  await signInByApi(page, member, code);
  await expect(heading(page, 'Member Intake')).toBeVisible();
  await expect(page.getByRole('main')).toContainText(member.email);
  await page.getByRole('link', { name: 'Sign out' }).click();
  await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('link', { name: 'Sign out' })).toHaveCount(0);
  await expect(page.getByRole('main')).not.toContainText(member.email);
  await expect(page.getByRole('main')).not.toContainText(member.firstName);
  await page.goForward();
  await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
});

test("[SCR-01] a module's way back signs out once, and says the same when it comes twice", async ({
  page,
  account,
  code,
  api,
}) => {
  await signInByApi(page, await account(), code);
  await expect(heading(page, 'Member Intake')).toBeVisible();
  const back = await wayBack(page);
  expect(back).toContain('/account/Signout?success=true&appState=');
  await page.goto(back);
  await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
  await expect.poll(() => authToken(page)).toBeNull();
  for (let n = 0; n < 2; n += 1) {
    await page.goto(back);
    await expect(page).toHaveURL('/account/Signout');
    await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
    await expect(page.getByText('Please close this browser')).toHaveCount(0);
  }
  // The query decides which sign-out it is, whether this tab has a bearer or not.
  expect(api.all().filter((call) => call.path.includes('LogoutUser'))).toHaveLength(3);
});

test(
  '[SCR-01] [L6] without the query it is the hosted login that signs out, bearer or not',
  { tag: '@full' },
  async ({ page, account, code, api }) => {
    await signInByApi(page, await account('member and academy'), code);
    await expect(heading(page, 'Accounts switcher')).toBeVisible();
    await page.getByRole('link', { name: 'Sign out' }).click();
    await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
    await expect(page).toHaveURL('/account/Signout');
    await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
    expect(api.all().filter((call) => call.path.includes('LogoutUser'))).toEqual([]);
    expect(await authToken(page)).toBeNull();
    await open(page, '/account/signin');
    await expect(page.getByRole('link', { name: /^Continue as/ })).toHaveCount(0);
  },
);

test(
  "[SCR-01] [L6] 'Logged Out Successfully!' is not said while signing out still runs",
  { tag: '@full' },
  async ({ page, account, code }) => {
    await signInByApi(page, await account(), code);
    await expect(heading(page, 'Member Intake')).toBeVisible();
    const back = await wayBack(page);
    const asked = Promise.withResolvers<() => Promise<void>>();
    await page.route('**/api/User/LogoutUser/**', (route) => asked.resolve(() => route.continue()));
    await page.goto(back);
    await expect(heading(page, 'Sign out')).toBeVisible();
    await expect(page.getByText('Signing you out…')).toBeVisible();
    await expect(page).toHaveTitle(/^Sign out/);
    expect(await page.content()).not.toContain('Logged Out Successfully!');
    // The page asks once its scripts are there.
    await (
      await asked.promise
    )();
    await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
    await expect(page).toHaveTitle(/^Logged Out Successfully!/);
  },
);

const isOut = async (page: Page) => {
  await open(page, '/account/signin');
  await expect(heading(page, 'Login')).toBeVisible();
};

/** Ways in which the call that signs out can fail. */
const FAILURES: Readonly<Record<string, (route: Route) => Promise<unknown>>> = {
  'status 503': (route) => route.fulfill({ status: 503, body: '' }),
  'status 500': (route) => route.fulfill({ status: 500, body: 'no JSON' }),
  'a cut line': (route) => route.abort(),
};

for (const [name, failIt] of Object.entries(FAILURES)) {
  test(`[SCR-07] ${name}: 'We could not sign you out' keeps what a second try needs`, async ({
    page,
    account,
    code,
    quiet,
  }) => {
    quiet.allow(/Failed to load resource|ERR_FAILED|Something went wrong/);
    await signInByApi(page, await account(), code);
    await expect(heading(page, 'Member Intake')).toBeVisible();
    const back = (await page.getByRole('link', { name: 'Sign out' }).getAttribute('href')) ?? '';
    const bearer = await authToken(page);
    await page.route('**/api/User/LogoutUser/**', failIt);
    await page.goto(back);
    await expect(heading(page, 'We could not sign you out')).toBeVisible();
    await expect(page).toHaveTitle(/^We could not sign you out/);
    await expect(heading(page, 'We could not sign you out')).toBeFocused();
    await expect(page.getByText('Please close this browser')).toBeVisible();
    // The truth first, then what helps (E64).
    await expect(page.getByText('You are still signed in on this device.')).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: /^\+1/ })).toBeVisible();
    expect(await page.content()).not.toContain('Logged Out Successfully!');
    expect(page.url()).toContain('success=true');
    expect(await authToken(page)).toBe(bearer);
    await page.unroute('**/api/User/LogoutUser/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
    await expect(page).toHaveTitle(/^Logged Out Successfully!/);
    expect(await authToken(page)).toBeNull();
    await isOut(page);
  });
}

test('[SCR-07] when the second try fails, too, the hosted login signs out', async ({
  page,
  account,
  code,
  quiet,
}) => {
  quiet.allow(/Failed to load resource|Something went wrong/);
  await signInByApi(page, await account(), code);
  await expect(heading(page, 'Member Intake')).toBeVisible();
  const back = (await page.getByRole('link', { name: 'Sign out' }).getAttribute('href')) ?? '';
  await page.route('**/api/User/LogoutUser/**', (route) => route.fulfill({ status: 503 }));
  await page.goto(back);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
  await isOut(page);
});

test("[SCR-01] somebody else's ids in the way back end nobody else's session, and end one's own", async ({
  page,
  browser,
  baseURL,
  account,
  code,
  quiet,
}) => {
  quiet.allow(/401 \(Unauthorized\)/);
  const victim = await account();
  const theirs = await browser.newContext({ baseURL: baseURL ?? '' });
  const other = await theirs.newPage();
  await signInByApi(other, victim, code);
  await expect(heading(other, 'Member Intake')).toBeVisible();
  const back = await wayBack(other);
  const theirBearer = await authToken(other);
  // The module's own page lets nothing be fetched.
  await open(other, '/account/signin');

  await signInByApi(page, await account(), code);
  await expect(heading(page, 'Member Intake')).toBeVisible();
  const bearer = await authToken(page);
  await page.goto(back);
  await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
  await expect.poll(() => authToken(page)).toBeNull();
  expect(await handOffStatus(page, bearer)).toBe(401);
  expect(await handOffStatus(other, theirBearer)).toBe(200);
  await theirs.close();
});

const DONE = '/account/Signout?hosted=done';

test("[SCR-01] A1: the address that says 'done' signs out whoever is signed in, and is not kept", async ({
  page,
  account,
  code,
}) => {
  await signInByApi(page, await account(), code);
  await expect(heading(page, 'Member Intake')).toBeVisible();
  const drawn = await (await page.request.get(DONE)).text();
  expect(drawn).not.toContain('Logged Out Successfully!');
  await page.goto(DONE);
  await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
  await expect(page).toHaveURL('/account/Signout');
  expect(await (await page.request.get(DONE)).text()).toContain('Logged Out Successfully!');
  await isOut(page);
});

test(
  "[SCR-01] A1: 'Logged Out Successfully!' that is seen again after a new sign-in signs out again",
  { tag: '@full' },
  async ({ page, context, account, code }) => {
    const member = await account('member and academy');
    const signInAgain = async (tab: Page) => {
      await fillSignIn(tab, member);
      await loginButton(tab).click();
      await expect(heading(tab, 'Enter your 6-digit code')).toBeVisible();
      await enterCode(tab, await code(member.email));
      await expect(heading(tab, 'Accounts switcher')).toBeVisible();
    };
    await open(page, '/account/signin');
    await signInAgain(page);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();

    await test.step('by Back in the same document', async () => {
      await page.getByRole('link', { name: 'Sign In' }).click();
      await expect(heading(page, 'Login')).toBeVisible();
      await signInAgain(page);
      await page.goBack();
      await expect(heading(page, 'You are already signed in')).toBeVisible();
      await page.goBack();
      await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
      await isOut(page);
    });
    await test.step('by Back over whole pages', async () => {
      await signInAgain(page);
      await page.goBack();
      await page.goBack();
      await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
      await expect(page).toHaveURL('/account/Signout');
    });
    await test.step('by a copy of the page that the browser kept', async () => {
      const other = await context.newPage();
      await open(other, '/account/signin');
      await signInAgain(other);
      const isSigningOut = page.waitForRequest('**/idp/v2/logout?**');
      await page.evaluate(() =>
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
      );
      await isSigningOut;
      await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
      await isOut(other);
    });
  },
);
