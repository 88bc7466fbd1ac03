import { startServer } from '../tools/server-process.ts';
import { expectAccessible } from './support/axe.ts';
import { act, openConsole } from './support/console.ts';
import { heading } from './support/screens.ts';
import { expect, test as base } from './support/test.ts';

// What the administrator of a house sees of it (docs/house.md).

/** A server of their own: they change what every page shows. */
const test = base.extend({
  baseURL: async ({ keep }, provide) => {
    await provide((await keep('server of a house', () => startServer())).url);
  },
});
// Signing in twice at once with one account leaves only the newest code valid.
test.describe.configure({ mode: 'default' });

const PATHS = [
  '',
  '/house',
  '/house/staff',
  '/house/look',
  '/house/logo',
  '/house/ask',
  '/invite',
  '/invitations',
  '/leads',
  '/audit',
];

test('[HOU-03] [HOU-06] [HOU-09] axe finds nothing on a page of a house, at each width, in light and dark', async ({
  page,
  code,
}) => {
  await openConsole(page, 'house', code);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of PATHS) {
      await page.goto(`/console${path}`);
      await expectAccessible(page, `${path} ${width}`);
      const shown = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(shown, `${path} ${width}`).toBeLessThanOrEqual(width);
    }
  }
});

test('[HOU-06] without script a color is shown, saved, and put back', async ({
  browser,
  code,
  baseURL,
}) => {
  const own = await browser.newContext({ javaScriptEnabled: true, baseURL: baseURL ?? '' });
  await openConsole(await own.newPage(), 'house', code);
  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  await plain.addCookies(await own.cookies());
  await own.close();
  const page = await plain.newPage();
  await page.goto('/console/house');
  await page.getByRole('link', { name: 'Change color, logo, language or hours' }).click();
  await page.getByLabel('Color of the house').fill('#7A2E3A');
  await page.getByRole('button', { name: 'Show it' }).click();
  await expect(page.getByLabel('Color of the house')).toHaveValue('#7A2E3A');
  await page.getByRole('button', { name: 'Save for everyone' }).click();
  await expect(heading(page, 'Rosewood Senior Living')).toBeVisible();
  await expect(page.getByText('#7A2E3A')).toBeVisible();
  await page.getByRole('link', { name: 'Put it back' }).click();
  await page.getByRole('button', { name: 'Put it back' }).click();
  await expect(page.getByText('Your house looks as it did before.')).toBeVisible();
  await expect(page.getByText('#7A2E3A')).toBeHidden();
  await plain.close();
});

test('[HOU-09] without script a colleague is switched off from the list, by keyboard alone', async ({
  browser,
  code,
  baseURL,
}) => {
  const own = await browser.newContext({ javaScriptEnabled: true, baseURL: baseURL ?? '' });
  await openConsole(await own.newPage(), 'house', code);
  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  await plain.addCookies(await own.cookies());
  await own.close();
  const page = await plain.newPage();
  await page.goto('/console/house');
  await page.getByRole('link', { name: 'Open the staff' }).press('Enter');
  await expect(heading(page, 'Staff')).toBeVisible();
  const row = page.getByRole('row', { name: /^Grace Mwangi/ });
  const link = row.getByRole('link', { name: 'Switch off Grace Mwangi' });
  // The row before it ends with its own two links: the next ones are Open and Switch off of this row.
  await page.getByRole('link', { name: 'Switch off Tom Achterberg' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(link).toBeFocused();
  await page.keyboard.press('Enter');
  await act(page, 'Switch the account off');
  await page.goto('/console/house/staff');
  await expect(row).toContainText('Switched off by Ana Ruiz, today at');
  await expect(link).toHaveCount(0);
  await expect(page.getByRole('row', { name: /^Ana Ruiz/ }).getByRole('link')).toHaveCount(0);
  await plain.close();
});
