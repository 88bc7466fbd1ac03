import type { Page } from '@playwright/test';
import { choose, enterCode, press, send, signIn, signUpForm, type } from './support/native.ts';
import { test } from './support/own-server.ts';
import { newMember } from './support/people.ts';
import { expect } from './support/test.ts';

// What time does to a page that runs no script. One worker, one server of its own: its clock moves for everybody on it.

test.describe.configure({ mode: 'default' });
test.use({ javaScriptEnabled: false });

const MINUTE = 60;
const DEAD = 'This code was tried too often. Please ask for a new one.';
const h1 = (page: Page) => page.getByRole('heading', { level: 1 });
const card = (page: Page) => page.locator('section[aria-labelledby=sent]');
const ground = (page: Page) =>
  card(page).evaluate((element) => getComputedStyle(element).backgroundColor);
const again = (page: Page) => page.locator('main a', { hasText: 'Check again' }).click();
const textOf = async (page: Page) => (await page.locator('main').innerText()).replaceAll('\n', ' ');

test(
  '[NOS-09] the code of a page that stands still: sent, told, run out, and sent anew',
  { tag: '@full' },
  async ({ page, code, request }) => {
    const pass = (advanceSeconds: number) =>
      request.post('/dev/clock', { data: { advanceSeconds } });
    const member = newMember();
    await signUpForm(page, '/Account/SignUp', member);
    expect(await card(page).innerText()).toContain('This is how it was when the page opened.');
    const green = await ground(page);
    await pass(70);
    await again(page);
    await expect(page).toHaveURL('/account/verifyOtp');
    expect(await card(page).innerText()).toMatch(/arrived 1 minute ago/);
    // What is there has a whole frame, what is on its way a dashed one.
    const frames = await card(page)
      .locator('li svg')
      .evaluateAll((icons) =>
        icons
          .filter((icon) => icon.checkVisibility())
          .map((icon) => getComputedStyle(icon.parentElement ?? icon).borderTopStyle),
      );
    expect(frames).toContain('solid');
    expect(frames).not.toContain('dashed');
    expect(await textOf(page)).toMatch(/Click to resend in \d\d seconds/);
    expect(await textOf(page)).not.toMatch(/\d:\d\d/);
    await expect(page.locator('.script-only:visible')).toHaveCount(0);
    await press(page, 'moreTime');
    expect(await textOf(page)).toMatch(/resend in [23] minutes?/);
    await pass(3 * MINUTE);
    const old = await code(member.email);
    await enterCode(page, old);
    await expect(page.locator('#otp-err')).toHaveText('OTP Expired');
    await expect(page).toHaveTitle(/^Error: /);
    await again(page);
    expect(await card(page).innerText()).toContain('This code no longer works');
    expect(await ground(page)).not.toBe(green);
    expect(await textOf(page)).toMatch(/This code no longer works\s+Ask for a new one\./);
    await press(page, 'resend');
    expect(await ground(page)).toBe(green);
    expect(await card(page).innerText()).toContain('OTP has been sent');
    expect(await textOf(page)).toMatch(/resend in (2 minutes|1 minute \d+ seconds)/);
    await enterCode(page, await code(member.email));
    await expect(h1(page)).toHaveText('Email verified');
  },
);

test(
  '[NOS-09] a text that cannot go: why, and the mail alone',
  { tag: '@full' },
  async ({ page, code, request }) => {
    // A number that costs its caller money: no text goes there.
    const member = { ...newMember(), phone: '9005550199' };
    await signUpForm(page, '/Account/SignUp', member);
    await expect(async () => {
      await again(page);
      expect(await card(page).innerText()).toContain('not sent');
    }).toPass();
    await page.locator('summary', { hasText: 'It has not come' }).click();
    expect(await textOf(page)).toContain('We cannot send text messages to this number.');
    await request.post('/dev/clock', { data: { advanceSeconds: 3 * MINUTE } });
    await again(page);
    await page.locator('summary', { hasText: 'It has not come' }).click();
    await press(page, 'way:3');
    expect(await card(page).innerText()).not.toContain('Text:');
    await enterCode(page, await code(member.email));
    await expect(h1(page)).toHaveText('Email verified');
  },
);

test('[NOS-09] wrong codes: each above the boxes, and the last one says what helps', async ({
  page,
  code,
}) => {
  const member = newMember();
  await signUpForm(page, '/Account/SignUp', member);
  const wrong = String((Number(await code(member.email)) + 1) % 1_000_000).padStart(6, '0');
  for (let tried = 0; tried < 5; tried += 1) {
    await enterCode(page, wrong);
    await expect(page.locator('#otp-err')).toHaveText(tried < 4 ? 'Invalid Otp.' : DEAD);
  }
  expect(await card(page).innerText()).toContain('This code no longer works');
  await press(page, 'resend');
  await enterCode(page, await code(member.email));
  await expect(h1(page)).toHaveText('Email verified');
});

test(
  '[NOS-11] a session that ended while nobody was there says so',
  { tag: '@full' },
  async ({ page, account, code, request }) => {
    const { email, password } = await account('member and academy');
    await signIn(page, email, password);
    await enterCode(page, await code(email));
    await expect(page).toHaveURL('/account/SelectRoles');
    await request.post('/dev/clock', { data: { advanceSeconds: 31 * MINUTE } });
    await choose(page, 'role');
    await send(page, 'roles');
    await expect(page).toHaveURL(/\/account\/signin\?expired=1/);
    expect(await textOf(page)).toContain('You have been logged out due to inactivity.');
    await type(page, 'sign-in', { email, password });
    await send(page, 'sign-in');
    await enterCode(page, await code(email));
    await expect(page).toHaveURL('/account/SelectRoles');
  },
);
