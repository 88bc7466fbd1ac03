import type { Page } from '@playwright/test';
import { DEMO_PASSWORD, demoEmail } from './people.ts';
import { heading } from './screens.ts';
import { signInByApi } from './session.ts';
import { expect } from './test.ts';

export const demo = (name: string) => ({ email: demoEmail(name), password: DEMO_PASSWORD });

type ReadCode = (to: string) => Promise<string>;

/** Signs staff of the demo in, and opens the console. */
export async function openConsole(page: Page, name: string, code: ReadCode): Promise<void> {
  await signInByApi(page, demo(name), code);
  await expect(page).toHaveURL(/\/account\/SelectRoles|\/demo\//);
  await page.goto('/console');
  await expect(heading(page, 'Find a person')).toBeVisible();
}

/** From the search to the answer: one press to search, one to open. */
export async function find(page: Page, text: string, name: string): Promise<void> {
  await page.getByRole('searchbox').fill(text);
  await page.getByRole('button', { name: 'Search' }).click();
  // The first page lists the people of the last looks, who may have the same name.
  await expect(page).toHaveURL(/\/console\?/);
  await page.getByRole('link', { name, exact: true }).click();
  await expect(heading(page, name)).toBeVisible();
}

/** The cause in words, and the verbs that would do nothing now, which are folded. */
export const why = (page: Page) => page.locator('#cause');
export const unfold = (page: Page) => page.getByText(/^Not needed now/).click();
export const verb = (page: Page, name: string) =>
  page.getByRole('link', { name: new RegExp(`^${name}`) }).last();

/** The verbs that take effect later, and what the page says of them. */
const WAITING: Readonly<Record<string, string>> = {
  'Correct the email address': 'Asked for. ',
  'Correct the phone number': 'Asked for. ',
  'Take a saved key away': 'Asked for. ',
  'Take the app code away': 'Asked for. ',
  'Agree to the change': 'Agreed. It takes effect in 72 hours',
};

/** Sends the form of a verb: how the caller is known, then the verb itself. */
export async function act(page: Page, name: string): Promise<void> {
  await page.getByLabel('I called the phone that we have').check();
  await page.getByRole('button', { name, exact: true }).click();
  await expect(page.getByText(WAITING[name] ?? `Done: ${name}.`)).toBeVisible();
}
