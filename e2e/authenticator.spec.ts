import { expect, type Page } from '@playwright/test';
import { addApp } from './support/authenticator.ts';
import { enterCode, send, signIn, type } from './support/native.ts';
import type { Member } from './support/people.ts';
import { awake, test } from './support/test.ts';

// Codes from an app: set up in My account, asked for at the sign-in, with script and without.

const arrived = (page: Page) =>
  expect(page.getByRole('heading', { level: 1 })).toHaveText('Member Intake');

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled });

    async function ready(page: Page): Promise<void> {
      if (javaScriptEnabled) await awake(page);
    }

    async function reachCode(page: Page, { email, password }: Member): Promise<void> {
      await page.goto('/account/signin');
      await ready(page);
      await signIn(page, email, password);
      await expect(page).toHaveURL(/verifyOtp/);
      await ready(page);
    }

    test('[APP-03] set up, then asked for in place of a mail; a recovery code where the app is lost', async ({
      page,
      account,
      code,
      inbox,
    }) => {
      // Three sign-ins, each with the pauses of its steps.
      test.slow();
      const member = await account();
      await reachCode(page, member);
      await enterCode(page, await code(member.email));
      await arrived(page);
      const app = await addApp(page);
      expect(app.recovery).toHaveLength(10);
      await page.getByRole('link', { name: 'I have them' }).click();
      await expect(page.getByText('With a password and a code from your app')).toBeVisible();
      const mails = (await inbox(member.email)).length;

      await page.context().clearCookies();
      await reachCode(page, member);
      await expect(page.getByText('Open your app. It shows your code.')).toBeVisible();
      // The code of the set-up is used up.
      await enterCode(page, app.used);
      await expect(page.locator('#otp-err')).toHaveText(
        'Wait for the next code. Is the clock of your phone right?',
      );
      await enterCode(page, app.code(1));
      await arrived(page);

      await page.context().clearCookies();
      await reachCode(page, member);
      await page.locator('summary', { hasText: 'I do not have my app' }).click();
      await type(page, 'recovery-code', { recovery: '123' });
      await send(page, 'recovery-code');
      await expect(page.locator('#recovery-err')).toHaveText('A recovery code has 12 digits.');
      await type(page, 'recovery-code', { recovery: app.recovery[0] ?? '' });
      await send(page, 'recovery-code');
      await arrived(page);
      const codes = (await inbox(member.email)).slice(0, -mails).map(({ text }) => text);
      expect(codes.some((text) => text.includes('is your'))).toBe(false);
    });
  });
}
