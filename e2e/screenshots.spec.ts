import path from 'node:path';
import { type Page } from '@playwright/test';
import { newMember } from './support/people.ts';
import {
  enterCode,
  fillSignIn,
  heading,
  loginButton,
  open,
  signIn,
  signUp,
  signUpButton,
} from './support/screens.ts';
import { expect, test } from './support/test.ts';

// Pictures of every screen, for people to look at. Not part of the suite: see playwright.config.ts.

const FOLDER = process.env.PORCHLIGHT_SHOTS ?? 'test-results/pictures';

async function shoot(page: Page, name: string): Promise<void> {
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(() => document.fonts.ready);
      const file = path.join(FOLDER, `${name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path: file, fullPage: true });
    }
  }
}

test('sign-up, code entry and congratulation', async ({ page, code }) => {
  await open(page, '/account/StartFreeTrial?subtenantId=3');
  await page.getByLabel('Other', { exact: true }).check();
  await shoot(page, 'sign-up-academy');
  await open(page, '/Account/SignUp?subtenantId=742');
  await shoot(page, 'sign-up');
  await page.getByRole('button', { name: /^Country code/ }).click();
  await shoot(page, 'sign-up-countries');
  await page.keyboard.press('Escape');
  await signUpButton(page).click();
  await shoot(page, 'sign-up-errors');
  const member = newMember();
  await signUp(page, member);
  await shoot(page, 'code-entry');
  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Email verified')).toBeVisible();
  await shoot(page, 'congratulation');
});

test('sign-in, redirect and module', async ({ page, account, code, quiet }) => {
  quiet.allow(/403 \(Forbidden\)/);
  const member = await account();
  await open(page, '/account/signin');
  await shoot(page, 'sign-in');
  await fillSignIn(page, { ...member, password: 'Not-The-One-1' });
  await loginButton(page).click();
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await shoot(page, 'sign-in-wrong');
  await open(page, '/legal-staff/signin');
  await shoot(page, 'sign-in-staff');
  await signIn(page, member);
  const held = Promise.withResolvers<undefined>();
  await page.route('**/api/User/LogUserLogin', async (route) => {
    await held.promise;
    await route.continue();
  });
  await enterCode(page, await code(member.email));
  await expect(page.getByText('Checking if any Multi-Role, in progress')).toBeVisible();
  await shoot(page, 'redirect');
  held.resolve(undefined);
  await expect(heading(page, 'Member Intake (demo module)')).toBeVisible();
  await shoot(page, 'module');
  await page.getByRole('link', { name: 'Sign out' }).click();
  await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
  await shoot(page, 'signed-out');
});

test('switcher and forced colours', async ({ page, code }) => {
  const everything = { email: 'everything@demo.porchlight.test', password: 'Porchlight-1' };
  await signIn(page, everything);
  await enterCode(page, await code(everything.email));
  await expect(heading(page, 'Accounts switcher')).toBeVisible();
  await shoot(page, 'switcher');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ forcedColors: 'active' });
  await page.screenshot({ path: path.join(FOLDER, 'switcher-forced-colours.png') });
});
