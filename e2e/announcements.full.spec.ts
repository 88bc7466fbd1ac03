import type { Locator, Page } from '@playwright/test';
import { answer, hold } from './support/faults.ts';
import { listen } from './support/live.ts';
import { newMember } from './support/people.ts';
import {
  boxes,
  enterCode,
  errorOf,
  field,
  fillSignUp,
  heading,
  open,
  openCodeEntry,
  signUp,
  signUpButton,
  takeTime,
  toast,
} from './support/screens.ts';
import { expect, test } from './support/test.ts';

const ALL_REQUIRED = 'Please fill out all required fields as highlighted.';
const SENT = 'OTP has been sent to your email address and phone number.';
const VERIFY = '/api/OTP/Validate-OTP-For-NewUser';
const GENERAL = 'Something went wrong. Try again later.';
const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Whether the toast lies over the focused field or its error. */
async function coversTheFocus(page: Page): Promise<boolean> {
  return toast(page).evaluate((region) => {
    const card = region.getBoundingClientRect();
    const focused = document.activeElement;
    const error = document.getElementById(`${focused?.id}-err`);
    return [focused, error].some((element) => {
      if (!element) return true;
      const box = element.getBoundingClientRect();
      return box.top < card.bottom && box.bottom > card.top;
    });
  });
}

async function isOver(above: Locator, below: Locator): Promise<boolean> {
  const [card, covered] = [await above.boundingBox(), await below.boundingBox()];
  if (!card || !covered) return true;
  return covered.y < card.y + card.height && covered.y + covered.height > card.y;
}

/** The server fails at the next code, whichever it is. */
const failOnce = (page: Page) =>
  page.route(`**${VERIFY}`, (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });

/** Keeps the words of every toast that is drawn. */
async function keepToasts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drawn: string[] = [];
    Object.assign(window, { drawn });
    const look = () => {
      const text = document.querySelector('section[aria-label="Notices"]')?.textContent;
      if (text) drawn.push(text);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

const keptToasts = (page: Page) =>
  page.evaluate(() => (window as unknown as { drawn: string[] }).drawn);

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

test('[V1] "Take your time": on the next screen stands nothing of before', async ({
  page,
  code,
  quiet,
}) => {
  quiet.allow(/status of 500/);
  await takeTime(page);
  const member = newMember();
  await open(page, '/Account/SignUp');
  await signUpButton(page).click();
  await expect(toast(page)).toContainText(ALL_REQUIRED);
  await fillSignUp(page, member);
  await signUpButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await expect(toast(page)).toBeHidden();
  const right = await code(member.email);
  await failOnce(page);
  await enterCode(page, right);
  await expect(toast(page)).toHaveText(GENERAL);
  await enterCode(page, right);
  await expect(heading(page, 'Email verified')).toBeVisible();
  await expect(toast(page)).toBeHidden();
});

test('[V1] a new try takes away what was said of the one before', async ({ page, code, quiet }) => {
  quiet.allow(/status of 500/);
  await takeTime(page);
  const member = newMember();
  await openCodeEntry(page, member);
  const right = await code(member.email);
  await failOnce(page);
  await enterCode(page, right);
  await expect(toast(page)).toHaveText(GENERAL);
  await hold(page, VERIFY);
  await enterCode(page, right);
  await expect(toast(page)).toBeHidden();
});

for (const [width, height] of [
  [320, 640],
  [390, 844],
  [1440, 900],
] as const) {
  test(`[V10] [GEN-07] at ${width} px a toast is in the window, over the middle of the column, and not over what has the focus`, async ({
    page,
  }) => {
    await takeTime(page);
    await page.setViewportSize({ width, height });
    await open(page, '/Account/SignUp');
    const places = () =>
      page.locator('main :is(h1, label, input)').evaluateAll((all) =>
        all
          .filter((element) => element.checkVisibility())
          .map((element) => {
            const { left, top } = element.getBoundingClientRect();
            return [left, top + scrollY].map(Math.round);
          }),
      );
    await signUpButton(page).click();
    await expect(toast(page)).toContainText(ALL_REQUIRED);
    await expect(field(page, 'firstName')).toBeFocused();
    await expect(toast(page)).toBeInViewport({ ratio: 1 });
    expect(await coversTheFocus(page)).toBe(false);
    if (height > 700) {
      const title = page.getByRole('heading', { name: 'There are 6 problems' });
      expect(await isOver(toast(page), title)).toBe(false);
    }
    const middleOf = (selector: string) =>
      page.locator(selector).evaluate((element) => {
        const { left, width: wide } = element.getBoundingClientRect();
        return Math.round(left + wide / 2);
      });
    expect(
      Math.abs((await middleOf('section[aria-label="Notices"]')) - (await middleOf('main form'))),
    ).toBeLessThan(3);

    // Wherever the page is scrolled, down to its end.
    const withToast = await places();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(toast(page)).toBeInViewport({ ratio: 1 });
    await toast(page).getByRole('button', { name: 'Close' }).click();
    await expect(toast(page)).toBeHidden();
    expect(await places()).toEqual(withToast);
  });
}

test('[V10] a toast makes way for what gets the focus below it (WCAG 2.4.11)', async ({
  page,
  quiet,
}) => {
  quiet.allow(/status of 500/);
  await takeTime(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await openCodeEntry(page, newMember());
  await failOnce(page);
  await enterCode(page, '000000');
  await expect(toast(page)).toHaveText(GENERAL);
  await page.getByRole('link', { name: 'Back to Sign Up' }).focus();
  await expect(toast(page)).toBeHidden();
});

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`[V10] [OTP-06] at ${width} px what the page itself says is said aloud and not shown twice (E2)`, async ({
    page,
    code,
  }) => {
    const said = await listen(page);
    await page.clock.install();
    await page.setViewportSize({ width, height });
    const member = newMember();
    await keepToasts(page);
    await signUp(page, member);
    await expect.poll(async () => (await said()).join(' ')).toContain(SENT);
    const right = await code(member.email);
    await enterCode(page, another(right));
    await expect(errorOf(page, 'otp')).toHaveText('Invalid Otp.');
    await expect(boxes(page).first()).toHaveAccessibleDescription('Invalid Otp.');
    // Longer than a toast waits for the page's own words.
    await page.clock.runFor(1000);
    await enterCode(page, right);
    await expect(heading(page, 'Email verified')).toBeVisible();
    await expect.poll(async () => (await said()).join(' ')).toContain('Congratulations!');
    expect(await keptToasts(page)).toEqual([]);
  });
}

test("[V1] what a failing 'Verify here.' says stands on the page too", async ({ page, quiet }) => {
  quiet.allow(/status of 500/);
  const member = newMember();
  await openCodeEntry(page, member);
  await answer(page, '/api/UserActivation/GetUserActivationLink', { status: 500 });
  await open(page, '/account/ForgetPassword');
  await field(page, 'email').fill(member.email);
  await page.getByRole('button', { name: 'Reset password' }).click();
  await page.getByRole('button', { name: 'Verify here.' }).click();
  await expect(toast(page)).toHaveText(GENERAL);
  await expect(page.getByRole('main')).toContainText(GENERAL);
});
