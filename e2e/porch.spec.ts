import type { Page } from '@playwright/test';
import { newMember } from './support/people.ts';
import {
  boxes,
  enterCode,
  heading,
  open,
  openCodeEntry,
  signIn,
  signUp,
  takeTime,
} from './support/screens.ts';
import { signInByApi } from './support/session.ts';
import { expect, test } from './support/test.ts';
import { giveVoice } from './support/voice.ts';

const verify = (page: Page) => page.getByRole('button', { name: 'Verify OTP' });

/** The porch that is in sight: a page has one for phones and one for its panel. */
const porch = (page: Page) => page.locator('svg[data-door]:not([data-view=mini]):visible');

const top = async (page: Page) =>
  (await boxes(page).first().boundingBox())?.y ?? Number.POSITIVE_INFINITY;

test('[N1] title, boxes and button of the code page are where the eye is, and stay there (E2, A5)', async ({
  page,
}) => {
  await page.clock.install();
  for (const [width, height, highest] of [
    [390, 844, 410],
    [1440, 900, 485],
  ] as const) {
    await page.setViewportSize({ width, height });
    await signUp(page, newMember());
    await expect(boxes(page).first()).toBeFocused();
    for (const ms of [2000, 3000]) {
      await page.clock.runFor(ms);
      await expect(page.getByRole('list', { name: 'Where your code is' })).toContainText(
        /arrived.*arrived/,
      );
      expect(await top(page)).toBeLessThanOrEqual(highest);
      await expect(verify(page)).toBeInViewport({ ratio: 1 });
    }
  }

  await page.setViewportSize({ width: 375, height: 667 });
  await page.reload();
  await expect(boxes(page).first()).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect(heading(page, 'Enter your 6-digit code')).toBeInViewport({ ratio: 1 });
  await expect(boxes(page).first()).toBeInViewport({ ratio: 1 });

  await page.setViewportSize({ width: 1024, height: 768 });
  await page.reload();
  await expect(verify(page)).toBeInViewport({ ratio: 1 });

  // What a window of 1440 by 900 is at 200 % (WCAG 2.4.11).
  await page.setViewportSize({ width: 720, height: 450 });
  await page.reload();
  await expect(boxes(page).first()).toBeFocused();
  await page.clock.runFor(5000);
  await expect(boxes(page).first()).toBeInViewport({ ratio: 1 });
});

test(
  '[N1] a message has one line: where it went, how far it is, and when',
  { tag: '@full' },
  async ({ page }) => {
    const member = newMember();
    await signUp(page, member);
    const card = page.getByRole('region', {
      name: 'OTP has been sent to your email address and phone number.',
    });
    const lines = card.getByRole('listitem');
    await expect(lines).toHaveCount(2);
    await expect(lines.first()).toHaveText(
      /^Email: a•••@example\.org a, dots, at example\.org arrived \d+:\d\d [ap]m$/,
    );
    await expect(lines.last()).toContainText(member.phone.slice(-2));
  },
);

test('[N2] the door answers: shut, ajar, a sixth for each digit, ajar after a wrong code, wide open, lamp', async ({
  page,
  account,
  code,
}) => {
  const member = await account();
  await open(page, '/account/signin');
  await expect(porch(page)).toHaveAttribute('data-door', 'shut');
  await signIn(page, member);
  await expect(porch(page)).toHaveAttribute('data-door', 'ajar');
  const right = await code(member.email);
  for (const [at, digit] of [...right].entries()) {
    await page.keyboard.type(digit);
    await expect(porch(page)).toHaveAttribute('data-door', String(at + 1));
  }
  await page.keyboard.press('Backspace');
  await expect(porch(page)).toHaveAttribute('data-door', '5');
  const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0');
  await enterCode(page, wrong);
  await expect(page.getByText('Invalid Otp.').first()).toBeVisible();
  await expect(porch(page)).toHaveAttribute('data-door', 'ajar');

  await page.route('**/api/User/LogUserLogin', () => undefined);
  await enterCode(page, right);
  await expect(heading(page, 'Signing you in')).toBeVisible();
  await expect(porch(page)).toHaveAttribute('data-door', 'wide');
  await open(page, '/account/Signout');
  await expect(porch(page)).toHaveAttribute('data-door', 'lamp');
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('[N2] the page has its still', { tag: '@full' }, async ({ page }) => {
    for (const [path, door] of [
      ['/account/signin', 'shut'],
      ['/account/congratulation', 'wide'],
      ['/account/Signout', 'lamp'],
    ] as const) {
      await page.goto(path);
      await expect(porch(page)).toHaveAttribute('data-door', door);
    }
  });
});

/** Counts the transitions from page to page. */
async function countTransitions(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const begin = document.startViewTransition.bind(document);
    Object.assign(window, { begun: 0 });
    document.startViewTransition = (update) => {
      (window as unknown as { begun: number }).begun += 1;
      return begin(update);
    };
  });
  return () => page.evaluate(() => (window as unknown as { begun: number }).begun);
}

for (const { name, calm, reducedMotion, wanted } of [
  { name: 'goes over into the next page', calm: false, reducedMotion: 'no-preference', wanted: 1 },
  { name: 'is still under reduced motion', calm: false, reducedMotion: 'reduce', wanted: 0 },
  { name: 'is still with "Take your time"', calm: true, reducedMotion: 'no-preference', wanted: 0 },
] as const) {
  test(`[N2] the porch ${name}`, { tag: '@full' }, async ({ page }) => {
    await page.emulateMedia({ reducedMotion });
    if (calm) await takeTime(page);
    const begun = await countTransitions(page);
    await open(page, '/account/UnAuthorizedAccess');
    await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
    await expect(heading(page, 'Login')).toBeFocused();
    expect(await begun()).toBe(wanted);
    const moving = await porch(page)
      .locator('use[class]')
      .first()
      .evaluate((part) => getComputedStyle(part).transitionDuration);
    expect(moving === '0s').toBe(wanted === 0);
  });
}

test(
  '[N2] while the porch goes over, the new page takes every press',
  { tag: '@full' },
  async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.addInitScript(() => {
      const begin = document.startViewTransition.bind(document);
      document.startViewTransition = (update) => {
        const transition = begin(update);
        const pressed = transition.ready.then(() => {
          const field = document.querySelector('#email')?.getBoundingClientRect();
          return document.elementFromPoint((field?.x ?? 0) + 20, (field?.y ?? 0) + 20)?.id;
        });
        Object.assign(window, { pressed });
        return transition;
      };
    });
    await open(page, '/account/UnAuthorizedAccess');
    await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
    await expect(heading(page, 'Login')).toBeFocused();
    const pressed = await page.evaluate(
      () => (window as unknown as { pressed: Promise<string> }).pressed,
    );
    expect(pressed).toBe('email');
  },
);

test('[N3] a page with one message is a porch of about 40 % of the height, with a large title', async ({
  page,
}) => {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await open(page, '/account/congratulation');
    const box = await porch(page).boundingBox();
    expect(Math.abs((box?.height ?? 0) / height - 0.4)).toBeLessThan(0.05);
    const fontSize = await heading(page, 'Email verified').evaluate((title) =>
      parseFloat(getComputedStyle(title).fontSize),
    );
    expect(fontSize).toBeGreaterThanOrEqual(42);
    await expect(page.getByRole('link', { name: 'back to sign up' })).toBeInViewport({ ratio: 1 });
  }
});

test(
  '[N4] the panel is the subtenant’s, and an error beside its rust is berry',
  { tag: '@full' },
  async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    const token = (name: string) =>
      page.evaluate(
        (each) => getComputedStyle(document.documentElement).getPropertyValue(each).toUpperCase(),
        name,
      );
    await open(page, '/account/signin');
    const own = [await token('--panel'), await token('--arch-2'), await token('--danger')];
    await open(page, '/account/signin?subtenantId=900');
    const rust = [await token('--panel'), await token('--arch-2'), await token('--danger')];
    expect(own).toEqual(['#0B4A52', '#A9D0C8', '#931D16']);
    expect(rust[2]).toBe('#8A0F45');
    for (const [at, colour] of rust.entries()) expect(colour).not.toBe(own[at]);
  },
);

test(
  '[N5] on a phone the porch is a strip above the title, and help comes before the news',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, '/account/signin');
    const y = async (target: ReturnType<Page['locator']>) => (await target.boundingBox())?.y ?? -1;
    const strip = await porch(page).boundingBox();
    expect(strip?.height).toBe(110);
    const title = await y(heading(page, 'Login'));
    const help = await y(page.getByRole('link', { name: 'Call or write to us' }));
    const news = await y(page.getByRole('region', { name: 'News' }));
    const company = await y(page.getByText('Powered By'));
    const order = [strip?.y ?? -1, title, help, news, company];
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  },
);

test('[N6] a way of two steps says which one this is', async ({ page }) => {
  await open(page, '/account/signin');
  await expect(page.getByText('Step 1 of 2')).toBeVisible();
  await signUp(page, newMember());
  await expect(page.getByText('Step 2 of 2')).toBeVisible();
});

test('[N8] two presses of a shaking hand are one', { tag: '@full' }, async ({ page }) => {
  await open(page, '/account/signin');
  await page.getByRole('button', { name: 'Show password' }).dblclick();
  await expect(page.locator('#password')).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Display' }).dblclick();
  const calm = page.getByLabel('Take your time');
  await expect(calm).toBeVisible();
  await calm.dblclick();
  await expect(calm).toBeChecked();
});

test(
  '[N7] "Read this page to me" reads what is seen, without what was typed, and stops',
  { tag: '@full' },
  async ({ page }) => {
    const said = await giveVoice(page, true);
    await open(page, '/account/signin');
    await page.locator('#email').fill('secret@example.org');
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByRole('button', { name: 'Read this page to me' }).click();
    const [, words] = await said();
    expect(words).toMatch(/^Step 1 of 2\. Login\. Welcome back\. .*Email\. Password\. /);
    expect(words).not.toContain('secret');
    expect(words).not.toContain('Great News');
    await page.getByRole('button', { name: 'Stop reading' }).click();
    expect((await said()).at(-1)).toBe('(silence)');
  },
);

test(
  '[N7] without a voice of the device’s own nothing is offered',
  { tag: '@full' },
  async ({ page }) => {
    await giveVoice(page, false);
    await open(page, '/account/signin');
    await page.getByRole('button', { name: 'Display' }).click();
    await expect(page.getByLabel('Take your time')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Read this page to me' })).toHaveCount(0);
    await openCodeEntry(page);
    await expect(page.getByText('arrived').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Read this to me' })).toHaveCount(0);
  },
);

test('[N7] the ear of the code page reads the card, and never the code', async ({ page, code }) => {
  const said = await giveVoice(page, true);
  const member = newMember();
  await signUp(page, member);
  const before = await top(page);
  const ear = page.getByRole('button', { name: 'Read this to me' });
  await expect(ear).toBeVisible();
  await expect(page.getByText('arrived').first()).toBeVisible();
  const { width: wide = 0, height = 0 } = (await ear.boundingBox()) ?? {};
  expect(Math.min(wide, height)).toBeGreaterThanOrEqual(48);
  expect(await said()).toEqual([]);
  await ear.click();
  const texts = await said();
  expect(texts.slice(0, 2)).toEqual([
    expect.stringMatching(/^Email: arrived \d+:\d\d [ap]m\.$/),
    expect.stringMatching(/^Text: arrived \d+:\d\d [ap]m\.$/),
  ]);
  expect(texts[2]).toMatch(/^Your code works until \d+:\d\d [ap]m\.$/);
  expect(texts[3]).toBe('Type it, then press “Verify OTP”.');
  expect(texts.join(' ')).not.toContain(await code(member.email));
  // The sentence that is heard is marked, and nothing below moves.
  await expect(page.locator('mark')).toHaveText(texts[0] ?? '');
  await page.evaluate(() =>
    (window as unknown as { words: { onstart(): void }[] }).words[2]?.onstart(),
  );
  await expect(page.locator('mark')).toHaveText(texts[2] ?? '');
  expect(await top(page)).toBe(before);
  await page.getByRole('button', { name: 'Stop reading' }).click();
  await expect(page.locator('mark')).toHaveCount(0);
  expect((await said()).at(-1)).toBe('(silence)');
});

test(
  '[N9] demo modules, inbox and mails have the portal’s typeface and colours',
  { tag: '@full' },
  async ({ page, account, code }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    const looksAsThePortal = async () => {
      const isLoaded = await page.evaluate(async () => {
        await document.fonts.ready;
        return document.fonts.check('18px "Atkinson Hyperlegible Next"');
      });
      expect(isLoaded, page.url()).toBe(true);
      await expect(page.locator('body')).toHaveCSS('font-family', /^"Atkinson Hyperlegible Next"/);
      await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(245, 246, 242)');
    };
    await signInByApi(page, await account(), code);
    await expect(heading(page, 'Member Intake')).toBeVisible();
    await looksAsThePortal();
    for (const path of ['/dev/inbox', '/dev/mails']) {
      await page.goto(path);
      await looksAsThePortal();
    }
  },
);

test('[V34] the demo’s third party has a look of its own', { tag: '@full' }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/demo/relying-party');
  await expect(heading(page, 'Garden Club')).toBeVisible();
  await expect(page.locator('body')).toHaveCSS('font-family', /^Georgia/);
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(251, 246, 234)');
});
