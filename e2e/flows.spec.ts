import type { BrowserContext, Page } from '@playwright/test';
import { newMember } from './support/people.ts';
import {
  boxes,
  enterCode,
  field,
  fillSignIn,
  fillSignUp,
  heading,
  loginButton,
  open,
  signIn,
  signUp,
  signUpButton,
} from './support/screens.ts';
import { authToken, signInByApi } from './support/session.ts';
import { awake, expect, test } from './support/test.ts';

// The table of docs/flows.md, row by row, where no other file has the test.

const CODE = 'Enter your 6-digit code';
const OVER = 'That page is no longer open. Please start again. Your email is still here.';
const CONGRATULATIONS = 'Congratulations! your account has been created successfully';

/** As a browser does that clears cookies: the server knows this visitor no more. */
const loseCookies = (context: BrowserContext) => context.clearCookies();

const brand = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand'));

test(
  '[GEN-04] [SUP-19] code entry without its cookie: sign-up begins anew with the address and the subtenant',
  { tag: '@full' },
  async ({ page, context, quiet }) => {
    quiet.allow(/403 \(Forbidden\)/);
    const member = newMember();
    await open(page, '/account/StartFreeTrial?subtenantId=3');
    await fillSignUp(page, member);
    await signUpButton(page).click();
    await expect(heading(page, CODE)).toBeVisible();
    await loseCookies(context);
    await enterCode(page, '123456');
    await expect(heading(page, 'Sign up')).toBeVisible();
    await expect(page.getByRole('main')).toContainText(OVER);
    await expect(field(page, 'email')).toHaveValue(member.email);
    await expect(page.getByText('Start your 30-day free trial.')).toBeVisible();
    expect(page.url()).not.toContain(member.email);
  },
);

test(
  '[OTP-02] code entry of a sign-in without its cookie: sign-in begins anew with the address',
  { tag: '@full' },
  async ({ page, context, account, quiet }) => {
    quiet.allow(/403 \(Forbidden\)/);
    const member = await account();
    await signIn(page, member);
    await loseCookies(context);
    await enterCode(page, '123456');
    await expect(heading(page, 'Login')).toBeVisible();
    await expect(page.getByRole('main')).toContainText(OVER);
    await expect(field(page, 'email')).toHaveValue(member.email);
    await expect(page).toHaveURL('/account/signin');
  },
);

test('[OTP-08] a second tab was faster: the first goes on where the visit is, and says nothing of an error', async ({
  page,
  context,
  account,
  code,
  quiet,
}) => {
  quiet.allow(/409 \(Conflict\)/);
  const member = await account();
  await signIn(page, member);
  const digits = await code(member.email);
  const second = await context.newPage();
  await open(second, '/account/verifyOtp');
  await expect(boxes(second).first()).toBeFocused();
  await enterCode(second, digits);
  await expect(heading(second, 'Member Intake')).toBeVisible();
  await enterCode(page, digits);
  await expect(heading(page, 'Member Intake')).toBeVisible();
});

test('[SIN-06] an address typed once is there after a reload and on the next screen, and in no URL', async ({
  page,
  account,
  quiet,
}) => {
  quiet.allow(/403 \(Forbidden\)/);
  const { email } = await account();
  await open(page, '/account/signin');
  await fillSignIn(page, { email, password: 'Not-The-One-1' });
  await loginButton(page).click();
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await page.reload();
  await awake(page);
  await expect(field(page, 'email')).toHaveValue(email);
  await page.goto('/account/ForgetPassword');
  await expect(field(page, 'email')).toHaveValue(email);
  await page.goto('/Account/SignUp');
  await expect(field(page, 'email')).toHaveValue(email);
  // Signing out on a shared computer takes it away.
  await page.goto('/account/Signout');
  await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
  await expect(page).toHaveURL('/account/Signout');
  await open(page, '/account/signin');
  await expect(field(page, 'email')).toHaveValue('');
});

test('[SCR-02] a congratulation says the same after a reload and after Back', async ({
  page,
  code,
}) => {
  const member = newMember();
  await signUp(page, member);
  await enterCode(page, await code(member.email));
  await expect(page.getByRole('main')).toContainText(CONGRATULATIONS);
  await page.reload();
  await awake(page);
  await expect(page.getByRole('main')).toContainText(CONGRATULATIONS);
  await page.getByRole('link', { name: 'Login' }).click();
  await expect(heading(page, 'Login')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('main')).toContainText(CONGRATULATIONS);
});

test(
  '[SCR-02] after a reload a congratulation says the same before any script has come',
  { tag: '@full' },
  async ({ page, code, quiet }) => {
    quiet.allow(/net::ERR_FAILED/);
    const member = newMember();
    await signUp(page, member);
    await enterCode(page, await code(member.email));
    await expect(page.getByRole('main')).toContainText(CONGRATULATIONS);
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload();
    await expect(page.getByText(CONGRATULATIONS)).toBeVisible();
    await expect(page.getByText('is activated successfully').first()).toBeHidden();
  },
);

test(
  '[ROL-01] storage cleared at the switcher: the choice is still there',
  { tag: '@full' },
  async ({ page, account, code }) => {
    await signInByApi(page, await account('member and academy'), code);
    await expect(heading(page, 'Accounts switcher')).toBeVisible();
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await expect(heading(page, 'Accounts switcher')).toBeVisible();
    await expect.poll(() => authToken(page)).not.toBeNull();
    await page.getByRole('radio').first().check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Member Intake' })).toBeVisible();
  },
);

test('[SUP-20] a 401 clears the AuthToken and leads to sign-in', async ({
  page,
  account,
  code,
  quiet,
}) => {
  quiet.allow(/401 \(Unauthorized\)/);
  // An account of its own: two tests at one account would read each other's codes.
  await signInByApi(page, await account('member and academy'), code);
  await expect(heading(page, 'Accounts switcher')).toBeVisible();
  await page.evaluate(() => sessionStorage.setItem('AuthToken', 'a-bearer-that-is-dead-by-now'));
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: 'Continue' }).click();
  // The browser's session lives: the page offers it first (E6).
  await expect(heading(page, 'You are already signed in')).toBeVisible();
  await expect(page).toHaveURL(/\/account\/signin/i);
  expect(await authToken(page)).toBeNull();
});

test('[GEN-04] a step that is gone leads to sign-in of the same subtenant', async ({ page }) => {
  await page.goto('/Account/verifyOtp?subtenantId=3');
  await expect(page).toHaveURL('/account/signin?subtenantId=3');
  await expect(page.getByRole('img', { name: 'Porchlight Academy' })).toBeVisible();
});

test(
  '[GEN-04] [GEN-11] what this tab knows of the subtenant outlives the visit: name, logo and colours',
  { tag: '@full' },
  async ({ page, context }) => {
    await open(page, '/account/signin');
    const usual = await brand(page);
    await open(page, '/account/signin?subtenantId=900');
    const theirs = await brand(page);
    expect(theirs).not.toBe(usual);
    await expect
      .poll(() => page.evaluate(() => sessionStorage.getItem('subtenantDetails')))
      .toContain('900');
    await loseCookies(context);
    await open(page, '/account/signin');
    await expect(page.getByRole('img', { name: 'Harbor Point Care' })).toBeVisible();
    await expect.poll(() => brand(page)).toBe(theirs);
  },
);

test(
  "[PWD-04] the address behind 'Verify here.' is this browser's own: elsewhere it opens nothing",
  { tag: '@full' },
  async ({ page, browser }) => {
    const member = newMember();
    await signUp(page, member);
    await open(page, '/account/ForgetPassword');
    await field(page, 'email').fill(member.email);
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.getByRole('button', { name: 'Verify here.' }).click();
    await expect(heading(page, 'Activate your account')).toBeVisible();
    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    await other.goto(page.url());
    await expect(heading(other, 'This link is invalid')).toBeVisible();
    await elsewhere.close();
  },
);
