import type { Page } from '@playwright/test';
import { listen } from './support/live.ts';
import { newMember } from './support/people.ts';
import {
  enterCode,
  field,
  fillSignUp,
  heading,
  open,
  signIn,
  signUp,
  signUpButton,
  takeTime,
} from './support/screens.ts';
import { authToken, signInWithCode } from './support/session.ts';
import { test } from './support/own-server.ts';
import { awake, expect } from './support/test.ts';

// One worker, one server of its own: its clock moves for everybody on it.
test.describe.configure({ mode: 'default' });

const MINUTE = 60;
const CODE = 'Enter your 6-digit code';
const resend = (page: Page) => page.getByRole('button', { name: 'Click to resend' });

async function secondsShown(page: Page): Promise<number> {
  const text = (await page.getByRole('timer').textContent()) ?? '';
  const [, minutes, seconds] = /(\d+):(\d\d)/.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}

test('[OTP-03] [GEN-04] a sign-up left for an hour goes on with a new code, at its own subtenant', async ({
  page,
  code,
  request,
}) => {
  const member = newMember();
  await open(page, '/account/StartFreeTrial?subtenantId=3');
  await fillSignUp(page, member);
  await signUpButton(page).click();
  await expect(heading(page, CODE)).toBeVisible();
  await request.post('/dev/clock', { data: { advanceSeconds: 60 * MINUTE } });
  await page.goto('/account/verifyOtp');
  await awake(page);
  await expect(heading(page, CODE)).toBeVisible();
  await expect(page).toHaveTitle(/Porchlight Academy/);
  await resend(page).click();
  await expect.poll(() => secondsShown(page)).toBeGreaterThan(100);
  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Email verified')).toBeVisible();
});

test(
  '[RED-03] a sign-in left for more than half an hour begins anew, with the address, after a reload',
  { tag: '@full' },
  async ({ page, account, request }) => {
    const member = await account();
    await signIn(page, member);
    await request.post('/dev/clock', { data: { advanceSeconds: 31 * MINUTE } });
    await page.reload();
    await awake(page);
    await expect(heading(page, 'Login')).toBeVisible();
    await expect(field(page, 'email')).toHaveValue(member.email);
  },
);

test(
  '[RED-03] the same without a reload: asking for a new code leads to sign-in, and says why',
  { tag: '@full' },
  async ({ page, account, passTime, quiet }) => {
    quiet.allow(/403 \(Forbidden\)/);
    const member = await account();
    await signIn(page, member);
    await passTime(31 * MINUTE);
    await resend(page).click();
    await expect(page.getByRole('alertdialog', { name: 'Session Timeout' })).toBeVisible();
    await expect(field(page, 'email')).toHaveValue(member.email);
  },
);

test(
  '[SUP-20] [SIN-04] a bearer that idled away at the switcher is cleared, and leads to sign-in',
  { tag: '@full' },
  async ({ page, code, request, quiet }) => {
    quiet.allow(/401 \(Unauthorized\)/);
    const multi = { email: 'multi@demo.porchlight.test', password: 'Porchlight-1' };
    await signInWithCode(page, multi, code);
    await expect(heading(page, 'Accounts switcher')).toBeVisible();
    await request.post('/dev/clock', { data: { advanceSeconds: 31 * MINUTE } });
    await page.getByRole('radio', { name: /^Admin/ }).check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(heading(page, 'Login')).toBeVisible();
    expect(await authToken(page)).toBeNull();
  },
);

test('[PWD-08] a reset form left until its link ran out says so', async ({
  page,
  account,
  inbox,
  request,
  quiet,
}) => {
  quiet.allow(/401 \(Unauthorized\)/);
  const member = await account();
  await open(page, '/account/ForgetPassword');
  await field(page, 'email').fill(member.email);
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(heading(page, 'Check your email')).toBeVisible();
  await page.goto((await inbox(member.email))[0]?.link ?? '');
  await field(page, 'password').fill('Lantern-Glow-8');
  await field(page, 'confirmPassword').fill('Lantern-Glow-8');
  await request.post('/dev/clock', { data: { advanceSeconds: 31 * MINUTE } });
  await page.getByRole('button', { name: 'Set password' }).click();
  const box = page.getByRole('main').getByRole('alert');
  await expect(box).toContainText('Unauthorized to change password.');
  await expect(field(page, 'password')).toHaveValue('Lantern-Glow-8');
});

test(
  '[OTP-03] "Take your time" asks for more time by itself, as long as there is any',
  { tag: '@full' },
  async ({ page, code, passTime, api }) => {
    const said = await listen(page);
    await takeTime(page);
    const member = newMember();
    await signUp(page, member);
    for (const [at, seconds] of [91, 120].entries()) {
      await passTime(seconds);
      await expect.poll(() => secondsShown(page)).toBeGreaterThan(110);
      expect(api.to('/api/OTP/Extend')).toHaveLength(at + 1);
    }
    await expect.poll(async () => (await said()).join(' ')).toContain('You have more time now.');
    await enterCode(page, await code(member.email));
    await expect(heading(page, 'Email verified')).toBeVisible();
  },
);

test(
  '[OTP-03] … also on a page that wakes up in the last seconds',
  { tag: '@full' },
  async ({ page, request }) => {
    await takeTime(page);
    await signUp(page, newMember());
    await request.post('/dev/clock', { data: { advanceSeconds: 100 } });
    await page.reload();
    await awake(page);
    await expect.poll(() => secondsShown(page)).toBeGreaterThan(100);
  },
);
