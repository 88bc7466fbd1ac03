import { expect } from '@playwright/test';
import { test } from './support/state-test.ts';
import { stateOf } from './support/states.ts';

test('[GEN-08] a listed path goes without the banner, the others keep it', async ({
  page,
  serverWith,
}) => {
  const { needs } = stateOf('no banner on a listed path');
  const url = await serverWith(needs?.settings ?? {});
  const banner = page.getByText('Great News - Experience Our New User Interface');
  await page.goto(`${url}/Account/ForgetPassword`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot Password?');
  await expect(banner).toHaveCount(0);
  await page.goto(`${url}/account/signin`);
  await expect(banner).toBeVisible();
});
