import type { Page } from '@playwright/test';
import type { Data } from '../src/contract/index.ts';
import { notices } from '../src/locales/es/notices.ts';
import { change } from './support/faults.ts';
import type { Account } from './support/people.ts';
import { inviteByApi, newMember } from './support/people.ts';
import { enterCode, heading, open, signIn, signUp } from './support/screens.ts';
import { countShifts, forgetShifts, shifts } from './support/shifts.ts';
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
    for (const [width, text] of [
      [390, 'standard'],
      [390, 'largest'],
      [1440, 'standard'],
    ] as const) {
      held = Promise.withResolvers<undefined>();
      const url = process.env.E2E_URL ?? '';
      await page.context().addCookies([{ name: 'display', value: `device.${text}.off`, url }]);
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path, { waitUntil: 'commit' });
      await awake(page);
      await expect(heading(page, title)).toBeVisible();
      held.resolve(undefined);
      const { shifted, movers } = await shifts(page);
      expect(shifted, `at ${width}, ${text}: ${movers.join('\n')}`).toBeLessThanOrEqual(0.01);
    }
  });
}

/** Where a document may end for the moment, once its first form has begun. */
const PIECES = [/<main[^]*?<form id="[^"]*"[^>]*>/, /<\/main>/, /<\/footer>/, /<\/html>/];

for (const path of ['/account/signin', '/Account/SignUp', '/account/ForgetPassword']) {
  test(
    `[PRF-28] what arrives after the first paint moves nothing: ${path}`,
    { tag: '@full' },
    async ({ page }) => {
      const answer = await page.request.get(path);
      // The page as it stands before any of its scripts.
      const html = (await answer.text()).replace(/<script nonce.*?<\/script>/s, '');
      for (const width of [320, 390, 820, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        let before: string[] = [];
        for (const piece of PIECES) {
          const end = piece.exec(html);
          await page.setContent(html.slice(0, (end?.index ?? 0) + (end?.[0].length ?? 0)));
          const places = await page
            .locator('header, h1, main label, main input, main [type=submit], footer p')
            .evaluateAll((parts) =>
              parts
                .filter((part) => getComputedStyle(part).visibility === 'visible')
                .map((part) => {
                  const { x, y } = part.getBoundingClientRect();
                  return `${part.tagName} ${part.id} ${x} ${y}`;
                }),
            );
          expect(places, `${width}, until ${piece}`).toEqual(expect.arrayContaining(before));
          before = places;
        }
      }
    },
  );
}

for (const [name, width, text, zoom] of [
  ['the narrowest phone', 320, 'standard', 1],
  ['the commonest phone', 360, 'standard', 1],
  ['large letters', 390, 'large', 1],
  ['the largest letters', 320, 'largest', 1],
  ['a text zoom of 200 %', 390, 'standard', 2],
  // Of a window of 1280 px.
  ['a zoom of 200 %', 640, 'largest', 1],
  ['a zoom of 400 %', 320, 'standard', 1],
] as const) {
  test(`[GEN-07] the subtenant's logo stays: ${name}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 640 });
    const url = process.env.E2E_URL ?? '';
    await page.context().addCookies([{ name: 'display', value: `device.${text}.off`, url }]);
    for (const subtenant of [742, 3]) {
      await page.goto(`/account/signin?subtenantId=${subtenant}`);
      await awake(page);
      await page.evaluate((factor) => {
        const { style } = document.documentElement;
        if (factor > 1) style.fontSize = `${18 * factor}px`;
      }, zoom);
      const logo = page.getByRole('banner').getByRole('img').first();
      await expect(logo).toBeInViewport({ ratio: 1 });
      expect(await logo.evaluate((img) => getComputedStyle(img).clipPath)).toBe('none');
      const { width: drawn = 0, height = 0 } = (await logo.boundingBox()) ?? {};
      expect(Math.min(drawn, height)).toBeGreaterThanOrEqual(40);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(width);
    }
  });
}

type Visit = Data<'getVisit'>;
type Message = NonNullable<Visit['delivery']>['messages'][number];

const FAILED = { state: 'failed', reason: 'unavailable', waitsForReceipt: false } as const;
const ARRIVED = { state: 'delivered', waitsForReceipt: false } as const;

const CALL = { agoMs: 1000, againMs: 60_000 } as const;

/** The news of the mail, the text and a call. */
const NEWS: readonly {
  readonly mail: Partial<Message>;
  readonly sms: Partial<Message>;
  readonly call?: 'calling' | 'said' | 'noAnswer' | 'failed';
}[] = [
  { mail: ARRIVED, sms: ARRIVED },
  {
    mail: { state: 'sent', waitsForReceipt: true },
    sms: { state: 'sent', waitsForReceipt: false },
  },
  { mail: { state: 'queued', agoMs: 40_000 }, sms: { state: 'queued', agoMs: 40_000 } },
  { mail: ARRIVED, sms: FAILED },
  { mail: { ...FAILED, reason: 'unreachable' }, sms: ARRIVED },
  { mail: FAILED, sms: FAILED },
  ...(['calling', 'said', 'noAnswer', 'failed'] as const).map((call) => ({
    mail: ARRIVED,
    sms: ARRIVED,
    call,
  })),
];

test(
  '[V41] the way on of the processing screen stands in a phone’s window, before and when it shows',
  { tag: '@full' },
  async ({ page, account, code }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await holdLogin(page, { account, code });
    await inItsFont(page);
    const wayOn = page.getByRole('button', { name: 'Continue', includeHidden: true });
    const { y = 0, height = 0 } = (await wayOn.boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(48);
    expect(y + height).toBeLessThanOrEqual(844);
  },
);

for (const [width, text, language] of [
  [320, 'standard', 'en-US'],
  [375, 'standard', 'en-US'],
  [390, 'standard', 'en-US'],
  [390, 'largest', 'en-US'],
  [820, 'standard', 'en-US'],
  [1440, 'standard', 'en-US'],
  [320, 'standard', 'es-MX'],
  [390, 'standard', 'es-MX'],
  [390, 'largest', 'es-MX'],
  [820, 'standard', 'es-MX'],
  [1440, 'standard', 'es-MX'],
] as const) {
  test.describe(() => {
    test.use({ locale: language });
    test(`[V40] code entry at ${width} px, ${text} text, ${language}: nothing moves, whatever became of its messages (E3, E61)`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      const url = process.env.E2E_URL ?? '';
      await page.context().addCookies([{ name: 'display', value: `device.${text}.off`, url }]);
      // The longest that a time of day can be.
      await page.clock.install({ time: new Date('2026-11-23T22:48:00') });
      await countShifts(page);
      const box = page.locator('input[autocomplete="one-time-code"]');
      const top = async () => Math.round((await box.boundingBox())?.y ?? NaN);
      const tops: number[] = [];
      for (const { mail, sms, call } of NEWS) {
        let hasNews = false;
        await change<Visit>(page, '/api/Visit/State', (data) => ({
          ...data,
          delivery: hasNews
            ? data.delivery && {
                ...data.delivery,
                canAskNow: true,
                call: call ? { ...CALL, state: call } : null,
                messages: data.delivery.messages.map((message) => ({
                  ...message,
                  ...(message.channel === 'email' ? mail : sms),
                })),
              }
            : null,
        }));
        await inviteByApi(page.request, newMember());
        await open(page, '/account/verifyOtp');
        await inItsFont(page);
        const news = page.locator('section[aria-labelledby="sent"]');
        const [first, before] = [await news.innerText(), await top()];
        await forgetShifts(page);
        hasNews = true;
        await page.clock.runFor(10_000);
        await expect(news).not.toHaveText(first, { useInnerText: true });
        tops.push(before, await top());
        const { shifted, movers } = await shifts(page);
        expect
          .soft(shifted, `${mail.state} ${call ?? ''}: ${movers.join('\n')}`)
          .toBeLessThan(0.011);
        const heights = await page
          .locator('section:has(> details) > button, section > details > summary')
          .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().height)));
        // Beside each other they are one frame, whatever their words; a phone has them below each other.
        if (width > 400) expect(heights).toEqual(heights.map(() => heights[0]));
        await page.unrouteAll({ behavior: 'ignoreErrors' });
      }
      await page.clock.runFor(120_000);
      await expect(page.locator('#otp-err')).toBeVisible();
      tops.push(await top());
      expect(tops).toEqual(tops.map(() => tops[0]));
    });
  });
}

for (const width of [390, 1440]) {
  test(`[V40] a whole sign-in with slow answers at ${width} px: no screen moves what another left (E33)`, async ({
    page,
    account,
    code,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const moved: [number, string][] = [];
    await page.exposeFunction('onShift', (value: number, who: string) => moved.push([value, who]));
    await page.addInitScript(() => {
      type Entry = PerformanceEntry & {
        readonly value: number;
        readonly hadRecentInput: boolean;
        readonly sources: readonly { readonly node: Node | null }[];
      };
      const { onShift } = window as unknown as { onShift: (value: number, who: string) => void };
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
          const movers = sources.map(({ node }) =>
            node instanceof Element ? node.outerHTML.slice(0, 80) : node?.textContent,
          );
          if (!hadRecentInput) onShift(value, `${location.pathname}: ${movers.join(' ')}`);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.route('**/*', async (route) => {
      // Longer than the half second in which a shift counts as the answer to a press.
      if (route.request().method() === 'POST') await new Promise((done) => setTimeout(done, 800));
      await route.fallback();
    });
    const member = await account();
    await signIn(page, member);
    await expect(page.getByText('arrived').first()).toBeVisible();
    await enterCode(page, await code(member.email));
    await page.waitForURL((url) => !/^\/account\//i.test(url.pathname), { timeout: 30_000 });
    const sum = moved.reduce((all, [value]) => all + value, 0);
    expect(sum, moved.map(String).join('\n')).toBeLessThan(0.02);
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

for (const width of [390, 1440]) {
  test.describe(() => {
    test.use({ locale: 'es-MX' });
    test(`[V10] at ${width} px a toast covers no title, and the header is reached as it is seen (E69, E73)`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      await open(page, '/account/signup');
      await page.getByRole('main').locator('button[type=submit]').last().click();
      const toast = page.getByRole('region', { name: notices.label });
      await expect(toast).toBeVisible();
      await page.evaluate(() => scrollTo(0, 0));
      const { y = 0, height = 0 } = (await toast.boundingBox()) ?? {};
      const title = await page.getByRole('heading', { level: 1 }).boundingBox();
      expect(y + height).toBeLessThanOrEqual(title?.y ?? 0);
      const starts = await page
        .getByRole('banner')
        .locator('button:visible')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    });
  });
}

test('[OTP-01] on the code page one choice is open at a time, so the help number is there once (E70)', async ({
  page,
  account,
}) => {
  await signIn(page, await account());
  const number = page.getByRole('main').getByRole('link', { name: /^\+1/ });
  const notCome = page.getByText('It has not come');
  await notCome.click();
  await expect(number.filter({ visible: true })).toHaveCount(1);
  await page.getByRole('button', { name: 'Change the address' }).click();
  await expect(number.filter({ visible: true })).toHaveCount(1);
  await notCome.click();
  await expect(number.filter({ visible: true })).toHaveCount(1);
});

test('[OTP-01] "It has not come", opened at once: its new code stays where it is, whatever comes later (E63)', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  let hasNews = false;
  await change<Visit>(page, '/api/Visit/State', (data) => ({
    ...data,
    delivery: hasNews
      ? data.delivery && { ...data.delivery, call: { ...CALL, state: null } }
      : null,
  }));
  await inviteByApi(page.request, newMember());
  await page.clock.install();
  await open(page, '/account/verifyOtp');
  await inItsFont(page);
  await page.getByText('It has not come').click();
  const resend = page.getByRole('button', { name: 'Click to resend' });
  const before = await resend.boundingBox();
  await expect(page.getByRole('button', { name: 'Call me with my code' })).toHaveCount(0);
  hasNews = true;
  await page.clock.runFor(10_000);
  await expect(page.getByRole('button', { name: 'Call me with my code' })).toBeVisible();
  expect(await resend.boundingBox()).toEqual(before);
});
