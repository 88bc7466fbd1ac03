import { expect, type Page } from '@playwright/test';
import { appCodeAt } from '../../src/server/testing/app-code.ts';

/** A person's app: it shows codes for the key that the page told. */
export type Authenticator = {
  /** The code of now, or of so many steps later: each code opens once. */
  readonly code: (stepsAhead?: 0 | 1) => string;
  /** The code that confirmed it. */
  readonly used: string;
  readonly recovery: readonly string[];
};

const STEP_MS = 30_000;

/** Presses "Set it up" on the page 'Codes from an app', and reads the key. */
export async function beginApp(page: Page): Promise<Authenticator['code']> {
  await page.goto('/account/me/app-codes');
  await page.getByRole('button', { name: 'Set it up' }).click();
  await expect(page.getByRole('img', { name: /^Picture for your app/ })).toBeVisible();
  const key = (await page.getByText(/^([A-Z2-7]{4} ){7}/).innerText()).replaceAll(' ', '');
  return (stepsAhead = 0) => appCodeAt(key, new Date(Date.now() + stepsAhead * STEP_MS));
}

/** Sets an app up, from the page of My account to the recovery codes. */
export async function addApp(page: Page): Promise<Authenticator> {
  const code = await beginApp(page);
  const used = code();
  await page.getByLabel('Your 6-digit code').fill(used);
  await page.getByRole('button', { name: 'Switch it on' }).click();
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
  const texts = await page.getByRole('main').getByRole('listitem').allInnerTexts();
  return { code, used, recovery: texts.filter((text) => /^\d{4} \d{4} \d{4}$/.test(text)) };
}
