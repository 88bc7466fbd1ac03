import { expect, type Page } from '@playwright/test';
import { cut, hold } from '../faults.ts';
import { enterCode, fillSignIn, heading, loginButton } from '../screens.ts';
import { signInByApi } from '../session.ts';
import { awake } from '../test.ts';
import type { State, Tools } from './state.ts';

const PARTY = '/demo/relying-party';
const box = (page: Page) => page.getByRole('main').getByRole('alert');
const cancel = (page: Page) => page.getByRole('button', { name: /^Cancel and go back to / });
const allow = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true });

/** The demo's third party sends the visitor here; `extra` goes along with its authorization request. */
async function sentHere(page: Page, extra: Readonly<Record<string, string>> = {}): Promise<void> {
  const begun = await page.request.get(`${PARTY}/start`, { maxRedirects: 0 });
  const target = new URL(begun.headers().location ?? '');
  for (const [name, value] of Object.entries(extra)) target.searchParams.set(name, value);
  await page.goto(target.href);
  await awake(page);
}

async function asked(page: Page, extra?: Readonly<Record<string, string>>): Promise<void> {
  await sentHere(page, extra);
  await expect(page.getByText(/^You are signing in to /)).toBeVisible();
}

export async function askedToShare({ page, account, code }: Tools): Promise<void> {
  const member = await account();
  await asked(page);
  await fillSignIn(page, member);
  await loginButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await enterCode(page, await code(member.email));
  await expect(page.getByRole('heading', { name: /^Share with / })).toBeVisible();
  await awake(page);
}

/** The same page for an application with a long name. */
async function rename(page: Page): Promise<void> {
  await page.route('**/account/{AppSignIn,Consent}**', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    // The same first letter: the page draws it by itself as well.
    const long = 'Gwendolyn Featherstonehaugh Memorial Gardening Association';
    await route.fulfill({ response, body: text.replaceAll('Garden Club', long) });
  });
  await page.reload();
  await awake(page);
  await expect(page.getByText('Featherstonehaugh').first()).toBeVisible();
}

/** What somebody meets whom another application sent (docs/clients.md). */
export const THIRD_PARTY_STATES: readonly State[] = [
  { name: 'client sign-in', screen: 'clientSignIn', reach: ({ page }) => asked(page) },
  {
    name: 'client sign-in, long name, with a hint',
    screen: 'clientSignIn',
    async reach({ page }) {
      await asked(page, {
        login_hint: 'wilhelmina.featherstonehaugh@retirement-residence.example.org',
      });
      await rename(page);
      await expect(page.locator('#email')).toHaveValue(/^wilhelmina/);
    },
  },
  {
    name: 'client sign-in, wrong password',
    screen: 'clientSignIn',
    async reach({ page, account }) {
      const { email } = await account();
      await asked(page);
      await fillSignIn(page, { email, password: 'Not-The-One-1' });
      await loginButton(page).click();
      await expect(box(page)).toContainText('The username or password you entered is incorrect.');
    },
  },
  {
    name: 'client sign-in, cancelling',
    screen: 'clientSignIn',
    isPassing: true,
    async reach({ page }) {
      await hold(page, '/api/Client/Deny');
      await asked(page);
      await cancel(page).click();
      await expect(page.getByRole('button', { name: /^Opening / })).toBeVisible();
    },
  },
  {
    name: 'client sign-in, cancel failed',
    screen: 'clientSignIn',
    async reach({ page }) {
      await cut(page, '/api/Client/Deny');
      await asked(page);
      await cancel(page).click();
      await expect(box(page)).toContainText('Something went wrong. Try again later.');
    },
  },
  {
    name: 'client sign-in, signed in already',
    screen: 'clientSignIn',
    async reach({ page, account, code }) {
      await signInByApi(page, await account(), code);
      await expect(heading(page, 'Member Intake')).toBeVisible();
      await asked(page, { prompt: 'select_account' });
      await expect(page.getByRole('link', { name: /^Continue as/ })).toBeVisible();
    },
  },
  { name: 'consent', screen: 'consent', reach: askedToShare },
  {
    name: 'consent, long name',
    screen: 'consent',
    async reach(tools) {
      await askedToShare(tools);
      await rename(tools.page);
    },
  },
  {
    name: 'consent, allowing',
    screen: 'consent',
    isPassing: true,
    async reach(tools) {
      await hold(tools.page, '/api/Client/Allow');
      await askedToShare(tools);
      await allow(tools.page).click();
      await expect(tools.page.getByRole('button', { name: /^Opening / })).toBeVisible();
    },
  },
  {
    name: 'consent, failed',
    screen: 'consent',
    async reach(tools) {
      await cut(tools.page, '/api/Client/Allow');
      await askedToShare(tools);
      await allow(tools.page).click();
      await expect(box(tools.page)).toContainText('Something went wrong. Try again later.');
    },
  },
  {
    name: 'request over, with the way back to the application',
    screen: 'interactionOver',
    async reach({ page }) {
      await asked(page);
      const answered = page.url();
      await cancel(page).click();
      await expect(page).toHaveURL(new RegExp(`${PARTY}$|${PARTY}/callback`));
      await page.goto(answered);
      await expect(page.getByRole('link', { name: 'Start again at Garden Club' })).toBeVisible();
    },
  },
];
