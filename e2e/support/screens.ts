import { expect, type Locator, type Page } from '@playwright/test';
import { inviteByApi, type Member, newMember } from './people.ts';
import { awake } from './test.ts';

/** A field by the name that it is sent under. */
export function field(page: Page, name: string): Locator {
  return page.locator(`input[name="${name}"]`);
}

export function heading(page: Page, name: string): Locator {
  return page.getByRole('heading', { level: 1, name, exact: true });
}

/** The message that stands at a field, as its `aria-describedby` finds it. */
export function errorOf(page: Page, name: string): Locator {
  return page.locator(`#${name}-err`);
}

export function toast(page: Page): Locator {
  return page.getByRole('region', { name: 'Notices' });
}

/** Chooses "Take your time" as an earlier visit did, also at a test's own server, which is at 127.0.0.1. */
export async function takeTime(page: Page): Promise<void> {
  const cookie = { name: 'display', value: 'device.standard.on', path: '/' };
  const hosts = ['localhost', '127.0.0.1'];
  await page.context().addCookies(hosts.map((domain) => ({ ...cookie, domain })));
}

/** Opens a page and waits until it answers. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await awake(page);
}

export async function fillSignUp(page: Page, member: Member): Promise<void> {
  await field(page, 'firstName').fill(member.firstName);
  await field(page, 'lastName').fill(member.lastName);
  await field(page, 'phone').fill(member.phone);
  await field(page, 'email').fill(member.email);
  await field(page, 'password').fill(member.password);
  await field(page, 'confirmPassword').fill(member.password);
}

export const signUpButton = (page: Page) => page.getByRole('button', { name: 'Sign Up' });

/** Signs up on the screen, as far as the code entry. */
export async function signUp(page: Page, member: Member): Promise<void> {
  await open(page, '/Account/SignUp');
  await fillSignUp(page, member);
  await signUpButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
}

/** The same place by the calls of the sign-up screen, for tests that begin at the code entry. */
export async function openCodeEntry(page: Page, member: Member = newMember()): Promise<void> {
  await inviteByApi(page.request, member);
  await open(page, '/account/verifyOtp');
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
}

export const boxes = (page: Page) => page.getByLabel(/^Digit \d of 6$/);

export async function boxTexts(page: Page): Promise<string[]> {
  return boxes(page).evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value));
}

export async function enterCode(page: Page, code: string): Promise<void> {
  await boxes(page).first().fill(code);
  await page.getByRole('button', { name: 'Verify OTP' }).click();
}

type Credentials = Pick<Member, 'email' | 'password'>;

export async function fillSignIn(page: Page, { email, password }: Credentials): Promise<void> {
  await field(page, 'email').fill(email);
  await field(page, 'password').fill(password);
}

export const loginButton = (page: Page) => page.getByRole('button', { name: 'Login' });

/** Signs in on the screen, as far as the code entry. */
export async function signIn(
  page: Page,
  credentials: Credentials,
  path = '/account/signin',
): Promise<void> {
  await open(page, path);
  await fillSignIn(page, credentials);
  await loginButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
}

/** Notes how long each toast stands, in whole seconds of the page's own clock. */
export async function timeToasts(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    const stood: number[] = [];
    Object.assign(window, { stood });
    let since: number | null = null;
    new MutationObserver(() => {
      const isThere = document.querySelector('[aria-label="Notices"]') !== null;
      if (isThere === (since !== null)) return;
      if (since !== null) stood.push(Math.round((performance.now() - since) / 1000));
      since = isThere ? performance.now() : null;
    }).observe(document, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => (window as unknown as { stood: number[] }).stood);
}
