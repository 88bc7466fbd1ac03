import type { Page } from '@playwright/test';
import { press, send, signUpForm, type } from './support/native.ts';
import { newMember } from './support/people.ts';
import {
  errorOf,
  field,
  fillSignUp,
  heading,
  open,
  signUp,
  signUpButton,
} from './support/screens.ts';
import { expect, test } from './support/test.ts';

const button = (page: Page) => page.getByRole('button', { name: /^Country code/ });
const search = (page: Page) => page.getByRole('combobox', { name: 'Search country or code' });
const options = (page: Page) => page.getByRole('listbox').getByRole('option');
const phone = (page: Page) => field(page, 'phone');

test('[V7] [SUP-06] the search finds what a person means, first', async ({ page }) => {
  await open(page, '/Account/SignUp');
  await button(page).click();
  for (const [typed, found] of [
    ['united states', '(+1) USA'],
    ['america', '(+1) USA'],
    ['uk', '(+44) United Kingdom'],
    ['england', '(+44) United Kingdom'],
    ['kenia', '(+254) Kenya'],
    ['+44', '(+44) United Kingdom'],
  ] as const) {
    await search(page).fill(typed);
    await expect(options(page).first()).toHaveText(found);
  }
  await search(page).press('Enter');
  await expect(button(page)).toHaveText('(+44) United Kingdom');
});

test('[V8] [SUP-10] a whole number that is pasted is understood, and signs up', async ({
  page,
  api,
}) => {
  await open(page, '/Account/SignUp');
  await fillSignUp(page, newMember());
  await phone(page).fill('+254 712 345678');
  await phone(page).blur();
  await expect(button(page)).toHaveText('(+254) Kenya');
  await expect(phone(page)).toHaveValue('712 345678');
  await signUpButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  expect(api.to('/api/User/CreateUser')[0]?.body).toMatchObject({
    user: { countryCode: '+254', mobileNumber: '712345678' },
  });
});

test('[SUP-10] F6: digits of another keyboard are read, and so is an address with what nobody sees', async ({
  page,
  api,
}) => {
  const member = newMember();
  await open(page, '/Account/SignUp');
  await fillSignUp(page, { ...member, email: `\u200B${member.email}\u200E` });
  await phone(page).fill('٢١٢٥٥٥٠١٤٢');
  await phone(page).blur();
  await expect(phone(page)).toHaveValue('(212) 555-0142');
  await signUpButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  expect(api.to('/api/User/CreateUser')[0]?.body).toMatchObject({
    user: { mobileNumber: '2125550142', emailAddress: member.email },
  });
});

const EXTENSION = 'A text cannot reach an extension. Please enter a number without one';
const INVALID = 'Enter the valid Phone Nummber';
const IMPOSSIBLE = 'This country has no such number. Check the country and each digit';

/** What is typed, how the field shows it, and what it is told. */
const REFUSED = [
  ['(212) 555-0142 x123', /^\(212\) 555-0142 ?x123$/, EXTENSION],
  ['(212) 555-0142 ext. 4', /^\(212\) 555-0142 ?ext\. 4$/, EXTENSION],
  ['212-555-0142,,5', /^\(?212\)?[ -]555-0142,,5$/, EXTENSION],
  ['+1 212 555 0142;ext=5', '+1 212 555 0142;ext=5', EXTENSION],
  ['22125550142', '(221) 255-5014 2', INVALID],
  ['2125550142123', '(212) 555-0142 123', INVALID],
  ['1212555014', '(121) 255-5014', INVALID],
  // The browser knows no other plans: the server says so.
  ['+254 7123456789', '712 345678 9', IMPOSSIBLE],
] as const;

test('[SUP-10] F8: a sign-up refuses a number that no text can reach, and keeps what was typed', async ({
  page,
  api,
}) => {
  await open(page, '/Account/SignUp');
  await fillSignUp(page, newMember());
  for (const [typed, shown, told] of REFUSED) {
    await phone(page).fill('');
    await phone(page).pressSequentially(typed);
    await signUpButton(page).click();
    await expect(errorOf(page, 'phone')).toHaveText(told);
    await expect(phone(page)).toHaveValue(shown);
    await expect(phone(page)).toHaveAttribute('aria-invalid', 'true');
  }
  // Only the last was sent; and refused.
  expect(api.to('/api/User/CreateUser')).toHaveLength(1);
  await expect(heading(page, 'Enter your 6-digit code')).toHaveCount(0);
});

test('[SUP-10] F8: and so does the code page', async ({ page }) => {
  await signUp(page, newMember());
  await page.getByRole('button', { name: 'Or the phone number' }).click();
  for (const [typed, shown, told] of REFUSED) {
    await phone(page).fill(typed);
    await page.getByRole('button', { name: 'Send the code there' }).click();
    await expect(errorOf(page, 'phone')).toHaveText(told);
    await expect(phone(page)).toHaveValue(shown);
  }
  await phone(page).fill('+254 712345678');
  await page.getByRole('button', { name: 'Send the code there' }).click();
  await expect(phone(page)).toHaveCount(0);
  await expect(page.locator('main')).toContainText('phone ending in 78');
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });
  const shownOf = (typed: string) => typed.replace('+254 ', '');

  test('[SUP-10] F8: a sign-up refuses the same numbers, and keeps what was typed', async ({
    page,
  }) => {
    const { firstName, lastName, email, password } = newMember();
    await page.goto('/Account/SignUp');
    for (const [typed, , told] of REFUSED) {
      await type(page, 'sign-up', { firstName, lastName, email, phone: typed });
      await type(page, 'sign-up', { password, confirmPassword: password });
      await send(page, 'sign-up');
      await expect(errorOf(page, 'phone')).toHaveText(told);
      await expect(phone(page)).toHaveValue(shownOf(typed));
    }
  });

  test('[SUP-10] [V8] F8: and so does the code page, which knows a country by its number', async ({
    page,
  }) => {
    const member = newMember();
    await signUpForm(page, '/Account/SignUp', member);
    await press(page, 'open:change-address');
    const form = page.locator('#change-address');
    for (const [typed, , told] of REFUSED) {
      await type(page, 'change-address', { email: member.email, phone: typed });
      await send(page, 'change-address');
      await expect(form.locator('#phone-err')).toHaveText(told);
      await expect(phone(page)).toHaveValue(shownOf(typed));
    }
    await type(page, 'change-address', { email: member.email, phone: '+44 (0)20 7946 0958' });
    await send(page, 'change-address');
    await expect(page.locator('main')).toContainText('phone ending in 58');
  });
});

test(
  '[V8] Enter right after the last digit reads the whole number too',
  { tag: '@full' },
  async ({ page, api }) => {
    await open(page, '/Account/SignUp');
    await fillSignUp(page, newMember());
    await phone(page).fill('');
    await phone(page).pressSequentially('+254712345678');
    await phone(page).press('Enter');
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    expect(api.to('/api/User/CreateUser')[0]?.body).toMatchObject({
      user: { countryCode: '+254', mobileNumber: '712345678' },
    });
  },
);

test('[V8] [V21] hint and grouping follow the country', { tag: '@full' }, async ({ page }) => {
  await open(page, '/Account/SignUp');
  await expect(phone(page)).toHaveAccessibleDescription('For example (212) 345-6789');
  await button(page).click();
  await search(page).fill('france');
  await search(page).press('Enter');
  await expect(phone(page)).toHaveAccessibleDescription('For example 6 12 34 56 78');
  await phone(page).pressSequentially('0612345678');
  await expect(phone(page)).toHaveValue('06 12 34 56 78');
  await phone(page).fill('612');
  await signUpButton(page).click();
  await expect(errorOf(page, 'phone')).toHaveText('Enter the valid Phone Nummber');
});

for (const [width, height, keyboard] of [
  [1440, 900, 0],
  [390, 844, 0],
  [390, 844, 380],
  [390, 667, 330],
] as const) {
  test(
    `[V7] at ${width}x${height} with ${keyboard} px of keyboard the list stays in sight`,
    { tag: '@full' },
    async ({ page }) => {
      await page.setViewportSize({ width, height });
      // A keyboard leaves the window as it is and makes what is seen of it smaller.
      await page.addInitScript((hidden) => {
        const seen = Object.assign(new EventTarget(), { offsetTop: 0, offsetLeft: 0, scale: 1 });
        Object.defineProperty(seen, 'height', { get: () => innerHeight - hidden });
        Object.defineProperty(seen, 'width', { get: () => innerWidth });
        Object.defineProperty(window, 'visualViewport', { value: seen });
      }, keyboard);
      await open(page, '/Account/SignUp');
      await button(page).click();
      await expect(options(page).first()).toBeVisible();
      const list = page.getByRole('listbox');
      const edge = height - keyboard;
      await expect
        .poll(() => list.evaluate((element) => element.getBoundingClientRect().bottom))
        .toBeLessThanOrEqual(edge);
      expect(
        await search(page).evaluate((element) => element.getBoundingClientRect().top),
      ).toBeGreaterThanOrEqual(0);
    },
  );
}
