import type { Browser, Page } from '@playwright/test';
import { newMember } from './support/people.ts';
import {
  enterCode,
  fillSignIn,
  fillSignUp,
  heading,
  loginButton,
  open,
  signIn,
  signUp,
  signUpButton,
} from './support/screens.ts';
import { awake, expect, test } from './support/test.ts';

/** Another browser: nothing of the first one is known there. */
async function elsewhere(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

const CREATED = 'Congratulations! your account has been created successfully';

/** The one line of the code page, where no text is sent. */
const onlyByMail = (page: Page) =>
  page
    .getByRole('list', { name: 'Where your code is' })
    .filter({ hasText: /^Email: a•••@example\.org/ })
    .filter({ hasNotText: 'Text:' });

test('[PRF-01] [PRF-02] proven by the text alone: active, and the congratulation is about the phone', async ({
  page,
  context,
  code,
  inbox,
  quiet,
}) => {
  quiet.allow(/net::ERR_FAILED/);
  const member = newMember();
  await signUp(page, member);
  await expect(page.getByText('Either code works')).toBeVisible();
  // Another tab waits with the same code.
  const tab = await context.newPage();
  await open(tab, '/account/verifyOtp');
  await enterCode(page, await code(member.phone));
  await expect(heading(page, 'Phone number verified')).toBeVisible();
  await expect(page).toHaveTitle(/^Phone number verified – /);
  await expect(page.getByRole('main')).toContainText(CREATED);
  await tab.bringToFront();
  await expect(heading(tab, 'Phone number verified')).toBeVisible({ timeout: 5000 });
  await tab.close();
  // A mail came all the same.
  expect(await inbox(member.email)).toHaveLength(1);
  await page.reload();
  await awake(page);
  await expect(heading(page, 'Phone number verified')).toBeVisible();
  await expect(page).toHaveTitle(/^Phone number verified – /);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.reload();
  await expect(heading(page, 'Phone number verified')).toBeVisible();
  await page.unroute('**/assets/*.js');

  await signIn(page, member);
  await enterCode(page, await code(member.phone));
  await expect(heading(page, 'Member Intake')).toBeVisible();
});

test(
  '[PRF-02] who proves the same address by mail in another browser has it, and the one before is out',
  { tag: '@full' },
  async ({ page, browser, code, quiet }) => {
    quiet.allow(/40[13] \((?:Unauthorized|Forbidden)\)/);
    const stranger = newMember();
    const owner = { ...newMember(), email: stranger.email, password: 'Evening-Light-8' };
    await signUp(page, stranger);
    await enterCode(page, await code(stranger.phone));
    await expect(heading(page, 'Phone number verified')).toBeVisible();

    const home = await elsewhere(browser);
    await signUp(home, owner);
    // The mailbox is what has to be proven: no text goes out.
    await expect(onlyByMail(home)).toBeVisible();
    await enterCode(home, await code(owner.email));
    await expect(heading(home, 'Email verified')).toBeVisible();
    await expect(home.getByRole('main')).toContainText(CREATED);
    await signIn(home, owner);
    await enterCode(home, await code(owner.phone));
    await expect(heading(home, 'Member Intake')).toBeVisible();
    await home.context().close();

    await open(page, '/account/signin');
    await fillSignIn(page, stranger);
    await loginButton(page).click();
    await expect(page.getByRole('main')).toContainText(
      'The username or password you entered is incorrect. Please try again.',
    );
  },
);

test('[PRF-03] [OTP-09] a role is added after a mailed code, and the old password still signs in', async ({
  page,
  browser,
  account,
  code,
  request,
}) => {
  const member = await account();
  const leads = async () => {
    const all = (await (await request.get('/dev/leads.json')).json()) as { email: string }[];
    return all.filter((lead) => lead.email === member.email).length;
  };
  const other = await elsewhere(browser);
  await open(other, '/account/StartFreeTrial?subtenantId=3');
  await fillSignUp(other, { ...member, password: 'Evening-Light-8' });
  await signUpButton(other).click();
  await expect(heading(other, 'Enter your 6-digit code')).toBeVisible();
  await expect(onlyByMail(other)).toBeVisible();
  expect(await leads()).toBe(0);
  await enterCode(other, await code(member.email));
  await expect(heading(other, 'Email verified')).toBeVisible();
  await expect(other.getByRole('main')).toContainText('You may sign in with your old password.');
  expect(await leads()).toBe(1);
  await other.context().close();

  await signIn(page, member);
  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Accounts switcher')).toBeVisible();
});
