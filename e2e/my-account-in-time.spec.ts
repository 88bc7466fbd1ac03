import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { boxes } from './support/screens.ts';
import { signInByApi } from './support/session.ts';
import { test } from './support/own-server.ts';

// What a session of more than ten minutes may still do. A server of its own: its clock moves for everybody on it.

test.describe.configure({ mode: 'default' });

/** Types a code digit by digit, which needs no script. */
async function typeCode(page: Page, digits: string): Promise<void> {
  for (const [at, digit] of [...digits].entries()) await boxes(page).nth(at).fill(digit);
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled });

    test('[OPS-97] ending the other devices asks for one code on the same page', async ({
      page,
      browser,
      account,
      code,
      request,
    }) => {
      const member = await account();
      const contexts = await Promise.all(
        [1, 2].map(() => browser.newContext({ javaScriptEnabled: true })),
      );
      for (const context of contexts) {
        const own = await context.newPage();
        await signInByApi(own, member, code);
        await expect(own).toHaveURL(/\/demo\//);
      }
      await page.context().addCookies((await contexts[1]?.cookies()) ?? []);
      for (const context of contexts) await context.close();
      await request.post('/dev/clock', { data: { advanceSeconds: 11 * 60 } });
      await page.goto('/account/me/devices');
      await expect(page.getByRole('button', { name: /^End/ })).toHaveCount(0);
      await page.getByRole('button', { name: 'Send me a code' }).click();
      await expect(page.getByText('We sent a code to')).toBeVisible();
      await typeCode(page, '000000');
      await page.getByRole('button', { name: 'Go on' }).click();
      await expect(page.getByText('Invalid Otp.')).toBeVisible();
      await expectAccessible(page, 'my devices, waiting for a code');
      await typeCode(page, await code(member.email));
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByRole('button', { name: 'End all others' }).click();
      await expect(page.getByRole('button', { name: /^End/ })).toHaveCount(0);
      await expect(page.getByText('This device. You are here.')).toBeVisible();
    });
  });
}
