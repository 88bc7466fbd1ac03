import type { BrowserContext, Locator, Page } from '@playwright/test';
import { BRIEF_VIEWS, expectAccessible } from './support/axe.ts';
import { isFullMatrix } from './support/matrix.ts';
import { enterCode, send, signIn, signUpForm, type } from './support/native.ts';
import { newMember } from './support/people.ts';
import { field, fillSignIn, heading, loginButton } from './support/screens.ts';
import { signInByApi } from './support/session.ts';
import { awake, expect, test } from './support/test.ts';

// Scripts are on, and do not come: the form goes as it is, and the server answers it (decision 124).

type Fault = (page: Page, file: RegExp, body: string) => Promise<unknown>;

const FAULTS: Readonly<Record<string, Fault>> = {
  blocked: (page, file) => page.route(file, (route) => route.abort()),
  'answered with 500': (page, file) => page.route(file, (route) => route.fulfill({ status: 500 })),
  'cut off': (page, file, body) =>
    page.route(file, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: body.slice(0, Math.floor(body.length / 2)),
      }),
    ),
  'thrown from': (page, file) =>
    page.route(file, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' }),
    ),
};

/** The scripts that the page of sign-in asks for, and the styles of what they draw. */
async function scriptsOf(page: Page): Promise<readonly string[]> {
  await page.goto('/account/signin');
  await awake(page);
  return page.evaluate(() =>
    [
      ...document.querySelectorAll('link[rel=modulepreload], link[rel=stylesheet], script[src]'),
    ].map(
      (each) => new URL((each as HTMLScriptElement).src || (each as HTMLLinkElement).href).pathname,
    ),
  );
}

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`[NOS-07] [PRF-22] each script of sign-in, and the style sheet, ${name}: the form still signs in`, async ({
    page,
    context,
    account,
    quiet,
  }) => {
    test.slow();
    quiet.allow(
      /Failed to (?:load|fetch)|ERR_FAILED|broken|Unexpected|Invalid|SyntaxError|preload|500|MIME/,
    );
    const { email, password } = await account();
    for (const script of await scriptsOf(page)) {
      await context.clearCookies();
      const file = new RegExp(script.replaceAll('.', '\\.'));
      await fault(page, file, await (await page.request.get(script)).text());
      await page.goto('/account/signin');
      await fillSignIn(page, { email, password });
      await field(page, 'password').press('Enter');
      await expect(heading(page, 'Enter your 6-digit code'), script).toBeVisible();
      await page.unroute(file);
    }
  });
}

test(
  '[NOS-07] a script that never comes keeps nobody waiting for good',
  { tag: '@full' },
  async ({ page, account }) => {
    await page.clock.install();
    await page.route('**/assets/**.js', () => undefined);
    const { email, password } = await account();
    await page.goto('/account/signin', { waitUntil: 'commit' });
    await fillSignIn(page, { email, password });
    await loginButton(page).click();
    await expect(page.locator('#sign-in')).toHaveAttribute('aria-busy', 'true');
    await page.clock.runFor(8000);
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  },
);

test('[NOS-07] E1: a page that waits shows Continue after 8 seconds, by its style alone, and nothing moves', async ({
  page,
  account,
  code,
}) => {
  await page.route('**/assets/**.js', () => undefined);
  await signInByApi(page, await account(), code);
  await expect(heading(page, 'Signing you in')).toBeVisible();
  const way = goOn(page);
  await expect(way).toBeHidden();
  const before = await way.boundingBox();
  await way.focus();
  await expect(way).not.toBeFocused();
  // The style's clock is not the page's: the delay is skipped.
  const delays = await page.evaluate(() =>
    document.getAnimations().map((each) => {
      const { delay, iterations } = each.effect?.getTiming() ?? {};
      if (iterations === 1) each.finish();
      return delay;
    }),
  );
  expect(delays).toContain(8000);
  await expect(page.getByText('This takes longer than it should.')).toBeVisible();
  expect(await way.boundingBox()).toEqual(before);
  await expectAccessible(page, 'a page that waits', BRIEF_VIEWS);
  await way.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Member Intake');
});

test(
  '[NOS-07] E1: a form whose answer does not come has Continue after 8 seconds',
  { tag: '@full' },
  async ({ page, account }) => {
    await page.clock.install();
    const { email, password } = await account();
    await page.goto('/account/signin');
    await awake(page);
    await fillSignIn(page, { email, password });
    // One request hangs, the server is there.
    await page.route('**/api/user/GetUserStatusByUserName/**', () => undefined);
    await loginButton(page).click();
    await expect(page.locator('#sign-in')).toHaveAttribute('aria-busy', 'true');
    await page.clock.runFor(8000);
    await expect(page.getByText('If nothing happens, press Continue.')).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  },
);

test(
  '[NOS-07] E1: sign-in whose next screen does not load before there is a session goes on with the same press',
  { tag: '@full' },
  async ({ page, account, quiet }) => {
    quiet.allow(/Failed to (?:load|fetch)|ERR_FAILED|preload/);
    await page.route('**/assets/redirect-screen*.js', (route) => route.abort());
    // The session is asked for, and the answer is not there yet.
    await page.route('**/idp/authorize?**', () => undefined);
    const { email, password } = await account();
    await page.goto('/account/signin');
    await fillSignIn(page, { email, password });
    await loginButton(page).click();
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  },
);

/** Continue, where a page waits for its scripts. */
const goOn = (page: Page) => page.locator('button[value=goOn]');

const titled = (page: Page, name: RegExp) => page.getByRole('heading', { level: 1, name });

/** Waits for a page. On the way, Continue is pressed where a page shows it. */
async function reach(page: Page, there: Locator): Promise<void> {
  const either = there.or(goOn(page)).filter({ visible: true }).first();
  await expect(either).toBeVisible();
  while (!(await there.isVisible())) {
    await goOn(page).click();
    await expect(either).toBeVisible();
  }
}

type World = {
  readonly page: Page;
  readonly account: () => Promise<{ readonly email: string; readonly password: string }>;
  readonly code: (to: string) => Promise<string>;
  readonly inbox: (to: string) => Promise<readonly { readonly link: string | null }[]>;
};

/** Whole journeys, with each button pressed once. */
const JOURNEYS: Readonly<Record<string, (world: World) => Promise<void>>> = {
  async 'sign-in to a module'({ page, account, code }) {
    const { email, password } = await account();
    await signIn(page, email, password);
    await reach(page, page.locator('#code'));
    await enterCode(page, await code(email));
    await reach(page, titled(page, /^Member Intake$/));
  },
  async 'sign-up to the congratulation'({ page, code }) {
    const member = newMember();
    await signUpForm(page, '/Account/SignUp', member);
    await reach(page, page.locator('#code'));
    await enterCode(page, await code(member.email));
    await reach(page, titled(page, /verified$/));
  },
  async 'a new password'({ page, account, inbox }) {
    const { email } = await account();
    const password = 'Green-Teapot-77';
    await page.goto('/account/ForgetPassword');
    await type(page, 'forgot-password', { email });
    await send(page, 'forgot-password');
    await reach(page, titled(page, /^Check your email$/));
    const link = (await inbox(email)).find((message) =>
      message.link?.includes('resetLinkKey'),
    )?.link;
    await page.goto(String(link));
    await reach(page, page.locator('#reset-password'));
    await type(page, 'reset-password', { password, confirmPassword: password });
    await send(page, 'reset-password');
    await reach(page, titled(page, /^Password reset$/));
  },
};

/** The scripts that a journey asks for when all of them come. */
async function scriptsOfJourney(context: BrowserContext, walk: (page: Page) => Promise<void>) {
  const page = await context.newPage();
  const asked = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/assets\/.*\.js$/.test(pathname)) asked.add(pathname);
  });
  await walk(page);
  await page.close();
  return [...asked];
}

/** A file of each kind: of every page, of the flow, of all calls, of a screen that waits, of one with a form. */
const REPRESENTATIVE = /entry-client|runner|\/api-|redirect-screen|verify-otp|reset-password/;

for (const [name, walk] of Object.entries(JOURNEYS)) {
  test(
    `[NOS-07] E1: ${name}: without any one of its scripts it comes to its end, each button pressed once`,
    { tag: '@full' },
    async ({ context, account, code, inbox, quiet }) => {
      test.setTimeout(isFullMatrix ? 300_000 : 120_000);
      quiet.allow(/Failed to (?:load|fetch)|ERR_FAILED|preload/);
      const walkOn = (page: Page) => walk({ page, account, code, inbox });
      const scripts = await scriptsOfJourney(context, walkOn);
      expect(scripts.length).toBeGreaterThan(10);
      for (const script of scripts.filter((each) => isFullMatrix || REPRESENTATIVE.test(each))) {
        await test.step(script, async () => {
          await context.clearCookies();
          const page = await context.newPage();
          await page.route(`**${script}`, (route) => route.abort());
          await walkOn(page);
          await page.close();
        });
      }
    },
  );
}

for (const [form, path] of [
  ['sign-in', '/account/signin'],
  ['sign-up', '/account/StartFreeTrial?subtenantId=3'],
  ['forgot-password', '/account/ForgetPassword'],
] as const) {
  test(
    `[NOS-01] what answers the form ${form} has no accessibility fault`,
    { tag: '@full' },
    async ({ page, quiet }) => {
      quiet.allow(/Failed to (?:load|fetch)|ERR_FAILED/);
      await page.route('**/assets/**.js', (route) => route.abort());
      await page.goto(path);
      await page.locator(`#${form} button[type=submit]:not([form])`).click();
      await expect(page).toHaveTitle(/^Error: /);
      await expectAccessible(page, `the answer to ${form}`, BRIEF_VIEWS);
    },
  );
}
