import type { Page } from '@playwright/test';
import { BRIEF_VIEWS, expectAccessible } from './support/axe.ts';
import { tabTo } from './support/keyboard.ts';
import { isFullMatrix } from './support/matrix.ts';
import { API, type RelyingParty, test } from './support/sample-relying-party.ts';
import { boxes, enterCode, field, fillSignIn, heading, loginButton } from './support/screens.ts';
import { awake, expect } from './support/test.ts';

// Another application sends people to the portal and gets them back (docs/clients.md).

const consentHeading = (page: Page) => heading(page, 'Share with Garden Club?');
const welcome = (page: Page) => heading(page, 'Garden Club: welcome');
const allow = (page: Page) => page.getByRole('button', { name: 'Allow', exact: true });

type Credentials = { readonly email: string; readonly password: string };
type ReadCode = (to: string) => Promise<string>;

/** From the application's page to the code and, the first time, to the question. */
async function signInFor(
  page: Page,
  party: RelyingParty,
  who: Credentials,
  code: ReadCode,
  extra: Record<string, string> = {},
): Promise<void> {
  await page.goto(party.start(extra));
  await awake(page);
  await fillSignIn(page, who);
  await loginButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await enterCode(page, await code(who.email));
}

test('a third party sends somebody here, asks once, and knows them at the next visit @core', async ({
  page,
  account,
  code,
  party,
}) => {
  const member = await account();
  await page.goto(party.url);
  await page.getByRole('link', { name: 'Sign in with Porchlight' }).click();
  await awake(page);
  await expect(page.getByText('You are signing in to Garden Club.')).toBeVisible();
  await fillSignIn(page, member);
  await loginButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await enterCode(page, await code(member.email));

  await expect(consentHeading(page)).toBeVisible();
  await awake(page);
  await expect(page.getByRole('main')).toContainText(member.email);
  // The logo of the house, as in the header (E48).
  const logo = await page.getByRole('banner').getByRole('img').first().getAttribute('src');
  await expect(page.getByRole('main').locator('img')).toHaveAttribute('src', logo ?? '');
  await allow(page).click();
  await expect(welcome(page)).toBeVisible();
  await expect(page.getByText(`Ada Winslow ${member.email}`)).toBeVisible();

  // With the session: no screen at all.
  await page.goto(party.start());
  await expect(welcome(page)).toBeVisible();
  // Without: the password and the code, and no second question.
  await signInFor(page, party, member, code, { prompt: 'login' });
  await expect(welcome(page)).toBeVisible();
});

test('of two tabs that wait, both come to the application with a code, the one that is finished last, too', async ({
  page,
  account,
  code,
  party,
}) => {
  const member = await account();
  await page.goto(party.start());
  await awake(page);
  const other = await page.context().newPage();
  await signInFor(other, party, member, code);
  await allow(other).click();
  await expect(welcome(other)).toBeVisible();
  // The first tab still asks, and is typed into.
  await page.bringToFront();
  await fillSignIn(page, member);
  await loginButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await enterCode(page, await code(member.email));
  // This application waits for one answer alone: the newest.
  await expect(page).toHaveURL(/\/callback\?code=/);
});

test(
  'what it may do elsewhere is on the screen as well, each thing once',
  { tag: '@full' },
  async ({ page, account, code, party }) => {
    const member = await account();
    await signInFor(page, party, member, code, {
      scope: 'openid email water:plants',
      audience: API.identifier,
    });
    await expect(consentHeading(page)).toBeVisible();
    await awake(page);
    await expect(page.getByRole('main').getByRole('listitem')).toHaveText([
      'A number for your account, so it knows you when you come back',
      'Your email address',
      'And to do this for you: water:plants',
    ]);
    await expect(page.getByText('It never gets your password or your codes.')).toBeVisible();
    await expectAccessible(page, 'consent, with an API', isFullMatrix ? undefined : BRIEF_VIEWS);
    await allow(page).click();
    await expect(welcome(page)).toBeVisible();
  },
);

test(
  'prompt=login takes no session of before: the password and the code anew',
  { tag: '@full' },
  async ({ page, account, code, party }) => {
    const member = await account();
    await signInFor(page, party, member, code);
    await allow(page).click();
    await expect(welcome(page)).toBeVisible();
    await page.goto(party.start({ prompt: 'login' }));
    await expect(page.getByText('You are signing in to Garden Club.')).toBeVisible();
    await expect(page.getByRole('link', { name: /^Continue as/ })).toHaveCount(0);
  },
);

test(
  'prompt=select_account stops at "Continue as", and one press goes on',
  { tag: '@full' },
  async ({ page, account, code, party }) => {
    const member = await account();
    await signInFor(page, party, member, code);
    await allow(page).click();
    await expect(welcome(page)).toBeVisible();
    await page.goto(party.start({ prompt: 'select_account' }));
    await awake(page);
    await page.getByRole('link', { name: /^Continue as/ }).click();
    await expect(welcome(page)).toBeVisible();
  },
);

test('who does not allow it is brought back with access_denied, and is asked again', async ({
  page,
  account,
  code,
  party,
}) => {
  const member = await account();
  await signInFor(page, party, member, code);
  await page.getByRole('button', { name: "Don't allow" }).click();
  await expect(heading(page, 'Garden Club: not signed in')).toBeVisible();
  await expect(page.getByText('access_denied')).toBeVisible();
  await page.goto(party.start());
  await expect(consentHeading(page)).toBeVisible();
});

test('prompt=none never shows a screen: login_required, then consent_required', async ({
  page,
  account,
  code,
  party,
}) => {
  await page.goto(party.start({ prompt: 'none' }));
  await expect(page.getByText('login_required')).toBeVisible();
  await signInFor(page, party, await account(), code);
  await expect(consentHeading(page)).toBeVisible();
  await page.goto(party.start({ prompt: 'none' }));
  await expect(page.getByText('consent_required')).toBeVisible();
});

test('a login hint stands in the field; cancel goes back to the application', async ({
  page,
  party,
}) => {
  await page.goto(party.start({ login_hint: 'mary@example.org' }));
  await awake(page);
  await expect(field(page, 'email')).toHaveValue('mary@example.org');
  await page.getByRole('button', { name: 'Cancel and go back to Garden Club' }).click();
  await expect(page.getByText('access_denied')).toBeVisible();
});

test(
  'a request is nobody else’s and does not last: a kind page, with a way to begin again',
  { tag: '@full' },
  async ({ page, browser, baseURL, party, passTime, quiet }) => {
    quiet.allow(/400 \(Bad Request\)/);
    await page.goto(party.start());
    await awake(page);
    const copied = page.url();

    const context = await browser.newContext({ baseURL: baseURL ?? '' });
    const stranger = await context.newPage();
    await stranger.goto(copied);
    await expect(heading(stranger, 'This sign-in has ended')).toBeVisible();
    await context.close();

    await passTime(2 * 60 * 60);
    await page.goto(copied);
    await awake(page);
    await expect(heading(page, 'This sign-in has ended')).toBeVisible();
    await page.getByRole('link', { name: 'Start again at Garden Club' }).click();
    await expect(page.getByText('You are signing in to Garden Club.')).toBeVisible();
  },
);

const NEW_PASSWORD = 'Lantern-Glow-8';
const goOn = (page: Page) => page.getByRole('link', { name: 'Go on to Garden Club' });

/** From the application to the mailed link of a forgotten password. */
async function forget(page: Page, party: RelyingParty, email: string): Promise<void> {
  await page.goto(party.start());
  await awake(page);
  await page.getByRole('link', { name: 'Forgot Password?' }).click();
  await expect(heading(page, 'Forgot Password?')).toBeVisible();
  await field(page, 'email').fill(email);
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(heading(page, 'Check your email')).toBeVisible();
}

async function setNew(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await awake(page);
  await field(page, 'password').fill(NEW_PASSWORD);
  await field(page, 'confirmPassword').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(heading(page, 'Password reset')).toBeVisible();
}

test(
  '[IDP-23] a forgotten password on the way in: the new one leads back to the application',
  { tag: '@full' },
  async ({ page, account, code, inbox, party }) => {
    const { email } = await account();
    await forget(page, party, email);
    await setNew(page, (await inbox(email))[0]?.link ?? '');
    await expectAccessible(page, 'password reset, from an application', BRIEF_VIEWS);
    await goOn(page).click();
    await expect(page.getByText('You are signing in to Garden Club.')).toBeVisible();
    await awake(page);
    await fillSignIn(page, { email, password: NEW_PASSWORD });
    await loginButton(page).click();
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    await enterCode(page, await code(email));
    await expect(consentHeading(page)).toBeVisible();
    await awake(page);
    await allow(page).click();
    await expect(welcome(page)).toBeVisible();
  },
);

test(
  '[IDP-23] opened in another browser, the mail leads to the application’s own sign-in',
  { tag: '@full' },
  async ({ page, browser, baseURL, account, inbox, party }) => {
    const { email } = await account();
    await forget(page, party, email);
    const context = await browser.newContext({ baseURL: baseURL ?? '' });
    const phone = await context.newPage();
    await setNew(phone, (await inbox(email))[0]?.link ?? '');
    await expect(goOn(phone)).toHaveAttribute('href', /^http:\/\/127\.0\.0\.1:\d+\/start\?iss=/);
    await goOn(phone).click();
    await expect(phone.getByText('You are signing in to Garden Club.')).toBeVisible();
    await context.close();
  },
);

test('an unknown address of return gets nothing: the page is ours', async ({
  page,
  baseURL,
  party,
  quiet,
}) => {
  quiet.allow(/400 \(Bad Request\)/);
  await page.goto(party.start({ redirect_uri: 'http://127.0.0.1:9/stolen' }));
  await expect(heading(page, 'The app made a mistake')).toBeVisible();
  expect(new URL(page.url()).origin).toBe(baseURL);
  await awake(page);
  await page.getByRole('link', { name: 'Go to Sign In' }).click();
  await expect(heading(page, 'Login')).toBeVisible();
});

test(
  'an application that proves the session ends it; without proof the person is asked',
  { tag: '@full' },
  async ({ page, account, code, party }) => {
    const member = await account();
    await signInFor(page, party, member, code);
    await allow(page).click();
    await expect(welcome(page)).toBeVisible();

    await page.goto(party.signOut('without a hint'));
    await awake(page);
    await expect(heading(page, 'Do you want to sign out?')).toBeVisible();
    await page.getByRole('link', { name: 'No, keep me signed in' }).click();
    await expect(page.getByRole('link', { name: /^Continue as/ })).toBeVisible();
    await page.goto(party.start());
    await expect(welcome(page)).toBeVisible();

    await page.goto(party.signOut('without a hint'));
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await expect(heading(page, 'Garden Club: signed out')).toBeVisible();
    await page.goto(party.start({ prompt: 'none' }));
    await expect(page.getByText('login_required')).toBeVisible();

    await signInFor(page, party, member, code);
    await expect(welcome(page)).toBeVisible();
    await page.goto(party.signOut('with a hint'));
    await expect(heading(page, 'Garden Club: signed out')).toBeVisible();
    await page.goto(party.start({ prompt: 'none' }));
    await expect(page.getByText('login_required')).toBeVisible();
  },
);

test(
  'the whole way by keyboard alone',
  { tag: '@full' },
  async ({ page, account, code, party }) => {
    const member = await account();
    await page.goto(party.start());
    await awake(page);
    await tabTo(page, field(page, 'email'));
    await page.keyboard.type(member.email);
    await tabTo(page, field(page, 'password'));
    await page.keyboard.type(member.password);
    await page.keyboard.press('Enter');
    await expect(boxes(page).first()).toBeFocused();
    await page.keyboard.type(await code(member.email));
    await page.keyboard.press('Enter');
    await expect(consentHeading(page)).toBeVisible();
    await tabTo(page, allow(page));
    await page.keyboard.press('Enter');
    await expect(welcome(page)).toBeVisible();
  },
);

test(
  'the demo’s own third party: in, told who it is, and out again',
  { tag: '@full' },
  async ({ page, account, code }) => {
    const member = await account();
    await page.goto('/demo/relying-party');
    await page.getByRole('link', { name: 'Sign in with Porchlight' }).click();
    await awake(page);
    await fillSignIn(page, member);
    await loginButton(page).click();
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    await enterCode(page, await code(member.email));
    await expect(consentHeading(page)).toBeVisible();
    await allow(page).click();
    await expect(page.getByText('Welcome, Ada Winslow')).toBeVisible();
    await expect(page).toHaveURL('/demo/relying-party');
    await expect(page.getByText('pwd and otp')).toBeHidden();
    await page.getByText('For developers').click();
    await expect(page.getByText('pwd and otp')).toBeVisible();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('link', { name: 'Sign in with Porchlight' })).toBeVisible();

    await page.getByRole('link', { name: 'Sign in with Porchlight' }).click();
    await awake(page);
    await page.getByRole('button', { name: 'Cancel and go back to Garden Club' }).click();
    await expect(
      page.getByText('You are not signed in. We learned nothing about you.'),
    ).toBeVisible();
    await page.getByText('For developers').click();
    await expect(page.getByText('access_denied')).toBeVisible();
  },
);

test(
  'the demo’s third party takes no answer that it did not ask for',
  { tag: '@full' },
  async ({ request }) => {
    const home = '/demo/relying-party';
    expect((await request.get(`${home}/callback?code=a&state=b`)).status()).toBe(400);
    expect((await request.get(`${home}/start?iss=https://other.example.org/`)).status()).toBe(400);
  },
);
