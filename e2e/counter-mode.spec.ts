import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from '@playwright/test';
import { shareByApi } from './support/counter.ts';
import { expectAccessible } from './support/axe.ts';
import { enterCode as enterNatively, signIn as signInNatively } from './support/native.ts';
import { test as ownServer } from './support/own-server.ts';
import { DEMO_PASSWORD, demoEmail } from './support/people.ts';
import { enterCode, heading, signIn } from './support/screens.ts';
import { signInWithCode } from './support/session.ts';
import { awake, expect, test } from './support/test.ts';

// A browser that many people use, one after another (docs/operations/help-desk.md, decision 210).

// One worker: the servers' clocks and one staff account are shared.
test.describe.configure({ mode: 'default' });

const MINUTE = 60;
const bar = (page: Page) => page.getByRole('region', { name: 'Shared device' });
const finished = (page: Page) => page.getByRole('button', { name: 'Finished' });
const clean = (page: Page) => heading(page, 'Ready for the next person');

const cookiesOf = async (context: BrowserContext) =>
  (await context.cookies()).map(({ name }) => name);
const storageOf = (page: Page) =>
  page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);

type Person = { readonly email: string; readonly password: string };

/** Signs the next person of a shared device in, as far as the switcher. */
async function comeIn(page: Page, person: Person, code: (to: string) => Promise<string>) {
  await signInWithCode(page, person, code);
  await expect(heading(page, 'Accounts switcher')).toBeVisible();
  return person;
}

test('[CTR-01] under the bar, sign-in has its footer in the window of a tablet', async ({
  page,
  code,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await shareByApi(page, code);
  await page.goto('/account/signin');
  await expect(bar(page)).toBeVisible();
  for (const text of ['Need help?', 'Powered By']) {
    const box = await page.getByRole('contentinfo').getByText(text).boundingBox();
    expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual(900);
  }
});

test('[CTR-01] staff switch it on, and off again, by the keyboard alone', async ({
  page,
  context,
  code,
}) => {
  const staff = { email: demoEmail('multi'), password: DEMO_PASSWORD };
  await signInWithCode(page, staff, code);
  await expect(heading(page, 'Accounts switcher')).toBeVisible();
  await page.getByRole('link', { name: 'Make this a shared device' }).press('Enter');
  await page.getByLabel('Name of this device').press('Enter');
  await expect(page.getByText('Please type a name with at most 60 letters')).toBeVisible();
  await page.getByLabel('Name of this device').fill('Front desk');
  await page.getByRole('button', { name: 'Make it a shared device' }).press('Enter');
  await expect(clean(page)).toBeVisible();
  expect(await cookiesOf(context)).toEqual(['shared']);
  await page.getByRole('link', { name: 'Start' }).press('Enter');
  await signIn(page, staff);
  await enterCode(page, await code(staff.email));
  await page.getByRole('link', { name: 'Stop sharing this device' }).press('Enter');
  await page.getByRole('button', { name: 'Stop sharing this device' }).press('Enter');
  await expect(heading(page, 'Login')).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  expect(await cookiesOf(context)).not.toContain('shared');
});

test('[CTR-02] [CTR-04] a person signs in and presses Finished: nothing is left, and Back shows nothing @core', async ({
  page,
  context,
  account,
  code,
}) => {
  await shareByApi(page, code);
  await page.goto('/account/Next');
  await page.getByRole('link', { name: 'Start' }).click();
  await expect(page.getByLabel('Remember me')).toHaveCount(0);
  const person = await comeIn(page, await account('member and academy'), code);
  expect(await cookiesOf(context)).not.toContain('device');
  await page.goto('/account/me');
  await expect(page.getByText(person.email)).toBeVisible();
  await page.locator('main a[href="/account/me/email"]').click();
  await expect(heading(page, 'Not on a shared device')).toBeVisible();
  await page.goto('/account/me');
  await finished(page).click();
  await expect(clean(page)).toBeVisible();
  expect(await cookiesOf(context)).toEqual(['shared']);
  expect(await storageOf(page)).toEqual([]);
  await page.goBack();
  await expect(heading(page, 'Login')).toBeVisible();
  await expect(page.getByText(person.email)).toHaveCount(0);
});

test('[CTR-02] Finished goes through when the press itself hears that nothing is left', async ({
  page,
  context,
  account,
  code,
}) => {
  await shareByApi(page, code);
  await comeIn(page, await account('member and academy'), code);
  await page.goto('/account/me/email');
  await page.goto('/account/me');
  // The server has cleared the device before it answers the press, and that answer comes before the next page.
  const left = page.waitForRequest('**/counter/finished');
  const heard = page.waitForResponse('**/counter/active');
  await page.route('**/counter/active', async (route) => {
    await left;
    await route.fulfill({ json: { remainingMs: 0, asksMs: 60_000, canExtend: false } });
  });
  await page.route('**/counter/finished', async (route) => {
    await heard;
    // Time for the page to act on it: while a form is on its way nothing in the page can be asked.
    await sleep(300);
    await route.continue();
  });
  await finished(page).click();
  await expect(clean(page)).toBeVisible();
  expect(await cookiesOf(context)).toEqual(['shared']);
  await page.goBack();
  await expect(heading(page, 'Login')).toBeVisible();
});

test('[CTR-04] the bar is accessible, at 320 pixels too, and clear in the dark', async ({
  page,
  code,
}) => {
  await shareByApi(page, code);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.goto('/account/signin');
  await awake(page);
  await expectAccessible(page, 'the bar');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const size = await finished(page).boundingBox();
  expect(size?.height).toBeGreaterThanOrEqual(48);
  expect(size?.width).toBeGreaterThanOrEqual(48);
});

/** The page tells of a press within five seconds of its own clock. */
async function pressIsTold(page: Page): Promise<void> {
  // Of this press: the answer to an earlier one may still be on its way.
  const told = page.waitForRequest('**/counter/active');
  await page.keyboard.press('Shift');
  await page.clock.runFor(5000);
  await (await told).response();
}

ownServer('[CTR-03] the time runs over', async ({ page, context, account, code, passTime }) => {
  await shareByApi(page, code);
  await comeIn(page, await account('member and academy'), code);
  await pressIsTold(page);
  await passTime(4 * MINUTE + 15);
  const alert = bar(page).getByRole('alert');
  await expect(alert).toHaveText('Are you still there? This page is about to clear itself.');
  await page.getByRole('button', { name: 'I need more time' }).click();
  await expect(alert).toHaveText('');
  await pressIsTold(page);
  await passTime(4 * MINUTE + 15);
  await expect(alert).not.toHaveText('');
  await passTime(MINUTE);
  await expect(clean(page)).toBeVisible();
  expect(await cookiesOf(context)).toEqual(['shared']);
  expect(await storageOf(page)).toEqual([]);
});

ownServer(
  '[CTR-03] Finished without an answer: the page stays, and clears when its time is over',
  async ({ page, account, code, passTime }) => {
    await shareByApi(page, code);
    await comeIn(page, await account('member and academy'), code);
    await page.route('**/counter/finished', (route) => route.abort('aborted'));
    await finished(page).click();
    await expect(heading(page, 'Accounts switcher')).toBeVisible();
    await passTime(6 * MINUTE);
    await expect(clean(page)).toBeVisible();
  },
);

ownServer.describe('[CTR-04] without script', () => {
  ownServer.use({ javaScriptEnabled: false });

  ownServer('Finished is a form', async ({ page, context, account, code }) => {
    const person = await account('member and academy');
    await shareByApi(page, code);
    await signInNatively(page, person.email, person.password);
    await enterNatively(page, await code(person.email));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Accounts switcher');
    const refresh = page.locator('meta[http-equiv=refresh]').first();
    await expect(refresh).toHaveAttribute('content', /^30[01];url=\/account\/Next$/);
    await finished(page).click();
    await expect(clean(page)).toBeVisible();
    expect(await cookiesOf(context)).toEqual(['shared']);
  });

  ownServer(
    'a page whose time is over leads to the clean one',
    async ({ page, account, code, request }) => {
      const person = await account('member and academy');
      await shareByApi(page, code);
      await signInNatively(page, person.email, person.password);
      await enterNatively(page, await code(person.email));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Accounts switcher');
      await request.post('/dev/clock', { data: { advanceSeconds: 5 * MINUTE } });
      await page.reload();
      await expect(clean(page)).toBeVisible();
      await page.goto('/account/me');
      await expect(page.getByText(person.email)).toHaveCount(0);
    },
  );
});
