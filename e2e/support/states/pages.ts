import { expect, type Page } from '@playwright/test';
import { answer, change, cut, hold } from '../faults.ts';
import { newMember } from '../people.ts';
import { enterCode, fillSignUp, heading, open, signUp, signUpButton } from '../screens.ts';
import { signInWithCode } from '../session.ts';
import type { State, Tools } from './state.ts';

const VALIDATE = '/api/UserActivation/ValidateLink';
const LINK = `/account/Activation?UID=${encodeURIComponent(btoa('key|registration|7'))}&SUP=${encodeURIComponent(btoa('1'))}`;

async function askForCode(page: Page, link: string): Promise<void> {
  await open(page, link);
  await page.getByRole('button', { name: 'Send my code' }).click();
}

/** The mailed link, the code, and the account is active. */
async function activate({ page, invited, code }: Tools): Promise<{ readonly link: string }> {
  const { email, link } = await invited();
  await askForCode(page, link);
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await enterCode(page, await code(email));
  await expect(heading(page, 'Email verified')).toBeVisible();
  return { link };
}

export const ACTIVATION_STATES: readonly State[] = [
  {
    name: 'activation, checking the link',
    screen: 'activation',
    isPassing: true,
    async reach({ page }) {
      await hold(page, VALIDATE);
      await open(page, LINK);
      await expect(page.getByText('Checking your link…')).toBeVisible();
    },
  },
  {
    name: 'activation',
    screen: 'activation',
    async reach({ page, invited }) {
      await open(page, (await invited()).link);
      await expect(page.getByRole('button', { name: 'Send my code' })).toBeVisible();
    },
  },
  {
    name: 'activation, sending the code',
    screen: 'activation',
    isPassing: true,
    async reach({ page, invited }) {
      await hold(page, '/api/OTP/Send-OTP-To-User');
      await askForCode(page, (await invited()).link);
      await expect(page.getByRole('button', { name: 'Sending your code…' })).toBeVisible();
    },
  },
  {
    name: 'activation, code not sent',
    screen: 'activation',
    async reach({ page, invited }) {
      await cut(page, '/api/OTP/Send-OTP-To-User');
      await askForCode(page, (await invited()).link);
      await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'activation, invalid link',
    screen: 'activation',
    async reach({ page }) {
      await open(page, '/account/Activation?UID=x&SUP=y');
      await expect(heading(page, 'This link is invalid')).toBeVisible();
    },
  },
  {
    name: 'activation, expired link',
    screen: 'activation',
    async reach({ page }) {
      await answer(page, VALIDATE, { errorFlag: 'LINK_EXPIRED' });
      await open(page, LINK);
      await expect(heading(page, 'This link is expired')).toBeVisible();
    },
  },
  {
    name: 'activation, used link',
    screen: 'activation',
    async reach(tools) {
      const { link } = await activate(tools);
      await open(tools.page, link);
      await expect(tools.page.getByText('Your account is active.')).toBeVisible();
    },
  },
  {
    name: 'congratulation, account created',
    screen: 'congratulation',
    async reach({ page, code }) {
      const member = newMember();
      await signUp(page, member);
      await enterCode(page, await code(member.email));
      await expect(page.getByRole('main')).toContainText('has been created successfully');
    },
  },
  {
    name: 'congratulation, a role added at the academy, with its toast',
    screen: 'congratulation',
    hasToast: true,
    async reach({ page, account }) {
      const member = await account();
      await open(page, '/account/StartFreeTrial?subtenantId=3');
      await fillSignUp(page, member);
      await signUpButton(page).click();
      await expect(page.getByRole('region', { name: 'Notices' })).toBeVisible();
    },
  },
  {
    name: 'congratulation, account activated',
    screen: 'congratulation',
    async reach(tools) {
      await activate(tools);
      await expect(tools.page.getByRole('main')).toContainText('is activated successfully');
    },
  },
  {
    name: 'congratulation, with the old password, with its toast',
    screen: 'congratulation',
    hasToast: true,
    async reach(tools) {
      // The account exists at the hosted login already (OTP-09).
      await change<boolean>(tools.page, '/api/UserAuth/IsAuthUser/**', () => true);
      await activate(tools);
      await expect(tools.page.getByRole('main')).toContainText('with your old password');
    },
  },
];

async function signOut(page: Page): Promise<void> {
  await page.addInitScript(() => sessionStorage.setItem('AuthToken', 'a'.repeat(43)));
  await open(page, '/account/Signout');
}

export const PAGE_STATES: readonly State[] = [
  {
    name: 'signed out',
    screen: 'signOut',
    async reach({ page }) {
      await page.goto('/account/Signout');
      await expect(page).toHaveURL('/account/Signout?hosted=done');
      await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
    },
  },
  {
    name: 'signing out',
    screen: 'signOut',
    isPassing: true,
    async reach({ page }) {
      await hold(page, '/api/User/LogoutUser/**');
      await signOut(page);
      await expect(page.getByText('Signing you out…')).toBeVisible();
    },
  },
  {
    name: 'signed out, the server did not answer',
    screen: 'signOut',
    async reach({ page }) {
      await cut(page, '/api/User/LogoutUser/**');
      await signOut(page);
      await expect(page.getByText('Please close this browser')).toBeVisible();
    },
  },
  {
    name: 'unauthorized, about to leave',
    screen: 'unauthorized',
    isPassing: true,
    async reach({ page }) {
      await open(page, '/account/UnAuthorizedAccess');
      await expect(page.getByText(/^Taking you to Sign In in \d seconds$/).first()).toBeVisible();
    },
  },
  {
    name: 'unauthorized, staying',
    screen: 'unauthorized',
    async reach({ page }) {
      await open(page, '/account/UnAuthorizedAccess');
      await page.getByRole('button', { name: 'Stay on this page' }).click();
      await expect(page.getByText('You stay on this page.')).toBeVisible();
    },
  },
  {
    name: 'invalid link',
    screen: 'invalidLink',
    reach: ({ page }) => open(page, '/account/Invalid'),
  },
  { name: 'help', screen: 'help', reach: ({ page }) => open(page, '/help') },
  {
    name: 'unknown address',
    screen: 'notFound',
    reach: ({ page }) => open(page, '/no/such/place'),
  },
  {
    name: 'unknown address at the academy',
    screen: 'notFound',
    reach: ({ page }) => open(page, '/account/ErrorPage?subtenantId=3'),
  },
];

async function askToSignOut({ page, account, code }: Tools): Promise<void> {
  await signInWithCode(page, await account(), code);
  await expect(heading(page, 'Member Intake (demo module)')).toBeVisible();
  await page.goto('/idp/oidc/logout');
  await expect(heading(page, 'Do you want to sign out?')).toBeVisible();
}

/** Pages without the portal's frame. */
export const PLAIN_STATES: readonly State[] = [
  {
    name: 'hosted login, unknown address',
    screen: 'requestOver',
    async reach({ page }) {
      await page.goto('/idp/no/such/place');
      await expect(heading(page, 'This sign-in has ended')).toBeVisible();
    },
  },
  {
    name: 'hosted login, a request with a mistake',
    screen: 'requestOver',
    async reach({ page }) {
      await page.goto('/idp/authorize?client_id=nobody');
      await expect(heading(page, 'This sign-in has ended')).toBeVisible();
    },
  },
  {
    name: 'hosted login, sign-out with a mistake',
    screen: 'plain',
    async reach({ page }) {
      await page.goto('/idp/v2/logout?returnTo=https://elsewhere.example/');
      await expect(heading(page, 'We could not finish signing you out')).toBeVisible();
    },
  },
  {
    name: 'hosted login, sign-out asked by another page',
    screen: 'plain',
    reach: askToSignOut,
  },
  {
    name: 'hosted login, signed out',
    screen: 'plain',
    async reach(tools) {
      await askToSignOut(tools);
      await tools.page.getByRole('button', { name: 'Yes, sign me out' }).click();
      await expect(heading(tools.page, 'You are signed out')).toBeVisible();
    },
  },
  {
    name: 'demo module',
    screen: 'plain',
    async reach({ page, account, code }) {
      await signInWithCode(page, await account(), code);
      await expect(heading(page, 'Member Intake (demo module)')).toBeVisible();
    },
  },
  {
    name: 'demo module, refused',
    screen: 'plain',
    async reach({ page }) {
      await page.goto('/demo/admin?token=none');
      await expect(heading(page, 'This app could not let you in')).toBeVisible();
    },
  },
  {
    name: 'demo inbox',
    screen: 'plain',
    async reach({ page, account }) {
      const { email } = await account();
      await page.goto(`/dev/inbox?to=${encodeURIComponent(email)}`);
      await expect(heading(page, 'Dev inbox')).toBeVisible();
    },
  },
];
