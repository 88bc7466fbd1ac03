import type { Page } from '@playwright/test';
import { press, send, type } from './support/native.ts';
import { expect, test } from './support/test.ts';

// Links of mails for a new password, used and wrong, in a browser whose scripts are off.

test.use({ javaScriptEnabled: false });

const h1 = (page: Page) => page.getByRole('heading', { level: 1 });

test('[NOS-10] a reset link that was used, or was never sent, says so and leads on', async ({
  page,
  account,
  inbox,
}) => {
  const { email } = await account();
  await page.goto('/account/ForgetPassword');
  await type(page, 'forgot-password', { email });
  await send(page, 'forgot-password');
  const links = (await inbox(email)).map(({ link }) => link);
  const link = String(links.find((url) => url?.includes('resetLinkKey')));
  await page.goto(link);
  await press(page, 'goOn');
  const password = 'Green-Teapot-77';
  await type(page, 'reset-password', { password, confirmPassword: password });
  await send(page, 'reset-password');
  await expect(page).toHaveURL('/account/SuccessResetPassword');
  const wrong = link.replace(/(resetLinkKey=)[^&]+/, `$1${'A'.repeat(43)}`);
  for (const dead of [link, wrong]) {
    await page.goto(dead);
    await press(page, 'goOn');
    await expect(h1(page)).toHaveText('Invalid Link');
    await expect(page.locator('main a').first()).toBeVisible();
    await expect(page.locator('.script-only:visible')).toHaveCount(0);
  }
});
