import { expect, type Page } from '@playwright/test';
import { answer, cut, hold, reword } from '../faults.ts';
import { newMember } from '../people.ts';
import { errorOf, field, fillSignUp, open, signUpButton } from '../screens.ts';
import type { State } from './state.ts';

const CREATE = '/api/User/CreateUser';
const TRIAL = '/account/StartFreeTrial?subtenantId=3';

async function openSignUp(page: Page, path = '/Account/SignUp'): Promise<void> {
  await open(page, path);
  await expect(page.getByRole('group', { name: 'How did you hear about us?' })).toBeVisible();
}

async function send(page: Page): Promise<void> {
  await openSignUp(page);
  await fillSignUp(page, newMember());
  await signUpButton(page).click();
}

async function expectProblem(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('main').getByRole('alert')).toContainText(text);
}

const search = (page: Page) => page.getByRole('combobox', { name: 'Search country or code' });

async function openCountries(page: Page, query = ''): Promise<void> {
  await openSignUp(page);
  await page.getByRole('button', { name: /^Country code/ }).click();
  await search(page).fill(query);
  await expect(search(page)).toHaveAttribute('aria-expanded', 'true');
}

export const SIGN_UP_STATES: readonly State[] = [
  { name: 'sign-up', screen: 'signUp', reach: ({ page }) => openSignUp(page) },
  { name: 'sign-up, academy', screen: 'signUp', reach: ({ page }) => openSignUp(page, TRIAL) },
  {
    name: 'sign-up, half filled in, password shown',
    screen: 'signUp',
    async reach({ page }) {
      await openSignUp(page);
      await fillSignUp(page, {
        ...newMember(),
        firstName: 'Wilhelmina Christabel',
        lastName: 'Featherstonehaugh-Cholmondeley',
        email: 'wilhelmina.featherstonehaugh@retirement-residence.example.org',
        password: 'Gardenia7',
      });
      await page.getByRole('button', { name: 'Show password' }).click();
      await page.getByLabel('Friend or family').check();
      await expect(page.getByText('One special character, not yet')).toBeVisible();
    },
  },
  {
    name: 'sign-up, nothing filled in',
    screen: 'signUp',
    async reach({ page }) {
      await openSignUp(page);
      await signUpButton(page).click();
      await expect(errorOf(page, 'confirmPassword')).toBeVisible();
    },
  },
  {
    name: 'sign-up, nothing filled in, with its toast',
    screen: 'signUp',
    hasToast: true,
    async reach({ page }) {
      await openSignUp(page);
      await signUpButton(page).click();
      await expect(page.getByRole('region', { name: 'Notices' })).toBeVisible();
    },
  },
  {
    name: 'sign-up, every field wrong',
    screen: 'signUp',
    async reach({ page }) {
      await openSignUp(page);
      await field(page, 'firstName').fill('42');
      await field(page, 'lastName').fill('...');
      await field(page, 'phone').fill('555014');
      await field(page, 'email').fill('ada@example');
      await field(page, 'password').fill('rocking');
      await field(page, 'confirmPassword').fill('chair');
      await signUpButton(page).click();
      await expect(errorOf(page, 'confirmPassword')).toBeVisible();
    },
  },
  {
    name: 'sign-up, email in use',
    screen: 'signUp',
    async reach({ page, account }) {
      const taken = await account();
      await openSignUp(page);
      await fillSignUp(page, taken);
      await signUpButton(page).click();
      await expect(errorOf(page, 'email')).toContainText('already associated');
    },
  },
  {
    name: 'sign-up, a password that is easy to guess',
    screen: 'signUp',
    async reach({ page }) {
      await openSignUp(page);
      await fillSignUp(page, { ...newMember(), password: 'Password1!' });
      await signUpButton(page).click();
      await expect(errorOf(page, 'password')).toContainText('easy to guess');
    },
  },
  {
    name: 'sign-up, a slip in the address',
    screen: 'signUp',
    async reach({ page }) {
      await openSignUp(page);
      await field(page, 'email').fill('wilhelmina.featherstonehaugh@gmial.com');
      await field(page, 'password').focus();
      await expect(page.getByRole('button', { name: 'Yes, use this one' })).toBeVisible();
    },
  },
  {
    name: 'sign-up, unknown organization',
    screen: 'signUp',
    async reach({ page }) {
      await reword(page, CREATE, (body) => ({ ...body, subtenantId: 999_999 }));
      await send(page);
      await expect(errorOf(page, 'email')).toContainText('We do not know this organization');
    },
  },
  {
    name: "sign-up, 'Other' chosen",
    screen: 'signUp',
    async reach({ page }) {
      await openSignUp(page);
      await page.getByLabel('Other', { exact: true }).check();
      await expect(field(page, 'otherText')).toBeVisible();
    },
  },
  {
    name: 'sign-up, country list',
    screen: 'signUp',
    reach: ({ page }) => openCountries(page),
  },
  {
    name: 'sign-up, country list filtered, long names',
    screen: 'signUp',
    reach: ({ page }) => openCountries(page, 'island'),
  },
  {
    name: 'sign-up, country list without a hit',
    screen: 'signUp',
    reach: ({ page }) => openCountries(page, 'nowhere'),
  },
  {
    name: 'sign-up, a long country chosen',
    screen: 'signUp',
    async reach({ page }) {
      await openCountries(page, 'british indian');
      await page.getByRole('option').first().click();
      await expect(page.getByRole('button', { name: /^Country code/ })).toContainText(
        'British Indian',
      );
    },
  },
  {
    name: 'sign-up, countries not loaded',
    screen: 'signUp',
    async reach({ page }) {
      await cut(page, '/api/Country/**');
      await openSignUp(page);
      await expect(page.getByText('Other countries could not be loaded.')).toBeVisible();
    },
  },
  {
    name: 'sign-up, academy, promo code refused',
    screen: 'signUp',
    async reach({ page }) {
      await openSignUp(page, TRIAL);
      await fillSignUp(page, newMember());
      await field(page, 'promo').fill('no such code');
      await signUpButton(page).click();
      await expect(errorOf(page, 'promo')).toBeVisible();
    },
  },
  {
    name: 'sign-up, sending',
    screen: 'signUp',
    isPassing: true,
    async reach({ page }) {
      await hold(page, CREATE);
      await send(page);
      await expect(signUpButton(page)).toBeHidden();
      await expect(page.getByRole('button', { name: 'Creating your account…' })).toBeVisible();
    },
  },
  {
    name: 'sign-up, slow',
    screen: 'signUp',
    isPassing: true,
    async reach({ page }) {
      await hold(page, CREATE);
      await send(page);
      await expect(page.getByRole('button', { name: 'Creating your account…' })).toBeVisible();
      await page.clock.runFor(8500);
      await expect(page.getByRole('main').getByText('Still working.')).toBeVisible();
    },
  },
  {
    name: 'sign-up, offline',
    screen: 'signUp',
    async reach({ page, context }) {
      await openSignUp(page);
      await context.setOffline(true);
      await expect(page.getByText('You seem to be offline.')).toBeVisible();
    },
  },
  {
    name: 'sign-up, failed',
    screen: 'signUp',
    async reach({ page }) {
      await cut(page, CREATE);
      await send(page);
      await expectProblem(page, 'Something went wrong. Try again later.');
    },
  },
  {
    name: 'sign-up, code not sent',
    screen: 'signUp',
    async reach({ page }) {
      await cut(page, '/api/OTP/Send-OTP-To-User');
      await send(page);
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    },
  },
  {
    name: 'sign-up, too many tries',
    screen: 'signUp',
    async reach({ page }) {
      await answer(page, CREATE, { status: 429, headers: { 'retry-after': '540' } });
      await send(page);
      await expectProblem(page, 'Too many tries. Please wait 9 minutes and try again.');
    },
  },
];
