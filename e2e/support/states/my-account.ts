import { expect, type Page } from '@playwright/test';
import { addApp, beginApp } from '../authenticator.ts';
import { askForAddress, inviteBy } from '../desk.ts';
import { boxes, errorOf, heading, signIn } from '../screens.ts';
import { signInByApi } from '../session.ts';
import { awake } from '../test.ts';
import type { State, Tools } from './state.ts';
import { askedToShare } from './third-party.ts';

/** Signs in, and opens a page of My account. */
async function openAccount({ page, account, code }: Tools, path: string, title: string) {
  const member = await account();
  await signInByApi(page, member, code);
  await expect(page).toHaveURL(/\/demo\//);
  await opened(page, path, title);
  return member;
}

async function opened(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await expect(heading(page, title)).toBeVisible();
  await awake(page);
}

const LIST = ['/account/me', 'My account'] as const;
const APP_CODES = ['/account/me/app-codes', 'Codes from an app'] as const;

/** Sets an app up, then signs in again, as far as its code. */
async function askedOfApp(tools: Tools): Promise<void> {
  const { page, context } = tools;
  const member = await openAccount(tools, ...APP_CODES);
  await addApp(page);
  await context.clearCookies();
  await signIn(page, member);
  await expect(page.getByText('Open your app. It shows your code.')).toBeVisible();
}

/** Opens the mail of an invitation by the demo's help desk. */
async function openInvitation({ page, code, inbox }: Tools): Promise<void> {
  const email = `invited-${Date.now()}@people.test`;
  await page.goto('/account/invitation');
  await inviteBy({ url: new URL(page.url()).origin, code }, 'staff', { email, role: '1' });
  const [mail] = await inbox(email);
  await page.goto(mail?.link ?? '');
  await expect(heading(page, 'Dana Whitfield invites you')).toBeVisible();
}

const DEVICES = ['/account/me/devices', 'Where you are signed in'] as const;

const EMAIL = ['/account/me/email', 'Your email address'] as const;

/** Asks for another address. @returns the account's address and the wanted one */
async function askForEmail(tools: Tools) {
  const { page } = tools;
  const old = await openAccount(tools, ...EMAIL);
  const wanted = `new-${old.email}`;
  await page.getByLabel('New email address').fill(wanted);
  await page.getByRole('button', { name: 'Send a code there' }).click();
  await expect(heading(page, 'Check your new address')).toBeVisible();
  return { old, wanted };
}

async function changeEmail(tools: Tools) {
  const { page, code } = tools;
  const { old, wanted } = await askForEmail(tools);
  await page
    .getByRole('textbox')
    .first()
    .fill(await code(wanted));
  await page.getByRole('button', { name: 'Use this address' }).click();
  await expect(heading(page, 'From now on we use your new address')).toBeVisible();
  return { old, wanted };
}

/** A sign-in whose only contact was changed within the last 72 hours. */
async function signInByChanged(tools: Tools): Promise<void> {
  const { page, context, code } = tools;
  const { old, wanted } = await changeEmail(tools);
  await opened(page, '/account/me/phone', 'Your phone number');
  await page.getByRole('button', { name: 'Remove my number' }).click();
  await expect(heading(page, 'Your number is removed')).toBeVisible();
  await context.clearCookies();
  await signInByApi(page, { ...old, email: wanted }, code);
  await expect(page).toHaveURL(/\/demo\//);
}

/** Opens the undo link of a change. */
async function openUndo(tools: Tools): Promise<void> {
  const { email } = (await changeEmail(tools)).old;
  const mails = await tools.inbox(email);
  await tools.page.goto(mails.find(({ link }) => link?.includes('/undo'))?.link ?? '');
}

const HELPERS = ['/account/me/helpers', 'Who may help you'] as const;
const PEOPLE = ['/account/me/people', 'People you help'] as const;

/** A member asks a second person to help; that person's page is open in the end. */
async function askedToHelp(tools: Tools) {
  const { page, context, account, code } = tools;
  const helper = await account();
  const member = await openAccount(tools, ...HELPERS);
  await page.getByLabel('Email of your helper').fill(helper.email);
  await page.getByLabel('What they are to you').fill('My daughter');
  await page.getByRole('button', { name: 'Ask them to help' }).click();
  await expect(page.getByText('We asked them.')).toBeVisible();
  await context.clearCookies();
  await signInByApi(page, helper, code);
  await expect(page).toHaveURL(/\/demo\//);
  await opened(page, ...PEOPLE);
  return member;
}

async function helping(tools: Tools) {
  const member = await askedToHelp(tools);
  await tools.page.getByRole('button', { name: /^Yes, I help/ }).click();
  await expect(tools.page.getByText('From now on you can help.')).toBeVisible();
  await awake(tools.page);
  return member;
}

/** Pages that are drawn as they are. */
const PAGES = [
  ['my password', 'myPassword', '/account/me/password', 'Your password'],
  ['my ways in', 'myWays', '/account/me/ways', 'How you sign in'],
  ['my display', 'myDisplay', '/account/me/display', 'Letters and colors'],
  ['my data', 'myData', '/account/me/data', 'Your data'],
  ['my answers', 'myAnswers', '/account/me/answers', 'Your answers'],
  ['my closing', 'myClosing', '/account/me/close', 'Close your account?'],
  ['my keys, off', 'myKeys', '/account/me/keys', 'Your saved keys'],
  ['the offer of a key', 'keyOffer', '/account/SaveKey', 'Sign in faster next time'],
  [
    'the password that an app wants',
    'appPassword',
    '/account/AppPassword',
    'This app wants your password, too',
  ],
  [
    'a key that failed',
    'keyFailed',
    '/account/KeyFailed?why=cancelled',
    'Your saved key did not work',
  ],
] as const;

async function closeAccount(tools: Tools) {
  const member = await openAccount(tools, '/account/me/close', 'Close your account?');
  await tools.page.getByRole('button', { name: 'Close my account' }).click();
  await expect(heading(tools.page, 'Your account will be closed')).toBeVisible();
  return member;
}

export const ACCOUNT_STATES: readonly State[] = [
  {
    name: 'my account',
    screen: 'myAccount',
    reach: async (tools) => void (await openAccount(tools, ...LIST)),
  },
  {
    name: 'my name',
    screen: 'myName',
    reach: async (tools) =>
      void (await openAccount(tools, '/account/me/name', 'What is your name?')),
  },
  {
    name: 'my name, wrong',
    screen: 'myName',
    async reach(tools) {
      const { page } = tools;
      await openAccount(tools, '/account/me/name', 'What is your name?');
      await page.getByLabel('First name').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText('First name is required').first()).toBeVisible();
    },
  },
  {
    name: 'my data, no contact may prove it',
    screen: 'myData',
    async reach(tools) {
      await signInByChanged(tools);
      await opened(tools.page, '/account/me/data', 'Your data');
      await expect(tools.page.getByText(/^You changed your email or phone lately/)).toBeVisible();
    },
  },
  {
    name: 'my devices',
    screen: 'myDevices',
    async reach(tools) {
      const { page, context, code } = tools;
      const member = await openAccount(tools, ...DEVICES);
      await context.clearCookies();
      await signInByApi(page, member, code);
      await expect(page).toHaveURL(/\/demo\//);
      await opened(page, ...DEVICES);
      await expect(page.getByRole('button', { name: 'End all others' })).toBeVisible();
    },
  },
  {
    name: 'app codes, off',
    screen: 'myAppCodes',
    reach: async (tools) => void (await openAccount(tools, ...APP_CODES)),
  },
  {
    name: 'app codes, being set up, wrong code',
    screen: 'myAppCodes',
    async reach(tools) {
      const { page } = tools;
      await openAccount(tools, ...APP_CODES);
      await beginApp(page);
      await page.getByLabel('Your 6-digit code').fill('000000');
      await page.getByRole('button', { name: 'Switch it on' }).click();
      await expect(errorOf(page, 'appCode')).toBeVisible();
    },
  },
  {
    name: 'app codes, recovery codes',
    screen: 'myAppCodes',
    async reach(tools) {
      await openAccount(tools, ...APP_CODES);
      await addApp(tools.page);
    },
  },
  {
    name: 'app codes, on',
    screen: 'myAppCodes',
    async reach(tools) {
      await openAccount(tools, ...APP_CODES);
      await addApp(tools.page);
      await opened(tools.page, ...APP_CODES);
      await expect(tools.page.getByRole('button', { name: 'Switch it off' })).toBeVisible();
    },
  },
  {
    name: 'code entry, of an app',
    screen: 'verifyOtp',
    reach: askedOfApp,
  },
  {
    name: 'code entry, of an app, recovery code refused',
    screen: 'verifyOtp',
    async reach(tools) {
      const { page } = tools;
      await askedOfApp(tools);
      await page.getByText('I do not have my app').click();
      await page.getByLabel('Recovery code').fill('1234 5678 9012');
      await page.getByRole('button', { name: 'Use this code' }).click();
      await expect(errorOf(page, 'recovery')).toBeVisible();
    },
  },
  {
    name: 'code entry, of an app, too many tries',
    screen: 'verifyOtp',
    async reach(tools) {
      const { page } = tools;
      await askedOfApp(tools);
      for (let nth = 0; nth < 5; nth += 1) {
        await boxes(page).first().fill('000000');
        await page.getByRole('button', { name: 'Verify OTP' }).click();
        await expect(page.locator('form[aria-busy]')).toHaveCount(0);
      }
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    },
  },
  {
    name: 'my apps',
    screen: 'myApps',
    async reach(tools) {
      const { page } = tools;
      await askedToShare(tools);
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await expect(page).toHaveURL(/\/demo\//);
      await opened(page, '/account/me/apps', 'Apps you allowed');
      await expect(page.getByRole('button', { name: /^Take back: / })).toBeVisible();
    },
  },
  {
    name: 'my email, wrong',
    screen: 'myEmail',
    async reach(tools) {
      const { page } = tools;
      await openAccount(tools, ...EMAIL);
      await page.getByLabel('New email address').fill('ruth');
      await page.getByRole('button', { name: 'Send a code there' }).click();
      await expect(page.getByText('Please enter a valid email address').first()).toBeVisible();
    },
  },
  {
    name: 'my email, the code',
    screen: 'myEmail',
    reach: async (tools) => void (await askForEmail(tools)),
  },
  {
    name: 'my email, changed',
    screen: 'myEmail',
    reach: async (tools) => void (await changeEmail(tools)),
  },
  {
    name: 'my phone',
    screen: 'myPhone',
    reach: async (tools) =>
      void (await openAccount(tools, '/account/me/phone', 'Your phone number')),
  },
  {
    name: 'the undo of a change',
    screen: 'undoChange',
    async reach(tools) {
      await openUndo(tools);
      await expect(heading(tools.page, 'Undo the change?')).toBeVisible();
    },
  },
  {
    name: 'an undo link that is over',
    screen: 'undoChange',
    async reach({ page }) {
      await page.goto('/account/undo?key=unknown');
      await expect(heading(page, 'This link no longer works')).toBeVisible();
    },
  },
  {
    name: 'an invitation',
    screen: 'invitation',
    async reach(tools) {
      await openInvitation(tools);
      await expect(tools.page.getByLabel('New password', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'an invitation that is opened by a signed-in person',
    screen: 'invitation',
    async reach(tools) {
      const { page, account, code } = tools;
      await signInByApi(page, await account(), code);
      await expect(page).toHaveURL(/\/demo\//);
      await openInvitation(tools);
      await expect(page.getByText('You are signed in as')).toBeVisible();
    },
  },
  {
    name: 'an invitation that is over',
    screen: 'invitation',
    async reach({ page }) {
      await page.goto('/account/invitation?key=unknown');
      await expect(heading(page, 'This invitation is over')).toBeVisible();
    },
  },
  {
    name: 'an invitation that was declined',
    screen: 'invitation',
    async reach(tools) {
      const { page } = tools;
      await openInvitation(tools);
      await page.getByRole('button', { name: 'I do not know them' }).click();
      await expect(heading(page, 'Thank you. The invitation is over')).toBeVisible();
    },
  },
  {
    name: 'a change that the help desk asks about',
    screen: 'staffChange',
    async reach({ page, account, code, inbox }) {
      const { email } = await account();
      const wanted = `right-${email}`;
      await page.goto('/account/signin');
      await askForAddress({ url: new URL(page.url()).origin, code }, 'admin', { email, wanted });
      const mails = await inbox(wanted);
      await page.goto(mails.find(({ link }) => link?.includes('/account/change'))?.link ?? '');
      await expect(heading(page, 'Is this change right?')).toBeVisible();
    },
  },
  {
    name: 'a change by the help desk whose link is over',
    screen: 'staffChange',
    async reach({ page }) {
      await page.goto('/account/change?key=unknown');
      await expect(heading(page, 'This link no longer works')).toBeVisible();
    },
  },
  {
    name: 'after an undo',
    screen: 'recovery',
    async reach(tools) {
      await openUndo(tools);
      await tools.page.getByRole('button', { name: 'Undo the change' }).click();
      await expect(heading(tools.page, 'Your old address is back')).toBeVisible();
    },
  },
  {
    name: 'my helpers, none',
    screen: 'myHelpers',
    reach: async (tools) => void (await openAccount(tools, ...HELPERS)),
  },
  {
    name: 'my helpers, wrong',
    screen: 'myHelpers',
    async reach(tools) {
      await openAccount(tools, ...HELPERS);
      await tools.page.getByRole('button', { name: 'Ask them to help' }).click();
      await expect(tools.page.getByText('Please say what they are to you').first()).toBeVisible();
    },
  },
  {
    name: 'my helpers, helping',
    screen: 'myHelpers',
    async reach(tools) {
      const { page, context, code } = tools;
      const member = await helping(tools);
      await context.clearCookies();
      await signInByApi(page, member, code);
      await expect(page).toHaveURL(/\/demo\//);
      await opened(page, ...HELPERS);
      await expect(page.getByText('They help you.')).toBeVisible();
    },
  },
  {
    name: 'my people, asked',
    screen: 'myPeople',
    reach: async (tools) => void (await askedToHelp(tools)),
  },
  {
    name: 'my people, helping',
    screen: 'myPeople',
    reach: async (tools) => void (await helping(tools)),
  },
  ...PAGES.map(([name, screen, path, title]): State => ({
    name,
    screen,
    reach: async (tools) => void (await openAccount(tools, path, title)),
  })),
  {
    name: 'my password, wrong',
    screen: 'myPassword',
    async reach(tools) {
      const { page } = tools;
      await openAccount(tools, '/account/me/password', 'Your password');
      await page.getByRole('button', { name: 'Set password' }).click();
      await expect(page.getByText('Please enter password').first()).toBeVisible();
    },
  },
  {
    name: 'my closing, an undo first',
    screen: 'myClosing',
    async reach(tools) {
      await changeEmail(tools);
      await opened(tools.page, '/account/me/close', 'Close your account?');
      await expect(tools.page.getByText('when the 3 days are over')).toBeVisible();
    },
  },
  {
    name: 'the account will be closed',
    screen: 'accountCloses',
    reach: async (tools) => void (await closeAccount(tools)),
  },
  {
    name: 'my closing, to keep',
    screen: 'myClosing',
    async reach(tools) {
      const { page, code } = tools;
      const member = await closeAccount(tools);
      await signInByApi(page, member, code);
      await expect(heading(page, 'Keep your account?')).toBeVisible();
      await awake(page);
    },
  },
];
