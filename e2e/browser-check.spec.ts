import { heading, open } from './support/screens.ts';
import { breakBrowser } from './support/states/browser.ts';
import { expect, test } from './support/test.ts';

const TITLE = 'Check your browser';

test('[R57] a browser that is all right says so, with lines for the help desk and nothing secret in them', async ({
  page,
  context,
}) => {
  await open(page, '/help');
  await page.getByRole('link', { name: 'Is my browser all right?' }).click();
  await expect(heading(page, TITLE)).toBeVisible();
  const main = page.getByRole('main');
  await expect(main.getByRole('status')).toHaveText('Your browser is all right.');
  for (const words of ['JavaScript is on.', 'Cookies work.', 'Your clock is right.']) {
    await expect(main).toContainText(words);
  }
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByText('Show what we see').click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.locator('#live-polite')).toHaveText('Copied.');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split('\n').slice(0, 4)).toEqual([
    'JavaScript: good',
    'Cookies: good',
    'Storage: good',
    'Security check: good',
  ]);
  expect(copied).toMatch(/Browser: Mozilla/);
  for (const { value } of await context.cookies()) expect(copied).not.toContain(value);
  // Nothing of the tries is left.
  expect(await page.evaluate(() => document.cookie + JSON.stringify(localStorage))).not.toContain(
    'probe',
  );
});

test(
  '[R57] what is blocked is named, with what to do about it',
  { tag: '@full' },
  async ({ page, playwright }) => {
    await breakBrowser(page);
    // As from a browser that sends no cookies.
    const stranger = await playwright.request.newContext();
    await page.route('**/api/Browser/Check', async (route) => {
      await route.fulfill({ response: await stranger.get(route.request().url()) });
    });
    await open(page, '/account/browser');
    const main = page.getByRole('main');
    await expect(main.getByRole('status')).toContainText('Something needs a change.');
    for (const words of [
      'Cookies are blocked.',
      'Your browser keeps nothing for this site.',
      'too old for our security check',
      'Your clock is 5 minutes ahead of ours.',
      'Turn on automatic date and time',
    ]) {
      await expect(main).toContainText(words);
    }
    await expect(main.locator('pre')).toContainText(
      'Clock: needs a change (Your clock is 5 minutes ahead of ours.)',
    );
    // Allowed again, and tried again without a reload.
    await page.unroute('**/api/Browser/Check');
    await page.getByRole('button', { name: 'Check again' }).click();
    await expect(main).toContainText('Cookies work.');
    await stranger.dispose();
  },
);

test(
  '[R57] without a server what cannot be known is not called broken',
  { tag: '@full' },
  async ({ page, quiet }) => {
    quiet.allow(/Failed to load resource/);
    await page.route('**/api/Browser/Check', (route) => route.abort());
    await open(page, '/account/browser');
    await expect(page.getByRole('main').getByRole('status')).toHaveText(
      'We could not check everything.',
    );
    await expect(page.getByRole('main')).toContainText('We could not reach our server.');
    await expect(page.getByRole('main')).not.toContainText('blocked');
  },
);

test('[R57] without JavaScript the page says that, and whom to ask', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  await page.goto('/account/browser');
  await expect(heading(page, TITLE)).toBeVisible();
  // Playwright's own matchers look past what stands in a noscript.
  const shown = await page.evaluate(() => document.body.innerText);
  expect(shown).toContain('JavaScript is off.');
  expect(shown).toContain('help@demo.porchlight.test');
  expect(shown).not.toContain('Looking at your browser');
  await context.close();
});

test(
  '[SCR-05] the page of an unknown address leads to the check',
  { tag: '@full' },
  async ({ page, quiet }) => {
    quiet.allow(/404 \(Not Found\)/);
    await open(page, '/no/such/place');
    await page.getByRole('link', { name: 'Is my browser all right?' }).click();
    await expect(heading(page, TITLE)).toBeVisible();
  },
);
