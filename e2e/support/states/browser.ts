import { expect, type Page } from '@playwright/test';
import type { Data } from '../../../src/contract/index.ts';
import { change, cut, hold } from '../faults.ts';
import { heading, open } from '../screens.ts';
import type { State } from './state.ts';

const PATH = '/account/browser';
const CHECK = '/api/Browser/Check';
const main = (page: Page) => page.getByRole('main');

/** Nothing that signing in needs is there, cookies apart, and the clock is wrong. */
export async function breakBrowser(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    Object.defineProperty(crypto, 'subtle', { value: undefined });
    // Five minutes and some seconds fast.
    const now = Date.now.bind(Date);
    Date.now = () => now() + 302_000;
  });
}

/** "Is my browser all right?" (R57) */
export const BROWSER_STATES: readonly State[] = [
  {
    name: 'browser check, looking',
    screen: 'browser',
    isPassing: true,
    async reach({ page }) {
      await hold(page, CHECK);
      await open(page, PATH);
      await expect(main(page).getByText('Looking at your browser…')).toBeVisible();
    },
  },
  {
    name: 'browser check, all right',
    screen: 'browser',
    async reach({ page }) {
      await open(page, PATH);
      await expect(main(page).getByRole('status')).toHaveText('Your browser is all right.');
    },
  },
  {
    name: 'browser check, everything wrong',
    screen: 'browser',
    async reach({ page }) {
      await breakBrowser(page);
      await change<Data<'checkBrowser'>>(page, CHECK, (data) => ({ ...data, hasCookie: false }));
      await open(page, PATH);
      await expect(main(page).getByRole('status')).toContainText('Something needs a change.');
    },
  },
  {
    name: 'browser check, no server',
    screen: 'browser',
    async reach({ page }) {
      await cut(page, CHECK);
      await open(page, PATH);
      await expect(main(page)).toContainText('We could not reach our server.');
    },
  },
  {
    name: 'browser check, without JavaScript',
    screen: 'browser',
    needs: { javaScriptEnabled: false },
    async reach({ page }) {
      await page.goto(PATH);
      await expect(heading(page, 'Check your browser')).toBeVisible();
    },
  },
];
