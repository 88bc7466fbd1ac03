import type { Page } from '@playwright/test';
import { field, heading, open, signUpButton, takeTime, toast } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const slide = (page: Page) =>
  page.getByRole('region', { name: 'News' }).locator('button[aria-current]');

test.beforeEach(({ page }) => page.clock.install());

test('"Take your time": a toast stays until it is closed', { tag: '@full' }, async ({ page }) => {
  await takeTime(page);
  await open(page, '/Account/SignUp');
  await signUpButton(page).click();
  await expect(toast(page)).toBeVisible();
  await page.clock.runFor(60_000);
  await expect(toast(page)).toBeVisible();
  await toast(page).getByRole('button', { name: 'Close' }).click();
  await expect(toast(page)).toBeHidden();
});

test('"Take your time": the pictures stay still', { tag: '@full' }, async ({ page }) => {
  await takeTime(page);
  await open(page, '/account/signin');
  await page.clock.runFor(20_000);
  await expect(slide(page)).toHaveAccessibleName('Show slide 1');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
});

test(
  '[GEN-13] a toast waits under the pointer and under the focus',
  { tag: '@full' },
  async ({ page }) => {
    await open(page, '/Account/SignUp');
    await signUpButton(page).click();
    await toast(page).hover();
    await page.clock.runFor(20_000);
    await expect(toast(page)).toBeVisible();
    await toast(page).getByRole('button', { name: 'Close' }).focus();
    await heading(page, 'Sign up').hover();
    await page.clock.runFor(20_000);
    await expect(toast(page)).toBeVisible();
    await field(page, 'firstName').focus();
    await page.clock.runFor(4500);
    await expect(toast(page)).toBeHidden();
  },
);

test(
  '[GEN-09] the banner holds still under the pointer, under the focus and while somebody types',
  { tag: '@full' },
  async ({ page }) => {
    await open(page, '/account/signin');
    await page.getByRole('region', { name: 'News' }).hover();
    await page.clock.runFor(20_000);
    await expect(slide(page)).toHaveAccessibleName('Show slide 1');
    await heading(page, 'Login').hover();
    await page.getByRole('button', { name: 'Pause' }).focus();
    await page.clock.runFor(20_000);
    await expect(slide(page)).toHaveAccessibleName('Show slide 1');
    await field(page, 'email').focus();
    await page.clock.runFor(20_000);
    await expect(slide(page)).toHaveAccessibleName('Show slide 1');
    await page.getByRole('link', { name: 'Sign Up' }).focus();
    await page.clock.runFor(4100);
    await expect(slide(page)).toHaveAccessibleName('Show slide 2');
  },
);

/** Tokens that password managers and phones go by (WCAG 1.3.5). */
const TOKENS = {
  // The field offers passkeys as well.
  '/account/signin': { email: 'username webauthn', password: 'current-password' },
  '/Account/SignUp': {
    firstName: 'given-name',
    lastName: 'family-name',
    phone: 'tel-national',
    email: 'email',
    password: 'new-password',
    confirmPassword: 'new-password',
  },
  '/account/ForgetPassword': { email: 'username' },
} as const;

for (const [path, tokens] of Object.entries(TOKENS)) {
  test(
    `${path}: a password manager is told what each field is`,
    { tag: '@full' },
    async ({ page }) => {
      await open(page, path);
      for (const [name, token] of Object.entries(tokens)) {
        await expect(field(page, name)).toHaveAttribute('autocomplete', token);
      }
    },
  );
}

test(
  '[NOS-08] what is chosen with script is in the next page from its first byte',
  { tag: '@full' },
  async ({ page, quiet }) => {
    quiet.allow(/404/);
    await open(page, '/account/signin');
    await page.getByRole('button', { name: 'Largest text' }).click();
    const next = await page.context().request.get('/help');
    const html = await next.text();
    // A browser that forgets what scripts wrote after a week keeps this.
    expect(next.headers()['set-cookie']).toContain('display=device.largest.off; Max-Age=34560000');
    expect(html).toMatch(/^<!doctype html>\s*<html lang="en" data-text-size="largest">/);
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'display');
    expect(cookie).toMatchObject({ value: 'device.largest.off', sameSite: 'Lax', path: '/' });
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    // Asleep it says what was chosen, and nothing changes when it wakes.
    for (const path of ['/account/signin', '/no/such/page']) {
      const drawn = await (await page.context().request.get(path)).text();
      expect(drawn).toMatch(/aria-label="Largest text" aria-pressed="true"/);
      expect(drawn).not.toMatch(/aria-label="Standard text" aria-pressed="true"/);
      await open(page, path);
      await expect(page.getByRole('button', { name: 'Largest text' })).toHaveAttribute(
        'aria-pressed',
        'true',
      );
    }
  },
);
