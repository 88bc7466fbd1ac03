import type { Page, Route } from '@playwright/test';
import { answer } from './support/faults.ts';
import { newMember } from './support/people.ts';
import {
  boxTexts,
  enterCode,
  field,
  fillSignIn,
  fillSignUp,
  heading,
  loginButton,
  open,
  openCodeEntry,
  signUpButton,
  toast,
} from './support/screens.ts';
import { signInByApi } from './support/session.ts';
import { expect, test } from './support/test.ts';

const AWAY = 'You seem to be offline. Your answers are still here.';
const BACK = 'You are back online.';
const GENERAL = 'Something went wrong. Try again later.';
const CODE = 'Enter your 6-digit code';
const again = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Try again' });

/** One message, and none that says otherwise. */
async function expectAway(page: Page): Promise<void> {
  await expect(page.getByText(AWAY)).toBeVisible();
  await expect(page.getByText(GENERAL)).toHaveCount(0);
  await expect(toast(page)).toBeHidden();
}

test.beforeEach(({ quiet }) =>
  quiet.allow(/ERR_INTERNET_DISCONNECTED|status of (?:429|503)|^Something went wrong /),
);

test('[V4] sign-in offline keeps the password, and goes on when the line is back @core', async ({
  page,
  context,
  account,
}) => {
  const member = await account();
  await open(page, '/account/signin');
  await fillSignIn(page, member);
  // All scripts are there; a page without them is another test's.
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await loginButton(page).click();
  await expectAway(page);
  await expect(field(page, 'password')).toHaveValue(member.password);
  await context.setOffline(false);
  await expect(page.getByText(BACK)).toBeVisible();
  await expect(page.getByText(AWAY)).toHaveCount(0);
  await again(page).click();
  await expect(heading(page, CODE)).toBeVisible();
});

test('[V4] sign-up offline keeps everything, and goes on when the line is back', async ({
  page,
  context,
  inbox,
}) => {
  const member = newMember();
  await open(page, '/Account/SignUp');
  await fillSignUp(page, member);
  await context.setOffline(true);
  await signUpButton(page).click();
  await expectAway(page);
  await context.setOffline(false);
  await again(page).click();
  await expect(heading(page, CODE)).toBeVisible();
  expect(await inbox(member.email)).toHaveLength(1);
});

test(
  '[V4] the list of countries that had no line is fetched when the line is back',
  { tag: '@full' },
  async ({ page, context }) => {
    await answer(page, '/api/Country/GetRegistrationEnableCountry', { status: 503 });
    await open(page, '/Account/SignUp');
    await field(page, 'firstName').focus();
    const failed = page.getByText('Other countries could not be loaded.');
    await expect(failed).toBeVisible();
    await context.setOffline(true);
    await page.unroute('**/api/Country/GetRegistrationEnableCountry');
    await context.setOffline(false);
    await expect(failed).toHaveCount(0);
  },
);

test(
  '[V4] a code typed offline stays typed, and is sent when the line is back',
  { tag: '@full' },
  async ({ page, context, code }) => {
    const member = newMember();
    await openCodeEntry(page, member);
    const right = await code(member.email);
    await context.setOffline(true);
    await enterCode(page, right);
    await expectAway(page);
    expect((await boxTexts(page)).join('')).toBe(right);
    await context.setOffline(false);
    await again(page).click();
    await expect(heading(page, 'Email verified')).toBeVisible();
  },
);

test(
  '[V4] a choice made offline stays, and opens when the line is back',
  { tag: '@full' },
  async ({ page, context, account, code }) => {
    await signInByApi(page, await account('member and academy'), code);
    await expect(heading(page, 'Accounts switcher')).toBeVisible();
    await page.getByRole('radio').first().check();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expectAway(page);
    await expect(page.getByRole('radio').first()).toBeChecked();
    await context.setOffline(false);
    await again(page).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Member Intake' })).toBeVisible();
  },
);

test(
  '[V4] a call that fails when the line is back already is asked for again as well',
  { tag: '@full' },
  async ({ page, context, account }) => {
    const member = await account();
    const forgot = '**/SendEmailForForgotPassword*';
    let fail = (): void => undefined;
    const isBack = new Promise<void>((resolve) => {
      fail = resolve;
    });
    await open(page, '/account/ForgetPassword');
    await field(page, 'email').fill(member.email);
    const failLate = async (route: Route) => {
      await isBack;
      await route.abort('internetdisconnected');
    };
    await page.route(forgot, failLate, { times: 1 });
    const asked = page.waitForRequest(forgot);
    await page.getByRole('button', { name: 'Reset password' }).click();
    await asked;
    await context.setOffline(true);
    await expectAway(page);
    await context.setOffline(false);
    await expect(page.getByText(AWAY)).toHaveCount(0);
    fail();
    await again(page).click();
    await expect(heading(page, 'Check your email')).toBeVisible();
  },
);

for (const [name, status, headers, text] of [
  ['429', 429, { 'retry-after': '120' }, 'Too many tries. Please wait 2 minutes and try again.'],
  ['503', 503, {}, GENERAL],
] as const) {
  test(
    `[V4] ${name}: one message, the password stays, and a second try works`,
    { tag: '@full' },
    async ({ page, account }) => {
      const member = await account();
      await answer(page, '/api/Session/Begin', { status, headers });
      await open(page, '/account/signin');
      await fillSignIn(page, member);
      await loginButton(page).click();
      const box = page.getByRole('main').getByRole('alert');
      await expect(box).toContainText(text);
      await expect(box).toHaveCount(1);
      await expect(field(page, 'password')).toHaveValue(member.password);
      await page.unroute('**/api/Session/Begin');
      await loginButton(page).click();
      await expect(heading(page, CODE)).toBeVisible();
    },
  );
}

test(
  '[V4] a reset link that cannot be looked at for now is not called invalid',
  { tag: '@full' },
  async ({ page, account, inbox }) => {
    const member = await account();
    await open(page, '/account/ForgetPassword');
    await field(page, 'email').fill(member.email);
    await page.getByRole('button', { name: 'Reset password' }).click();
    await expect(heading(page, 'Check your email')).toBeVisible();
    await answer(page, '/api/User/GetUserDetailsbyTokenKey/**', { status: 503 });
    await page.goto((await inbox(member.email))[0]?.link ?? '');
    await expect(heading(page, 'Set new password')).toBeVisible();
    await expect(page.getByRole('main').getByRole('alert')).toContainText(GENERAL);
    await page.unroute('**/api/User/GetUserDetailsbyTokenKey/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(field(page, 'password')).toBeVisible();
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
  },
);
