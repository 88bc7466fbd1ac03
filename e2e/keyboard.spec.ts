import type { Page } from '@playwright/test';
import { expectFocusInPage, tabTo } from './support/keyboard.ts';
import { type Member, newMember } from './support/people.ts';
import { boxes, field, heading, loginButton, open, signUpButton } from './support/screens.ts';
import { expect, test } from './support/test.ts';

// Not one click: Tab, Shift+Tab, Enter, Space and the arrows.

async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, field(page, name));
  await page.keyboard.type(text);
}

async function typePerson(page: Page, member: Member): Promise<void> {
  await typeInto(page, 'firstName', member.firstName);
  await typeInto(page, 'lastName', member.lastName);
}

async function typeContacts(page: Page, member: Member): Promise<void> {
  await typeInto(page, 'phone', member.phone);
  await typeInto(page, 'email', member.email);
  await typeInto(page, 'password', member.password);
  await typeInto(page, 'confirmPassword', member.password);
}

async function typeCode(page: Page, digits: string): Promise<void> {
  await expect(boxes(page).first()).toBeFocused();
  await page.keyboard.type(digits);
  await page.keyboard.press('Enter');
}

test('[SUP-06] [SUP-08] [SUP-13] a member signs up by keyboard alone, with the country picker and the survey', async ({
  page,
  code,
}) => {
  const member = newMember();
  await open(page, '/Account/SignUp');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to main content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  // Sent too early: the focus comes back to the first field that is wrong.
  await tabTo(page, signUpButton(page));
  await page.keyboard.press('Enter');
  await expect(field(page, 'firstName')).toBeFocused();
  await page.keyboard.type(member.firstName);
  await typeInto(page, 'lastName', member.lastName);

  const country = page.getByRole('button', { name: /^Country code/ });
  const search = page.getByRole('combobox');
  await tabTo(page, country);
  await page.keyboard.press('Enter');
  await expect(search).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(search).toBeHidden();
  await expect(country).toBeFocused();
  await page.keyboard.press('Space');
  await expect(search).toBeFocused();
  await page.keyboard.type('united k');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(country).toBeFocused();
  await expect(country).toHaveText('(+44) United Kingdom');
  await page.keyboard.press('Enter');
  await page.keyboard.type('usa');
  await page.keyboard.press('Enter');
  await expect(country).toHaveText('(+1) USA');

  await typeContacts(page, member);
  await tabTo(page, page.getByLabel('Friend or family'));
  await page.keyboard.press('Space');
  await expect(page.getByLabel('Friend or family')).toBeChecked();
  await tabTo(page, page.getByRole('button', { name: 'Show confirm password' }), 'Shift+Tab');
  await page.keyboard.press('Space');
  await expect(field(page, 'confirmPassword')).toHaveAttribute('type', 'text');
  await tabTo(page, signUpButton(page));
  await page.keyboard.press('Space');

  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await typeCode(page, await code(member.email));
  await expect(heading(page, 'Email verified')).toBeVisible();
  await expectFocusInPage(page);
  await tabTo(page, page.getByRole('link', { name: 'Login' }));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Login')).toBeFocused();
});

test(
  '[B1] the list of countries opens in view, and so does each row that the arrows come to',
  { tag: '@full' },
  async ({ page }) => {
    // A part of a pixel may be lost.
    const whole = { ratio: 0.99 };
    await page.setViewportSize({ width: 1024, height: 730 });
    await open(page, '/Account/SignUp');
    await tabTo(page, page.getByRole('button', { name: /^Country code/ }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('listbox')).toBeInViewport(whole);
    // Zoomed in, the window is lower than the list with its search.
    await page.setViewportSize({ width: 1024, height: 240 });
    for (let row = 1; row <= 5; row += 1) {
      await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('option').nth(row)).toBeInViewport(whole);
    }
  },
);

test(
  '[B1] a window that gets lower keeps the row that the arrows came to in view',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 730 });
    await open(page, '/Account/SignUp');
    await tabTo(page, page.getByRole('button', { name: /^Country code/ }));
    await page.keyboard.press('Enter');
    const search = page.getByRole('combobox');
    await expect(search).toBeFocused();
    for (let row = 1; row <= 4; row += 1) await page.keyboard.press('ArrowDown');
    await expect(search).toHaveAttribute('aria-activedescendant', /-4$/);
    await page.setViewportSize({ width: 1024, height: 240 });
    await expect(page.getByRole('option').nth(4)).toBeInViewport({ ratio: 0.99 });
  },
);

test(
  '[B2] the row that was found stays current when the pointer leaves the list',
  { tag: '@full' },
  async ({ page }) => {
    await open(page, '/Account/SignUp');
    const country = page.getByRole('button', { name: /^Country code/ });
    await tabTo(page, country);
    await page.keyboard.press('Enter');
    const search = page.getByRole('combobox');
    await search.fill('united k');
    await page.getByRole('option', { name: '(+44) United Kingdom' }).hover();
    await search.hover();
    await page.keyboard.press('Enter');
    await expect(country).toHaveText('(+44) United Kingdom');
  },
);

test(
  "[SUP-08] the academy's free trial by keyboard alone, with 'Other' and a promo code",
  { tag: '@full' },
  async ({ page, code }) => {
    const member = newMember();
    await open(page, '/account/StartFreeTrial?subtenantId=3');
    await typePerson(page, member);
    await typeContacts(page, member);
    await tabTo(page, page.getByLabel('Other', { exact: true }));
    await page.keyboard.press('Space');
    await typeInto(page, 'otherText', 'A poster in the library');
    await typeInto(page, 'promo', 'WELCOME30');
    await page.keyboard.press('Enter');
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    await typeCode(page, await code(member.email));
    await expect(heading(page, 'Email verified')).toBeVisible();
  },
);

test('[SIN-02] [SIN-04] [SCR-01] signing in and out by keyboard alone', async ({
  page,
  account,
  code,
}) => {
  const { email, password } = await account();
  await open(page, '/account/signin?expired=1');
  const ok = page.getByRole('button', { name: 'Ok, thanks' });
  await expect(ok).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(ok).toBeHidden();
  await expect(field(page, 'email')).toBeFocused();
  await page.keyboard.type(email);
  await typeInto(page, 'password', 'Not-The-One-1');
  await tabTo(page, page.getByLabel('Remember me'));
  await page.keyboard.press('Space');
  await tabTo(page, field(page, 'password'), 'Shift+Tab');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(password);
  await tabTo(page, loginButton(page));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await typeCode(page, await code(email));
  await expect(heading(page, 'Member Intake')).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Sign out' }));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Sign In' }));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Login')).toBeFocused();
});

test('the display menu and the banner by keyboard alone', { tag: '@full' }, async ({ page }) => {
  await open(page, '/account/signin');
  const display = page.getByRole('button', { name: 'Display' });
  await tabTo(page, display);
  await page.keyboard.press('Enter');
  const dark = page.getByRole('button', { name: 'Dark' });
  await expect(dark).toBeVisible();
  await tabTo(page, dark);
  await page.keyboard.press('Space');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Escape');
  await expect(dark).toBeHidden();
  await expect(display).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Pause' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeFocused();
});
