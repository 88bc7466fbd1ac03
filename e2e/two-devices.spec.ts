import type { Browser, Page } from '@playwright/test';
import { newMember } from './support/people.ts';
import {
  enterCode,
  errorOf,
  field,
  fillSignUp,
  heading,
  open,
  signIn,
  signUp,
} from './support/screens.ts';
import { awake, expect, test } from './support/test.ts';

type Inbox = (to: string) => Promise<readonly { readonly link: string | null }[]>;

async function linkTo(inbox: Inbox, email: string): Promise<string> {
  const link = (await inbox(email)).find((message) => message.link !== null)?.link;
  expect(link).toBeTruthy();
  return link ?? '';
}

/** Another device: nothing of the first browser is known there. */
async function onPhone(browser: Browser, path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
  const page = await context.newPage();
  await page.goto(path);
  await awake(page);
  return page;
}

const CREATED = 'Congratulations! your account has been created successfully';
const yes = (page: Page) => page.getByRole('button', { name: 'Yes, activate my account' });

test('[ACT-03] the link on the phone: a button there, and the waiting page on the desk moves on by itself', async ({
  page,
  browser,
  inbox,
  code,
}) => {
  const member = newMember();
  await signUp(page, member);
  const phone = await onPhone(browser, await linkTo(inbox, member.email));
  await expect(heading(phone, 'Activate your account')).toBeVisible();
  await expect(
    phone.getByText(/^Was this you\? Someone signed up with a•••@example.org/),
  ).toBeVisible();
  // Looking is not pressing.
  await phone.reload();
  await awake(phone);
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();

  await yes(phone).focus();
  await phone.keyboard.press('Enter');
  await expect(heading(phone, 'Email verified')).toBeVisible();
  await expect(heading(page, 'Email verified')).toBeVisible({ timeout: 5000 });
  await expect(page.locator('#live-polite')).toContainText(
    'You confirmed your email with the link.',
  );
  await expect(page.getByRole('main')).toContainText(CREATED);
  await expect(page).toHaveURL(/\/account\/congratulation/);
  // The page of a code that is spent has nowhere else to go.
  await open(page, '/account/verifyOtp');
  await expect(heading(page, 'Email verified')).toBeVisible();

  await signIn(page, member);
  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Member Intake')).toBeVisible();
  // Opened once more, the link says that all is well.
  await phone.goto(await linkTo(inbox, member.email));
  await expect(heading(phone, 'Email verified')).toBeVisible();
  await phone.context().close();
});

test(
  '[ACT-03] in a second tab of the same browser, while the first one is not looked at',
  { tag: '@full' },
  async ({ page, context, inbox }) => {
    const member = newMember();
    await signUp(page, member);
    const tab = await context.newPage();
    await open(tab, await linkTo(inbox, member.email));
    await yes(tab).click();
    await expect(heading(tab, 'Email verified')).toBeVisible();
    await page.bringToFront();
    await expect(heading(page, 'Email verified')).toBeVisible({ timeout: 5000 });
  },
);

test('[D27] "I did not sign up" ends it: the form is gone, and its page says so only when asked', async ({
  page,
  browser,
  inbox,
  code,
  quiet,
}) => {
  quiet.allow(/403 \(Forbidden\)/);
  const member = newMember();
  await signUp(page, member);
  const digits = await code(member.email);
  const phone = await onPhone(browser, await linkTo(inbox, member.email));
  await phone.getByRole('button', { name: 'No, I did not sign up' }).click();
  await expect(heading(phone, 'Thank you for telling us')).toBeVisible();
  await enterCode(page, digits);
  await expect(heading(page, 'Sign up')).toBeVisible();
  await expect(page.getByRole('main')).toContainText(
    'That page is no longer open. Please start again. Your email is still here.',
  );
  await phone.context().close();
});

test(
  '"Change the address": by keyboard, to another address, and the old link is dead',
  { tag: '@full' },
  async ({ page, inbox, code }) => {
    const [member, right] = [newMember(), newMember().email];
    await signUp(page, member);
    const oldLink = await linkTo(inbox, member.email);
    const opener = page.getByRole('button', { name: 'Change the address' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await expect(field(page, 'email')).toBeFocused();
    await expect(field(page, 'email')).toHaveValue(member.email);
    await page.getByRole('button', { name: 'Keep what I have' }).click();
    await expect(opener).toBeFocused();

    await opener.click();
    await field(page, 'email').fill('ada@');
    await page.keyboard.press('Enter');
    await expect(errorOf(page, 'email')).toHaveText('Please enter a valid email address');
    await field(page, 'email').fill('member@demo.porchlight.test');
    await page.keyboard.press('Enter');
    await expect(errorOf(page, 'email')).toHaveText(
      'This email is already associated with other account or partner',
    );
    await field(page, 'email').fill(right);
    await page.keyboard.press('Enter');
    await expect(opener).toBeVisible();
    await expect(page.getByLabel('Digit 1 of 6')).toBeFocused();
    await enterCode(page, await code(right));
    await expect(heading(page, 'Email verified')).toBeVisible();
    await open(page, oldLink);
    await expect(heading(page, 'This link is invalid')).toBeVisible();
  },
);

test(
  'at sign-in nobody changes the address: the page says whom to call',
  { tag: '@full' },
  async ({ page, account }) => {
    await signIn(page, await account());
    await page.getByRole('button', { name: 'Change the address' }).click();
    await expect(page.getByText('Codes go only to the email address')).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: '+1 555' })).toBeVisible();
    await expect(field(page, 'email')).toHaveCount(0);
  },
);

test(
  '[SUP-11] a slip in the domain: asked about, mended by one press, never in the way',
  { tag: '@full' },
  async ({ page, api }) => {
    await open(page, '/Account/SignUp');
    await fillSignUp(page, { ...newMember(), email: 'Ann.Lee@gmial.com' });
    await field(page, 'email').focus();
    await field(page, 'password').focus();
    const useIt = page.getByRole('button', { name: 'Yes, use this one' });
    await expect(page.getByText('Did you mean Ann.Lee@gmail.com?').first()).toBeVisible();
    await expect(page.locator('#live-polite')).toContainText('Did you mean Ann.Lee@gmail.com?');
    await useIt.click();
    await expect(field(page, 'email')).toHaveValue('Ann.Lee@gmail.com');
    await expect(field(page, 'email')).toBeFocused();
    await expect(useIt).toBeHidden();
    await field(page, 'password').focus();
    await expect(useIt).toBeHidden();

    // The real owner goes on as before.
    const odd = `ann.${Date.now()}@gmial.com`;
    await field(page, 'email').fill(odd);
    await field(page, 'password').focus();
    await expect(useIt).toBeVisible();
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    expect(JSON.stringify(api.to('/api/User/CreateUser'))).toContain(odd);
  },
);
