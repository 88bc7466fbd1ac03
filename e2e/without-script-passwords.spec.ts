import path from 'node:path';
import type { Page } from '@playwright/test';
import { ROOT } from '../tools/processes.ts';
import { startServer } from '../tools/server-process.ts';
import { enterCode, press, send, signIn, type } from './support/native.ts';
import { test as base } from './support/own-server.ts';
import { inviteByApi, newMember } from './support/people.ts';
import { expect } from './support/test.ts';

// Passwords and links where no script runs: a first password, links that are used or have run out.

const BY_CODE = 'nora.code@example.org';
const BY_LINK = 'nora.link@example.org';
const PASSWORD = 'Green-Teapot-77';
const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A server that knows two people whom somebody else invited. Each test moves its clock. */
const test = base.extend({
  ownServer: async ({ keep }, provide) => {
    const script = path.join(ROOT, 'e2e/support/invited-process.ts');
    const env = { TEST_INVITED: `${BY_CODE} ${BY_LINK}` };
    await provide(await keep('invited', () => startServer({ script, env })));
  },
});

test.describe.configure({ mode: 'default' });
test.use({ javaScriptEnabled: false });

const h1 = (page: Page) => page.getByRole('heading', { level: 1 });

/** "Verify here.", as far as the page of the link. */
async function verifyHere(page: Page, email: string): Promise<void> {
  await page.goto('/account/ForgetPassword');
  await type(page, 'forgot-password', { email });
  await send(page, 'forgot-password');
  await press(page, 'verify');
  await expect(page).toHaveURL(/Activation/);
  await press(page, 'goOn');
}

/** What is wrong stands above the fields, and what is right is taken. */
async function setPassword(page: Page): Promise<void> {
  await expect(page).toHaveURL('/account/setPassword');
  // F54: no name of a password manager is masked.
  await expect(page.locator('[autocomplete=username]')).toHaveValue(/^[^•]+@/);
  await expect(h1(page)).toHaveText('Set Password');
  await send(page, 'set-password');
  await expect(page).toHaveTitle(/^Error: Set Password/);
  await expect(page.locator('#password-err')).not.toBeEmpty();
  await type(page, 'set-password', { password: PASSWORD, confirmPassword: 'Other-Teapot-77' });
  await send(page, 'set-password');
  await expect(page.locator('#confirmPassword-err')).not.toBeEmpty();
  await expect(page.locator('input[name=password]')).toHaveValue('');
  await type(page, 'set-password', { password: 'Password1!', confirmPassword: 'Password1!' });
  await send(page, 'set-password');
  await expect(page.locator('#password-err')).toContainText('easy to guess');
  await expect(page.locator('.script-only:visible')).toHaveCount(0);
  await type(page, 'set-password', { password: PASSWORD, confirmPassword: PASSWORD });
  await send(page, 'set-password');
  await expect(page).toHaveURL('/account/SuccessResetPassword?done=passwordSet');
  await expect(h1(page)).toHaveText('Set password', { useInnerText: true });
  await expect(page.locator('main')).toContainText(/created/, { useInnerText: true });
  await page.goto('/account/setPassword');
  await expect(page).not.toHaveURL(/setPassword/);
}

async function expectSignIn(page: Page, email: string, code: (to: string) => Promise<string>) {
  await signIn(page, email, PASSWORD);
  await enterCode(page, await code(email));
  await expect(h1(page)).toHaveText('Member Intake');
}

test('[NOS-12] who was invited proves the address by a code, sets a password, and signs in with it', async ({
  page,
  code,
}) => {
  await verifyHere(page, BY_CODE);
  await press(page, 'send');
  await enterCode(page, await code(BY_CODE));
  await setPassword(page);
  await expectSignIn(page, BY_CODE, code);
});

test(
  '[NOS-12] the button of the mailed link leads to the first password as well',
  { tag: '@full' },
  async ({ page, code, inbox }) => {
    await verifyHere(page, BY_LINK);
    await press(page, 'send');
    const link = (await inbox(BY_LINK)).find((message) => message.link)?.link;
    await page.goto(String(link));
    await press(page, 'goOn');
    await press(page, 'confirm');
    await setPassword(page);
    await expectSignIn(page, BY_LINK, code);
  },
);

test('[NOS-10] a reset link that has run out, was used or was never sent says so and leads to a new one', async ({
  page,
  account,
  inbox,
  request,
}) => {
  const { email } = await account();
  const ask = async () => {
    await page.goto('/account/ForgetPassword');
    await type(page, 'forgot-password', { email });
    await send(page, 'forgot-password');
    return String((await inbox(email)).find(({ link }) => link?.includes('resetLinkKey'))?.link);
  };
  const expectInvalid = async (link: string) => {
    await page.goto(link);
    await press(page, 'goOn');
    await expect(h1(page)).toHaveText('Invalid Link');
    await expect(page.locator('.script-only:visible')).toHaveCount(0);
  };
  const late = await ask();
  // Open while it runs out: what was typed comes too late.
  await page.goto(late);
  await press(page, 'goOn');
  await request.post('/dev/clock', { data: { advanceSeconds: 31 * MINUTE } });
  await type(page, 'reset-password', { password: PASSWORD, confirmPassword: PASSWORD });
  await send(page, 'reset-password');
  await expect(h1(page)).toHaveText('Invalid Link');
  await expectInvalid(late);
  await page.locator('main a', { hasText: 'Forgot Password?' }).click();
  const used = await ask();
  await page.goto(used);
  await press(page, 'goOn');
  await type(page, 'reset-password', { password: PASSWORD, confirmPassword: PASSWORD });
  await send(page, 'reset-password');
  await expect(page).toHaveURL('/account/SuccessResetPassword');
  await expectInvalid(used);
  await expectInvalid(used.replace(/(resetLinkKey=)[^&]+/, `$1${'A'.repeat(43)}`));
});

test(
  '[NOS-13] an activation link that has run out, was used, refused or never sent says which',
  { tag: '@full' },
  async ({ page, inbox, request }) => {
    const invite = async () => {
      const member = newMember();
      await inviteByApi(page.request, member);
      await page.context().clearCookies();
      const link = (await inbox(member.email)).find((message) => message.link)?.link;
      return { ...member, link: String(link) };
    };
    const open = async (link: string) => {
      await page.goto(link);
      await press(page, 'goOn');
      await expect(page.locator('.script-only:visible')).toHaveCount(0);
    };
    const used = await invite();
    await open(used.link);
    await press(page, 'confirm');
    await expect(h1(page)).toHaveText('Email verified');
    await expect(page.locator('main')).toContainText('is activated', { useInnerText: true });
    await open(used.link);
    await expect(page.locator('main')).toContainText('Your account is active.');
    await page.locator('main a', { hasText: 'Sign In' }).click();
    await expect(h1(page)).toHaveText('Login');

    const refused = await invite();
    await open(refused.link);
    await press(page, 'reject');
    await expect(h1(page)).toHaveText('Thank you for telling us');
    await open(refused.link);
    await expect(h1(page)).toHaveText('This link is invalid');
    await page.goto('/account/Activation?UID=x&SUP=y');
    await expect(h1(page)).toHaveText('This link is invalid');

    const late = await invite();
    await open(late.link);
    await request.post('/dev/clock', { data: { advanceSeconds: 25 * HOUR } });
    // Its page stood open meanwhile.
    await press(page, 'confirm');
    await expect(h1(page)).toHaveText('This link is expired');
    await open(late.link);
    await expect(h1(page)).toHaveText('This link is expired');
    await page.locator('main a', { hasText: 'Get a new link' }).click();
    await expect(h1(page)).toHaveText('Forgot Password?');
  },
);
