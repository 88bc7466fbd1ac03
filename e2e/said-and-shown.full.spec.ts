import type { Page } from '@playwright/test';
import { answer, change } from './support/faults.ts';
import { listen } from './support/live.ts';
import { newMember } from './support/people.ts';
import {
  field,
  heading,
  open,
  openCodeEntry,
  signUpButton,
  takeTime,
  timeToasts,
  toast,
} from './support/screens.ts';
import { signInByApi } from './support/session.ts';
import { expect, test } from './support/test.ts';

const main = (page: Page) => page.getByRole('main');

test('[V11] what has to be changed stands first, and says so in words', async ({ page }) => {
  await change<object>(page, '/api/Browser/Check', (facts) => ({ ...facts, hasCookie: false }));
  await open(page, '/account/browser');
  await expect(
    page.getByText('Something needs a change. The first box tells you what.'),
  ).toBeVisible();
  await expect(main(page).getByRole('heading', { level: 2 }).first()).toHaveText(
    'Cookies: needs a change',
  );
});

test('[GEN-13] the toast of the help area hides after 3 s, and its words stay on the page', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  const stood = await timeToasts(page);
  await open(page, '/account/browser');
  await page.getByText('Show what we see').click();
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(toast(page)).toHaveText('Copied.');
  await page.clock.runFor(5000);
  await expect(toast(page)).toBeHidden();
  expect(await stood()).toEqual([3]);
  await expect(main(page).getByText('Copied.')).toBeVisible();
});

test('[V12] an expired link offers first what helps', async ({ page }) => {
  await answer(page, '/api/UserActivation/ValidateLink', { errorFlag: 'EXPIRED_LINK' });
  const link = `UID=${encodeURIComponent(btoa('key|reg|7'))}&SUP=${btoa('1')}`;
  await open(page, `/account/Activation?${link}`);
  await expect(heading(page, 'This link is expired')).toBeVisible();
  await expect(main(page).getByRole('link')).toHaveText(['Get a new link', 'Sign In']);
});

test.describe('[V13] a sign-in that fails', () => {
  test.beforeEach(({ quiet }) => quiet.allow(/status of 500/));

  test('no longer says that it signs in', async ({ page, account, code }) => {
    await answer(page, '/api/User/LogUserLogin', { status: 500 });
    await signInByApi(page, await account(), code);
    await expect(heading(page, 'We could not sign you in')).toBeVisible();
    await expect(page).toHaveTitle(/We could not sign you in/);
    await expect(main(page)).not.toContainText('Signing you in');
  });

  test('does not say at the end that all was validated', async ({ page, account, code }) => {
    await answer(page, '/api/Handoff/Issue', { status: 500 });
    await signInByApi(page, await account(), code);
    await expect(heading(page, 'We could not sign you in')).toBeVisible();
    await expect(main(page)).toContainText('Checking if any Multi-Role');
    await expect(main(page)).not.toContainText('Validated successfully Signing-in');
  });
});

test('[V14] where a code went is told in words, and whom to call when none comes', async ({
  page,
}) => {
  const member = newMember();
  await openCodeEntry(page, member);
  await expect(main(page)).toContainText(`phone ending in ${member.phone.slice(-2)}`);
  await expect(main(page)).not.toContainText('••• ••');
  await page.getByText('It has not come').click();
  await expect(main(page).getByRole('link', { name: '+1 555' })).toBeVisible();
  await expect(main(page).getByRole('link', { name: 'help@' })).toBeVisible();
});

for (const width of [820, 1440]) {
  test(`[V18] at ${width} px 'Other' leaves no hole, and only what is below it makes room`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, '/Account/SignUp');
    const other = page.getByRole('checkbox', { name: 'Other' });
    await expect(other).toBeVisible();
    const places = () =>
      page.locator('label:has(input[name=survey])').evaluateAll((all) =>
        all.map((element) => {
          const { top, width: wide, height: high } = element.getBoundingClientRect();
          const isOther = element.textContent === 'Other';
          return { top: Math.round(top + scrollY), wide: Math.round(wide), high, isOther };
        }),
      );
    const before = await places();
    const own = before.find(({ isOther }) => isOther);
    const rows = [...new Set(before.map(({ top }) => top))].sort((a, b) => a - b);
    const steps = rows.slice(1).map((top, at) => top - (rows[at] ?? 0));
    expect(new Set(steps).size).toBe(1);
    expect(own?.wide).toBeGreaterThan(1.9 * Math.min(...before.map(({ wide }) => wide)));
    await other.check();
    await expect(field(page, 'otherText')).toBeVisible();
    const moved = (await places()).map(({ top }, at) => top - (before[at]?.top ?? 0));
    const isBelow = before.map(({ top }) => top > (own?.top ?? 0));
    expect(new Set(moved.filter((_, at) => !isBelow[at]))).toEqual(new Set([0]));
    expect(new Set(moved.filter((_, at) => isBelow[at])).size).toBe(1);
  });
}

test("[V18] in one column the field of 'Other' stands near its card and apart from the next (E13)", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '/Account/SignUp');
  const other = page.getByRole('checkbox', { name: 'Other' });
  await expect(other).toBeVisible();
  /** The gaps between the survey's cards, and between them and the field, from the top. */
  const gaps = () =>
    page
      .locator('label:has(input[name=survey]), div:has(> div > input[name=otherText])')
      .evaluateAll((all) => {
        const boxes = all
          .filter((each) => each.checkVisibility())
          .map((each) => each.getBoundingClientRect());
        return boxes.slice(1).map((box, at) => Math.round(box.top - (boxes[at]?.bottom ?? 0)));
      });
  const shut = await gaps();
  expect(new Set(shut).size).toBe(1);
  await other.check();
  await expect(field(page, 'otherText')).toBeVisible();
  const open_ = await gaps();
  expect(open_).toHaveLength(shut.length + 1);
  expect(Math.max(...open_)).toBeGreaterThanOrEqual(24);
  expect(open_.filter((gap) => gap > 12)).toHaveLength(1);
});

test('[V19] the green box changes when the code is over', async ({ page }) => {
  await takeTime(page);
  await page.route('**/api/OTP/Extend', (route) =>
    route.fulfill({
      json: { succeeded: false, data: null, messages: [], errorFlag: 'OTP_LIFE_OVER' },
    }),
  );
  await page.clock.install();
  await openCodeEntry(page);
  const sent = 'OTP has been sent to your email address and phone number.';
  await expect(page.getByText(sent)).toBeVisible();
  await page.clock.runFor(125_000);
  await expect(page.getByRole('region', { name: 'This code no longer works' })).toBeVisible();
  await expect(page.getByText(sent)).toHaveCount(0);
});

test('[V20] [SCR-05] the page of nowhere: Sign In and Sign Up first, then the browser check', async ({
  page,
  quiet,
}) => {
  quiet.allow(/404 \(Not Found\)/);
  await open(page, '/nowhere');
  await expect(main(page).getByRole('link')).toHaveText([
    'Sign In',
    'Sign Up',
    'Is my browser all right?',
  ]);
  await expect(page.getByText('404', { exact: true })).toHaveCount(0);
});

test('[V20] [SCR-03] the two buttons of the Oops page are one size', async ({ page }) => {
  await open(page, '/account/UnAuthorizedAccess');
  const sizes = await Promise.all(
    [
      page.getByRole('button', { name: 'Stay on this page' }),
      main(page).getByRole('link', { name: 'Sign In' }),
    ].map((each) =>
      each.evaluate((element) => [getComputedStyle(element).fontSize, element.clientHeight]),
    ),
  );
  expect(sizes[0]).toEqual(sizes[1]);
});

test('[V20] [SCR-03] the button that goes when a pointer moves leaves Sign In where it is', async ({
  page,
}) => {
  await open(page, '/account/UnAuthorizedAccess');
  const signIn = main(page).getByRole('link', { name: 'Sign In' });
  const stay = page.getByRole('button', { name: 'Stay on this page' });
  const before = await signIn.boundingBox();
  await stay.dispatchEvent('click');
  await expect(stay).toHaveCount(0);
  expect(await signIn.boundingBox()).toEqual(before);
});

test('[V20] what a screen reader is told: how many problems, one name for one thing, no old words', async ({
  page,
}) => {
  const said = await listen(page);
  await open(page, '/account/StartFreeTrial?subtenantId=3');
  await expect(field(page, 'promo')).toHaveAccessibleName('Promo code (optional)');
  await expect(page.getByRole('complementary', { name: 'News' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'News' })).toHaveCount(1);
  await signUpButton(page).click();
  await expect.poll(async () => (await said()).join(' ')).toContain('There are 6 problems');
  await expect(main(page).getByRole('heading', { name: 'There are 6 problems' })).toBeVisible();
  await expect(page.locator('#live-polite')).toBeEmpty({ timeout: 5000 });
});
