import { expect, type Page } from '@playwright/test';
import type { newMember } from './people.ts';

// What a person does in a browser whose scripts are off. Playwright's matchers by role look past what stands in a noscript.

export const press = (page: Page, name: string) =>
  page.locator(`button[name=action][value="${name}"]`).click();

export const send = (page: Page, form: string) =>
  page.locator(`#${form} button[type=submit]:not([form])`).click();

/** Presses the card of a choice, and waits until it stands still: a press by force may miss it. */
export async function choose(page: Page, name: string, at = 0): Promise<void> {
  const choice = `input[name="${name}"]`;
  await page.locator(`label:has(${choice})`).nth(at).click();
  await expect(page.locator(choice).nth(at)).toBeChecked();
}

export async function type(page: Page, form: string, values: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(values)) {
    await page.locator(`#${form} [name="${name}"]`).fill(value);
  }
}

export async function signIn(
  page: Page,
  email: string,
  password: string,
  path = '/account/signin',
): Promise<void> {
  await page.goto(path);
  await type(page, 'sign-in', { email, password });
  await send(page, 'sign-in');
}

export async function enterCode(page: Page, digits: string): Promise<void> {
  const boxes = page.locator('#code input[name=otp]');
  for (const [at, digit] of [...digits].entries()) await boxes.nth(at).fill(digit);
  await send(page, 'code');
}

export async function signUpForm(
  page: Page,
  path: string,
  member: ReturnType<typeof newMember>,
): Promise<void> {
  const { firstName, lastName, phone, email, password } = member;
  await page.goto(path);
  await type(page, 'sign-up', { firstName, lastName, phone, email });
  await type(page, 'sign-up', { password, confirmPassword: password });
  await send(page, 'sign-up');
}
