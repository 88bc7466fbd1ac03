import type { Page } from '@playwright/test';
import { field, heading, open, signIn } from './support/screens.ts';
import { authToken, signInByApi, signInWithCode } from './support/session.ts';
import { test } from './support/own-server.ts';
import { awake, expect } from './support/test.ts';

// One worker, one server of its own: its clock moves for everybody on it.
test.describe.configure({ mode: 'default' });

const MINUTE = 60;
const TEXT = 'You have been logged out due to inactivity.';
const dialog = (page: Page) => page.getByRole('alertdialog', { name: 'Session Timeout' });
const switcher = (page: Page) => heading(page, 'Accounts switcher');

/** Told by the dialog, and by nothing else; once it is closed a reload does not repeat it. */
async function expectToldOnce(page: Page): Promise<void> {
  await expect(dialog(page)).toContainText(TEXT);
  await dialog(page).getByRole('button', { name: 'Ok, thanks' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(heading(page, 'Login')).toBeVisible();
  await expect(page.getByRole('main').getByText(TEXT)).toHaveCount(1);
  await expect(page).toHaveURL('/account/signin');
  await page.reload();
  await awake(page);
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('main').getByText(TEXT)).toHaveCount(0);
  expect(await authToken(page)).toBeNull();
}

test.describe('[V2] [SIN-04] a session that ended while nobody was there is told, once', () => {
  test(
    'by Continue at the switcher',
    { tag: '@full' },
    async ({ page, account, code, request, quiet }) => {
      quiet.allow(/401 \(Unauthorized\)/);
      await signInByApi(page, await account('member and academy'), code);
      await expect(switcher(page)).toBeVisible();
      await request.post('/dev/clock', { data: { advanceSeconds: 31 * MINUTE } });
      await page.getByRole('radio').first().check();
      await page.getByRole('button', { name: 'Continue' }).click();
      await expectToldOnce(page);
    },
  );

  test('[L8] by a reload, which also clears the dead bearer', async ({
    page,
    account,
    code,
    request,
  }) => {
    await signInByApi(page, await account('member and academy'), code);
    await expect(switcher(page)).toBeVisible();
    await expect.poll(() => authToken(page)).not.toBeNull();
    await request.post('/dev/clock', { data: { advanceSeconds: 31 * MINUTE } });
    await page.reload();
    await awake(page);
    await expectToldOnce(page);
  });

  test('in a second tab', { tag: '@full' }, async ({ page, context, account, code, request }) => {
    await signInByApi(page, await account('member and academy'), code);
    await expect(switcher(page)).toBeVisible();
    await request.post('/dev/clock', { data: { advanceSeconds: 31 * MINUTE } });
    const second = await context.newPage();
    await open(second, '/account/SelectRoles');
    await expectToldOnce(second);
  });

  test(
    'on the code page, after a reload and without one',
    { tag: '@full' },
    async ({ page, account, passTime, quiet }) => {
      quiet.allow(/403 \(Forbidden\)/);
      const member = await account();
      await signIn(page, member);
      await passTime(31 * MINUTE);
      await page.getByRole('button', { name: 'Click to resend' }).click();
      await expect(dialog(page)).toBeVisible();
      await page.goto('/account/verifyOtp');
      await awake(page);
      await expectToldOnce(page);
      await expect(field(page, 'email')).toHaveValue(member.email);
    },
  );
});

test('[V2] the query says it in any letter case', async ({ page }) => {
  await open(page, '/account/signin?Expired=true');
  await expectToldOnce(page);
});

test(
  '[V3] [SES-03] a second tab that took over leads the first one on',
  { tag: '@full' },
  async ({ page, context, account, code, quiet }) => {
    quiet.allow(/401 \(Unauthorized\)/);
    const member = await account('member and academy');
    await signInWithCode(page, member, code);
    await expect(switcher(page)).toBeVisible();
    const second = await context.newPage();
    await open(second, '/account/signin');
    await second.getByRole('link', { name: /^Continue as/ }).click();
    await expect(switcher(second)).toBeVisible();
    await page.getByRole('radio').first().check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(heading(page, 'You are already signed in')).toBeVisible();
    await expect(dialog(page)).toBeHidden();
    await page.getByRole('link', { name: /^Continue as/ }).click();
    await expect(switcher(page)).toBeVisible();
  },
);

test('[SCR-01] a tab with the bearer of an earlier session signs out whole', async ({
  page,
  account,
  code,
}) => {
  await signInByApi(page, await account(), code);
  await expect(page).toHaveURL(/\/demo\//);
  await open(page, '/account/signin');
  await page.evaluate(() => sessionStorage.setItem('AuthToken', 'bearer-of-an-earlier-session'));
  await page.goto('/account/Signout?success=true&appState=x&loggenInId=x&roleId=1&userId=1');
  await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
  await page.goto('/account/SelectRoles');
  await expect(page).toHaveURL(/signin/);
});
