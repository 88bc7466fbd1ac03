import { expect, type Page } from '@playwright/test';
import { signInByApi } from './support/session.ts';
import { coreIf } from './support/matrix.ts';
import { test } from './support/test.ts';
import type { Account } from './support/people.ts';

// A trusted helper, from the ask to the end: two people in two browsers.

const HELPERS = '/account/me/helpers';
const PEOPLE = '/account/me/people';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled });

    test(
      '[HLP-10] [HLP-11] [HLP-13] [HLP-15] a member asks, a helper says yes and asks for a mail, the member ends it',
      coreIf(javaScriptEnabled),
      async ({ page, browser, account, code, inbox }) => {
        const [member, helper] = [await account(), await account()];
        /** The visit is signed in by the calls of the screens. */
        async function signIn(on: Page, who: Account): Promise<void> {
          const own = await browser.newContext({ javaScriptEnabled: true });
          const signingIn = await own.newPage();
          await signInByApi(signingIn, who, code);
          await expect(signingIn).toHaveURL(/\/demo\//);
          await on.context().addCookies(await own.cookies());
          await own.close();
        }
        const other = await browser.newContext({ javaScriptEnabled });
        const helping = await other.newPage();
        await signIn(page, member);
        await signIn(helping, helper);

        await page.goto(HELPERS);
        await page.getByRole('button', { name: 'Ask them to help' }).click();
        await expect(page.getByText('Please say what they are to you').first()).toBeVisible();
        await page.getByLabel('Email of your helper').fill(helper.email);
        await page.getByLabel('What they are to you').fill('My daughter');
        await page.getByRole('button', { name: 'Ask them to help' }).click();
        await expect(page.getByText('My daughter. We asked them.')).toBeVisible();
        await expect(page.getByText(helper.email)).toBeVisible();

        await helping.goto(PEOPLE);
        await expect(
          helping.getByText('You are Ada. This is not the account of Ada.'),
        ).toBeVisible();
        await helping.getByRole('button', { name: 'Yes, I help Ada' }).click();
        await expect(helping.getByText('From now on you can help.')).toBeVisible();
        await expect(helping.getByText('Ada can sign in.')).toBeVisible();
        await expect(helping.getByText(member.email)).toHaveCount(0);
        await helping.getByRole('button', { name: 'Mail Ada a link for a new password' }).click();
        await expect(helping.getByText('Done.')).toBeVisible();
        await expect
          .poll(async () => (await inbox(member.email)).filter(({ link }) => link).length)
          .toBeGreaterThan(0);

        await page.goto(HELPERS);
        await expect(page.getByText('They help you.')).toBeVisible();
        await page.getByRole('button', { name: 'End the help of Ada Winslow' }).click();
        await expect(page.getByText('This help has ended.')).toBeVisible();
        await helping.getByRole('button', { name: 'Unlock the sign-in of Ada' }).click();
        await expect(helping.getByText('You no longer help this person.')).toBeVisible();
        await expect(helping.getByText('You help nobody now.')).toBeVisible();
        await other.close();
      },
    );
  });
}
