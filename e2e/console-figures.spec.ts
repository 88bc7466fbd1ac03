import type { Page } from '@playwright/test';
import { startServer } from '../tools/server-process.ts';
import { expectAccessible } from './support/axe.ts';
import { openConsole } from './support/console.ts';
import { heading } from './support/screens.ts';
import { expect, test as base } from './support/test.ts';

// The console's figures, with the demo's month behind them (docs/operations/help-desk.md).

/** The usual server of the tests has no month. */
const test = base.extend({
  baseURL: async ({ keep }, provide) => {
    const start = () => startServer({ args: ['--demo-month'] });
    await provide((await keep('server with a month', start)).url);
  },
});
// Signing in twice at once with one account leaves only the newest code valid.
test.describe.configure({ mode: 'default' });

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const link = page.getByRole('link', { name }).first();
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if (await link.evaluate((each) => each === document.activeElement)) return;
  }
  await expect(link).toBeFocused();
}

test('[CON-33] E34: messages: each channel is drawn, and one is sent again by keyboard alone', async ({
  page,
  code,
}) => {
  await openConsole(page, 'admin', code);
  await page.goto('/console/messages');
  await expect(heading(page, 'Do our messages arrive?')).toBeVisible();
  for (const [name, channel] of [
    ['Mail', 'Mail'],
    ['Text', 'Text'],
  ] as const) {
    const lane = page.getByRole('region', { name, exact: true });
    const picture = lane.getByRole('img', {
      name: new RegExp(`^Seconds until ${channel} arrives`),
    });
    await expect(picture).toBeVisible();
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      const drawn = await picture.evaluate((svg: SVGSVGElement) => {
        const [text] = svg.getElementsByTagName('text');
        const size = text ? Number.parseFloat(getComputedStyle(text).fontSize) : 0;
        return size * (svg.getScreenCTM()?.a ?? 0);
      });
      expect(drawn, `E34: the words of the chart at ${width}`).toBeGreaterThanOrEqual(17);
      // E66: they are words like those around them.
      expect(drawn).toBeLessThanOrEqual(18.5);
    }
    // The last bar has the figure above it.
    const figure = (await lane.locator('[data-figure]').textContent())?.split(' ')[0];
    await expect(picture.locator('text').first()).toHaveText(
      figure === '0' ? '60 s' : `${figure} s`,
    );
    await lane.getByText('The figures of the chart').click();
    const bars = await picture.locator('rect').count();
    expect(bars).toBeGreaterThan(0);
    await expect(lane.getByRole('row')).toHaveCount(bars + 1);
  }
  await page.goto('/console/messages');
  await tabTo(page, 'Try again');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Send the message again')).toBeVisible();
  const send = page.getByRole('button', { name: 'Try again' });
  await send.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText(/on its way again/);
});

test('[CON-33] a help desk sees the channels, and no verb of an operator', async ({
  page,
  code,
  quiet,
}) => {
  quiet.allow(/404/);
  await openConsole(page, 'staff', code);
  await page.goto('/console/messages');
  await expect(page.getByRole('region', { name: 'Mail', exact: true })).toBeVisible();
  await expect(
    page.getByRole('link', { name: 'Margaret Oduya', exact: true }).first(),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: /^(?:Try again|Drop it)/ })).toHaveCount(0);
  await page.goto('/console/sign-ins');
  await expect(heading(page, 'This page does not exist')).toBeVisible();
});

test('[CON-34] sign-ins: the picture says what the table says, and leads to the people', async ({
  page,
  code,
}) => {
  await openConsole(page, 'admin', code);
  await page.goto('/console/sign-ins?time=month');
  await expect(heading(page, 'Where do people get lost?')).toBeVisible();
  await tabTo(page, 'Rosewood Senior Living');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/house=742/);
  const steps = page.getByRole('table').first();
  const visits = await steps.getByRole('row').locator('td:nth-child(2)').allTextContents();
  expect(visits).toHaveLength(5);
  const picture = page.getByRole('img', { name: /^Of .* came into the app\.$/ });
  await expect(picture).toHaveAccessibleName(
    `Of ${visits[0]} visits that tried to sign in, ${visits[4]} came into the app.`,
  );
  expect(await picture.locator('[data-visits]').allTextContents()).toEqual(visits);
  await tabTo(page, 'See who at the password, Rosewood Senior Living');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Who stopped at the password')).toBeVisible();
  await page.goto('/console/audit?kind=console.looked');
  await expect(page.getByText('Elena Sorensen').first()).toBeVisible();
  await page.getByRole('link', { name: 'Check the chain' }).click();
  await page.getByRole('button', { name: 'Check the chain' }).click();
  await expect(page.getByText('Nothing was changed, moved, added or taken away.')).toBeVisible();
});

test('[CON-33] [CON-34] [CON-35] axe finds nothing, at each width, in light and dark, and nothing is wider than the page', async ({
  page,
  code,
}) => {
  // Each page three times in two schemes.
  test.slow();
  await openConsole(page, 'admin', code);
  await page.goto('/console/messages');
  for (const path of ['messages', 'sign-ins?time=month', 'sign-ins/who/742/month/tried', 'audit']) {
    await page.goto(`/console/${path}`);
    await expectAccessible(page, path);
    await page.setViewportSize({ width: 320, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320);
    await page.setViewportSize({ width: 1280, height: 900 });
  }
});
