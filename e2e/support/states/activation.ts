import { expect, type Page } from '@playwright/test';
import { answer, change, cut, hold } from '../faults.ts';
import { inviteByApi, newMember } from '../people.ts';
import {
  enterCode,
  field,
  fillSignUp,
  heading,
  open,
  openCodeEntry,
  signUpButton,
} from '../screens.ts';
import type { State, Tools } from './state.ts';

const VALIDATE = '/api/UserActivation/ValidateLink';
const LINK = `/account/Activation?UID=${encodeURIComponent(btoa('key|registration|7'))}&SUP=${encodeURIComponent(btoa('1'))}`;

const yes = (page: Page) => page.getByRole('button', { name: 'Yes, activate my account' });
const no = (page: Page) => page.getByRole('button', { name: 'No, I did not sign up' });

async function askForCode(page: Page, link: string): Promise<void> {
  await open(page, link);
  await page.getByRole('button', { name: /^Send (?:my|me a) code/ }).click();
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
      await expect(yes(page)).toBeVisible();
      await expect(no(page)).toBeVisible();
    },
  },
  {
    name: 'activation, confirming',
    screen: 'activation',
    isPassing: true,
    async reach({ page, invited }) {
      await hold(page, '/api/UserActivation/ConfirmLink');
      await open(page, (await invited()).link);
      await yes(page).click();
      await expect(page.getByRole('button', { name: 'Activating your account…' })).toBeVisible();
    },
  },
  {
    name: 'activation, rejecting',
    screen: 'activation',
    isPassing: true,
    async reach({ page, invited }) {
      await hold(page, '/api/UserActivation/RejectLink');
      await open(page, (await invited()).link);
      await no(page).click();
      await expect(page.getByRole('button', { name: 'Deleting the sign-up…' })).toBeVisible();
    },
  },
  {
    name: 'activation, rejected',
    screen: 'activation',
    async reach({ page, invited }) {
      await open(page, (await invited()).link);
      await no(page).click();
      await expect(heading(page, 'Thank you for telling us')).toBeVisible();
    },
  },
  {
    name: 'activation, not by a mailed link',
    screen: 'activation',
    async reach({ page }) {
      const member = newMember();
      await inviteByApi(page.request, member);
      await open(page, '/account/ForgetPassword');
      await field(page, 'email').fill(member.email);
      await page.getByRole('button', { name: 'Reset password' }).click();
      await page.getByText('Verify here.').click();
      await expect(page.getByRole('button', { name: 'Send my code' })).toBeVisible();
      await expect(no(page)).toBeHidden();
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
      await openCodeEntry(page, member);
      await enterCode(page, await code(member.email));
      await expect(page.getByRole('main')).toContainText('has been created successfully');
    },
  },
  {
    name: 'congratulation, phone number verified',
    screen: 'congratulation',
    async reach({ page, code }) {
      const member = newMember();
      await openCodeEntry(page, member);
      await enterCode(page, await code(member.phone));
      await expect(heading(page, 'Phone number verified')).toBeVisible();
    },
  },
  {
    name: 'congratulation, a role added at the academy',
    screen: 'congratulation',
    async reach({ page, account }) {
      const member = await account();
      await open(page, '/account/StartFreeTrial?subtenantId=3');
      await fillSignUp(page, member);
      await signUpButton(page).click();
      await expect(heading(page, 'Email verified')).toBeVisible();
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
    name: 'congratulation, with the old password',
    screen: 'congratulation',
    async reach(tools) {
      // The account exists at the hosted login already (OTP-09).
      await change<boolean>(tools.page, '/api/UserAuth/IsAuthUser/**', () => true);
      await activate(tools);
      await expect(tools.page.getByRole('main')).toContainText('with your old password');
    },
  },
];
