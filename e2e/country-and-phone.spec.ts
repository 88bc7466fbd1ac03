import type { Page } from '@playwright/test';
import { newMember } from './support/people.ts';
import { errorOf, field, fillSignUp, heading, open, signUpButton } from './support/screens.ts';
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

test('[V8] [SUP-10] a whole number that is pasted is understood, and signs up @core', async ({
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
