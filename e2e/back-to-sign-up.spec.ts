import type { Page } from '@playwright/test';
import { newMember } from './support/people.ts';
import {
  enterCode,
  errorOf,
  field,
  fillSignUp,
  heading,
  open,
  signUp,
  signUpButton,
} from './support/screens.ts';
import { awake, expect, test } from './support/test.ts';

const CODE = 'Enter your 6-digit code';
const WORDS = 'A poster at the library';
const country = (page: Page) => page.getByRole('button', { name: /^Country code/ });

/** The academy's form, filled in to the last field. */
async function fillWhole(page: Page): Promise<void> {
  await open(page, '/account/StartFreeTrial?subtenantId=3');
  await fillSignUp(page, { ...newMember(), firstName: 'Wanjiru', email: 'w.kamau@example.org' });
  await field(page, 'phone').fill('+254 712 345678');
  await field(page, 'promo').fill('WELCOME30');
  await page.getByRole('checkbox', { name: 'Other' }).check();
  await field(page, 'otherText').fill(WORDS);
  await page.getByRole('checkbox', { name: 'Friend or family' }).check();
  await signUpButton(page).click();
  await expect(heading(page, CODE)).toBeVisible();
}

async function expectWhole(page: Page): Promise<void> {
  await expect(heading(page, 'Sign up')).toBeVisible();
  await expect(field(page, 'firstName')).toHaveValue('Wanjiru');
  await expect(field(page, 'lastName')).toHaveValue('Winslow');
  await expect(country(page)).toHaveText('(+254) Kenya');
  await expect(field(page, 'phone')).toHaveValue('712 345678');
  await expect(field(page, 'email')).toHaveValue('w.kamau@example.org');
  await expect(field(page, 'promo')).toHaveValue('WELCOME30');
  await expect(page.getByRole('checkbox', { name: 'Other' })).toBeChecked();
  await expect(field(page, 'otherText')).toHaveValue(WORDS);
  await expect(page.getByRole('checkbox', { name: 'Friend or family' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Senior center' })).not.toBeChecked();
  await expect(field(page, 'password')).toHaveValue('');
}

test('[V6] Back from the code finds the whole form, the passwords aside', async ({ page }) => {
  await fillWhole(page);
  await page.goBack();
  await expectWhole(page);
  await page.goForward();
  await expect(heading(page, CODE)).toBeVisible();
});

test(
  '[V6] so does the link back, also after a reload of the code page',
  { tag: '@full' },
  async ({ page }) => {
    await fillWhole(page);
    await page.reload();
    await awake(page);
    await page.getByRole('main').getByRole('link').first().click();
    await expectWhole(page);
    await page.reload();
    await awake(page);
    await expect(field(page, 'email')).toHaveValue('w.kamau@example.org');
  },
);

test('[V6] a mended number gets the code', { tag: '@full' }, async ({ page, inbox }) => {
  const [member, other] = [newMember(), newMember()];
  await signUp(page, member);
  await page.goBack();
  await field(page, 'phone').fill(other.phone);
  await field(page, 'password').fill(member.password);
  await field(page, 'confirmPassword').fill(member.password);
  await signUpButton(page).click();
  await expect(heading(page, CODE)).toBeVisible();
  const [text] = await inbox(other.phone);
  await enterCode(page, text?.code ?? '');
  await expect(heading(page, 'Phone number verified')).toBeVisible();
  // Done: the form is empty for whoever comes next.
  await page.goBack();
  await expect(heading(page, 'Sign up')).toBeVisible();
  await expect(field(page, 'firstName')).toHaveValue('');
});

test('[V6] the code page mends a number as well', { tag: '@full' }, async ({ page, inbox }) => {
  const [member, other] = [newMember(), newMember()];
  await signUp(page, member);
  await page.getByRole('button', { name: 'Change the address' }).click();
  await expect(field(page, 'phone')).toHaveValue(member.shownPhone);
  await field(page, 'phone').fill('555');
  await page.getByRole('button', { name: 'Send the code there' }).click();
  await expect(errorOf(page, 'phone')).toHaveText('Enter the valid Phone Nummber');
  await field(page, 'phone').fill(other.phone);
  await page.getByRole('button', { name: 'Send the code there' }).click();
  await expect.poll(async () => (await inbox(other.phone)).length).toBe(1);
  await expect(page.getByLabel('Digit 1 of 6')).toBeFocused();
  await enterCode(page, (await inbox(other.phone))[0]?.code ?? '');
  await expect(heading(page, 'Phone number verified')).toBeVisible();
});
