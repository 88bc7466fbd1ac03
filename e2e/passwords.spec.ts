import type { Page } from '@playwright/test';
import {
  enterCode,
  errorOf,
  field,
  fillSignIn,
  fillSignUp,
  heading,
  loginButton,
  open,
  signUp,
  signUpButton,
} from './support/screens.ts';
import { change } from './support/faults.ts';
import { listen } from './support/live.ts';
import { newMember } from './support/people.ts';
import { expect, test } from './support/test.ts';

const LINK_SENT =
  'A reset password link has been sent to your registered email address. Click the link to create a new password.';
const NEW_PASSWORD = 'Lantern-Glow-8';
const resetButton = (page: Page) => page.getByRole('button', { name: 'Reset password' });
const setButton = (page: Page) => page.getByRole('button', { name: 'Set password' });

async function fillNew(page: Page, password: string, confirmation = password): Promise<void> {
  await field(page, 'password').fill(password);
  await field(page, 'confirmPassword').fill(confirmation);
}

test('[PWD-01] [PWD-03] [PWD-05] [PWD-07] [PWD-08] [PWD-09] [PWD-10] from a forgotten password to a new one @core', async ({
  page,
  account,
  inbox,
  code,
  api,
  quiet,
}) => {
  const said = await listen(page);
  const member = await account();
  await open(page, '/account/signin');
  await field(page, 'email').fill(member.email);
  await page.getByRole('link', { name: 'Forgot Password?' }).click();
  await expect(heading(page, 'Forgot Password?')).toBeVisible();
  await field(page, 'email').fill(member.email);
  await resetButton(page).click();
  await expect(heading(page, 'Check your email')).toBeVisible();
  await expect(page.getByRole('main')).toContainText(LINK_SENT);
  expect(api.to('/api/User/SendEmailForForgotPassword').map((call) => call.body)).toEqual([
    {
      userName: member.email,
      emailID: member.email,
      requestedIP: '::1',
      commMedium: 'Email',
      commSendOn: member.email,
    },
  ]);

  const link = (await inbox(member.email))[0]?.link ?? '';
  await page.goto(link);
  await expect(heading(page, 'Set new password')).toBeVisible();
  // F54: password managers keep it as the name to sign in by.
  await expect(page.locator('[autocomplete=username]')).toHaveValue(member.email);
  await expect(field(page, 'password')).toBeVisible();
  // The key is gone from the address before anything is typed.
  await expect(page).toHaveURL('/account/resetPassword');

  quiet.allow(/409/);
  await fillNew(page, member.password);
  await setButton(page).click();
  await expect(errorOf(page, 'password')).toContainText(
    'Your new password must be different from Old password',
  );
  await expect(field(page, 'password')).toBeFocused();
  // A captcha refresh follows: said once, politely, and the next try brings its proof along.
  await expect.poll(async () => (await said()).join(' ')).toContain('Security check refreshed.');
  expect(api.to('/api/Captcha/Challenge')).toHaveLength(1);

  await fillNew(page, 'Welcome2026!');
  await setButton(page).click();
  await expect(errorOf(page, 'password')).toContainText('This password is easy to guess.');
  await expect(field(page, 'password')).toBeFocused();

  await fillNew(page, NEW_PASSWORD);
  await setButton(page).click();
  await expect(heading(page, 'Password reset')).toBeVisible();
  await expect(page).toHaveURL('/account/SuccessResetPassword');
  expect(await page.evaluate(() => history.state as unknown)).toEqual({ state: 'Reset' });
  await expect(page.getByRole('main')).toContainText('Your password has been changed successfully');
  expect(api.to('/api/2/User/UpdateForgotPassword').at(-1)?.body).toMatchObject({
    userId: member.userId,
    password: NEW_PASSWORD,
    accessIP: '::1',
    forgotPasswordId: expect.any(String),
  });
  // One a try: none of them had to be repeated.
  expect(api.to('/api/2/User/UpdateForgotPassword')).toHaveLength(3);

  await page.getByRole('link', { name: 'Back to login' }).click();
  await fillSignIn(page, { email: member.email, password: NEW_PASSWORD });
  await loginButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await enterCode(page, await code(member.email));
  await expect(page).toHaveURL(/\/demo\/member-intake/);

  // The used link leads to a page with a way on.
  await page.goto(link);
  await expect(heading(page, 'Invalid Link')).toBeVisible();
  await expect(page).toHaveURL('/account/Invalid');
});

test('[PWD-06] [SCR-04] a reset without a key, or with a wrong one, leads to Invalid Link', async ({
  page,
}) => {
  for (const path of ['/account/resetPassword', '/ACCOUNT/ResetPassword?resetLinkKey=nothing']) {
    await page.goto(path);
    await expect(heading(page, 'Invalid Link')).toBeVisible();
    await expect(page.getByRole('main')).toContainText(
      'The link you are trying to access is invalid or no longer available',
    );
    await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  }
});

test('[PWD-02] what is wrong with the address stands at its field', async ({ page }) => {
  await open(page, '/account/ForgetPassword');
  await resetButton(page).click();
  await expect(errorOf(page, 'email')).toContainText('Please enter email address');
  await field(page, 'email').fill('margaret@');
  await resetButton(page).click();
  await expect(errorOf(page, 'email')).toContainText('Please enter a valid email address');
  await field(page, 'email').fill('nobody.of.this.name@example.org');
  await resetButton(page).click();
  await expect(errorOf(page, 'email')).toContainText('No account found with this email address.');
  await page.getByRole('link', { name: 'create a new account' }).click();
  await expect(heading(page, 'Sign up')).toBeVisible();
  // Typed once: the address comes along.
  await expect(field(page, 'email')).toHaveValue('nobody.of.this.name@example.org');
});

test(
  '[PWD-05] [SUP-05] the rules of a new password are live, and both fields are checked',
  { tag: '@full' },
  async ({ page, account, inbox }) => {
    const member = await account();
    await open(page, '/account/ForgetPassword');
    await field(page, 'email').fill(member.email);
    await resetButton(page).click();
    await expect(heading(page, 'Check your email')).toBeVisible();
    await page.goto((await inbox(member.email))[0]?.link ?? '');
    await setButton(page).click();
    await expect(errorOf(page, 'password')).toContainText('Please enter password');
    await expect(errorOf(page, 'confirmPassword')).toContainText('Please enter confirm password');
    await fillNew(page, 'lantern');
    await setButton(page).click();
    await expect(errorOf(page, 'password')).toContainText(
      'Your password does not meet our security criteria',
    );
    await expect(page.getByRole('listitem').filter({ hasText: ', not yet' })).toHaveCount(4);
    await fillNew(page, NEW_PASSWORD, 'Lantern-Glow-9');
    await expect(page.getByRole('listitem').filter({ hasText: ', done' })).toHaveCount(4);
    await setButton(page).click();
    await expect(errorOf(page, 'confirmPassword')).toContainText('Your password does not match');
  },
);

test('[PWD-02] [PWD-04] [ACT-01] [ACT-03] [OTP-11] an address that was never verified: Verify here.', async ({
  page,
  code,
}) => {
  const member = newMember();
  await signUp(page, member);
  await open(page, '/account/ForgetPassword');
  await field(page, 'email').fill(member.email);
  await resetButton(page).click();
  await expect(errorOf(page, 'email')).toContainText(
    'Please verify your email address to continue.',
  );
  await page.getByRole('button', { name: 'Verify here.' }).click();
  await expect(heading(page, 'Activate your account')).toBeVisible();
  await page.getByRole('button', { name: 'Send my code' }).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Email verified')).toBeVisible();
});

test('[ACT-01] [ACT-03] [OTP-11] the mailed link works on another device, and once it is used it says so @core', async ({
  page,
  browser,
  inbox,
  code,
}) => {
  const member = newMember();
  await open(page, '/account/StartFreeTrial?subtenantId=3');
  await fillSignUp(page, member);
  await signUpButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  const link = (await inbox(member.email)).find((message) => message.link)?.link ?? '';
  const elsewhere = await browser.newContext();
  const tablet = await elsewhere.newPage();
  await tablet.goto(link);
  await expect(heading(tablet, 'Activate your account')).toBeVisible();
  await expect(tablet).toHaveTitle('Activate your account – Porchlight Academy');
  await tablet.getByRole('button', { name: 'Send me a code instead' }).click();
  await expect(heading(tablet, 'Enter your 6-digit code')).toBeVisible();
  await enterCode(tablet, await code(member.email));
  await expect(heading(tablet, 'Email verified')).toBeVisible();
  // The subtenant of the link goes with the visit.
  await tablet.goto('/account/signin');
  await expect(tablet).toHaveTitle('Login – Porchlight Academy');
  await tablet.goto(link);
  await expect(heading(tablet, 'Email verified')).toBeVisible();
  await expect(tablet.getByRole('link', { name: 'Sign In' })).toBeVisible();
  await elsewhere.close();
});

test('[ACT-01] [ACT-02] a link that was never one is invalid, with a way on', async ({ page }) => {
  for (const query of ['', '?UID=x&SUP=y', `?UID=${btoa('a|b|7')}&SUP=${btoa('1')}`]) {
    await page.goto(`/account/Activation${query}`);
    await expect(heading(page, 'This link is invalid')).toBeVisible();
    await expect(page.getByRole('main')).toContainText(
      'The link you are trying to access is invalid or no longer available',
    );
  }
});

test('[ACT-01] B12: what can be no link is the invalid page in the first answer', async ({
  page,
}) => {
  const sup = `SUP=${encodeURIComponent(btoa('1'))}`;
  const uid = (text: string) => `UID=${encodeURIComponent(btoa(text))}`;
  const firstOf = async (query: string) =>
    (await page.request.get(`/account/Activation?${query}`)).text();
  for (const query of [
    '',
    'UID=%25%25%25&SUP=MQ==',
    'UID=x&SUP=y',
    `${uid('key|form')}&${sup}`,
    `${uid('key|form|7|more')}&${sup}`,
    `${uid('key|form|0')}&${sup}`,
    `${uid('|form|7')}&${sup}`,
    uid('key|form|7'),
    `UID=${'A'.repeat(600)}&${sup}`,
  ]) {
    const html = await firstOf(query);
    expect(html).toContain('This link is invalid');
    expect(html).not.toContain('Checking your link');
  }
  expect(await firstOf(`${uid('key|form|7')}&${sup}`)).toContain('Checking your link');
});

test(
  '[DAT-15] A7: an answer without our own three fields is a valid link that can send a code',
  { tag: '@full' },
  async ({ page }) => {
    const data = {
      isValidLink: true,
      otpSendMedium: 4,
      subtenantId: 742,
      userId: 7,
      primaryPhoneNumber: '••••••0142',
      primaryEmailId: 'm•••@example.org',
      userActivationId: 'a',
    };
    await page.route('**/api/UserActivation/ValidateLink', (route) =>
      route.fulfill({ json: { succeeded: true, data, messages: [], errorFlag: null } }),
    );
    await page.goto(
      `/account/Activation?UID=${encodeURIComponent(btoa('key|reg|7'))}&SUP=${btoa('1')}`,
    );
    await expect(page.getByRole('button', { name: 'Send my code' })).toBeVisible();
  },
);

for (const [message, errorFlag, title] of [
  ['Invalid Link', null, 'This link is invalid'],
  ['Something else', 'INVALID_LINK', 'This link is expired'],
] as const) {
  test(`[ACT-02] [L4] a link refused with '${message}': ${title}`, async ({ page }) => {
    await page.route('**/api/UserActivation/ValidateLink', (route) =>
      route.fulfill({ json: { succeeded: false, data: null, messages: [message], errorFlag } }),
    );
    const link = `UID=${encodeURIComponent(btoa('key|reg|7'))}&SUP=${btoa('1')}`;
    await page.goto(`/account/Activation?${link}`);
    await expect(heading(page, title)).toBeVisible();
  });
}

test(
  '[SCR-01] signing out in a tab without a bearer ends the session too',
  { tag: '@full' },
  async ({ page, account, code }) => {
    const member = await account();
    await open(page, '/account/signin');
    await fillSignIn(page, member);
    await loginButton(page).click();
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    await enterCode(page, await code(member.email));
    await expect(page).toHaveURL(/\/demo\/member-intake/);
    await page.goto('/account/signin');
    await expect(page.getByRole('link', { name: /^Continue as/ })).toBeVisible();

    await page.evaluate(() => sessionStorage.clear());
    await page.goto('/account/Signout');
    await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
    await expect(page).toHaveURL('/account/Signout');
    await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
    await page.goto('/account/signin');
    await expect(loginButton(page)).toBeVisible();
    await expect(page.getByRole('link', { name: /^Continue as/ })).toHaveCount(0);
  },
);

test(
  '[PWD-09] who was invited reads that the password is set, not that it was reset',
  { tag: '@full' },
  async ({ page, account, inbox }) => {
    const { email } = await account();
    await open(page, '/account/ForgetPassword');
    await field(page, 'email').fill(email);
    await resetButton(page).click();
    await expect(heading(page, 'Check your email')).toBeVisible();
    // As the server says it of an account without a password.
    await change<object>(page, '/api/User/GetUserDetailsbyTokenKey/**', (user) => ({
      ...user,
      isFirst: true,
    }));
    await page.goto((await inbox(email))[0]?.link ?? '');
    await fillNew(page, NEW_PASSWORD);
    await setButton(page).click();
    await expect(heading(page, 'Set password')).toBeVisible();
    await expect(page.getByRole('main')).toContainText(
      'Your password has been created successfully',
    );
    await page.reload();
    await expect(heading(page, 'Set password')).toBeVisible();
  },
);
