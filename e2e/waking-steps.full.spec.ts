import type { Page } from '@playwright/test';
import { inviteByApi, newMember, proveByApi } from './support/people.ts';
import { test as withParty } from './support/sample-relying-party.ts';
import { field, heading } from './support/screens.ts';
import { awake, expect, test } from './support/test.ts';
import { isAwake, PHONE, settled } from './support/waking.ts';

// The screens in the middle of a journey sleep as well until somebody begins to use them (decision 131).

/** Half a text, with the caret in the middle, and the text goes on there when the page has woken. */
async function expectTextSurvives(page: Page): Promise<void> {
  const input = field(page, 'password');
  await settled(page);
  expect(await isAwake(page), 'asleep').toBe(false);
  const before = await page.locator('#root').ariaSnapshot();
  await awake(page);
  expect(await page.locator('#root').ariaSnapshot(), 'the same, awake').toBe(before);
  await page.reload();
  await settled(page);
  await input.evaluate((element) => {
    const typed = element as HTMLInputElement;
    typed.focus();
    typed.value = 'half of it';
    typed.setSelectionRange(4, 4);
  });
  await awake(page);
  await expect(input).toBeFocused();
  await page.keyboard.type('!');
  await expect(input).toHaveValue('half! of it');
}

/** The scripts come when the test says so. */
async function holdScripts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<undefined>();
  await page.route('**/assets/**.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  return () => held.resolve(undefined);
}

test.describe('set password', () => {
  test.beforeEach(async ({ page, code }) => {
    await page.setViewportSize(PHONE);
    await proveByApi(page.request, newMember(), code);
  });

  test('[PRF-16] [PRF-17] set password sleeps; text, focus and caret stay when it wakes', async ({
    page,
  }) => {
    await page.goto('/account/setPassword');
    await expect(heading(page, 'Set Password')).toBeVisible();
    await expectTextSurvives(page);
  });

  test('[PRF-17] set password: what is typed and pressed before the scripts have come is not lost', async ({
    page,
  }) => {
    const release = await holdScripts(page);
    await page.goto('/account/setPassword', { waitUntil: 'commit' });
    await field(page, 'password').fill('Green-Teapot-77');
    await page.getByRole('button', { name: 'Show new password' }).click();
    release();
    await expect(field(page, 'password')).toHaveAttribute('type', 'text');
    await expect(field(page, 'password')).toHaveValue('Green-Teapot-77');
    await expect(page.getByRole('main')).not.toContainText('not yet');
  });

  test('[PRF-17] set password: a form that is sent before the scripts have come is sent when they have', async ({
    page,
  }) => {
    const release = await holdScripts(page);
    await page.goto('/account/setPassword', { waitUntil: 'commit' });
    await field(page, 'password').fill('Green-Teapot-77');
    await field(page, 'confirmPassword').fill('Other-Teapot-77');
    await page.getByRole('button', { name: 'Set password' }).click();
    release();
    await expect(page.locator('#confirmPassword-err')).not.toBeEmpty();
    await expect(field(page, 'password')).toHaveValue('Green-Teapot-77');
  });
});

withParty.describe('sign-in for another application', () => {
  withParty.beforeEach(({ page }) => page.setViewportSize(PHONE));

  withParty(
    '[PRF-16] [PRF-17] it sleeps; text, focus and caret stay when it wakes',
    async ({ page, party }) => {
      await page.goto(party.start());
      await expect(page.locator('#sign-in')).toBeVisible();
      await expectTextSurvives(page);
    },
  );

  withParty(
    '[PRF-17] the first press is not lost: back to the application, once',
    async ({ page, party }) => {
      const release = await holdScripts(page);
      await page.goto(party.start(), { waitUntil: 'commit' });
      await page.locator('button[name=action][value=deny]').click();
      release();
      await expect(page).toHaveTitle('Garden Club: not signed in');
    },
  );

  withParty(
    '[PRF-17] an address that the application gave along does not replace what somebody typed meanwhile',
    async ({ page, party }) => {
      const release = await holdScripts(page);
      await page.goto(party.start({ login_hint: 'hint@example.org' }), { waitUntil: 'commit' });
      // It stands in the page itself, without any script.
      await expect(field(page, 'email')).toHaveValue('hint@example.org');
      await field(page, 'email').fill('ada@example.org');
      release();
      await awake(page);
      await expect(field(page, 'email')).toHaveValue('ada@example.org');
    },
  );

  withParty(
    '[PRF-18] an address that the application gave along is filled in untouched, also over a remembered one',
    async ({ page, party }) => {
      await page.addInitScript(() => localStorage.setItem('userName', 'ada@example.org'));
      await page.goto(party.start({ login_hint: 'hint@example.org' }));
      await expect(field(page, 'email')).toHaveValue('hint@example.org');
    },
  );
});

test('[PRF-17] [PRF-18] an activation wakes by itself; what is pressed before that is done once', async ({
  page,
  inbox,
}) => {
  const member = newMember();
  await inviteByApi(page.request, member);
  const link = String((await inbox(member.email)).find((message) => message.link)?.link);
  await page.context().clearCookies();
  const release = await holdScripts(page);
  await page.goto(link, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Large text' }).click();
  release();
  await expect(page.locator('html')).toHaveAttribute('data-text-size', 'large');
  const yes = page.getByRole('button', { name: 'Yes, activate my account' });
  await expect(yes).toBeVisible();
  await yes.click();
  await expect(heading(page, 'Email verified')).toBeVisible();
});
