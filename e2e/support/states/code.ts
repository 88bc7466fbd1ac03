import { expect, type Page } from '@playwright/test';
import { answer, cut, hold } from '../faults.ts';
import { newMember } from '../people.ts';
import { boxes, enterCode, errorOf, fillSignUp, heading, open } from '../screens.ts';
import { openCodeEntry, signIn, signUp, signUpButton } from '../screens.ts';
import { giveVoice } from '../voice.ts';
import type { State, Tools } from './state.ts';

const VERIFY = '/api/OTP/Validate-OTP-For-NewUser';

const verify = (page: Page) => page.getByRole('button', { name: 'Verify OTP' });
const resend = (page: Page) => page.getByRole('button', { name: 'Click to resend' });
const moreTime = (page: Page) => page.getByRole('button', { name: 'I need more time' });

async function runOut(page: Page): Promise<void> {
  await page.clock.install();
  await openCodeEntry(page);
  await page.clock.runFor(121_000);
  await expect(resend(page)).toBeVisible();
}

/** With 25 seconds left, by the browser's clock. */
async function nearlyRunOut({ page }: Tools): Promise<void> {
  await openCodeEntry(page);
  await page.clock.runFor(95_000);
  await expect(page.getByRole('timer')).toContainText('0:2');
}

/** A refusal that the server gives for a code like this one; which code it was does not matter to the look. */
async function refused(page: Page, errorFlag: string): Promise<void> {
  await answer(page, VERIFY, { errorFlag });
  await openCodeEntry(page);
  await enterCode(page, '407291');
  await expect(errorOf(page, 'otp')).toBeVisible();
}

export const CODE_STATES: readonly State[] = [
  {
    name: 'code entry after sign-up',
    screen: 'verifyOtp',
    reach: ({ page }) => signUp(page, newMember()),
  },
  {
    name: 'code entry at the academy',
    screen: 'verifyOtp',
    async reach({ page }) {
      await open(page, '/account/StartFreeTrial?subtenantId=3');
      await fillSignUp(page, newMember());
      await signUpButton(page).click();
      await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    },
  },
  {
    name: 'code entry after sign-in',
    screen: 'verifyOtp',
    reach: async ({ page, account }) => signIn(page, await account()),
  },
  {
    name: 'code entry after staff sign-in',
    screen: 'verifyOtp',
    reach: async ({ page, account }) => signIn(page, await account(), '/legal-staff/signin'),
  },
  {
    name: 'code entry after a mailed link',
    screen: 'verifyOtp',
    async reach({ page, invited }) {
      const { link } = await invited();
      await open(page, link);
      await page.getByRole('button', { name: /^Send (?:my|me a) code/ }).click();
      await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    },
  },
  {
    name: 'code entry, half typed',
    screen: 'verifyOtp',
    async reach({ page }) {
      await openCodeEntry(page);
      await boxes(page).first().fill('4072');
      await expect(boxes(page).nth(4)).toBeFocused();
    },
  },
  {
    name: 'code entry, nothing typed',
    screen: 'verifyOtp',
    async reach({ page }) {
      await openCodeEntry(page);
      await verify(page).click();
      await expect(errorOf(page, 'otp')).toHaveText('Please enter OTP');
    },
  },
  {
    name: 'code entry, too short',
    screen: 'verifyOtp',
    async reach({ page }) {
      await openCodeEntry(page);
      await enterCode(page, '407');
      await expect(errorOf(page, 'otp')).toHaveText('Please enter a valid OTP');
    },
  },
  {
    name: 'code entry, the account is switched off',
    screen: 'verifyOtp',
    async reach({ page }) {
      await answer(page, VERIFY, { errorFlag: 'ACCOUNT_SUSPENDED' });
      await openCodeEntry(page);
      await enterCode(page, '123456');
      await expect(page.getByText('Your account is switched off.')).toBeVisible();
    },
  },
  {
    name: 'code entry, wrong code',
    screen: 'verifyOtp',
    async reach({ page, code }) {
      const member = newMember();
      await openCodeEntry(page, member);
      const right = Number(await code(member.email));
      await enterCode(page, String((right + 1) % 1_000_000).padStart(6, '0'));
      await expect(errorOf(page, 'otp')).toHaveText('Invalid Otp.');
    },
  },
  {
    name: 'code entry, a failure, with its toast',
    screen: 'verifyOtp',
    hasToast: true,
    async reach({ page }) {
      await answer(page, VERIFY, { status: 500 });
      await openCodeEntry(page);
      await enterCode(page, '407291');
      await expect(page.getByRole('region', { name: 'Notices' })).toBeVisible();
    },
  },
  {
    name: 'code entry, tried too often',
    screen: 'verifyOtp',
    reach: ({ page }) => refused(page, 'OTP_DEAD'),
  },
  {
    name: 'code entry, refused as expired',
    screen: 'verifyOtp',
    reach: ({ page }) => refused(page, 'OTP_EXPIRED'),
  },
  { name: 'code entry, run out', screen: 'verifyOtp', reach: ({ page }) => runOut(page) },
  {
    name: 'code entry, run out and tried',
    screen: 'verifyOtp',
    async reach({ page }) {
      await runOut(page);
      await enterCode(page, '407291');
      await expect(errorOf(page, 'otp')).toHaveText('OTP Expired');
    },
  },
  {
    name: 'code entry, 25 seconds left',
    screen: 'verifyOtp',
    isPassing: true,
    reach: nearlyRunOut,
  },
  {
    name: 'code entry, more time given',
    screen: 'verifyOtp',
    isPassing: true,
    async reach(tools) {
      await nearlyRunOut(tools);
      await moreTime(tools.page).click();
      // The server's clock did not run ahead: two minutes more than its two.
      await expect(tools.page.getByRole('timer')).toContainText(/ [34]:/);
    },
  },
  {
    name: 'code entry, no more time',
    screen: 'verifyOtp',
    isPassing: true,
    async reach(tools) {
      await answer(tools.page, '/api/OTP/Extend', { errorFlag: 'OTP_LIFE_OVER' });
      await nearlyRunOut(tools);
      await moreTime(tools.page).click();
      await expect(moreTime(tools.page)).toContainText('This code cannot get more time');
    },
  },
  {
    name: 'code entry, new code too soon',
    screen: 'verifyOtp',
    async reach({ page }) {
      await runOut(page);
      // By the server's clock the two minutes are not over.
      await resend(page).click();
      await expect(page.getByText('Please wait until the time is up.')).toBeVisible();
    },
  },
  {
    name: 'code entry, new code failed',
    screen: 'verifyOtp',
    async reach({ page }) {
      await cut(page, '/api/OTP/ReSend-OTP-To-User');
      await runOut(page);
      await resend(page).click();
      await expect(page.getByText('Something went wrong. Try again later.').first()).toBeVisible();
    },
  },
  {
    name: 'code entry, checking',
    screen: 'verifyOtp',
    isPassing: true,
    async reach({ page }) {
      await hold(page, VERIFY);
      await openCodeEntry(page);
      await enterCode(page, '407291');
      await expect(page.getByRole('button', { name: 'Checking your code…' })).toBeVisible();
    },
  },
  {
    name: 'code entry, failed',
    screen: 'verifyOtp',
    async reach({ page }) {
      await cut(page, VERIFY);
      await openCodeEntry(page);
      await enterCode(page, '407291');
      await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'code entry, another sign-in began',
    screen: 'verifyOtp',
    async reach({ page }) {
      await answer(page, VERIFY, { errorFlag: 'OTHER_SIGN_IN' });
      await openCodeEntry(page);
      await enterCode(page, '407291');
      await expect(page.getByRole('link', { name: 'Go to the newest sign-in' })).toBeVisible();
    },
  },
  {
    name: 'code entry, too many tries',
    screen: 'verifyOtp',
    async reach({ page }) {
      await answer(page, VERIFY, { status: 429, headers: { 'retry-after': '900' } });
      await openCodeEntry(page);
      await enterCode(page, '407291');
      await expect(page.getByText('Please wait 15 minutes')).toBeVisible();
    },
  },
  {
    name: 'code entry, offline',
    screen: 'verifyOtp',
    async reach({ page, context }) {
      await openCodeEntry(page);
      await context.setOffline(true);
      await expect(page.getByText('You seem to be offline.')).toBeVisible();
    },
  },
  {
    name: 'code entry, read aloud',
    screen: 'verifyOtp',
    async reach({ page }) {
      await giveVoice(page, true);
      await openCodeEntry(page);
      await page.getByRole('button', { name: 'Read this to me' }).click();
      await expect(page.getByRole('button', { name: 'Stop reading' })).toBeVisible();
    },
  },
  {
    name: 'code entry, help open',
    screen: 'verifyOtp',
    async reach({ page }) {
      await openCodeEntry(page);
      await page.getByText('It has not come').click();
      await expect(page.getByText('Your spam or junk mail.')).toBeVisible();
    },
  },
  {
    name: 'code entry, whom to call for another address',
    screen: 'verifyOtp',
    async reach({ page, account }) {
      await signIn(page, await account());
      await page.getByRole('button', { name: 'Change the address' }).click();
      await expect(page.getByText('Codes go only to')).toBeVisible();
    },
  },
];
