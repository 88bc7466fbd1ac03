import { expect } from '@playwright/test';
import { enterCode, press, send, signIn, signUpForm, type } from '../native.ts';
import { inviteByApi, newMember, proveByApi } from '../people.ts';
import type { State, Tools } from './state.ts';

const needs = { javaScriptEnabled: false } as const;
/** A server of its own: its clock moves. */
const inTime = { ...needs, settings: { PORCHLIGHT_INVITATION_DAYS: '2' } } as const;
const MINUTE = 60;
/** A number that costs its caller money: no text goes there. */
const COSTLY = '9005550199';

const later = ({ request }: Tools, advanceSeconds: number) =>
  request.post('/dev/clock', { data: { advanceSeconds } });

async function openCode(tools: Tools, member = newMember()): Promise<void> {
  await inviteByApi(tools.page.request, member);
  await tools.page.goto('/account/verifyOtp');
  await expect(tools.page.locator('#code')).toBeVisible();
}

async function openReset({ page, account, inbox }: Tools): Promise<string> {
  const { email } = await account();
  await page.goto('/account/ForgetPassword');
  await type(page, 'forgot-password', { email });
  await send(page, 'forgot-password');
  const link = (await inbox(email))[0]?.link ?? '';
  await page.goto(link);
  await press(page, 'goOn');
  return link;
}

async function setNew({ page }: Tools, form: string, confirmPassword: string): Promise<void> {
  await type(page, form, { password: 'Green-Teapot-77', confirmPassword });
  await send(page, form);
}

/** What the server answers to forms, and pages that stand still (NOS-01 to NOS-13). */
export const WITHOUT_SCRIPT_STATES: readonly State[] = [
  {
    name: 'without script, sign-in, nothing filled in',
    screen: 'signIn',
    needs,
    async reach({ page }) {
      await page.goto('/account/signin');
      await send(page, 'sign-in');
      await expect(page.locator('#password-err')).not.toBeEmpty();
    },
  },
  {
    name: 'without script, sign-in, refused',
    screen: 'signIn',
    needs,
    async reach({ page, account }) {
      await signIn(page, (await account()).email, 'Not-The-Word-1');
      await expect(page.locator('main [role=alert]').first()).toContainText('incorrect');
    },
  },
  {
    name: 'without script, sign-in after nobody was there',
    screen: 'signIn',
    needs,
    async reach({ page }) {
      await page.goto('/account/signin?expired=1');
      await expect(page.locator('main')).toContainText('due to inactivity');
    },
  },
  {
    name: 'without script, display choices',
    screen: 'signIn',
    needs,
    async reach({ page }) {
      await page.goto('/account/signin');
      await page.locator('header summary').click();
      await expect(page.locator('#display')).toContainText('Then type again what you typed here');
    },
  },
  {
    name: 'without script, sign-up, nothing filled in',
    screen: 'signUp',
    needs,
    async reach({ page }) {
      await page.goto('/account/StartFreeTrial?subtenantId=3');
      await send(page, 'sign-up');
      await expect(page.locator('#confirmPassword-err')).not.toBeEmpty();
    },
  },
  {
    name: 'without script, code entry',
    screen: 'verifyOtp',
    needs,
    reach: (tools) => openCode(tools),
  },
  {
    name: 'without script, code entry, asked for a new code too early',
    screen: 'verifyOtp',
    needs,
    async reach(tools) {
      await openCode(tools);
      await tools.page.locator('summary', { hasText: 'It has not come' }).click();
      await press(tools.page, 'resend');
      await expect(tools.page.locator('#code')).toContainText('Please wait until the time is up.');
    },
  },
  {
    name: 'without script, code entry, wrong code',
    screen: 'verifyOtp',
    needs,
    async reach(tools) {
      await openCode(tools);
      await enterCode(tools.page, '000000');
      await expect(tools.page.locator('#otp-err')).not.toBeEmpty();
    },
  },
  {
    name: 'without script, code entry, changing to no address',
    screen: 'verifyOtp',
    needs,
    async reach({ page }) {
      await signUpForm(page, '/Account/SignUp', newMember());
      await press(page, 'open:change-address');
      await type(page, 'change-address', { email: 'nonsense' });
      await send(page, 'change-address');
      await expect(page.locator('#change-address #email-err')).not.toBeEmpty();
    },
  },
  {
    name: 'without script, code entry, text not delivered',
    screen: 'verifyOtp',
    needs,
    async reach(tools) {
      await openCode(tools, { ...newMember(), phone: COSTLY });
      await expect(async () => {
        await tools.page.goto('/account/verifyOtp');
        expect(await tools.page.locator('main').innerText()).toContain('not sent');
      }).toPass();
    },
  },
  {
    name: 'without script, code entry, run out',
    screen: 'verifyOtp',
    needs: inTime,
    async reach(tools) {
      await openCode(tools);
      await later(tools, 5 * MINUTE);
      await tools.page.goto('/account/verifyOtp');
      await expect(tools.page.locator('main')).toContainText('This code no longer works', {
        useInnerText: true,
      });
    },
  },
  {
    name: 'without script, code entry, run out when it was sent',
    screen: 'verifyOtp',
    needs: inTime,
    async reach(tools) {
      await openCode(tools);
      await later(tools, 5 * MINUTE);
      await enterCode(tools.page, '000000');
      await expect(tools.page.locator('#otp-err')).not.toBeEmpty();
    },
  },
  {
    name: 'without script, switcher, nothing chosen',
    screen: 'selectRoles',
    needs,
    async reach({ page, account, code }) {
      const { email, password } = await account('member and academy');
      await signIn(page, email, password);
      await enterCode(page, await code(email));
      await send(page, 'roles');
      await expect(page.locator('#role-err')).toHaveText('Please select a role');
    },
  },
  {
    name: 'without script, forgotten password, unknown address',
    screen: 'forgotPassword',
    needs,
    async reach({ page }) {
      await page.goto('/account/ForgetPassword');
      await type(page, 'forgot-password', { email: 'nobody.at.all@example.org' });
      await send(page, 'forgot-password');
      await expect(page.locator('#email-err')).toContainText('No account found');
    },
  },
  {
    name: 'without script, reset password, no match',
    screen: 'resetPassword',
    needs,
    async reach(tools) {
      await openReset(tools);
      await setNew(tools, 'reset-password', 'Other-Teapot-77');
      await expect(tools.page.locator('#confirmPassword-err')).not.toBeEmpty();
    },
  },
  {
    name: 'without script, reset password, used link',
    screen: 'invalidLink',
    needs,
    async reach(tools) {
      const link = await openReset(tools);
      await setNew(tools, 'reset-password', 'Green-Teapot-77');
      await tools.page.goto(link);
      await press(tools.page, 'goOn');
      await expect(tools.page.locator('h1')).toHaveText('Invalid Link');
    },
  },
  {
    name: 'without script, set password, no match',
    screen: 'setPassword',
    needs,
    async reach(tools) {
      await proveByApi(tools.page.request, newMember(), tools.code);
      await tools.page.goto('/account/setPassword');
      await setNew(tools, 'set-password', 'Other-Teapot-77');
      await expect(tools.page.locator('#confirmPassword-err')).not.toBeEmpty();
    },
  },
  {
    name: 'without script, activation',
    screen: 'activation',
    needs,
    async reach({ page, invited }) {
      await page.goto((await invited()).link);
      await press(page, 'goOn');
      await expect(page.locator('button[value=confirm]')).toBeVisible();
    },
  },
  {
    name: 'without script, activation, used link',
    screen: 'activation',
    needs,
    async reach({ page, invited }) {
      const { link } = await invited();
      await page.goto(link);
      await press(page, 'goOn');
      await press(page, 'confirm');
      await page.goto(link);
      await press(page, 'goOn');
      await expect(page.locator('main')).toContainText('Your account is active.');
    },
  },
];
