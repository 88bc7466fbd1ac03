import type { Page } from '@playwright/test';
import { newMember } from './support/people.ts';
import { boxTexts, boxes, enterCode, errorOf, heading, signUp } from './support/screens.ts';
import { test } from './support/own-server.ts';
import { awake, expect } from './support/test.ts';

// One worker, one server of its own: its clock moves for everybody on it.
test.describe.configure({ mode: 'default' });

const resend = (page: Page) => page.getByRole('button', { name: 'Click to resend' });
const moreTime = (page: Page) => page.getByRole('button', { name: 'I need more time' });

const notCome = (page: Page) => page.locator('summary', { hasText: 'It has not come' });

/** Where box, button and choices begin. */
const places = (page: Page) =>
  page
    .locator('#otp, #code button[type=submit], summary:has-text("It has not come")')
    .evaluateAll((all) =>
      all.map((each) => Math.round(each.getBoundingClientRect().top + scrollY)),
    );

/** What stands on the countdown, in seconds. */
async function secondsShown(page: Page): Promise<number> {
  const text = (await page.getByRole('timer').textContent()) ?? '';
  const [, minutes, seconds] = /(\d+):(\d\d)/.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}

test('[OTP-03] [OTP-07] the code runs out: resend opens, a late code is refused, a new one works', async ({
  page,
  code,
  passTime,
  inbox,
}) => {
  const member = newMember();
  await signUp(page, member);
  const old = await code(member.email);
  await expect(page.getByRole('timer')).toContainText('Click to resend in');
  await notCome(page).click();
  await expect(resend(page)).toBeDisabled();
  const standing = await places(page);

  await passTime(100);
  await expect(resend(page)).toBeDisabled();
  expect(await places(page)).toEqual(standing);
  await passTime(40);
  await expect(resend(page)).toHaveCount(2);
  await expect(resend(page).last()).toBeEnabled();
  await notCome(page).click();
  await expect(page.getByRole('region', { name: 'This code no longer works' })).toBeVisible();
  await expect(resend(page)).toBeEnabled();
  expect(await places(page)).toEqual(standing);

  await enterCode(page, old);
  await expect(errorOf(page, 'otp')).toHaveText('OTP Expired');
  await page.clock.runFor(200);
  await expect(resend(page)).toBeFocused();

  await resend(page).click();
  await expect.poll(() => boxTexts(page)).toEqual(['', '', '', '', '', '']);
  await expect(resend(page)).toBeHidden();
  expect(await places(page)).toEqual(standing);
  await expect(boxes(page).first()).toBeFocused();
  expect(await inbox(member.email)).toHaveLength(2);
  expect(await secondsShown(page)).toBeGreaterThan(110);
  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Email verified')).toBeVisible();
});

test(
  "[OTP-07] the server's clock decides, whatever the browser's says",
  { tag: '@full' },
  async ({ page, code, request }) => {
    const member = newMember();
    await signUp(page, member);
    // Read first: a code that is over before it is sent is not sent.
    const sent = await code(member.email);
    await request.post('/dev/clock', { data: { advanceSeconds: 140 } });
    await enterCode(page, sent);
    await expect(errorOf(page, 'otp')).toHaveText('OTP Expired');
    await expect(resend(page)).toBeEnabled();
  },
);

test(
  '[OTP-03] a reload neither restarts nor loses the countdown',
  { tag: '@full' },
  async ({ page, request }) => {
    await signUp(page, newMember());
    await request.post('/dev/clock', { data: { advanceSeconds: 40 } });
    await page.reload();
    await awake(page);
    await expect.poll(() => secondsShown(page)).toBeLessThanOrEqual(80);
    expect(await secondsShown(page)).toBeGreaterThan(60);
    await notCome(page).click();
    await expect(resend(page)).toBeDisabled();
  },
);

test('[OTP-03] "I need more time" is there from the first second, and each press gives two minutes', async ({
  page,
  code,
  passTime,
}) => {
  const member = newMember();
  await signUp(page, member);
  await moreTime(page).click();
  await expect.poll(() => secondsShown(page)).toBeGreaterThan(220);
  await passTime(95);
  await expect(moreTime(page)).toContainText(
    /^I need more timeYour code works until \d+:\d\d [ap]m$/,
  );
  await passTime(95);
  // Past the first two minutes, and still good.
  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Email verified')).toBeVisible();
});

test(
  '[OTP-03] "I need more time" ends at ten minutes, and says so in its place',
  { tag: '@full' },
  async ({ page }) => {
    await signUp(page, newMember());
    for (let press = 0; press < 4; press += 1) {
      const before = await secondsShown(page);
      await moreTime(page).click();
      await expect.poll(() => secondsShown(page)).toBeGreaterThan(before);
    }
    expect(await secondsShown(page)).toBeLessThanOrEqual(600);
    await expect(moreTime(page)).toContainText('This code cannot get more time');
  },
);

test(
  '[OTP-03] the countdown speaks at 60, 30, 10 and 0 seconds and at no other',
  { tag: '@full' },
  async ({ page, passTime }) => {
    await page.addInitScript(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const region = (target as Element).closest?.('#live-polite, #live-assertive');
          const text = region?.textContent?.trim();
          if (region && text) said.push(`${region.id}: ${text}`);
        }
      }).observe(document, { childList: true, subtree: true });
    });
    await signUp(page, newMember());
    await passTime(125);
    await page.clock.runFor(1000);
    const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
    expect(said.filter((line) => /seconds left|no longer/.test(line))).toEqual([
      'live-polite: 60 seconds left to use this code',
      'live-polite: 30 seconds left to use this code',
      'live-polite: 10 seconds left to use this code',
      'live-assertive: This code no longer works. Ask for a new one.',
    ]);
  },
);
