import { expect, type Page } from '@playwright/test';
import { answer, change, cut, hold } from '../faults.ts';
import { fillSignIn, heading, loginButton, open } from '../screens.ts';
import { signInByApi, signInWithCode } from '../session.ts';
import type { State, Tools } from './state.ts';

const RECORD = '/api/User/LogUserLogin';
const ISSUE = '/api/Handoff/Issue';

const box = (page: Page) => page.getByRole('main').getByRole('alert');

async function pass({ page, account, code }: Tools): Promise<void> {
  await signInByApi(page, await account(), code);
}

/** Browsers as they name themselves (GEN-10). */
const BROWSERS = [
  [
    1,
    'Safari on a desk',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
  ],
  [2, 'Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
  [
    3,
    'Safari on a tablet',
    'Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
  ],
  [4, 'unknown', 'Mozilla/5.0 (Haiku) WebPositive/1.3'],
] as const;

/** As in a browser that keeps a frame's cookies from it: the hosted login sees a stranger. */
async function hideSession(page: Page): Promise<void> {
  await page.route('**/idp/authorize**', (route) => {
    const { cookie: _, ...headers } = route.request().headers();
    return route
      .fetch({ headers: { ...headers, cookie: '' } })
      .then((response) => route.fulfill({ response }));
  });
}

async function blocked({ page, account, code }: Tools): Promise<void> {
  await hideSession(page);
  await signInByApi(page, await account(), code);
  await expect(
    page.getByRole('region', { name: 'Your browser is blocking sign-in' }),
  ).toBeVisible();
}

export const REDIRECT_STATES: readonly State[] = [
  {
    name: 'redirect, at work',
    screen: 'redirect',
    isPassing: true,
    async reach(tools) {
      await hold(tools.page, RECORD);
      await pass(tools);
      await expect(tools.page.getByText('Checking if any Multi-Role, in progress')).toBeVisible();
    },
  },
  {
    name: 'redirect, sending a code',
    screen: 'redirect',
    isPassing: true,
    async reach({ page, account }) {
      await hold(page, '/api/OTP/Send-OTP-To-User');
      await open(page, '/account/signin');
      await fillSignIn(page, await account());
      await loginButton(page).click();
      await expect(page.getByText('Sending your code, in progress')).toBeVisible();
    },
  },
  {
    name: 'redirect, slow',
    screen: 'redirect',
    isPassing: true,
    async reach(tools) {
      await hold(tools.page, RECORD);
      await pass(tools);
      await expect(tools.page.getByText('Checking if any Multi-Role, in progress')).toBeVisible();
      // The delay of 8 s is the style's own.
      await tools.page.evaluate(() => {
        for (const each of document.getAnimations()) {
          if (each.effect?.getComputedTiming().iterations === 1) each.finish();
        }
      });
      await expect(
        tools.page.getByRole('main').getByText('This takes longer than it should.'),
      ).toBeVisible();
    },
  },
  {
    name: 'redirect, failed',
    screen: 'redirect',
    async reach(tools) {
      await cut(tools.page, RECORD);
      await pass(tools);
      await expect(box(tools.page)).toContainText('Something went wrong. Try again later.');
    },
  },
  {
    name: 'redirect, too many tries',
    screen: 'redirect',
    async reach(tools) {
      await answer(tools.page, RECORD, { status: 429, headers: { 'retry-after': '120' } });
      await pass(tools);
      await expect(box(tools.page)).toContainText('Please wait 2 minutes');
    },
  },
  {
    name: 'redirect, not staff',
    screen: 'redirect',
    async reach({ page, account, code }) {
      await signInWithCode(page, await account(), code, '/legal-staff/signin');
      await expect(box(page)).toContainText('You are not staff; try using the button below.');
    },
  },
  {
    name: 'redirect, sent in circles',
    screen: 'redirect',
    async reach(tools) {
      await answer(tools.page, ISSUE, { errorFlag: 'HANDOFF_LOOP' });
      await pass(tools);
      await expect(box(tools.page)).toContainText('three times in a row');
    },
  },
  {
    name: 'redirect, the app is not set up',
    screen: 'redirect',
    async reach(tools) {
      const said =
        'The app for your role is not set up yet. Please call us, and read out this reference: 5f0d8a0e-5b1c-4f83-9d5e-2f1c7a3b6e90';
      await answer(tools.page, ISSUE, { errorFlag: 'MODULE_MISSING', messages: [said] });
      await pass(tools);
      await expect(box(tools.page)).toContainText('read out this reference: 5f0d8a0e');
    },
  },
  ...BROWSERS.map(([variant, browser, userAgent]): State => ({
    name: `redirect, privacy help ${variant}: ${browser}`,
    screen: 'redirect',
    needs: { userAgent },
    reach: blocked,
  })),
  {
    name: 'redirect, privacy help hidden',
    screen: 'redirect',
    async reach(tools) {
      await blocked(tools);
      await tools.page.getByRole('button', { name: 'Hide' }).click();
      await expect(tools.page.getByRole('region', { name: /blocking/ })).toHaveCount(0);
    },
  },
];

type Login = {
  readonly userName: string;
  readonly memberName: string;
  readonly userRoles: readonly { readonly roleId: number; readonly roleKey: string }[];
};

const EVERYTHING = [
  { roleId: 3, roleKey: 'Staff' },
  { roleId: 4, roleKey: 'Admin' },
  { roleId: 6, roleKey: 'Event Counter' },
  { roleId: 9, roleKey: 'Head of Household' },
  { roleId: 16, roleKey: 'Mobile Event Counter' },
  { roleId: 17, roleKey: 'Partner Admin' },
  { roleId: 20, roleKey: 'Special Programs' },
  { roleId: 21, roleKey: 'Intake Entry' },
];

/** The switcher of somebody with other roles, or another name, than one can sign up with. */
async function switchWith(tools: Tools, login: Partial<Login> = {}): Promise<void> {
  const { page, account, code } = tools;
  await change<Login>(page, RECORD, (data) => ({ ...data, ...login }));
  await signInByApi(page, await account('member and academy'), code);
  await expect(heading(page, 'Accounts switcher')).toBeVisible();
}

const go = (page: Page) => page.getByRole('button', { name: 'Continue' });

export const SWITCHER_STATES: readonly State[] = [
  {
    name: 'switcher, every role',
    screen: 'selectRoles',
    reach: (tools) => switchWith(tools, { userRoles: EVERYTHING }),
  },
  {
    name: 'switcher, one chosen',
    screen: 'selectRoles',
    async reach(tools) {
      await switchWith(tools, { userRoles: EVERYTHING });
      await tools.page.getByRole('radio', { name: /^Admin/ }).check();
    },
  },
  {
    name: 'switcher, nothing chosen',
    screen: 'selectRoles',
    async reach(tools) {
      await switchWith(tools, { userRoles: EVERYTHING });
      await go(tools.page).click();
      await expect(tools.page.locator('#role-err')).toHaveText('Please select a role');
    },
  },
  {
    name: 'switcher, staff',
    screen: 'selectRoles',
    async reach(tools) {
      await switchWith(tools, { userRoles: [{ roleId: 13, roleKey: 'Legal Staff' }] });
      await expect(tools.page.getByText('Sign-In On App', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'switcher, long names',
    screen: 'selectRoles',
    reach: (tools) =>
      switchWith(tools, {
        memberName: 'Wilhelmina Christabel Featherstonehaugh-Cholmondeley',
        userName: 'wilhelmina.featherstonehaugh@retirement-residence.example.org',
        userRoles: [
          { roleId: 4, roleKey: 'Regional Administrator for Assisted Living' },
          { roleId: 6, roleKey: 'Rechtsschutzversicherungsgesellschaften' },
        ],
      }),
  },
  {
    name: 'switcher, opening',
    screen: 'selectRoles',
    isPassing: true,
    async reach(tools) {
      await hold(tools.page, ISSUE);
      await switchWith(tools, { userRoles: EVERYTHING });
      await tools.page.getByRole('radio', { name: /^Admin/ }).check();
      await go(tools.page).click();
      await expect(tools.page.getByRole('button', { name: 'Opening…' })).toBeVisible();
    },
  },
  {
    name: 'switcher, failed',
    screen: 'selectRoles',
    async reach(tools) {
      await cut(tools.page, ISSUE);
      await switchWith(tools, { userRoles: EVERYTHING });
      await tools.page.getByRole('radio', { name: /^Admin/ }).check();
      await go(tools.page).click();
      await expect(box(tools.page)).toContainText('Something went wrong. Try again later.');
    },
  },
  {
    name: 'switcher, no role left',
    screen: 'selectRoles',
    async reach(tools) {
      const { page } = tools;
      await switchWith(tools);
      // An account whose roles were taken away meanwhile: Back and Forward ask the server again.
      await change<{ login: { roles: unknown } }>(page, '/api/Visit/State', (data) => ({
        ...data,
        login: { ...data.login, roles: [{ roleId: 2, roleKey: 'Guest' }] },
      }));
      await page.evaluate(() => {
        history.pushState(null, '', location.href);
        history.back();
      });
      await expect(page.getByText('Your account is not set up yet.')).toBeVisible();
    },
  },
];
