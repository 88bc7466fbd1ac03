import type { Page } from '@playwright/test';
import { BRIEF_VIEWS, expectAccessible } from './support/axe.ts';
import { field, fillSignIn, heading, loginButton } from './support/screens.ts';
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

test('[NOS-07] a script that never comes keeps nobody waiting for good', async ({
  page,
  account,
}) => {
  await page.clock.install();
  await page.route('**/assets/**.js', () => undefined);
  const { email, password } = await account();
  await page.goto('/account/signin', { waitUntil: 'commit' });
  await fillSignIn(page, { email, password });
  await loginButton(page).click();
  await expect(page.locator('#sign-in')).toHaveAttribute('aria-busy', 'true');
  await page.clock.runFor(8000);
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
});

test('[NOS-07] when the flow itself does not load, the second try goes without script', async ({
  page,
  account,
  quiet,
}) => {
  quiet.allow(/Failed to (?:load|fetch)|ERR_FAILED/);
  const { email, password } = await account();
  await page.goto('/account/signin');
  await awake(page);
  await page.route('**/assets/**.js', (route) => route.abort());
  await fillSignIn(page, { email, password });
  await loginButton(page).click();
  await expect(page.getByRole('alert').first()).toContainText('Something went wrong');
  await loginButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
});

for (const [form, path] of [
  ['sign-in', '/account/signin'],
  ['sign-up', '/account/StartFreeTrial?subtenantId=3'],
  ['forgot-password', '/account/ForgetPassword'],
] as const) {
  test(`[NOS-01] what answers the form ${form} has no accessibility fault`, async ({
    page,
    quiet,
  }) => {
    quiet.allow(/Failed to (?:load|fetch)|ERR_FAILED/);
    await page.route('**/assets/**.js', (route) => route.abort());
    await page.goto(path);
    await page.locator(`#${form} button[type=submit]:not([form])`).click();
    await expect(page).toHaveTitle(/^Error: /);
    await expectAccessible(page, `the answer to ${form}`, BRIEF_VIEWS);
  });
}
