import { randomInt } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { cut, hold } from '../faults.ts';
import { WEEK_DAYS } from '../../../src/domain/text/opening-hours.ts';
import { inviteByApi, newMember } from '../people.ts';
import { heading, open } from '../screens.ts';
import { signInByApi } from '../session.ts';
import { awake } from '../test.ts';
import type { Settings, State, Tools } from './state.ts';

async function signOut(page: Page): Promise<void> {
  await page.addInitScript(() => sessionStorage.setItem('AuthToken', 'a'.repeat(43)));
  await open(page, '/account/Signout?success=true&appState=a&loggenInId=b&roleId=1&userId=7');
}

const openHours: Settings = {
  PORCHLIGHT_HELP_HOURS: 'Mon-Sun 0:00-24:00',
  PORCHLIGHT_TIME_ZONE: 'UTC',
};
/** A few days from now, by the server's clock. */
const openDay = WEEK_DAYS[(new Date().getUTCDay() + 2) % WEEK_DAYS.length];
const shutHours: Settings = {
  PORCHLIGHT_HELP_HOURS: `${openDay} 8:00-12:00`,
  PORCHLIGHT_TIME_ZONE: 'UTC',
};

async function openLamp(page: Page, title = 'A person answers'): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Help' }).click();
  await expect(page.getByRole('heading', { name: title })).toBeFocused();
  // The press wakes a page of text and links as well.
  await page.waitForFunction(() => 'porchlightHydrated' in window);
}

export const PAGE_STATES: readonly State[] = [
  {
    name: 'signed out',
    screen: 'signOut',
    async reach({ page }) {
      await page.goto('/account/Signout');
      await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
      await expect(page).toHaveURL('/account/Signout');
      await expect(heading(page, 'Logged Out Successfully!')).toBeVisible();
    },
  },
  {
    name: 'signing out',
    screen: 'signOut',
    isPassing: true,
    async reach({ page }) {
      await hold(page, '/api/User/LogoutUser/**');
      await signOut(page);
      await expect(page.getByText('Signing you out…')).toBeVisible();
    },
  },
  {
    name: 'signed out, the server did not answer',
    screen: 'signOut',
    async reach({ page }) {
      await cut(page, '/api/User/LogoutUser/**');
      await signOut(page);
      await expect(heading(page, 'We could not sign you out')).toBeVisible();
    },
  },
  {
    name: 'unauthorized, about to leave',
    screen: 'unauthorized',
    isPassing: true,
    async reach({ page }) {
      await open(page, '/account/UnAuthorizedAccess');
      await expect(page.getByText(/^Taking you to Sign In in \d seconds$/).first()).toBeVisible();
    },
  },
  {
    name: 'unauthorized, staying',
    screen: 'unauthorized',
    async reach({ page }) {
      await open(page, '/account/UnAuthorizedAccess');
      // A pointer on its way is enough: the button could go before the press.
      await page.getByRole('button', { name: 'Stay on this page' }).dispatchEvent('click');
      await expect(page.getByText('You stay on this page.')).toBeVisible();
    },
  },
  {
    name: 'invalid link',
    screen: 'invalidLink',
    reach: ({ page }) => open(page, '/account/Invalid'),
  },
  { name: 'help', screen: 'help', reach: ({ page }) => open(page, '/help') },
  {
    name: 'help, open by its hours',
    screen: 'help',
    needs: { settings: openHours },
    async reach({ page }) {
      await open(page, '/help');
      await expect(page.getByRole('main').getByText('Open now')).toBeVisible();
    },
  },
  {
    name: 'help, closed by its hours',
    screen: 'help',
    needs: { settings: shutHours },
    async reach({ page }) {
      await open(page, '/help');
      await expect(page.getByRole('main').getByText(/^We open on \w+day at 8 am$/)).toBeVisible();
    },
  },
  { name: 'guide', screen: 'guide', reach: ({ page }) => open(page, '/help/guide') },
  {
    name: 'the lamp, its card open',
    screen: 'signIn',
    async reach({ page }) {
      await open(page, '/account/signin');
      await openLamp(page);
    },
  },
  {
    name: 'the lamp, its card open on a page of one message',
    screen: 'invalidLink',
    async reach({ page }) {
      await open(page, '/account/Invalid');
      await openLamp(page);
    },
  },
  {
    name: 'the lamp, closed by its hours',
    screen: 'signIn',
    needs: { settings: shutHours },
    async reach({ page }) {
      await open(page, '/account/signin');
      await openLamp(page, 'We are closed now');
    },
  },
  {
    name: 'unknown address',
    screen: 'notFound',
    reach: ({ page }) => open(page, '/no/such/place'),
  },
  {
    name: 'unknown address at the academy',
    screen: 'notFound',
    reach: ({ page }) => open(page, '/account/ErrorPage?subtenantId=3'),
  },
];

async function askToSignOut({ page, account, code }: Tools): Promise<void> {
  await signInByApi(page, await account(), code);
  await expect(heading(page, 'Member Intake')).toBeVisible();
  await page.goto('/idp/oidc/logout');
  await expect(heading(page, 'Do you want to sign out?')).toBeVisible();
}

/** Pages without the portal's frame. */
export const PLAIN_STATES: readonly State[] = [
  {
    name: 'hosted login, unknown address',
    screen: 'interactionOver',
    async reach({ page }) {
      await page.goto('/idp/no/such/place');
      await expect(heading(page, 'This sign-in has ended')).toBeVisible();
    },
  },
  {
    name: 'hosted login, a request with a mistake',
    screen: 'interactionOver',

    async reach({ page }) {
      await page.goto('/idp/authorize?client_id=nobody');
      await expect(heading(page, 'The app made a mistake')).toBeVisible();
      await expect(page.getByText('invalid_client')).toBeVisible();
    },
  },
  {
    name: 'hosted login, sign-out with a mistake',
    screen: 'plain',
    async reach({ page }) {
      await page.goto('/idp/v2/logout?returnTo=https://elsewhere.example/');
      await expect(heading(page, 'We could not finish signing you out')).toBeVisible();
    },
  },
  {
    name: 'hosted login, sign-out asked by another page',
    screen: 'confirmSignOut',
    reach: askToSignOut,
  },
  {
    name: 'hosted login, signed out',
    screen: 'plain',
    async reach(tools) {
      await askToSignOut(tools);
      await tools.page.getByRole('button', { name: 'Yes, sign me out' }).click();
      await expect(heading(tools.page, 'You are signed out')).toBeVisible();
    },
  },
  {
    name: 'sign-out, asked without a session',
    screen: 'confirmSignOut',
    async reach({ page }) {
      await open(page, '/account/ConfirmSignOut');
      await expect(heading(page, 'Do you want to sign out?')).toBeVisible();
    },
  },
  {
    name: 'demo third party',
    screen: 'plain',
    async reach({ page }) {
      await page.goto('/demo/relying-party');
      await expect(heading(page, 'Garden Club')).toBeVisible();
    },
  },
  {
    name: 'demo module',
    screen: 'plain',
    async reach({ page, account, code }) {
      await signInByApi(page, await account(), code);
      await expect(heading(page, 'Member Intake')).toBeVisible();
    },
  },
  {
    name: 'demo module, refused',
    screen: 'plain',
    async reach({ page }) {
      await page.goto('/demo/admin?token=none');
      await expect(heading(page, 'This app could not let you in')).toBeVisible();
    },
  },
  {
    name: 'demo inbox',
    screen: 'plain',
    async reach({ page }) {
      // Longer than a line of a small window.
      const email = `wilhelmina.featherstonehaugh.${randomInt(10 ** 12)}@example.org`;
      await inviteByApi(page.request, { ...newMember(), email });
      await page.goto(`/dev/inbox?to=${encodeURIComponent(email)}`);
      await expect(heading(page, 'Dev inbox')).toBeVisible();
      // The newest mail is open.
      await expect(page.frameLocator('iframe').first().getByRole('heading')).toBeVisible();
    },
  },
  {
    name: 'demo third party, signed in',
    screen: 'plain',
    async reach({ page, account, code }) {
      await signInByApi(page, await account(), code);
      await expect(heading(page, 'Member Intake')).toBeVisible();
      await page.goto('/demo/relying-party/start');
      await awake(page);
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await expect(heading(page, 'Welcome, Ada Winslow')).toBeVisible();
    },
  },
];
