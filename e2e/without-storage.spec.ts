import type { Page } from '@playwright/test';
import { choose, enterCode, send, signIn, signUpForm, type } from './support/native.ts';
import { newMember } from './support/people.ts';
import { expect, test } from './support/test.ts';

// Cookies work, and storage does not: each step is done by the plain forms, and no press leads to its own page.

/** What the browser does with storage; each runs in the page before its own scripts. */
const FAULTS: Readonly<Record<string, () => void>> = {
  absent: () => {
    for (const area of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, area, { get: () => null });
    }
  },
  throwing: () => {
    for (const area of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, area, {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    }
  },
  full: () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  },
  'emptied at each page and each press': () => {
    const empty = () => {
      localStorage.clear();
      sessionStorage.clear();
    };
    empty();
    for (const sign of ['click', 'submit', 'pagehide']) addEventListener(sign, empty, true);
  },
};

const title = (page: Page) => page.getByRole('heading', { level: 1 });

/** Presses Continue where a page asks for it; with storage that only forgets, the page goes on by itself. */
async function goOnTo(page: Page, name: string): Promise<void> {
  const wanted = title(page).filter({ hasText: name });
  const onward = page.locator('button[name=action][value=goOn]:visible');
  await expect(wanted.or(onward).first()).toBeVisible();
  if (await onward.isVisible()) await onward.click({ timeout: 3000 }).catch(() => undefined);
  await expect(wanted).toBeVisible();
}

for (const [name, fault] of Object.entries(FAULTS)) {
  test.describe(`storage ${name}`, () => {
    test.beforeEach(async ({ page }) => {
      await page.addInitScript(fault);
    });

    test('[NOS-07] [RED-07] sign-in, the switcher, My account and sign-out', async ({
      page,
      account,
      code,
    }) => {
      test.slow();
      const { email, password } = await account('member and academy');
      await signIn(page, email, password);
      await expect(title(page)).toHaveText(/6-digit code/);
      await enterCode(page, await code(email));
      await goOnTo(page, 'Accounts switcher');
      await choose(page, 'role');
      await send(page, 'roles');
      await expect(title(page)).toHaveText('Member Intake');
      await page.goto('/account/signin');
      await page.locator('a', { hasText: 'Continue as' }).click();
      await goOnTo(page, 'Accounts switcher');
      await page.goto('/account/me/name');
      await page.getByLabel('First name').fill('Ruth');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page).toHaveURL('/account/me?saved=1');
      await page.goto('/account/signout');
      await goOnTo(page, 'Logged Out Successfully!');
      await page.goto('/account/me');
      await expect(page).toHaveURL(/signin/);
    });

    test('[NOS-07] a sign-up, as far as its proven address', async ({ page, code }) => {
      const member = newMember();
      await signUpForm(page, '/Account/SignUp', member);
      await expect(title(page)).toHaveText(/6-digit code/);
      await enterCode(page, await code(member.email));
      await expect(title(page)).toHaveText('Email verified');
    });

    test('[NOS-07] a forgotten password, as far as the new one', async ({
      page,
      account,
      inbox,
    }) => {
      const { email } = await account();
      await page.goto('/account/ForgetPassword');
      await type(page, 'forgot-password', { email });
      await send(page, 'forgot-password');
      await expect(title(page)).toHaveText('Check your email');
      const mails = await inbox(email);
      const link = mails.map((mail) => mail.link).find((url) => url?.includes('resetLinkKey'));
      await page.goto(String(link));
      await goOnTo(page, 'Set new password');
      const password = 'Green-Teapot-77';
      await type(page, 'reset-password', { password, confirmPassword: password });
      await send(page, 'reset-password');
      await expect(page).toHaveURL('/account/SuccessResetPassword');
    });
  });
}
