import type { Page } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { inviteBy } from './support/desk.ts';
import { heading } from './support/screens.ts';
import { signInByApi } from './support/session.ts';
import { awake, expect, test } from './support/test.ts';

// From the mail of an invitation to the account that it becomes.

const PASSWORD = 'Garden-Gate-88';

type Tools = {
  readonly page: Page;
  readonly code: (to: string) => Promise<string>;
  readonly inbox: (to: string) => Promise<readonly { readonly link: string | null }[]>;
};

/** Invites a person, and opens the link of the mail. @returns the address */
async function openMail({ page, code, inbox }: Tools, name: string): Promise<string> {
  const email = `${name}-${Date.now()}@people.test`;
  await page.goto('/account/invitation');
  await inviteBy({ url: new URL(page.url()).origin, code }, 'staff', { email, role: '1' });
  const [mail] = await inbox(email);
  await page.goto(mail?.link ?? '');
  await expect(heading(page, 'Dana Whitfield invites you')).toBeVisible();
  return email;
}

async function choose(page: Page): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Yes, with this password' }).click();
}

test('[HOU-11] the mail leads to a page that says who, where and for what; a password says yes @core', async ({
  page,
  code,
  inbox,
}) => {
  const email = await openMail({ page, code, inbox }, 'sam');
  await expect(page.getByRole('main')).toContainText('Rosewood Senior Living');
  await expect(page.getByRole('main')).toContainText('Member: Your own plans, forms and visits');
  await expect(page.getByRole('main')).toContainText(email, { useInnerText: true });
  await awake(page);
  await page.getByRole('button', { name: 'Yes, with this password' }).click();
  await expect(page).toHaveTitle(/^Error/);
  await choose(page);
  await expect(heading(page, 'Welcome. Your account is ready')).toBeVisible();
  await signInByApi(page, { email, password: PASSWORD }, code);
  await expect(heading(page, 'Member Intake')).toBeVisible();
});

test('[HOU-11] by keyboard alone, and “I do not know them” is the last thing on the page', async ({
  page,
  code,
  inbox,
}) => {
  await openMail({ page, code, inbox }, 'keys');
  await awake(page);
  const decline = page.getByRole('button', { name: 'I do not know them' });
  await page.getByRole('button', { name: 'Yes, with this password' }).focus();
  await page.keyboard.press('Tab');
  await expect(decline).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Thank you. The invitation is over')).toBeVisible();
});

test('[HOU-11] a signed-in person signs out first, and goes on', async ({
  page,
  code,
  inbox,
  account,
}) => {
  await signInByApi(page, await account(), code);
  await expect(page).toHaveURL(/\/demo\//);
  await openMail({ page, code, inbox }, 'other');
  await expect(page.getByLabel('New password', { exact: true })).toHaveCount(0);
  await expectAccessible(page, 'an invitation of another person');
  await page.getByRole('button', { name: 'Sign out and go on' }).click();
  await expect(page.getByLabel('New password', { exact: true })).toBeVisible();
});

test('[HOU-11] without script the password is chosen, a wrong one is told at its field', async ({
  browser,
  page,
  code,
  inbox,
}) => {
  await openMail({ page, code, inbox }, 'plain');
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(page.url());
  await plain.locator('input[name=password]').fill('short');
  await plain.locator('input[name=confirmPassword]').fill('short');
  await plain.getByRole('button', { name: 'Yes, with this password' }).click();
  await expect(plain.locator('#password-err')).not.toBeEmpty();
  await plain.locator('input[name=password]').fill(PASSWORD);
  await plain.locator('input[name=confirmPassword]').fill(PASSWORD);
  await plain.getByRole('button', { name: 'Yes, with this password' }).click();
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText(
    'Welcome. Your account is ready',
  );
  await context.close();
});
