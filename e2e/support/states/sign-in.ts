import { expect, type Page } from '@playwright/test';
import { answer, cut, hold } from '../faults.ts';
import { errorOf, field, fillSignIn, heading, loginButton, open } from '../screens.ts';
import { signInByApi } from '../session.ts';
import type { State } from './state.ts';

const CHECK = '/api/user/GetUserStatusByUserName/**';
const SIGN_IN = '/account/signin';
const SOMEBODY = { email: 'ada@example.org', password: 'Rocking-Chair-7' };

const box = (page: Page) => page.getByRole('main').getByRole('alert');

async function send(page: Page, path = SIGN_IN): Promise<void> {
  await open(page, path);
  await fillSignIn(page, SOMEBODY);
  await loginButton(page).click();
}

async function tryWrong(page: Page, times: number): Promise<void> {
  await open(page, SIGN_IN);
  for (let tries = 0; tries < times; tries += 1) {
    await fillSignIn(page, { ...SOMEBODY, email: `nobody${tries}@example.org` });
    await loginButton(page).click();
    await expect(field(page, 'password')).toHaveValue('');
    await expect(box(page)).toContainText('The username or password you entered is incorrect.');
  }
}

async function chooseInDisplay(page: Page): Promise<void> {
  await open(page, SIGN_IN);
  await page.getByRole('button', { name: 'Display' }).click();
  await expect(page.getByRole('group', { name: 'Display settings' })).toBeVisible();
}

const remember = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('userName', 'margaret.okafor@example.org'));

export const SIGN_IN_STATES: readonly State[] = [
  { name: 'sign-in', screen: 'signIn', reach: ({ page }) => open(page, SIGN_IN) },
  {
    name: 'sign-in, nothing filled in',
    screen: 'signIn',
    async reach({ page }) {
      await open(page, SIGN_IN);
      await loginButton(page).click();
      await expect(errorOf(page, 'password')).toBeVisible();
    },
  },
  {
    name: 'sign-in, no address',
    screen: 'signIn',
    async reach({ page }) {
      await open(page, SIGN_IN);
      await fillSignIn(page, { email: 'ada@example', password: 'x' });
      await loginButton(page).click();
      await expect(errorOf(page, 'email')).toBeVisible();
    },
  },
  {
    name: 'sign-in, wrong password',
    screen: 'signIn',
    async reach({ page, account }) {
      const { email } = await account();
      await open(page, SIGN_IN);
      await fillSignIn(page, { email, password: 'Not-The-One-1' });
      await loginButton(page).click();
      await expect(box(page)).toContainText('The username or password you entered is incorrect.');
    },
  },
  {
    name: 'sign-in, wrong twice',
    screen: 'signIn',
    async reach({ page }) {
      await tryWrong(page, 2);
      await expect(box(page).getByRole('link', { name: 'Forgot your password?' })).toBeVisible();
    },
  },
  { name: 'sign-in, unknown', screen: 'signIn', reach: ({ page }) => tryWrong(page, 1) },
  {
    name: 'sign-in, sending',
    screen: 'signIn',
    isPassing: true,
    async reach({ page }) {
      await hold(page, CHECK);
      await send(page);
      await expect(page.getByRole('button', { name: 'Signing in…' })).toBeVisible();
    },
  },
  {
    name: 'sign-in, slow',
    screen: 'signIn',
    isPassing: true,
    async reach({ page }) {
      await hold(page, CHECK);
      await send(page);
      await expect(page.getByRole('button', { name: 'Signing in…' })).toBeVisible();
      await page.clock.runFor(8500);
      await expect(page.getByRole('main').getByText('Still working.')).toBeVisible();
    },
  },
  {
    name: 'sign-in, back online',
    screen: 'signIn',
    async reach({ page, context }) {
      await open(page, SIGN_IN);
      await fillSignIn(page, SOMEBODY);
      await context.setOffline(true);
      await loginButton(page).click();
      await expect(loginButton(page)).not.toHaveAttribute('aria-disabled');
      await context.setOffline(false);
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    },
  },
  {
    name: 'sign-in, offline',
    screen: 'signIn',
    async reach({ page, context }) {
      await open(page, SIGN_IN);
      await context.setOffline(true);
      await expect(page.getByText('You seem to be offline.')).toBeVisible();
    },
  },
  {
    name: 'sign-in, failed',
    screen: 'signIn',
    async reach({ page }) {
      await cut(page, CHECK);
      await send(page);
      await expect(box(page)).toContainText('Something went wrong. Try again later.');
    },
  },
  {
    name: 'sign-in, too many tries',
    screen: 'signIn',
    async reach({ page }) {
      await answer(page, CHECK, { status: 429, headers: { 'retry-after': '30' } });
      await send(page);
      await expect(box(page)).toContainText('Too many tries. Please wait 1 minute and try again.');
    },
  },
  {
    name: 'sign-in, remembered',
    screen: 'signIn',
    async reach({ page }) {
      await remember(page);
      await open(page, SIGN_IN);
      await expect(page.getByLabel('Remember me')).toBeChecked();
    },
  },
  {
    name: 'sign-in, password shown',
    screen: 'signIn',
    async reach({ page }) {
      await open(page, SIGN_IN);
      await fillSignIn(page, {
        email: 'wilhelmina.featherstonehaugh@retirement-residence.example.org',
        password: 'A rather long sentence makes a fine password, too.',
      });
      await page.getByRole('button', { name: 'Show password' }).click();
      await expect(page.getByRole('button', { name: 'Hide password' })).toBeVisible();
    },
  },
  {
    name: 'sign-in, session timed out',
    screen: 'signIn',
    async reach({ page }) {
      await open(page, `${SIGN_IN}?expired=1`);
      await expect(page.getByRole('alertdialog', { name: 'Session Timeout' })).toBeVisible();
    },
  },
  {
    name: 'sign-in, session timed out, dialog closed',
    screen: 'signIn',
    async reach({ page }) {
      await open(page, `${SIGN_IN}?expired=1`);
      await page.getByRole('button', { name: 'Ok, thanks' }).click();
      await expect(page.getByRole('alertdialog')).toBeHidden();
    },
  },
  {
    name: 'sign-in, signed in already',
    screen: 'signIn',
    async reach({ page, account, code }) {
      await signInByApi(page, await account(), code);
      await expect(heading(page, 'Member Intake')).toBeVisible();
      await open(page, SIGN_IN);
      await expect(heading(page, 'You are already signed in')).toBeVisible();
    },
  },
  {
    name: 'sign-in, sent here by the unauthorized page',
    screen: 'signIn',
    async reach({ page }) {
      await page.clock.install();
      await open(page, '/account/UnAuthorizedAccess');
      await page.clock.runFor(6000);
      await expect(heading(page, 'Login')).toBeVisible();
      await expect(page.getByText('Your account cannot open this page')).toBeVisible();
    },
  },
  {
    name: 'staff sign-in',
    screen: 'signIn',
    reach: ({ page }) => open(page, '/legal-staff/signin'),
  },
  {
    name: 'staff sign-in, nothing filled in',
    screen: 'signIn',
    async reach({ page }) {
      await open(page, '/legal-staff/signin');
      await loginButton(page).click();
      await expect(errorOf(page, 'password')).toBeVisible();
    },
  },
];

/** What belongs to the frame and not to a screen; sign-in stands for all. */
export const FRAME_STATES: readonly State[] = [
  { name: 'display menu', screen: 'signIn', reach: ({ page }) => chooseInDisplay(page) },
  {
    name: 'display menu, take your time, largest text, dark',
    screen: 'signIn',
    async reach({ page }) {
      await chooseInDisplay(page);
      await page.getByLabel('Take your time').check();
      await page.getByRole('button', { name: 'Dark' }).click();
      await page.getByRole('button', { name: 'Largest text' }).first().click();
      await expect(page.locator('html')).toHaveAttribute('data-text-size', 'largest');
      await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
    },
  },
  {
    name: 'skip link',
    screen: 'signIn',
    async reach({ page }) {
      await open(page, SIGN_IN);
      await page.keyboard.press('Tab');
      await expect(page.getByRole('link', { name: 'Skip to main content' })).toBeFocused();
    },
  },
  ...[3, 900].map((id): State => ({
    name: `subtenant ${id}`,
    screen: 'signIn',
    async reach({ page }) {
      await remember(page);
      await open(page, `${SIGN_IN}?subtenantId=${id}`);
      await expect(page.getByLabel('Remember me')).toBeChecked();
    },
  })),
  {
    name: 'logo not loaded',
    screen: 'signIn',
    async reach({ page }) {
      await cut(page, '/logos/**');
      await open(page, SIGN_IN);
      await expect(page.getByRole('banner').getByRole('img')).toHaveCount(0);
      await expect(page.getByRole('banner')).toContainText('Rosewood Senior Living');
    },
  },
  {
    name: 'banner at the start side',
    screen: 'signIn',
    needs: { settings: { PORCHLIGHT_MAIN_IMAGE_MODE: '2' } },
    reach: ({ page }) => open(page, SIGN_IN),
  },
  {
    name: 'no banner',
    screen: 'signIn',
    needs: { settings: { PORCHLIGHT_MAIN_IMAGE_MODE: '3' } },
    async reach({ page }) {
      await open(page, SIGN_IN);
      await expect(page.getByRole('region', { name: 'News' })).toHaveCount(0);
    },
  },
  {
    name: 'without JavaScript',
    screen: 'signIn',
    needs: { javaScriptEnabled: false },
    async reach({ page }) {
      await page.goto(SIGN_IN);
      await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
    },
  },
];
