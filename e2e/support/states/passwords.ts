import { expect, type Page } from '@playwright/test';
import { answer, cut, hold, reword } from '../faults.ts';
import { enterCode, errorOf, field, heading, open } from '../screens.ts';
import type { State, Tools } from './state.ts';

const ASK = '/api/User/SendEmailForForgotPassword';
const UPDATE = '/api/2/User/UpdateForgotPassword';
const ACTIVATE = '/api/UserActivation/ActivateUser';
const NEW_PASSWORD = 'Lantern-Glow-8';
/** A platform whose accounts get their password here (OTP-10). */
const OTHER_PLATFORM = 5;

const resetButton = (page: Page) => page.getByRole('button', { name: 'Reset password' });
const setButton = (page: Page) => page.getByRole('button', { name: 'Set password' });

async function askFor(page: Page, email: string): Promise<void> {
  await open(page, '/account/ForgetPassword');
  await field(page, 'email').fill(email);
  await resetButton(page).click();
}

async function linkOf({
  page,
  account,
  inbox,
}: Tools): Promise<{ link: string; password: string }> {
  const { email, password } = await account();
  await askFor(page, email);
  await expect(heading(page, 'Check your email')).toBeVisible();
  return { link: (await inbox(email))[0]?.link ?? '', password };
}

async function openReset(tools: Tools): Promise<string> {
  const { link, password } = await linkOf(tools);
  await open(tools.page, link);
  await expect(field(tools.page, 'password')).toBeVisible();
  return password;
}

async function fillNew(page: Page, password: string, confirmation = password): Promise<void> {
  await field(page, 'password').fill(password);
  await field(page, 'confirmPassword').fill(confirmation);
  await setButton(page).click();
}

/** A first password is for accounts that somebody else made. The account is real, its platform is told otherwise. */
export async function openSetPassword(tools: Tools): Promise<void> {
  const { page, invited, code } = tools;
  const { email, link } = await invited();
  const elsewhere = new URL(link, 'http://localhost');
  elsewhere.searchParams.set('SUP', btoa(String(OTHER_PLATFORM)));
  const real = (body: object) => ({ ...body, signUpPlatform: 1 });
  await reword(page, '/api/UserActivation/ValidateLink', real);
  await reword(page, ACTIVATE, real);
  await open(page, elsewhere.pathname + elsewhere.search);
  await page.getByRole('button', { name: /^Send (?:my|me a) code/ }).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await enterCode(page, await code(email));
  await expect(heading(page, 'Set Password')).toBeVisible();
}

export const FORGOT_STATES: readonly State[] = [
  {
    name: 'forgot password',
    screen: 'forgotPassword',
    reach: ({ page }) => open(page, '/account/ForgetPassword'),
  },
  {
    name: 'no banner on a listed path',
    screen: 'forgotPassword',
    needs: {
      settings: {
        PORCHLIGHT_MAIN_IMAGE_MODE: '2',
        PORCHLIGHT_FULL_WIDTH_PATHS: '/account/forgetpassword',
      },
    },
    async reach({ page }) {
      await open(page, '/account/ForgetPassword');
      await expect(page.getByRole('region', { name: 'News' })).toHaveCount(0);
    },
  },
  {
    name: 'forgot password, nothing filled in',
    screen: 'forgotPassword',
    async reach({ page }) {
      await askFor(page, '');
      await expect(errorOf(page, 'email')).toHaveText('Please enter email address');
    },
  },
  {
    name: 'forgot password, no address',
    screen: 'forgotPassword',
    async reach({ page }) {
      await askFor(page, 'margaret@');
      await expect(errorOf(page, 'email')).toHaveText('Please enter a valid email address');
    },
  },
  {
    name: 'forgot password, unknown',
    screen: 'forgotPassword',
    async reach({ page }) {
      await askFor(page, 'nobody.of.this.name@example.org');
      await expect(errorOf(page, 'email')).toContainText('No account found');
    },
  },
  {
    name: 'forgot password, not active',
    screen: 'forgotPassword',
    async reach({ page, invited }) {
      await askFor(page, (await invited()).email);
      await expect(errorOf(page, 'email')).toContainText('Please verify your email address');
    },
  },
  {
    name: 'forgot password, sending',
    screen: 'forgotPassword',
    isPassing: true,
    async reach({ page }) {
      await hold(page, ASK);
      await askFor(page, 'ada@example.org');
      await expect(page.getByRole('button', { name: 'Sending the link…' })).toBeVisible();
    },
  },
  {
    name: 'forgot password, failed',
    screen: 'forgotPassword',
    async reach({ page }) {
      await cut(page, ASK);
      await askFor(page, 'ada@example.org');
      await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'forgot password, the security check does not work',
    screen: 'forgotPassword',
    async reach({ page }) {
      // As in a browser without WebCrypto, or on a page without https.
      await page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
      await answer(page, ASK, { errorFlag: 'CAPTCHA_NEEDED' });
      await askFor(page, 'ada@example.org');
      await expect(page.getByText('Our security check does not work')).toBeVisible();
    },
  },
  {
    name: 'forgot password, offline',
    screen: 'forgotPassword',
    async reach({ page, context }) {
      await open(page, '/account/ForgetPassword');
      await context.setOffline(true);
      await expect(page.getByText('You seem to be offline.')).toBeVisible();
    },
  },
  {
    name: 'forgot password, sent',
    screen: 'forgotPassword',
    async reach({ page, account }) {
      await askFor(page, (await account()).email);
      await expect(heading(page, 'Check your email')).toBeVisible();
    },
  },
];

/** Reset failures by status code (PWD-08). */
const FAILURES = [
  [404, 'User does not exist.'],
  [401, 'Unauthorized to change password.'],
  [400, 'Invalid change password request'],
  [503, 'Unable to procees your request, Please try later.'],
] as const;

export const RESET_STATES: readonly State[] = [
  {
    name: 'reset password, checking the link',
    screen: 'resetPassword',
    isPassing: true,
    async reach({ page }) {
      await hold(page, '/api/User/GetUserDetailsbyTokenKey/**');
      await open(page, '/account/resetPassword?resetLinkKey=abc');
      await expect(page.getByText('Checking your link…')).toBeVisible();
    },
  },
  {
    name: 'reset password',
    screen: 'resetPassword',
    reach: async (tools) => void (await openReset(tools)),
  },
  {
    name: 'reset password, nothing filled in',
    screen: 'resetPassword',
    async reach(tools) {
      await openReset(tools);
      await setButton(tools.page).click();
      await expect(errorOf(tools.page, 'confirmPassword')).toBeVisible();
    },
  },
  {
    name: 'reset password, too weak',
    screen: 'resetPassword',
    async reach(tools) {
      await openReset(tools);
      await fillNew(tools.page, 'lantern');
      await expect(errorOf(tools.page, 'password')).toBeVisible();
    },
  },
  {
    name: 'reset password, easy to guess',
    screen: 'resetPassword',
    async reach(tools) {
      await openReset(tools);
      await fillNew(tools.page, 'Password1!');
      await expect(errorOf(tools.page, 'password')).toContainText('easy to guess');
    },
  },
  {
    name: 'reset password, no match',
    screen: 'resetPassword',
    async reach(tools) {
      await openReset(tools);
      await fillNew(tools.page, NEW_PASSWORD, 'Lantern-Glow-9');
      await expect(errorOf(tools.page, 'confirmPassword')).toBeVisible();
    },
  },
  {
    name: 'reset password, the old one again',
    screen: 'resetPassword',
    async reach(tools) {
      await fillNew(tools.page, await openReset(tools));
      await expect(errorOf(tools.page, 'password')).toContainText('must be different');
    },
  },
  ...FAILURES.map(([status, text]): State => ({
    name: `reset password, ${status}`,
    screen: 'resetPassword',
    async reach(tools) {
      await answer(tools.page, UPDATE, { status });
      await openReset(tools);
      await fillNew(tools.page, NEW_PASSWORD);
      await expect(tools.page.getByRole('main').getByRole('alert')).toContainText(text);
    },
  })),
  {
    name: 'reset password, sending',
    screen: 'resetPassword',
    isPassing: true,
    async reach(tools) {
      await hold(tools.page, UPDATE);
      await openReset(tools);
      await fillNew(tools.page, NEW_PASSWORD);
      await expect(tools.page.getByRole('button', { name: /^Setting your/ })).toBeVisible();
    },
  },
  {
    name: 'password reset',
    screen: 'passwordDone',
    async reach(tools) {
      await openReset(tools);
      await fillNew(tools.page, NEW_PASSWORD);
      await expect(heading(tools.page, 'Password reset')).toBeVisible();
    },
  },
];

export const SET_STATES: readonly State[] = [
  { name: 'set password', screen: 'setPassword', reach: openSetPassword },
  {
    name: 'set password, nothing filled in',
    screen: 'setPassword',
    async reach(tools) {
      await openSetPassword(tools);
      await setButton(tools.page).click();
      await expect(errorOf(tools.page, 'confirmPassword')).toBeVisible();
    },
  },
  {
    name: 'set password, no match',
    screen: 'setPassword',
    async reach(tools) {
      await openSetPassword(tools);
      await fillNew(tools.page, NEW_PASSWORD, 'Lantern-Glow-9');
      await expect(errorOf(tools.page, 'confirmPassword')).toBeVisible();
    },
  },
  {
    name: 'set password, sending',
    screen: 'setPassword',
    isPassing: true,
    async reach(tools) {
      await openSetPassword(tools);
      await hold(tools.page, ACTIVATE);
      await fillNew(tools.page, NEW_PASSWORD);
      await expect(tools.page.getByRole('button', { name: /^Setting your/ })).toBeVisible();
    },
  },
  {
    name: 'set password, failed',
    screen: 'setPassword',
    async reach(tools) {
      await openSetPassword(tools);
      await cut(tools.page, ACTIVATE);
      await fillNew(tools.page, NEW_PASSWORD);
      await expect(tools.page.getByRole('main').getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'first password set',
    screen: 'passwordDone',
    async reach(tools) {
      await openSetPassword(tools);
      await fillNew(tools.page, NEW_PASSWORD);
      await expect(heading(tools.page, 'Set password')).toBeVisible();
    },
  },
];
