import type { Page } from '@playwright/test';
import { enterCode, heading, signIn } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const help = (page: Page) => page.getByRole('region', { name: 'Your browser is blocking sign-in' });

const SAFARI = 'Version/18.5 Safari/605.1.15';
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

/** The variants of GEN-10, a browser of each, and words that only its variant has. */
const VARIANTS = [
  [1, 'Safari on a Mac', `${MAC} ${SAFARI}`, 'Open the Safari menu and choose Settings.'],
  [
    3,
    'Safari on a phone',
    `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`,
    'Apps, then Safari',
  ],
  [
    2,
    'Firefox',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Click the icon to the left of the address.',
  ],
  [
    2,
    'Chrome on an iPhone',
    `${IPHONE} CriOS/138.0 Mobile/15E148 Safari/604.1`,
    'Click the icon to the left of the address.',
  ],
  [4, 'a browser nobody knows', 'Lantern/1.0 (Reader)', 'or try Chrome, Edge, Firefox or Safari'],
] as const;

for (const [variant, name, userAgent, words] of VARIANTS) {
  test.describe(name, () => {
    test.use({ userAgent });
    test(`[GEN-10] [RED-05] ${name}, hiding the session after a right code, gets variant ${variant} and no other`, async ({
      page,
      playwright,
      account,
      code,
    }) => {
      const member = await account();
      await signIn(page, member);
      // Until here the session check said login_required as well, and the banner was not due.
      await expect(help(page)).toHaveCount(0);
      const stranger = await playwright.request.newContext();
      await page.route('**/idp/authorize**', async (route) => {
        await route.fulfill({ response: await stranger.get(route.request().url()) });
      });
      await enterCode(page, await code(member.email));
      await expect(help(page)).toContainText(words);
      const shown = await help(page).getByRole('listitem').allTextContents();
      for (const [other, , , others] of VARIANTS) {
        if (other !== variant) expect(shown.join(' ')).not.toContain(others);
      }
      await expect(page).toHaveURL('/account/Redirect');
      await stranger.dispose();
    });
  });
}

test(
  '[GEN-10] a browser that shows the session again goes on with "Try again", and needs no new code',
  { tag: '@full' },
  async ({ page, playwright, account, code, api }) => {
    const member = await account();
    await signIn(page, member);
    const stranger = await playwright.request.newContext();
    await page.route('**/idp/authorize**', async (route) => {
      await route.fulfill({ response: await stranger.get(route.request().url()) });
    });
    await enterCode(page, await code(member.email));
    await expect(help(page)).toBeVisible();
    await expect(help(page).getByRole('link', { name: 'Is my browser all right?' })).toBeVisible();
    await page.unroute('**/idp/authorize**');
    await help(page).getByRole('button', { name: 'Try again' }).click();
    await expect(heading(page, 'Member Intake')).toBeVisible();
    expect(api.to('/api/OTP/Send-OTP-To-User')).toHaveLength(1);
    await stranger.dispose();
  },
);

test(
  '[GEN-10] a check that fails for another reason is no privacy matter; the banner can be hidden',
  { tag: '@full' },
  async ({ page, playwright, account, code, quiet }) => {
    quiet.allow(/frame-ancestors/);
    const member = await account();
    await signIn(page, member);
    // An answer without a session and without login_required.
    await page.route('**/idp/authorize**', (route) => {
      const state = new URL(route.request().url()).searchParams.get('state') ?? '';
      return route.fulfill({ status: 302, headers: { location: `/dev/inbox?${state}` } });
    });
    await enterCode(page, await code(member.email));
    await expect(page.getByRole('main')).toContainText('Something went wrong. Try again later.');
    await expect(help(page)).toHaveCount(0);

    await page.unroute('**/idp/authorize**');
    const stranger = await playwright.request.newContext();
    await page.route('**/idp/authorize**', async (route) => {
      await route.fulfill({ response: await stranger.get(route.request().url()) });
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await help(page).getByRole('button', { name: 'Hide' }).click();
    await expect(help(page)).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(page.getByRole('link', { name: 'Back to Sign In' })).toBeVisible();
    await stranger.dispose();
  },
);
