import type { Page } from '@playwright/test';
import { startServer } from '../tools/server-process.ts';
import { createVisitor } from '../src/server/testing/visitor.ts';
import { expectAccessible } from './support/axe.ts';
import { act, demo, find, openConsole, unfold, verb, why } from './support/console.ts';
import { demoEmail } from './support/people.ts';
import { enterCode, field, heading } from './support/screens.ts';
import { signInWithCode } from './support/session.ts';
import { expect, test as base } from './support/test.ts';

// The console: a help desk that answers 'why can't she sign in?' (docs/operations/help-desk.md).

/** The second wrong password locks; the usual server has a hundred times the usual numbers. */
const test = base.extend({
  baseURL: async ({ keep }, provide) => {
    const env = { PORCHLIGHT_LIMITS: '{"passwordPerAccountAndIp": {"max": 2}}' };
    await provide((await keep('server of the console', () => startServer({ env }))).url);
  },
});
// Signing in twice at once with one account leaves only the newest code valid.
test.describe.configure({ mode: 'default' });

test('[CON-01] a sign-in returns to the console', async ({ page, code }) => {
  await page.goto('/console');
  await expect(page).toHaveURL('/account/signin?next=console');
  await signInWithCode(page, demo('staff'), code, '/account/signin?next=console');
  await expect(page).toHaveURL('/console');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/account/signin');
});

test.describe('[CON-08] each cause, and the verb that mends it', () => {
  test.use({ javaScriptEnabled: true });

  test('wrong password: a link for a new one is mailed', async ({
    page,
    account,
    code,
    inbox,
    baseURL,
  }) => {
    const member = await account();
    const stranger = createVisitor({ url: baseURL ?? '', codeFor: code });
    await stranger.givePassword(member.email, 'Wrong-Pass-1');
    await openConsole(page, 'staff', code);
    await find(page, member.email, 'Ada Winslow');
    await expect(why(page)).toHaveText(/^Ada typed a wrong password/);
    await page.getByRole('link', { name: 'Mail a link for a new password' }).first().click();
    // The headline once: the subject above it is small (E42).
    const told = page.getByRole('complementary', { name: 'What Ada will be told' });
    await expect(told.locator('b')).toHaveText('Set a new password');
    await act(page, 'Mail a link for a new password');
    const [mail] = await inbox(member.email);
    expect(mail?.link).toContain('resetLinkKey');
    expect(await page.content()).not.toContain('resetLinkKey');
  });

  test('over a limit: the sign-in is opened again', async ({ page, account, code, baseURL }) => {
    const member = await account();
    const stranger = createVisitor({ url: baseURL ?? '', codeFor: code });
    for (const _ of [1, 2]) await stranger.givePassword(member.email, 'Wrong-Pass-1');
    await openConsole(page, 'staff', code);
    await find(page, member.email, 'Ada Winslow');
    await expect(why(page)).toHaveText(/cannot sign in from one place until/);
    await page.getByRole('link', { name: 'Open the sign-in again' }).first().click();
    await act(page, 'Open the sign-in again');
    await expect(why(page)).not.toHaveText(/until/);
    await unfold(page);
    await expect(verb(page, 'Open the sign-in again')).toHaveAttribute('aria-disabled', 'true');
  });

  test('switched off: the account is switched on', async ({ page, code }) => {
    await openConsole(page, 'staff', code);
    await find(page, 'kowalski', 'Edith Kowalski');
    await expect(why(page)).toHaveText('Edith cannot sign in: the account is switched off.');
    await page.getByRole('link', { name: 'Switch the account on' }).first().click();
    await act(page, 'Switch the account on');
    await expect(page.getByRole('heading', { name: 'Edith can sign in.' })).toBeVisible();
    // No trouble: one line, and the words to say (E75).
    await expect(why(page)).toHaveCount(0);
  });

  test('never verified: the link is sent again', async ({ page, code, inbox }) => {
    await openConsole(page, 'staff', code);
    await find(page, 'albert moreau', 'Albert Moreau');
    await expect(why(page)).toHaveText(/the sign-up is not finished/);
    await page.getByRole('link', { name: 'Send the code or link again' }).first().click();
    await act(page, 'Send the code or link again');
    const [mail] = await inbox(demoEmail('inactive'));
    expect(mail?.link).toContain('/account/Activation');
  });

  test('a role that leads nowhere: an operator gives one', async ({ page, code }) => {
    await openConsole(page, 'admin', code);
    await find(page, 'lindqvist', 'Ruth Lindqvist');
    await expect(why(page)).toHaveText(/no role is left that leads to an app/);
    await page.getByRole('link', { name: 'Give a role' }).first().click();
    await page.getByRole('combobox', { name: 'Role' }).selectOption('1');
    await act(page, 'Give a role');
    await expect(page.getByRole('heading', { name: 'Ruth can sign in.' })).toBeVisible();
  });

  test('a code that was never typed: it is sent again to the browser that waits', async ({
    page,
    account,
    code,
    inbox,
    baseURL,
  }) => {
    const member = await account();
    const visitor = createVisitor({ url: baseURL ?? '', codeFor: code });
    await visitor.reachCode(member.email, member.password);
    await openConsole(page, 'staff', code);
    await find(page, member.email, 'Ada Winslow');
    await expect(why(page)).toHaveText(/the code was not typed in yet/);
    await page.request.post('/dev/clock', { data: { advanceSeconds: 121 } });
    const before = (await inbox(member.email)).length;
    await page.getByRole('link', { name: 'Send the code or link again' }).first().click();
    await act(page, 'Send the code or link again');
    expect((await inbox(member.email)).length).toBeGreaterThan(before);
    const [mail] = await inbox(member.email);
    expect(await page.content()).not.toContain(mail?.code ?? 'no code');
  });
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('[CON-06] [CON-07] [CON-38] a form that lacks the reason is told, keeps its place, and then works', async ({
    page,
    browser,
    account,
    code,
  }) => {
    const member = await account();
    const own = await browser.newContext({ javaScriptEnabled: true });
    const signingIn = await own.newPage();
    await openConsole(signingIn, 'staff', code);
    await page.context().addCookies(await own.cookies());
    await own.close();
    await page.goto('/console');
    await find(page, member.email, 'Ada Winslow');
    await verb(page, 'Switch the account off').click();
    await page.getByRole('button', { name: 'Switch the account off' }).click();
    const problem = page.getByRole('alert').getByRole('link', { name: 'Say how you know.' });
    await expect(problem).toHaveAttribute('href', '#how');
    await expect(page.locator('#how-err svg')).toBeVisible();
    await page.getByLabel('In another way: I write it down').check();
    await page.getByLabel('In which way?').fill('Knows the name of the cat');
    await page.getByRole('button', { name: 'Switch the account off' }).click();
    await expect(why(page)).toHaveText('Ada cannot sign in: the account is switched off.');
  });
});

test('[CON-06] by keyboard alone: search, open, and a verb that would do nothing says why', async ({
  page,
  account,
  code,
}) => {
  const member = await account();
  await openConsole(page, 'staff', code);
  await page.getByRole('searchbox').focus();
  await page.keyboard.type(member.email);
  await page.keyboard.press('Enter');
  // The first page lists the people of the last looks, who have the same name here.
  await expect(page).toHaveURL(/\/console\?/);
  const person = page.getByRole('link', { name: 'Ada Winslow' });
  await expect(person).toBeVisible();
  for (let presses = 0; presses < 25; presses += 1) {
    await page.keyboard.press('Tab');
    if (await person.evaluate((each) => each === document.activeElement)) break;
  }
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Ada Winslow')).toBeVisible();
  const folded = page.getByText(/^Not needed now \(\d+\)$/);
  await folded.focus();
  await page.keyboard.press('Enter');
  const resting = verb(page, 'Switch the account on');
  await resting.focus();
  await expect(resting).toBeFocused();
  await expect(resting).toContainText('Not needed: the account is on.');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Ada Winslow')).toBeVisible();
});

test('[CON-06] axe finds nothing, at each width, in light and dark, and nothing is wider than the page', async ({
  page,
  account,
  code,
  quiet,
}) => {
  // Each page three times in two schemes.
  test.slow();
  quiet.allow(/404/);
  const member = await account();
  await openConsole(page, 'staff', code);
  const look = async (screen: string) => {
    await expectAccessible(page, screen);
    await page.setViewportSize({ width: 320, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), screen).toBe(320);
    await page.setViewportSize({ width: 1280, height: 900 });
  };
  await look('Find a person');
  await page.goto('/console?q=ada');
  await look('Found');
  await find(page, member.email, 'Ada Winslow');
  await unfold(page);
  await look('Person');
  const path = new URL(page.url()).pathname;
  await page.goto(`${path}/takeRole`);
  await look('Take a role away');
  await page.getByRole('button', { name: 'Take a role away' }).click();
  await look('Take a role away, with problems');
  await page.goto('/console/invite');
  await look('Invite somebody');
  await page.goto('/console/people/1');
  await look('Nobody to show');
  await page.request.post('/dev/clock', { data: { advanceSeconds: 301 } });
  await page.goto(`${path}/suspend`);
  await look('First, show that it is you');
});

test('[CON-10] [CON-11] six letters show the help desk the caller’s page, and it follows along', async ({
  page,
  code,
  account,
  browser,
  baseURL,
}) => {
  const caller = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  const member = await account();
  await caller.goto('/account/signin');
  await field(caller, 'email').fill(member.email);
  await field(caller, 'password').fill(member.password);
  await caller.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(heading(caller, 'Enter your 6-digit code')).toBeVisible();
  await caller.getByRole('banner').getByRole('button', { name: 'Help' }).click();
  const letters = caller.locator('[data-page-code]');
  await expect(letters).toHaveText(/\u2003/);
  await openConsole(page, 'staff', code);
  await page.getByRole('searchbox').fill((await letters.textContent()) ?? '');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.locator('#stage')).toHaveText(
    'The password was right. The code is waited for.',
  );
  await expect(page.getByText(/^Typed this address, not proven: /)).toBeVisible();
  await expect(page.getByText('Typed wrong: 0.')).toBeVisible();
  await expectAccessible(page, 'the page of a visit');
  await caller.getByRole('button', { name: 'Close' }).click();
  await enterCode(caller, '000000');
  await expect(page.getByText('Typed wrong: 1.')).toBeVisible();
});

test('[CON-11] the page of a person moves while the person is on the phone', async ({
  page,
  code,
  account,
  baseURL,
  quiet,
}) => {
  const member = await account();
  await openConsole(page, 'staff', code);
  await find(page, member.email, 'Ada Winslow');
  await expect(page.locator('[data-live=time]')).not.toContainText('Password wrong');
  // The server is away for one round.
  quiet.allow(/503/);
  const away = page.waitForResponse((response) => response.status() === 503);
  await page.route('**/console/people/*', (route) => route.fulfill({ status: 503 }), { times: 1 });
  await away;
  await createVisitor({ url: baseURL ?? '', codeFor: code }).givePassword(
    member.email,
    'Wrong-Pass-1',
  );
  await expect(page.locator('[data-live=time]')).toContainText('Password wrong');
  await expect(why(page)).toHaveText(/^Ada typed a wrong password/);
  await expect(page.locator('[data-live=news]')).toContainText('Password wrong');
});

test.describe('[CON-12] a corrected address', () => {
  const correct = async (page: Page, wanted: string) => {
    await verb(page, 'Correct the email address').click();
    await page.getByLabel('Email', { exact: true }).fill(wanted);
    await act(page, 'Correct the email address');
    await expect(page.getByText('It waits for the new mailbox')).toBeVisible();
  };
  const linkTo = (mails: readonly { readonly link: string | null }[]) =>
    mails.find(({ link }) => link?.includes('/account/change'))?.link ?? '';

  test('begins when the person types the password at the link', async ({
    page,
    code,
    account,
    inbox,
    browser,
    baseURL,
  }) => {
    const member = await account();
    const wanted = `right-${member.email}`;
    await openConsole(page, 'staff', code);
    await find(page, member.email, 'Ada Winslow');
    await correct(page, wanted);
    await expectAccessible(page, 'a person with a change that waits');
    const person = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
    await person.goto(linkTo(await inbox(wanted)));
    await expect(heading(person, 'Is this change right?')).toBeVisible();
    await person.getByLabel('Password', { exact: true }).fill('Wrong-Pass-1');
    await person.getByRole('button', { name: 'Change it in three days' }).click();
    await expect(person.getByText('This is not your password')).toBeVisible();
    await person.getByLabel('Password', { exact: true }).fill(member.password);
    await person.getByRole('button', { name: 'Change it in three days' }).click();
    await expect(heading(person, 'The change takes effect in three days')).toBeVisible();
    await page.reload();
    await expect(page.getByText(member.email, { exact: true })).toBeVisible();
  });

  test('waits for a second person and 72 hours, and the old mailbox stops it', async ({
    page,
    code,
    account,
    inbox,
    browser,
    baseURL,
  }) => {
    const member = await account();
    const wanted = `right-${member.email}`;
    await openConsole(page, 'staff', code);
    await find(page, member.email, 'Ada Winslow');
    await correct(page, wanted);
    await unfold(page);
    await expect(verb(page, 'Agree to the change')).toHaveAttribute('aria-disabled', 'true');
    const person = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
    await person.goto(linkTo(await inbox(wanted)));
    await person.getByRole('button', { name: 'This mailbox is mine' }).click();
    await expect(person.getByText('A second colleague checks it now')).toBeVisible();
    const second = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
    await openConsole(second, 'admin', code);
    await find(second, member.email, 'Ada Winslow');
    await verb(second, 'Agree to the change').click();
    await expect(second.getByRole('heading', { name: 'What Ada will be told' })).toBeVisible();
    await act(second, 'Agree to the change');
    await expect(second.getByText('Until then Ada can stop it.')).toBeVisible();
    await person.goto(linkTo(await inbox(member.email)));
    await person.getByRole('button', { name: 'Stop the change' }).click();
    await expect(heading(person, 'Nothing was changed')).toBeVisible();
    await second.reload();
    await expect(second.getByText('A change waits')).toBeHidden();
  });
});
