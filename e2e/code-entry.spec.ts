import type { Page } from '@playwright/test';
import { newMember } from './support/people.ts';
import { boxes, boxTexts, enterCode, errorOf, heading, signIn, signUp } from './support/screens.ts';
import { awake, expect, test } from './support/test.ts';

const verify = (page: Page) => page.getByRole('button', { name: 'Verify OTP' });
/** A code that is not the right one. */
const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

async function paste(page: Page, text: string): Promise<void> {
  await boxes(page)
    .first()
    .evaluate((box, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', pasted);
      box.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    }, text);
}

test('[OTP-01] [OTP-04] six boxes take digits however they come', async ({ page }) => {
  await signUp(page, newMember());
  await expect(boxes(page)).toHaveCount(6);
  await expect(page.getByRole('group', { name: '6-digit code' })).toBeVisible();
  await expect(boxes(page).first()).toBeFocused();
  await expect(boxes(page).first()).toHaveAttribute('autocomplete', 'one-time-code');

  await page.keyboard.type('4a07b');
  expect(await boxTexts(page)).toEqual(['4', '0', '7', '', '', '']);
  await expect(boxes(page).nth(3)).toBeFocused();
  await page.keyboard.press('Backspace');
  expect(await boxTexts(page)).toEqual(['4', '0', '', '', '', '']);
  await page.keyboard.press('Backspace');
  expect(await boxTexts(page)).toEqual(['4', '', '', '', '', '']);
  await page.keyboard.press('Home');
  await expect(boxes(page).first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(boxes(page).last()).toBeFocused();

  await paste(page, '407 291');
  expect(await boxTexts(page)).toEqual(['4', '0', '7', '2', '9', '1']);
  await paste(page, 'Your code is 650318. It works for 2 minutes.');
  expect(await boxTexts(page)).toEqual(['6', '5', '0', '3', '1', '8']);
  // What a password manager or dictation does: the whole code at once, in the first box.
  await boxes(page).first().fill('407291');
  expect(await boxTexts(page)).toEqual(['4', '0', '7', '2', '9', '1']);
});

test('[OTP-05] nothing, too little and a wrong code: each in its own words', async ({
  page,
  code,
}) => {
  const member = newMember();
  await signUp(page, member);
  await verify(page).click();
  await expect(errorOf(page, 'otp')).toHaveText('Please enter OTP');
  await boxes(page).first().fill('407');
  await verify(page).click();
  await expect(errorOf(page, 'otp')).toHaveText('Please enter a valid OTP');
  const right = await code(member.email);
  await enterCode(page, another(right));
  await expect(errorOf(page, 'otp')).toHaveText('Invalid Otp.');
  await expect(boxes(page).first()).toBeFocused();
  await expect(boxes(page).first()).toHaveAccessibleDescription('Invalid Otp.');
  await enterCode(page, right);
  await expect(heading(page, 'Email verified')).toBeVisible();
});

test('[OTP-05] a code that was tried five times is dead; the way to a new one is open at once', async ({
  page,
  code,
}) => {
  const member = newMember();
  await signUp(page, member);
  const right = await code(member.email);
  for (let tries = 0; tries < 4; tries += 1) {
    await enterCode(page, another(right));
    await expect(errorOf(page, 'otp')).toHaveText('Invalid Otp.');
    await expect(verify(page)).not.toHaveAttribute('aria-disabled');
  }
  await enterCode(page, another(right));
  await expect(errorOf(page, 'otp')).toHaveText(
    'This code was tried too often. Please ask for a new one.',
  );
  await page.getByRole('button', { name: 'Click to resend' }).click();
  await expect.poll(() => boxTexts(page)).toEqual(['', '', '', '', '', '']);
  const fresh = await code(member.email);
  expect(fresh).not.toBe(right);
  await enterCode(page, fresh);
  await expect(heading(page, 'Email verified')).toBeVisible();
});

test(
  '[OTP-02] [V15] the way back is Sign Up after signing up, and Sign In after signing in',
  { tag: '@full' },
  async ({ page, account }) => {
    await signUp(page, newMember());
    const back = page.getByRole('main').getByRole('link').first();
    await expect(back).toHaveText('Back to Sign Up');
    await back.click();
    await expect(heading(page, 'Sign up')).toBeVisible();

    await signIn(page, await account());
    await expect(back).toHaveText('Back to Sign In');
    await back.click();
    await expect(heading(page, 'Login')).toBeVisible();
  },
);

test('[OTP-03] [GEN-12] the timer markers are there while a code runs and go with it', async ({
  page,
  code,
}) => {
  const member = newMember();
  await signUp(page, member);
  const markers = () =>
    page.evaluate(() => [
      sessionStorage.getItem('remainingTime'),
      sessionStorage.getItem('hasBeenCalledBefore'),
    ]);
  await expect.poll(markers).toEqual([expect.stringMatching(/^\d+$/), 'true']);
  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Email verified')).toBeVisible();
  expect(await markers()).toEqual([null, null]);
});

test(
  '[GEN-12] the code still counts when the browser lost its storage and was reloaded',
  { tag: '@full' },
  async ({ page, code }) => {
    const member = newMember();
    await signUp(page, member);
    await page.evaluate(() => {
      sessionStorage.clear();
      localStorage.clear();
    });
    await page.reload();
    await awake(page);
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    await enterCode(page, await code(member.email));
    await expect(heading(page, 'Email verified')).toBeVisible();
  },
);
