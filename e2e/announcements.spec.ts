import type { Page } from '@playwright/test';
import { answer } from './support/faults.ts';
import { newMember } from './support/people.ts';
import {
  boxes,
  enterCode,
  field,
  fillSignUp,
  heading,
  open,
  openCodeEntry,
  signUpButton,
  takeTime,
  toast,
} from './support/screens.ts';
import { expect, test } from './support/test.ts';

const ALL_REQUIRED = 'Please fill out all required fields as highlighted.';
const SENT = 'OTP has been sent to your email address and phone number.';
const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Whether the toast lies over anything that somebody reads or presses. */
async function covered(page: Page): Promise<readonly string[]> {
  return toast(page).evaluate((region) => {
    const card = region.firstElementChild?.getBoundingClientRect();
    if (!card) return ['no toast'];
    const others = [...document.querySelectorAll('header *, main *')].filter(
      (element) =>
        element.matches('a, button, input, h1, p, li, label, legend') && !region.contains(element),
    );
    return others.flatMap((element) => {
      const box = element.getBoundingClientRect();
      const isOver =
        box.left < card.right &&
        box.right > card.left &&
        box.top < card.bottom &&
        box.bottom > card.top;
      return isOver && box.width > 1 ? [element.textContent ?? element.tagName] : [];
    });
  });
}

test('[V1] [GEN-13] the same words twice are one toast, and it is gone once they are mended', async ({
  page,
}) => {
  await takeTime(page);
  await open(page, '/Account/SignUp');
  await signUpButton(page).click();
  await signUpButton(page).click();
  await expect(toast(page).getByRole('button', { name: 'Close' })).toHaveCount(1);
  await expect(toast(page)).toContainText(ALL_REQUIRED);
  await fillSignUp(page, newMember());
  await expect(toast(page)).toBeHidden();
});

test('[V1] "Take your time": on the next screen stands what the change says, and nothing of before', async ({
  page,
  code,
}) => {
  await takeTime(page);
  const member = newMember();
  await open(page, '/Account/SignUp');
  await signUpButton(page).click();
  await expect(toast(page)).toContainText(ALL_REQUIRED);
  await fillSignUp(page, member);
  await signUpButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await expect(toast(page)).toHaveText(SENT);
  const right = await code(member.email);
  await enterCode(page, another(right));
  await expect(toast(page)).toHaveText('Invalid Otp.');
  await enterCode(page, right);
  await expect(heading(page, 'Email verified')).toBeVisible();
  await expect(toast(page)).toContainText('Congratulations!');
  await page.getByRole('link', { name: 'Login' }).click();
  await expect(heading(page, 'Login')).toBeVisible();
  await expect(toast(page)).toBeHidden();
});

test('[V1] a new try takes away what was said of the one before', async ({ page, code }) => {
  await takeTime(page);
  const member = newMember();
  await openCodeEntry(page, member);
  const right = await code(member.email);
  await enterCode(page, another(right));
  await expect(toast(page)).toHaveText('Invalid Otp.');
  await boxes(page).first().fill(right);
  await expect(toast(page)).toBeHidden();
});

for (const [width, height] of [
  [320, 640],
  [390, 844],
  [1440, 900],
] as const) {
  test(`[V10] [GEN-07] at ${width} px a toast stands under the header, in the middle, and over nothing`, async ({
    page,
  }) => {
    await takeTime(page);
    await page.setViewportSize({ width, height });
    await open(page, '/Account/SignUp');
    await signUpButton(page).click();
    await expect(toast(page)).toContainText(ALL_REQUIRED);
    expect(await covered(page)).toEqual([]);
    await field(page, 'lastName').focus();
    expect(await covered(page)).toEqual([]);
    const middleOf = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        const { left, width: wide } = element.getBoundingClientRect();
        return Math.round(left + wide / 2);
      });
    const card = 'section[aria-label="Notices"] > div';
    expect(Math.abs((await middleOf(card)) - (await middleOf('main form')))).toBeLessThan(3);
  });
}

test('[V1] a toast whose time is over moves nothing', async ({ page }) => {
  await page.clock.install();
  await open(page, '/Account/SignUp');
  await signUpButton(page).click();
  await expect(toast(page)).toContainText(ALL_REQUIRED);
  const top = () =>
    page.locator('h1').evaluate((title) => title.getBoundingClientRect().top + scrollY);
  const before = await top();
  await page.clock.runFor(4500);
  await expect(toast(page)).toBeHidden();
  expect(await top()).toBe(before);
});

test("[V1] what a failing 'Verify here.' says stands on the page too", async ({ page, quiet }) => {
  quiet.allow(/status of 500/);
  const member = newMember();
  await openCodeEntry(page, member);
  await answer(page, '/api/UserActivation/GetUserActivationLink', { status: 500 });
  await open(page, '/account/ForgetPassword');
  await field(page, 'email').fill(member.email);
  await page.getByRole('button', { name: 'Reset password' }).click();
  await page.getByRole('button', { name: 'Verify here.' }).click();
  const general = 'Something went wrong. Try again later.';
  await expect(toast(page)).toHaveText(general);
  await expect(page.getByRole('main')).toContainText(general);
});
