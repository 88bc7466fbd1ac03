import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { askForAddress } from './support/desk.ts';
import { boxes, heading } from './support/screens.ts';
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
      await expect(page.getByText('We sent a code. It can take a minute.')).toBeVisible();
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

    test('[CON-12] a text to a phone that was proven before the call proves a correction', async ({
      page,
      browser,
      account,
      code,
      inbox,
      request,
      baseURL,
    }) => {
      const url = baseURL ?? '';
      const member = await account();
      const own = await browser.newContext({ javaScriptEnabled: true, baseURL: url });
      const first = await own.newPage();
      await signInByApi(first, member, code);
      await expect(first).toHaveURL(/\/demo\//);
      const phone = `20255501${javaScriptEnabled ? 43 : 44}`;
      await first.goto('/account/me/phone');
      await first.getByRole('textbox', { name: 'Phone Number' }).fill(phone);
      await first.getByRole('button', { name: 'Send a code there' }).click();
      await expect(heading(first, 'Check your new number')).toBeVisible();
      await typeCode(first, await code(`+1${phone}`));
      await first.getByRole('button', { name: 'Use this number' }).click();
      await expect(heading(first, 'From now on we use your new number')).toBeVisible();
      await own.close();
      await request.post('/dev/clock', { data: { advanceSeconds: 31 * 24 * 3600 } });
      const wanted = `right-${member.email}`;
      await askForAddress({ url, code }, 'admin', { email: member.email, wanted });
      const [mail] = await inbox(wanted);
      await page.goto(mail?.link ?? '');
      await page.getByRole('button', { name: 'Send me a code' }).click();
      await expect(page.getByText(`phone ending in ${phone.slice(-2)}`)).toBeVisible();
      await typeCode(page, '000000');
      await page.getByRole('button', { name: 'Go on' }).click();
      await expect(page.getByText('Invalid Otp.')).toBeVisible();
      await expectAccessible(page, 'a correction, waiting for a code by text');
      await typeCode(page, await code(`+1${phone}`));
      await page.getByRole('button', { name: 'Go on' }).click();
      await expect(heading(page, 'Done. The change is made')).toBeVisible();
    });
  });
}
