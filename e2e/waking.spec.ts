import type { Page, Route } from '@playwright/test';
import { coreIf, isFullMatrix } from './support/matrix.ts';
import { type Member, newMember, proveByApi } from './support/people.ts';
import { test as withParty } from './support/sample-relying-party.ts';
import {
  boxes,
  boxTexts,
  field,
  fillSignIn,
  fillSignUp,
  heading,
  signUp,
} from './support/screens.ts';
import { signInByApi } from './support/session.ts';
import { awake, expect, test } from './support/test.ts';
import { inItsFont, isAwake, PHONE, settled } from './support/waking.ts';

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
  '/help/guide', '/account/ErrorPage', '/account/organization',
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

/** Expects that no script of ours runs before a touch, and that the page then wakes with what was fetched ahead. */
async function expectSleeps(page: Page, path: string): Promise<void> {
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
  const late: string[] = [];
  page.on('request', (request) => late.push(request.url()));
  await awake(page);
  const ahead = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')].map(
      ({ href }) => href,
    ),
  );
  expect(late.filter((url) => ahead.includes(url))).toEqual([]);
  expect(await page.locator('#root').ariaSnapshot()).toBe(asleep);
}

for (const { name, path } of QUIET) {
  test(
    `[PRF-16] [PRF-18] ${name}: no script of ours runs before somebody touches it, and nothing changes when it does`,
    coreIf(name === 'sign-in'),
    ({ page }) => expectSleeps(page, path),
  );
}

test('[PRF-16] [PRF-18] set password sleeps as well', { tag: '@full' }, async ({ page, code }) => {
  await proveByApi(page.request, newMember(), code);
  await expectSleeps(page, '/account/setPassword');
});

withParty(
  '[PRF-16] [PRF-18] so does sign-in for another application',
  { tag: '@full' },
  ({ page, party }) => expectSleeps(page, party.start()),
);

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

// What is typed and pressed before the scripts have come (decision 260).

/** Opens a page whose scripts have not come yet; without a path again. @returns what lets them come. */
async function openAsleep(page: Page, path: string | null): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<undefined>();
  const hold = async (route: Route) => {
    await held.promise;
    await route.continue();
  };
  await page.route('**/assets/**.js', hold);
  if (path === null) await page.reload({ waitUntil: 'commit' });
  else await page.goto(path, { waitUntil: 'commit' });
  return async () => {
    held.resolve(undefined);
    // The route stays: taken away now, it would leave the requests that are just on their way without an answer.
    await awake(page);
  };
}

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

test(
  '[PRF-17] [SUP-11] an address with a slip that was left while the page slept is asked about',
  { tag: '@full' },
  async ({ page }) => {
    const wake = await openAsleep(page, '/Account/SignUp');
    await field(page, 'email').fill('Ann.Lee@gmial.com');
    await field(page, 'password').focus();
    await wake();
    await expect(page.getByText('Did you mean Ann.Lee@gmail.com?').first()).toBeVisible();
  },
);

test('[PRF-17] what is pressed before the scripts have come is done when they have', async ({
  page,
}) => {
  const wake = await openAsleep(page, '/account/signin');
  await field(page, 'password').fill('a secret');
  await page.getByRole('button', { name: 'Show password' }).click();
  await page.getByRole('button', { name: 'Large text' }).click();
  await expect(field(page, 'password')).toHaveAttribute('type', 'password');
  await page.getByRole('link', { name: 'Skip to main content' }).press('Enter');
  await wake();
  await expect(field(page, 'password')).toHaveAttribute('type', 'text');
  await expect(page.locator('html')).toHaveAttribute('data-text-size', 'large');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).toHaveURL('/account/signin');
});

const texts = (page: Page, names: readonly string[]) =>
  Promise.all(names.map((name) => field(page, name).inputValue()));

/** It once was lost now and then: one run in a row would not show it. */
const TIMES = isFullMatrix ? 20 : 2;

test(`[F7] sign-in: what is typed and sent before the page wakes up is sent once, ${TIMES} times of ${TIMES} @core`, async ({
  page,
  context,
  account,
  api,
}) => {
  test.slow();
  const { email, password } = await account();
  for (let run = 1; run <= TIMES; run += 1) {
    await context.clearCookies();
    const before = api.all().length;
    const wake = await openAsleep(page, '/account/signin');
    await fillSignIn(page, { email, password });
    await field(page, 'password').press('Enter');
    expect(api.all()).toHaveLength(before);
    await wake();
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    const calls = api.all().slice(before);
    const asked = calls.filter((call) =>
      call.path.startsWith('/api/user/GetUserStatusByUserName/'),
    );
    expect(asked.map((call) => decodeURIComponent(call.path.split('/').at(-1) ?? ''))).toEqual([
      email,
    ]);
    expect(calls.filter((call) => call.path === '/api/OTP/Send-OTP-To-User')).toHaveLength(1);
  }
});

test(`[F7] sign-up: nothing typed is lost, and it is sent once, ${TIMES} times of ${TIMES}`, async ({
  page,
  context,
  api,
}) => {
  test.slow();
  for (let run = 1; run <= TIMES; run += 1) {
    await context.clearCookies();
    const member = newMember();
    const before = api.to('/api/User/CreateUser').length;
    const wake = await openAsleep(page, '/Account/SignUp');
    await fillSignUp(page, member);
    await field(page, 'confirmPassword').press('Enter');
    await wake();
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    const sent = api.to('/api/User/CreateUser').slice(before);
    expect(sent.map((call) => call.body)).toMatchObject([
      {
        user: {
          firstName: member.firstName,
          lastName: member.lastName,
          mobileNumber: member.phone,
          emailAddress: member.email,
          password: member.password,
        },
      },
    ]);
  }
});

test(
  `[F7] code entry: a code typed and sent before the page wakes up is checked once, ${TIMES} times of ${TIMES}`,
  { tag: '@full' },
  async ({ page, context, code, api }) => {
    test.slow();
    for (let run = 1; run <= TIMES; run += 1) {
      await context.clearCookies();
      const member = newMember();
      await signUp(page, member);
      const before = api.to('/api/OTP/Validate-OTP-For-NewUser').length;
      const wake = await openAsleep(page, '/account/verifyOtp');
      await boxes(page)
        .first()
        .pressSequentially(await code(member.email));
      await boxes(page).first().press('Enter');
      await wake();
      await expect(heading(page, 'Email verified')).toBeVisible();
      expect(api.to('/api/OTP/Validate-OTP-For-NewUser').slice(before)).toHaveLength(1);
    }
  },
);

test('[F7] code entry: who types on while the page wakes up loses no digit', async ({
  page,
  context,
  code,
}) => {
  // All in the first box, or box by box.
  for (const isByBox of [false, true]) {
    await context.clearCookies();
    const member = newMember();
    await signUp(page, member);
    const digits = await code(member.email);
    const wake = await openAsleep(page, '/account/verifyOtp');
    await boxes(page).first().pressSequentially(digits.slice(0, 1));
    if (isByBox) await boxes(page).nth(1).focus();
    else await page.keyboard.type(digits.slice(1, 3));
    await wake();
    await page.keyboard.type(digits.slice(isByBox ? 1 : 3));
    expect(await boxTexts(page)).toEqual([...digits]);
  }
});

test(
  '[F7] [PRF-17] the switcher: a choice made and sent before the page wakes up counts once',
  { tag: '@full' },
  async ({ page, account, code, api }) => {
    await signInByApi(page, await account('member and academy'), code);
    await expect(heading(page, 'Accounts switcher')).toBeVisible();
    const wake = await openAsleep(page, '/account/SelectRoles');
    const before = api.all().length;
    await page.getByRole('radio').first().check();
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(api.all()).toHaveLength(before);
    await wake().catch(() => undefined);
    await expect(page.getByRole('heading', { level: 1, name: 'Member Intake' })).toBeVisible();
  },
);

test(
  `[F7] [PRF-17] sent in the moment in which the page wakes up, a form is sent once, ${TIMES} times of ${TIMES}`,
  { tag: '@full' },
  async ({ page, context, account, api }) => {
    test.slow();
    const { email, password } = await account();
    for (let run = 1; run <= TIMES; run += 1) {
      await context.clearCookies();
      const before = api.to('/api/OTP/Send-OTP-To-User').length;
      // Nothing is held: the first focus wakes it, and Enter comes at once.
      await page.goto('/account/signin', { waitUntil: 'commit' });
      await fillSignIn(page, { email, password });
      await field(page, 'password').press('Enter');
      await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
      expect(api.to('/api/OTP/Send-OTP-To-User').slice(before)).toHaveLength(1);
    }
  },
);

test('[F7] [PRF-17] what a browser fills in by itself counts as typed', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('userName', 'remembered@example.org'));
  const wake = await openAsleep(page, '/account/signin');
  for (const name of ['email', 'password']) {
    await field(page, name).evaluate((element) => {
      (element as HTMLInputElement).value = 'filled-in@example.org';
      for (const kind of ['input', 'change']) {
        element.dispatchEvent(new Event(kind, { bubbles: true }));
      }
    });
  }
  await wake();
  expect(await texts(page, ['email', 'password'])).toEqual([
    'filled-in@example.org',
    'filled-in@example.org',
  ]);
});

test('[F7] [V42] no address comes by itself to a field that has the focus, was left empty, or is being filled', async ({
  page,
}) => {
  test.slow();
  await page.addInitScript(() => {
    localStorage.setItem('userName', 'remembered@example.org');
    sessionStorage.setItem('typedEmail', 'earlier@example.org');
  });
  for (const path of ['/account/signin', '/account/ForgetPassword', '/Account/SignUp']) {
    let wake = await openAsleep(page, path);
    await field(page, 'email').focus();
    await wake();
    await expect(field(page, 'email'), path).toHaveValue('');
    await page.keyboard.type('ada@example.org');
    await expect(field(page, 'email'), path).toHaveValue('ada@example.org');

    wake = await openAsleep(page, path);
    await field(page, 'email').focus();
    await page.keyboard.press('Tab');
    await wake();
    await expect(field(page, 'email'), path).toHaveValue('');

    // One letter at a time, from the first paint until the page answers.
    wake = await openAsleep(page, path);
    await field(page, 'email').focus();
    await Promise.all([wake(), page.keyboard.type('ada@example.org', { delay: 20 })]);
    await expect(field(page, 'email'), path).toHaveValue('ada@example.org');

    wake = await openAsleep(page, path);
    await wake();
    await expect(field(page, 'email'), path).toHaveValue('earlier@example.org');
  }
});

test('[F7] [V42] of a kept form only the fields come back that nobody touched since', async ({
  page,
}) => {
  test.slow();
  await signUp(page, newMember());
  await page.goBack();
  await expect(heading(page, 'Sign up')).toBeVisible();
  await expect(field(page, 'lastName')).not.toHaveValue('');
  const last = await field(page, 'lastName').inputValue();
  const wake = await openAsleep(page, null);
  await field(page, 'firstName').focus();
  await wake();
  await expect(field(page, 'lastName')).toHaveValue(last);
  await page.keyboard.type('Grace');
  await expect(field(page, 'firstName')).toHaveValue('Grace');
});

test(
  '[F7] what is typed but not sent is still there, word for word, when the page wakes up',
  { tag: '@full' },
  async ({ page }) => {
    const member: Member = newMember();
    let wake = await openAsleep(page, '/account/signin');
    await fillSignIn(page, member);
    await page.getByLabel('Remember me').check();
    await wake();
    expect(await texts(page, ['email', 'password'])).toEqual([member.email, member.password]);
    await expect(page.getByLabel('Remember me')).toBeChecked();

    wake = await openAsleep(page, '/Account/SignUp');
    await fillSignUp(page, member);
    await wake();
    // The checklist knows a password that was there before it.
    await expect(page.getByText('One special character, done')).toBeVisible();
  },
);

test('[F3] with nothing but the page itself the form is painted, enabled, and holds what is sent', async ({
  page,
}) => {
  await page.route('**/*', (route) => {
    if (route.request().isNavigationRequest()) return route.continue();
    // Neither refused nor answered: still on its way.
    return undefined;
  });
  await page.goto('/account/signin', { waitUntil: 'commit' });
  await expect(heading(page, 'Login')).toBeVisible();
  await expect(field(page, 'email')).toBeEnabled();
  const box = await field(page, 'email').boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(48);
  await fillSignIn(page, { email: 'ada@example.org', password: 'x' });
  await field(page, 'password').press('Enter');
  await expect(page.locator('#sign-in')).toHaveAttribute('aria-busy', 'true');
  await expect(page).toHaveURL('/account/signin');
});

withParty(
  '[PRF-17] [PRF-18] the address that an application gives fills an untouched field, over a remembered one',
  { tag: '@full' },
  async ({ page, party }) => {
    await page.setViewportSize(PHONE);
    await page.addInitScript(() => localStorage.setItem('userName', 'ada@example.org'));
    await page.goto(party.start({ login_hint: 'hint@example.org' }));
    await expect.poll(() => isAwake(page)).toBe(true);
    await expect(field(page, 'email')).toHaveValue('hint@example.org');

    const wake = await openAsleep(page, party.start({ login_hint: 'hint@example.org' }));
    // It stands in the page itself, without any script.
    await expect(field(page, 'email')).toHaveValue('hint@example.org');
    await field(page, 'email').fill('typed@example.org');
    await wake();
    await expect(field(page, 'email')).toHaveValue('typed@example.org');
  },
);
