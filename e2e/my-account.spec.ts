import { expect, type Page } from '@playwright/test';
import { tabTo } from './support/keyboard.ts';
import { boxes, heading } from './support/screens.ts';
import { signInByApi, signInWithCode } from './support/session.ts';
import { awake, test } from './support/test.ts';

// My account: reached by its address, changed by plain forms (docs/flows.md).

const row = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

test('[OPS-97] a sign-in returns to the page of My account that was asked for', async ({
  page,
  account,
  code,
}) => {
  const member = await account();
  await page.goto('/account/me/name');
  await expect(page).toHaveURL('/account/signin?next=myName');
  await awake(page);
  await signInWithCode(page, member, code, '/account/me/name');
  await expect(page).toHaveURL('/account/me/name');
  await expect(heading(page, 'What is your name?')).toBeVisible();
});

test('[OPS-97] an unknown page to return to is ignored', async ({ page, account, code }) => {
  const member = await account();
  await signInWithCode(page, member, code, '/account/signin?next=//elsewhere.test');
  await expect(page).not.toHaveURL(/\/account\/me|elsewhere/);
});

test('[ACC-02] by keyboard alone: from the list to a new address that counts @core', async ({
  page,
  account,
  code,
}) => {
  const member = await account();
  await signInByApi(page, member, code);
  await expect(page).toHaveURL(/\/demo\//);
  await page.goto('/account/me');
  await tabTo(page, page.getByRole('link', { name: 'Change: Your email address' }));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Your email address')).toBeVisible();
  await tabTo(page, page.getByLabel('New email address'));
  const wanted = `new-${member.email}`;
  await page.keyboard.type(wanted);
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Check your new address')).toBeVisible();
  await tabTo(page, boxes(page).first());
  await page.keyboard.type(await code(wanted));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'From now on we use your new address')).toBeVisible();
  // The page of the phone shows the undo, too, and names what it undoes (R19).
  await page.goto('/account/me/phone');
  await expect(page.getByRole('heading', { name: 'go back to your old email' })).toBeVisible();
  // While the old address can undo it, the page of the end says so before a press (R18).
  await page.goto('/account/me/close');
  await expect(page.getByRole('main')).toContainText('when the 3 days are over');
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled });

    test('[OPS-97] the name: a wrong one is told and kept, a right one is saved', async ({
      page,
      browser,
      account,
      code,
    }) => {
      const member = await account();
      // The visit is signed in by the calls of the screens.
      const own = await browser.newContext({ javaScriptEnabled: true });
      const signingIn = await own.newPage();
      await signInByApi(signingIn, member, code);
      await expect(signingIn).toHaveURL(/\/demo\//);
      await page.context().addCookies(await own.cookies());
      await own.close();
      await page.goto('/account/me');
      await expect(row(page, 'Your name')).toContainText('Ada Winslow');
      await page.getByRole('link', { name: 'Change: Your name' }).click();
      await page.getByLabel('First name').fill('');
      await page.getByLabel('Last name').fill('Castellanos');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(
        page.getByRole('main').getByText('First name is required').first(),
      ).toBeVisible();
      await expect(page.getByLabel('Last name')).toHaveValue('Castellanos');
      await page.getByLabel('First name').fill('Ruth');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page).toHaveURL('/account/me?saved=1');
      await expect(row(page, 'Your name')).toContainText('Ruth Castellanos');
    });
  });
}

test('[OPS-97] [ACC-01] [ACC-14] another device is seen, and ended; this one stays', async ({
  page,
  browser,
  account,
  code,
}) => {
  const member = await account();
  const other = await browser.newContext();
  const elsewhere = await other.newPage();
  await signInByApi(elsewhere, member, code);
  await expect(elsewhere).toHaveURL(/\/demo\//);
  await signInByApi(page, member, code);
  await expect(page).toHaveURL(/\/demo\//);
  await page.goto('/account/me');
  await expect(row(page, 'Where you are signed in')).toContainText('1 more device');
  await expect(page.getByRole('complementary')).toContainText('Two lights are on.');
  await page.getByRole('link', { name: 'That was not me' }).click();
  await expect(page.getByText('Is there one you do not know? End it first.').first()).toBeVisible();
  await page.goto('/account/me');
  await page.getByRole('link', { name: 'See all: Where you are signed in' }).click();
  await expect(page.getByText('This device. You are here.')).toHaveCount(1);
  await page.getByRole('button', { name: 'End all others' }).click();
  await expect(page.getByRole('button', { name: 'End all others' })).toHaveCount(0);
  await expect(page.getByRole('main')).toContainText('Ended just now. It must sign in again.');
  // E62: now is the moment for it.
  await expect(page.getByRole('link', { name: 'Then choose a new password' })).toBeVisible();
  await expect(page.getByRole('complementary')).toContainText('One light went out.');
  await elsewhere.goto('/account/me');
  await expect(elsewhere).toHaveURL(/\/account\/signin\?next=myAccount/);
  await other.close();
  await page.goto('/account/me');
  await expect(row(page, 'Where you are signed in')).toContainText('Only here');
  await expect(page.getByRole('complementary')).toContainText('One light is on: yours.');
  await expect(page.getByRole('complementary').locator('svg').first()).toContainText('Here');
});

test('[ACC-15] at 1440 x 900 every row and Sign out are in the window', async ({
  page,
  account,
  code,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signInByApi(page, await account(), code);
  await expect(page).toHaveURL(/\/demo\//);
  await page.goto('/account/me');
  await expect(page.getByText('This is your first time here.')).toBeVisible();
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(10);
  const verbs = rows.locator('a:visible, button:visible');
  for (const part of [page.getByRole('link', { name: 'Sign out' }), ...(await verbs.all())]) {
    await expect(part).toBeInViewport({ ratio: 1 });
  }
  await expect(page.getByRole('link', { name: 'Call or write to us' })).toBeInViewport({
    ratio: 1,
  });
  await row(page, 'Language').getByRole('link', { name: 'Español' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mi cuenta');
  await expect(row(page, 'Idioma')).toContainText('Español');
});
