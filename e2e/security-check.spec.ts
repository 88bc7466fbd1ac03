import { startServer } from '../tools/server-process.ts';
import { newMember } from './support/people.ts';
import {
  enterCode,
  errorOf,
  field,
  fillSignIn,
  fillSignUp,
  heading,
  loginButton,
  open,
  signUpButton,
} from './support/screens.ts';
import { expect, test as base } from './support/test.ts';

/** A server that asks everybody for a proof of work: a flood would need thousands of requests. */
const test = base.extend({
  baseURL: async ({ keep }, provide) => {
    const start = () => startServer({ env: { PORCHLIGHT_CAPTCHA: 'always' } });
    await provide((await keep('server under pressure', start)).url);
  },
});

const CHALLENGE = '/api/Captcha/Challenge';
const LINK_SENT = 'Check your email';

test('[PWD-08] [R19] [R20] sign-up, sign-in and reset under pressure: the browser works, nobody sees a puzzle', async ({
  page,
  inbox,
  code,
  api,
  quiet,
}) => {
  const member = newMember();
  await open(page, '/Account/SignUp');
  await fillSignUp(page, member);
  await signUpButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  // Refused without its proof, then repeated with it.
  expect(api.to('/api/User/CreateUser')).toHaveLength(2);
  expect(api.to(CHALLENGE).map(({ body }) => body)).toEqual([{ purpose: 'signUp' }]);
  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Email verified')).toBeVisible();

  // What the hosted login answers where Auth0 would ask for a captcha.
  quiet.allow(/401 \(Unauthorized\).*\/co\/authenticate/);
  await page.getByRole('link', { name: 'Login' }).click();
  await fillSignIn(page, member);
  await loginButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  expect(api.to(CHALLENGE).at(-1)?.body).toEqual({ purpose: 'signIn' });

  await open(page, '/account/ForgetPassword');
  await field(page, 'email').fill(member.email);
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(heading(page, LINK_SENT)).toBeVisible();
  await page.goto(
    (await inbox(member.email)).find(({ link }) => link?.includes('reset'))?.link ?? '',
  );
  await expect(field(page, 'password')).toBeVisible();
  await field(page, 'password').fill('Lantern-Glow-8');
  await field(page, 'confirmPassword').fill('Lantern-Glow-8');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(heading(page, 'Password reset')).toBeVisible();
  expect(api.to(CHALLENGE).at(-1)?.body).toEqual({ purpose: 'resetPassword' });
});

test(
  '[SIN-07] under pressure a wrong password reads as ever, and a right one follows it',
  { tag: '@full' },
  async ({ page, quiet }) => {
    quiet.allow(/40[13] \((?:Unauthorized|Forbidden)\).*\/co\/authenticate/);
    const email = 'member@demo.porchlight.test';
    await open(page, '/account/signin');
    await fillSignIn(page, { email, password: 'Not-The-One-1' });
    await loginButton(page).click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      'The username or password you entered is incorrect. Please try again.',
    );
    await fillSignIn(page, { email, password: 'Porchlight-1' });
    await loginButton(page).click();
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  },
);

test(
  '[R57] a browser that cannot do the check is told whom to ask, and keeps what was typed',
  { tag: '@full' },
  async ({ page, quiet }) => {
    quiet.allow(/401 \(Unauthorized\).*\/co\/authenticate/);
    await page.addInitScript(() => {
      // As in a browser without WebCrypto, or on a page without https.
      Object.defineProperty(crypto, 'subtle', { value: undefined });
    });
    const box = page.getByRole('main').getByRole('alert');
    await open(page, '/account/ForgetPassword');
    await field(page, 'email').fill('member@demo.porchlight.test');
    await page.getByRole('button', { name: 'Reset password' }).click();
    await expect(box).toContainText('Our security check does not work in this browser.');
    await expect(box).toContainText('+1 555 010 0199');
    await expect(box).toBeFocused();
    await expect(field(page, 'email')).toHaveValue('member@demo.porchlight.test');

    await open(page, '/account/signin');
    await fillSignIn(page, { email: 'member@demo.porchlight.test', password: 'Porchlight-1' });
    await loginButton(page).click();
    await expect(box).toContainText('Our security check does not work in this browser.');

    const member = newMember();
    await open(page, '/Account/SignUp');
    await fillSignUp(page, member);
    await signUpButton(page).click();
    await expect(box).toContainText('Our security check does not work in this browser.');
    await expect(field(page, 'firstName')).toHaveValue(member.firstName);
    await expect(errorOf(page, 'email')).toBeHidden();
  },
);
