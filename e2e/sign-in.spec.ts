import type { Request } from '@playwright/test';
import { errorOf, field, fillSignIn, heading, loginButton, open } from './support/screens.ts';
import { signInWithCode } from './support/session.ts';
import { expect, test } from './support/test.ts';

const INCORRECT = 'The username or password you entered is incorrect. Please try again.';

test('[SIN-05] an empty form, and an address that is none', async ({ page }) => {
  await open(page, '/account/signin');
  await loginButton(page).click();
  await expect(errorOf(page, 'email')).toHaveText('Please enter email address');
  await expect(errorOf(page, 'password')).toHaveText('Please enter password');
  await expect(field(page, 'email')).toBeFocused();
  await fillSignIn(page, { email: '  ada@example', password: 'x' });
  await loginButton(page).click();
  await expect(errorOf(page, 'email')).toHaveText('Please enter a valid email address');
});

test('[SIN-06] [SIN-07] an unknown user and a wrong password read the same', async ({
  page,
  account,
  quiet,
}) => {
  // Auth0's answer to a wrong password.
  quiet.allow(/403 \(Forbidden\).*\/co\/authenticate/);
  const { email } = await account();
  await open(page, '/account/signin');
  const box = page.getByRole('main').getByRole('alert');
  for (const name of [email, `nobody.${email}`]) {
    await fillSignIn(page, { email: name, password: 'Not-The-One-1' });
    await loginButton(page).click();
    await expect(box).toHaveText(new RegExp(`There is a problem.*${INCORRECT}`));
    await expect(box).toBeFocused();
    await expect(field(page, 'email')).toHaveValue(name);
    await expect(field(page, 'password')).toHaveValue('');
    await expect(loginButton(page)).not.toHaveAttribute('aria-disabled');
  }
  await expect(box.getByRole('link', { name: 'Forgot your password?' })).toBeVisible();
  // In a moment of fear a finger finds whom to call (E45).
  for (const contact of [/^\+1/, /@/]) {
    const size = await box.getByRole('link', { name: contact }).boundingBox();
    expect(size?.height).toBeGreaterThanOrEqual(48);
  }
});

test('[SIN-06] a server that fails: the general warning', async ({ page, quiet }) => {
  quiet.allow(/Failed to load resource/);
  await page.route('**/api/user/GetUserStatusByUserName/**', (route) =>
    route.fulfill({ status: 500, json: {} }),
  );
  await open(page, '/account/signin');
  await fillSignIn(page, { email: 'ada@example.org', password: 'x' });
  await loginButton(page).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'Something went wrong. Try again later.',
  );
});

test('[SIN-03] remember me keeps the address on this device and nothing else', async ({
  page,
  account,
}) => {
  const { email, password } = await account();
  const stored = () => page.evaluate(() => ({ ...localStorage }));
  await open(page, '/account/signin');
  await page.getByLabel('Remember me').check();
  await signInWithRemember();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await expect.poll(stored).toEqual({ userName: email });
  await open(page, '/account/signin');
  await expect(field(page, 'email')).toHaveValue(email);
  await expect(page.getByLabel('Remember me')).toBeChecked();

  await page.getByLabel('Remember me').uncheck();
  await signInWithRemember();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await expect.poll(stored).toEqual({});

  async function signInWithRemember() {
    await fillSignIn(page, { email, password });
    await loginButton(page).click();
  }
});

test('[SIN-05] F21: a space at an end of the password is hinted at, costs no try, and is sent', async ({
  page,
  api,
}) => {
  await open(page, '/account/signin');
  const hint = page.locator('#password-hint');
  for (const end of [' ', '\u00A0']) {
    for (const [typed, isHinted] of [
      [`Rocking-Chair-7${end}`, true],
      [`${end}Rocking-Chair-7`, true],
      [`Rocking${end}Chair-7`, false],
      ['Rocking-Chair-7', false],
    ] as const) {
      await field(page, 'password').fill(typed);
      await expect(hint).toHaveCount(isHinted ? 1 : 0);
      await expect(field(page, 'password')).toHaveValue(typed);
    }
  }
  await field(page, 'password').fill('');
  await field(page, 'password').pressSequentially('three words ');
  await expect(hint).toHaveCount(0);
  await field(page, 'email').focus();
  await expect(hint).toHaveCount(1);
  expect(api.to('/api/user/GetUserStatusByUserName')).toEqual([]);
  await fillSignIn(page, { email: 'ada@example.org', password: 'Rocking-Chair-7 ' });
  await expect(hint).toContainText('begins or ends with a space');
  await expect(field(page, 'password')).toHaveAttribute('aria-describedby', /password-hint/);
});

test('[SIN-02] the password shows and hides, by a named button that says what it did', async ({
  page,
}) => {
  await open(page, '/account/signin');
  await field(page, 'password').fill('Rocking-Chair-7');
  await expect(field(page, 'password')).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(field(page, 'password')).toHaveAttribute('type', 'text');
  await expect(page.locator('#live-polite')).toHaveText('Your password is visible');
  // Pressed again until it counts: a press too soon after the other is taken for the same one (N8).
  await expect(async () => {
    await page.getByRole('button', { name: 'Hide password' }).click();
    await expect(field(page, 'password')).toHaveAttribute('type', 'password', { timeout: 100 });
  }).toPass();
  await expect(page.getByRole('link', { name: 'Forgot Password?' })).toBeVisible();
  await expect(page.getByText("Don't have an account? Sign Up")).toBeVisible();
});

test('[SIN-04] a session that ran out is said once, in a dialog, and stays on the page', async ({
  page,
}) => {
  await open(page, '/account/signin?expired=1');
  const dialog = page.getByRole('alertdialog', { name: 'Session Timeout' });
  await expect(dialog).toContainText('You have been logged out due to inactivity.');
  await expect(dialog.getByRole('button', { name: 'Ok, thanks' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Ok, thanks' }).click();
  await expect(dialog).toBeHidden();
  await expect(field(page, 'email')).toBeFocused();
  await expect(page.getByRole('main')).toContainText('You have been logged out due to inactivity.');
  await page.reload();
  await expect(heading(page, 'Login')).toBeVisible();
  await expect(dialog).toBeHidden();
});

test('[SIN-01] [GEN-06] paths match in any case and with a closing slash; the root leads to sign-in', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page).toHaveURL('/account/Signin');
  for (const path of ['/account/signin', '/ACCOUNT/SignIn/', '/Account/Signin']) {
    await page.goto(path);
    await expect(heading(page, 'Login')).toBeVisible();
  }
  for (const path of ['/legal-staff/signin', '/Legal-Staff/Account/SignIn']) {
    await page.goto(path);
    await expect(heading(page, 'Staff Payment Login')).toBeVisible();
  }
});

test('[SIN-08] who is signed in already goes on with one press and without a second code', async ({
  page,
  account,
  code,
  api,
}) => {
  const { firstName, lastName, ...credentials } = await account();
  await signInWithCode(page, credentials, code);
  await expect(heading(page, 'Member Intake')).toBeVisible();
  await open(page, '/account/signin');
  await expect(heading(page, 'You are already signed in')).toBeVisible();
  await page.getByRole('link', { name: `Continue as ${firstName} ${lastName}` }).click();
  await expect(heading(page, 'Member Intake')).toBeVisible();
  expect(api.to('/api/OTP/Send-OTP-To-User')).toHaveLength(1);
});

test(
  '[HND-04] pages name no more than our origin, and the hand-off not even that',
  { tag: '@full' },
  async ({ page, account, code }) => {
    const requests: Request[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) requests.push(request);
    });
    await signInWithCode(page, await account(), code);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Member Intake');
    // The headers as they were sent: `headers()` repeats those of the first request for a redirect.
    const navigations = await Promise.all(
      requests.map(async (request) => {
        const { referer = '' } = await request.allHeaders();
        return [new URL(request.url()).pathname, referer] as const;
      }),
    );
    const origin = `${new URL(page.url()).origin}/`;
    for (const [, referer] of navigations) expect(['', origin]).toContain(referer);
    const toModule = navigations.filter(([path]) => path.startsWith('/demo/'));
    expect(toModule).not.toEqual([]);
    expect(toModule.filter(([, referer]) => referer !== '')).toEqual([]);
  },
);
