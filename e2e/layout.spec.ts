import type { Page } from '@playwright/test';
import type { Account } from './support/people.ts';
import { newMember } from './support/people.ts';
import { enterCode, heading, open, openCodeEntry, signIn, signUp } from './support/screens.ts';
import { awake, expect, test } from './support/test.ts';
import { inItsFont } from './support/waking.ts';

type Tools = {
  readonly account: (roles?: 'member and academy') => Promise<Account>;
  readonly code: (to: string) => Promise<string>;
};

type Screen = {
  readonly name: string;
  readonly path: string;
  readonly title: string;
  /** What has to happen before the screen can be opened by its address. */
  readonly before?: (page: Page, tools: Tools) => Promise<void>;
};

/** The processing screen stands still while nothing answers it. */
async function holdLogin(page: Page, { account, code }: Tools): Promise<void> {
  const member = await account();
  await signIn(page, member);
  await page.route('**/api/User/LogUserLogin', () => undefined);
  const asked = page.waitForRequest('**/api/User/LogUserLogin');
  await enterCode(page, await code(member.email));
  await asked;
}

async function openSwitcher(page: Page, { account, code }: Tools): Promise<void> {
  const member = await account('member and academy');
  await signIn(page, member);
  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Accounts switcher')).toBeVisible();
}

// prettier-ignore
const SCREENS: readonly Screen[] = [
  { name: 'sign-in', path: '/account/signin', title: 'Login' },
  { name: 'staff sign-in', path: '/legal-staff/signin', title: 'Staff Payment Login' },
  { name: 'sign-up', path: '/Account/SignUp', title: 'Sign up' },
  { name: 'free trial', path: '/account/StartFreeTrial?subtenantId=3', title: 'Sign up' },
  { name: 'code entry', path: '/account/verifyOtp', title: 'Enter your 6-digit code', before: (page) => signUp(page, newMember()) },
  { name: 'redirect', path: '/account/Redirect', title: 'Signing you in', before: holdLogin },
  { name: 'switcher', path: '/account/SelectRoles', title: 'Accounts switcher', before: openSwitcher },
  { name: 'congratulation', path: '/account/congratulation', title: 'Email verified' },
  { name: 'signed out', path: '/account/Signout', title: 'Logged Out Successfully!' },
  { name: 'unauthorized', path: '/account/UnAuthorizedAccess', title: 'Oops... Something went wrong !!!' },
  { name: 'help', path: '/help', title: 'Call or write to us' },
  { name: 'unknown address', path: '/account/ErrorPage', title: 'Page not found' },
];

type Shifts = { shifted: number; movers: string[] };

/** Adds up what moves on the page without anybody touching it. */
async function countShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Entry = PerformanceEntry & {
      readonly value: number;
      readonly hadRecentInput: boolean;
      readonly sources: readonly { readonly node: Node | null }[];
    };
    const seen: Shifts = { shifted: 0, movers: [] };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        if (hadRecentInput) continue;
        seen.shifted += value;
        for (const { node } of sources) {
          const text = node instanceof Element ? node.outerHTML : (node?.textContent ?? '');
          seen.movers.push(`${value.toFixed(4)} ${text.slice(0, 100)}`);
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** What has moved once the font is in its place. */
async function shifts(page: Page): Promise<Shifts> {
  await inItsFont(page);
  return page.evaluate(async () => {
    // Two frames: one to lay the new font out, one to report what moved.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    return (window as unknown as { seen: Shifts }).seen;
  });
}

for (const { name, path, title, before } of SCREENS) {
  test(`[F8] ${name}: still while it loads`, async ({ page, account, code, quiet }) => {
    // The page of an unknown address is one.
    quiet.allow(/404 \(Not Found\).*ErrorPage/);
    await before?.(page, { account, code });

    // The font comes last of all, when everything else has been drawn.
    await countShifts(page);
    let held = Promise.withResolvers<undefined>();
    await page.route('**/*.woff2', async (route) => {
      await held.promise;
      await route.continue();
    });
    for (const width of [390, 1440]) {
      held = Promise.withResolvers<undefined>();
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path, { waitUntil: 'commit' });
      await awake(page);
      await expect(heading(page, title)).toBeVisible();
      held.resolve(undefined);
      const { shifted, movers } = await shifts(page);
      expect(shifted, `at ${width}: ${movers.join('\n')}`).toBeLessThanOrEqual(0.01);
    }
  });
}

for (const width of [375, 390, 1440]) {
  test(`[V40] code entry at ${width} px: still when the news of its messages comes (E3)`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.clock.install();
    await countShifts(page);
    // A number that costs its caller money: the mail arrives, the text does not go.
    for (const member of [newMember(), { ...newMember(), phone: '9005550199' }]) {
      await openCodeEntry(page, member);
      const list = page.getByRole('list', { name: 'Where your code is' });
      await page.clock.runFor(10_000);
      await expect(list).toContainText(/arrived.*(arrived|not sent)/);
      const { shifted, movers } = await shifts(page);
      expect(shifted, movers.join('\n')).toBeLessThanOrEqual(0.01);
    }
  });
}

test('text size and display choices stay on this device, and are there from the first paint', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await open(page, '/account/signin');
  await page.getByRole('button', { name: 'Large text' }).click();
  await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.getByLabel('Take your time').check();
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  // The scripts never come: what shows now is what the first paint showed.
  await page.route('**/assets/**.js', () => undefined);
  await page.goto('/account/signin', { waitUntil: 'commit' });
  await expect(heading(page, 'Login')).toBeVisible();
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await expect(html).toHaveAttribute('data-text-size', 'large');
  await expect(html).toHaveAttribute('data-untimed', 'on');
  await expect(page.locator('body')).toHaveCSS('background-color', ground);
  await expect(html).toHaveCSS('font-size', '21px');

  await page.unrouteAll();
  await open(page, '/Account/SignUp');
  await expect(page.getByRole('button', { name: 'Large text' }).first()).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});
