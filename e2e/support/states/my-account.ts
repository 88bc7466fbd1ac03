import { expect, type Page } from '@playwright/test';
import { heading } from '../screens.ts';
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
const DEVICES = ['/account/me/devices', 'Where you are signed in'] as const;

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
];
