import type { Page } from '@playwright/test';
import { field, heading } from './support/screens.ts';
import { awake, expect, test } from './support/test.ts';
import { inItsFont, isAwake, PHONE, settled } from './support/waking.ts';
import { coreIf } from './support/matrix.ts';

// The page sleeps until somebody begins to use it (decision 131).

// prettier-ignore
const QUIET = [
  { name: 'sign-in', path: '/account/signin' },
  { name: 'staff sign-in', path: '/legal-staff/signin' },
  { name: 'sign-up', path: '/account/signup' },
  { name: 'forgotten password', path: '/account/ForgetPassword' },
  { name: 'question before signing out', path: '/account/ConfirmSignOut' },
];

// prettier-ignore
const STILL = [
  '/account/congratulation', '/account/SuccessResetPassword', '/account/Invalid', '/account/RequestOver', '/help',
  '/help/guide', '/account/ErrorPage',
];

test('[PRF-26] a page of text and links fetches no script, however it is used, until a button is pressed', async ({
  page,
  quiet,
}) => {
  // Two of these pages have such a status.
  quiet.allow(/40[04] \((?:Not Found|Bad Request)\)/);
  await page.addInitScript(() => localStorage.setItem('userName', 'ada@example.org'));
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script' || request.url().endsWith('.js')) {
      scripts.push(request.url());
    }
  });
  for (const path of STILL) {
    await page.goto(path);
    await inItsFont(page);
    await page.mouse.move(200, 300);
    await page.mouse.move(220, 320);
    await page.keyboard.press('Tab');
    await page.locator('h1').click();
    // As long as an idle browser takes on other pages to fetch ahead.
    await page.evaluate(() => new Promise((then) => requestIdleCallback(then, { timeout: 2000 })));
    expect(scripts, path).toEqual([]);
  }
  await page.goto('/help');
  await page.getByRole('button', { name: 'Large text' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-text-size', 'large');
  expect(scripts).not.toEqual([]);
});

for (const { name, path } of QUIET) {
  test(
    `[PRF-16] [PRF-18] ${name}: no script of ours runs before somebody touches it, and nothing changes when it does`,
    coreIf(name === 'sign-in'),
    async ({ page }) => {
      await page.setViewportSize(PHONE);
      await page.coverage.startJSCoverage({ resetOnNavigation: false });
      await page.goto(path);
      await settled(page);
      const asleep = await page.locator('#root').ariaSnapshot();
      const executed = (await page.coverage.stopJSCoverage()).filter(
        ({ url, functions }) =>
          url.includes('/assets/') &&
          functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
      );
      expect(executed.map(({ url }) => url)).toEqual([]);
      expect(await isAwake(page)).toBe(false);
      await awake(page);
      expect(await page.locator('#root').ariaSnapshot()).toBe(asleep);
    },
  );
}

// prettier-ignore
const INTENTS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'a pointer that moves': (page) => page.mouse.move(200, 300),
  'a touch': (page) => page.locator('h1').dispatchEvent('pointerdown'),
  'a key': (page) => page.keyboard.press('Tab'),
  'the focus of a screen reader': (page) => field(page, 'email').evaluate((input) => input.focus()),
  'a press without pointer': (page) => page.getByLabel('Remember me').evaluate((box) => (box as HTMLElement).click()),
  'a field that was filled in': (page) => field(page, 'email').evaluate((input) => {
    (input as HTMLInputElement).value = 'ada@example.org';
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }),
  'a lost line': (page) => page.evaluate(() => dispatchEvent(new Event('offline'))),
};

test(
  '[PRF-16] every way to begin wakes the page, with what was fetched already',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize(PHONE);
    for (const [name, begin] of Object.entries(INTENTS)) {
      // A browser that keeps something wakes by itself.
      await page.addInitScript(() => sessionStorage.clear());
      await page.goto('/account/signin');
      await settled(page);
      expect(await isAwake(page), name).toBe(false);
      const late: string[] = [];
      page.on('request', (request) => late.push(new URL(request.url()).pathname));
      await begin(page);
      await page.waitForFunction(() => 'porchlightHydrated' in window);
      const scripts = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')].map(
          ({ href }) => new URL(href).pathname,
        ),
      );
      expect(
        late.filter((path) => scripts.includes(path)),
        name,
      ).toEqual([]);
      page.removeAllListeners('request');
    }
  },
);

test(
  '[PRF-17] the focus, the caret and the text stay where they are when the page wakes',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize(PHONE);
    await page.goto('/account/signin');
    await settled(page);
    const password = field(page, 'password');
    await password.evaluate((element) => {
      const input = element as HTMLInputElement;
      input.focus();
      input.value = 'half of it';
      input.setSelectionRange(4, 4);
    });
    await awake(page);
    await page.keyboard.type('!');
    await expect(password).toBeFocused();
    await expect(password).toHaveValue('half! of it');
  },
);

test('[PRF-17] what is pressed before the scripts have come is done when they have', async ({
  page,
}) => {
  const held = Promise.withResolvers<undefined>();
  await page.route('**/assets/**.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/account/signin', { waitUntil: 'commit' });
  await field(page, 'password').fill('a secret');
  await page.getByRole('button', { name: 'Show password' }).click();
  await page.getByRole('button', { name: 'Large text' }).click();
  await expect(field(page, 'password')).toHaveAttribute('type', 'password');
  await page.getByRole('link', { name: 'Skip to main content' }).press('Enter');
  held.resolve(undefined);
  await expect(field(page, 'password')).toHaveAttribute('type', 'text');
  await expect(page.locator('html')).toHaveAttribute('data-text-size', 'large');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).toHaveURL('/account/signin');
});

// prettier-ignore
const ACTING = [
  { name: 'the unauthorized page counts down', path: '/account/UnAuthorizedAccess' },
  { name: 'an activation is looked at', path: '/account/Activation?key=abc' },
  { name: 'a reset link is looked at', path: '/account/resetPassword?resetLinkKey=abc' },
  { name: 'the browser check looks', path: '/account/browser' },
  { name: 'a session that ran out says so', path: '/account/signin?expired=1' },
];

test(
  '[PRF-18] a screen that acts by itself wakes untouched, and so does one whose banner is in view',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize(PHONE);
    for (const { name, path } of ACTING) {
      await page.goto(path);
      await expect.poll(() => isAwake(page), { message: name }).toBe(true);
    }
    await page.addInitScript(() => sessionStorage.clear());
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/account/signin');
    await expect.poll(() => isAwake(page), { message: 'the banner' }).toBe(true);
  },
);

test('[PRF-18] a remembered address is filled in untouched', { tag: '@full' }, async ({ page }) => {
  await page.setViewportSize(PHONE);
  await page.addInitScript(() => localStorage.setItem('userName', 'ada@example.org'));
  await page.goto('/account/signin');
  await expect(field(page, 'email')).toHaveValue('ada@example.org');
});

/** What a visit asks for, and how much of that crossed the line. */
async function countRequests(page: Page, visit: () => Promise<unknown>) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const asked = new Map<string, string>();
  const kept = new Set<string>();
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) =>
    asked.set(requestId, new URL(request.url).pathname),
  );
  devtools.on('Network.requestServedFromCache', ({ requestId }) => kept.add(requestId));
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache) kept.add(requestId);
  });
  await visit();
  await settled(page);
  await inItsFont(page);
  await devtools.detach();
  const crossed = [...asked].filter(([id]) => !kept.has(id)).map(([, path]) => path);
  return { asked: [...asked.values()], crossed };
}

for (const [path, most] of [
  ['/account/signin', 9],
  ['/account/signup', 12],
] as const) {
  test(`[PRF-19] ${path} asks at most ${most} times, and a second visit for nothing but the page`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize(PHONE);
    const first = await countRequests(page, () => page.goto(path));
    expect(first.crossed.length, first.crossed.join('\n')).toBeLessThanOrEqual(most);

    const again = await context.newPage();
    await again.setViewportSize(PHONE);
    const second = await countRequests(again, () => again.goto(path));
    expect(second.crossed).toEqual([path]);
  });
}

test(
  '[PRF-21] a page carries the icons that it draws, the others come when it is idle',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize(PHONE);
    const html = await (await page.request.get('/account/signin')).text();
    const drawn = [...html.matchAll(/(?:href="|url\()#([ip]-[\w-]+)/g)].map(([, id]) => id);
    const carried = [...html.matchAll(/<\w+ id="([ip]-[\w-]+)"/g)].map(([, id]) => id);
    expect(new Set(carried)).toEqual(new Set(drawn));
    expect(carried).not.toContain('i-eye-off');
    expect(carried).not.toContain('p-curled');

    await page.goto('/account/signin');
    await expect(page.locator('#icons #i-eye-off')).toHaveCount(1);
    await expect(page.locator('#icons')).toHaveCount(1);
    await expect(page.locator('#p-curled')).toHaveCount(1);
    expect(await isAwake(page)).toBe(false);
    await page.getByRole('button', { name: 'Show password' }).click();
    const shape = page.locator('use[href="#i-eye-off"]');
    await expect
      .poll(() => shape.evaluate((use) => (use as SVGUseElement).getBBox().width))
      .toBeGreaterThan(0);
  },
);

test(
  '[PRF-22] a page carries the styles of what it draws, and looks the same with all of them',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize(PHONE);
    const html = await (await page.request.get('/account/signin')).text();
    const [, carried = ''] = /<style[^>]*>([^]*?)<\/style>/.exec(html) ?? [];
    const { width, height } = PHONE;
    for (const { path } of QUIET) {
      const held = Promise.withResolvers<undefined>();
      await page.route('**/*.css', async (route) => {
        await held.promise;
        const response = await route.fetch();
        expect(carried.length).toBeLessThan(0.6 * (await response.text()).length);
        await route.fulfill({ response });
      });
      await page.goto(path);
      await inItsFont(page);
      const first = await page.screenshot({
        clip: { x: 0, y: 0, width, height },
        animations: 'disabled',
      });
      const typefaces = await page.evaluate(() => document.fonts.size);
      held.resolve(undefined);
      await expect
        .poll(() =>
          page.evaluate(() => [...document.styleSheets].filter(({ href }) => href).length),
        )
        .toBe(1);
      const then = await page.screenshot({
        clip: { x: 0, y: 0, width, height },
        animations: 'disabled',
      });
      expect(await page.evaluate(() => document.fonts.size)).toBe(typefaces);
      expect(then.equals(first), path).toBe(true);
      await page.unroute('**/*.css');
    }
  },
);

test('[PRF-20] the font weighs at most 20 KiB, comes after the first paint, and only one does', async ({
  page,
}) => {
  const held = Promise.withResolvers<undefined>();
  const asked: string[] = [];
  await page.route('**/*.woff2', async (route) => {
    asked.push(route.request().url());
    await held.promise;
    await route.continue();
  });
  await page.setViewportSize(PHONE);
  const answer = page.waitForResponse('**/*.woff2');
  const html = await page.goto('/account/signin', { waitUntil: 'commit' });
  expect(await html?.text()).not.toContain('as="font"');
  await expect(heading(page, 'Login')).toBeVisible();
  // Painted without it.
  await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint').length > 0,
  );
  held.resolve(undefined);
  const font = await answer;
  expect((await font.body()).length).toBeLessThanOrEqual(20 * 1024);
  expect(new Set(asked).size).toBe(1);
});

test(
  '[PRF-20] the first layout knows of no font that is on its way',
  { tag: '@full' },
  async ({ page }) => {
    await page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => {
        // Before the page's own frame, and so before its first paint.
        requestAnimationFrame(() => {
          document.body.getBoundingClientRect();
          const states = [...document.fonts].map(({ family, status }) => `${family} ${status}`);
          Object.assign(window, { fontsAtFirst: states });
        });
      });
    });
    await page.goto('/account/signin');
    await inItsFont(page);
    const typeface = page.locator('body');
    await expect(typeface).toHaveCSS('font-family', /^"Atkinson Hyperlegible Next"/);
    const atFirst = await page.evaluate(
      () => (window as unknown as { fontsAtFirst: string[] }).fontsAtFirst,
    );
    expect(atFirst.join()).not.toContain('Hyperlegible');
  },
);
