import {
  field,
  heading,
  open,
  signUp,
  signUpButton,
  timeToasts,
  toast,
} from './support/screens.ts';
import { newMember } from './support/people.ts';
import { expect, test } from './support/test.ts';

test(
  '[GEN-09] the banner turns every four seconds, under a title that stays, until somebody pauses it',
  { tag: '@full' },
  async ({ page }) => {
    await page.clock.install();
    await open(page, '/account/signin');
    const banner = page.getByRole('region', { name: 'News' });
    const current = banner.locator('button[aria-current]');
    const title = page.getByRole('heading', {
      name: 'Great News - Experience Our New User Interface',
    });
    await expect(current).toHaveAccessibleName('Show slide 1');
    await page.clock.runFor(4100);
    await expect(current).toHaveAccessibleName('Show slide 2');
    await page.clock.runFor(4000);
    await expect(current).toHaveAccessibleName('Show slide 3');
    await expect(title).toBeVisible();

    await banner.getByRole('button', { name: 'Pause' }).click();
    await heading(page, 'Login').hover();
    await page.clock.runFor(20_000);
    await expect(current).toHaveAccessibleName('Show slide 3');
    // Remembered for the session.
    await page.reload();
    await expect(banner.getByRole('button', { name: 'Play' })).toBeVisible();
  },
);

test('[GEN-08] the processing and one-message screens go without the banner', async ({ page }) => {
  for (const path of ['/account/congratulation', '/help', '/account/Signout']) {
    await page.goto(path);
    await expect(page.getByRole('main')).toBeVisible();
    await expect(page.getByText('Great News - Experience Our New User Interface')).toHaveCount(0);
  }
});

test('[GEN-13] a success stays two seconds, a warning four', async ({ page }) => {
  await page.clock.install();
  const stood = await timeToasts(page);
  await open(page, '/Account/SignUp');
  await signUpButton(page).click();
  await expect(toast(page)).toBeVisible();
  await page.clock.runFor(5000);
  await expect(toast(page)).toBeHidden();
  expect(await stood()).toEqual([4]);

  // In so low a window the page's own sentence is out of sight: good news is shown (E2).
  await page.setViewportSize({ width: 1280, height: 200 });
  await signUp(page, newMember());
  await expect(toast(page)).toHaveText('OTP has been sent to your email address and phone number.');
  await page.clock.runFor(5000);
  await expect(toast(page)).toBeHidden();
  expect(await stood()).toEqual([2]);
});

test(
  'the way past the header takes the focus into the page and nothing that was typed away',
  { tag: '@full' },
  async ({ page, api }) => {
    await open(page, '/Account/SignUp');
    await field(page, 'firstName').fill('Ada');
    await page.getByRole('link', { name: 'Skip to main content' }).press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    await field(page, 'lastName').fill('Winslow');
    expect(api.to('/api/Visit/State').length).toBeLessThanOrEqual(1);
    await expect(field(page, 'firstName')).toHaveValue('Ada');
  },
);
