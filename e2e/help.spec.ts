import type { Page } from '@playwright/test';
import { field, heading, open } from './support/screens.ts';
import { awake, expect, test } from './support/test.ts';
import { inItsFont } from './support/waking.ts';
import { coreIf } from './support/matrix.ts';

const lamp = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Help' });
const card = (page: Page) => page.getByRole('dialog');
/** Two groups of consonants, apart. */
const LETTERS = /^(?:[B-DF-HJ-NP-TV-XZ]\u202f?){3}\u2003(?:[B-DF-HJ-NP-TV-XZ]\u202f?){3}$/;
const NUMBER = /^\+1\s555\s010\s0199$/;

/** How many sheets of paper a page takes. */
async function sheets(page: Page, format: 'A4' | 'Letter'): Promise<number> {
  const pdf = await page.pdf({ format, preferCSSPageSize: false });
  return (pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length;
}

for (const path of [
  '/account/signin',
  '/Account/SignUp',
  '/account/Invalid',
  '/help/guide',
  '/no/such/page',
]) {
  test(
    `[HLP-01] ${path}: the lamp opens the card, and gives the focus back`,
    coreIf(path === '/account/signin'),
    async ({ page, quiet }) => {
      quiet.allow(/404 \(Not Found\)/);
      await open(page, path);
      await expect(card(page)).toBeHidden();
      await lamp(page).click();
      await expect(card(page).getByRole('link', { name: NUMBER })).toHaveAttribute(
        'href',
        'tel:+15550100199',
      );
      await expect(card(page).getByRole('heading', { name: 'A person answers' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(card(page)).toBeHidden();
      await expect(lamp(page)).toBeFocused();
      await page.keyboard.press('Enter');
      await card(page).getByRole('button', { name: 'Close' }).press('Enter');
      await expect(card(page)).toBeHidden();
      await expect(lamp(page)).toBeFocused();
    },
  );
}

test(
  '[HLP-01] the lamp stands in the same place on every page',
  { tag: '@full' },
  async ({ page, quiet }) => {
    quiet.allow(/404 \(Not Found\)/);
    for (const width of [390, 820, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const places = new Set<string>();
      for (const path of [
        '/account/signin',
        '/help',
        '/account/Invalid',
        '/account/browser',
        '/no/such/page',
      ]) {
        await open(page, path);
        await inItsFont(page);
        const box = await lamp(page).boundingBox();
        places.add(`${box?.x} ${box?.y} ${box?.width} ${box?.height}`);
      }
      expect([...places], `at ${width}`).toHaveLength(1);
    }
  },
);

test(
  '[HLP-01] the number has 44 px, and on a narrow page as much as fits on one line',
  { tag: '@full' },
  async ({ page }) => {
    for (const [width, least] of [
      [1440, 44],
      [390, 38],
      [320, 28],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await open(page, '/account/signin');
      await lamp(page).click();
      const number = card(page).getByRole('link', { name: NUMBER });
      const { size, lines } = await number.evaluate((link) => ({
        size: parseFloat(getComputedStyle(link).fontSize),
        lines: link.getClientRects().length,
      }));
      expect(size, `at ${width}`).toBeGreaterThanOrEqual(least);
      expect(lines, `at ${width}`).toBe(1);
    }
  },
);

test(
  '[HLP-01] on a wide page the card covers no field, and the form takes what is typed',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, '/account/signin');
    await lamp(page).click();
    const email = await field(page, 'email').boundingBox();
    const over = await card(page).boundingBox();
    expect(over?.x ?? 0).toBeGreaterThan((email?.x ?? 0) + (email?.width ?? 0));
    await field(page, 'email').click();
    await page.keyboard.type('ada@example.org');
    await expect(field(page, 'email')).toHaveValue('ada@example.org');
  },
);

test('[HLP-01] no script runs for the lamp', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  // Nothing that the page asks for comes: it stays asleep.
  await page.route(/\/assets\/.*\.js/, () => undefined);
  await page.goto('/account/signin');
  await lamp(page).click();
  await expect(card(page)).toBeVisible();
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test(
    '[HLP-01] the lamp opens the card all the same; what needs script is not offered',
    { tag: '@full' },
    async ({ page }) => {
      await page.goto('/account/signin');
      await lamp(page).click();
      await expect(card(page).getByRole('link', { name: NUMBER })).toBeVisible();
      await expect(card(page).getByRole('button', { name: 'Print this page' })).toBeHidden();
    },
  );
});

test(
  '[HLP-01] pages of the hosted login without the frame have the lamp as a link',
  { tag: '@full' },
  async ({ page, quiet }) => {
    quiet.allow(/400 \(Bad Request\)/);
    await page.goto('/idp/v2/logout?returnTo=https://elsewhere.example/');
    await page.getByRole('link', { name: 'Help', exact: true }).click();
    await awake(page);
    await expect(heading(page, 'Call or write to us')).toBeVisible();
  },
);

test('[HLP-03] the guide is one sheet, with three pictures and no line for a password', async ({
  page,
}) => {
  await open(page, '/help');
  await page.getByRole('link', { name: 'Print how to sign in' }).click();
  await expect(heading(page, 'How to sign in')).toBeVisible();
  const main = page.getByRole('main');
  await expect(main.getByRole('listitem')).toHaveCount(3);
  await expect(main).toContainText('Go to localhost');
  await expect(main).toContainText('My email address:');
  await expect(main).toContainText('Write no password here.');
  for (const format of ['A4', 'Letter'] as const) expect(await sheets(page, format)).toBe(1);
});

test(
  '[HLP-04] "Print this page" prints, also from the card, which shuts first',
  { tag: '@full' },
  async ({ page }) => {
    await page.addInitScript(() => {
      const printed: boolean[] = [];
      Object.assign(window, {
        printed,
        print: () => printed.push(document.querySelector(':popover-open') !== null),
      });
    });
    const printed = () =>
      page.evaluate(() => (window as unknown as { printed: boolean[] }).printed);
    await open(page, '/help');
    await page.getByRole('main').getByRole('button', { name: 'Print this page' }).click();
    expect(await printed()).toEqual([false]);
    await open(page, '/account/signin');
    await lamp(page).click();
    await card(page).getByRole('button', { name: 'Print this page' }).click();
    expect(await printed()).toEqual([false]);
  },
);

for (const path of ['/account/signin', '/account/Invalid', '/help']) {
  test(
    `[HLP-04] ${path} prints on one sheet, dark on white, with the number and without controls`,
    { tag: '@full' },
    async ({ page, context, baseURL }) => {
      await context.addCookies([
        { name: 'display', value: 'dark.standard.off', url: baseURL ?? '' },
      ]);
      await open(page, path);
      expect(await sheets(page, 'A4')).toBe(1);
      await page.emulateMedia({ media: 'print' });
      await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
      await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(18, 38, 42)');
      await expect(page.getByText(NUMBER).filter({ visible: true })).toHaveCount(1);
      await expect(
        page.getByRole('button', { name: /Display|Help|Print|Close|Pause/ }),
      ).toHaveCount(0);
    },
  );
}

test(
  '[HLP-05] each page of one message has a thing of its own at the door',
  { tag: '@full' },
  async ({ page, quiet }) => {
    quiet.allow(/404 \(Not Found\)/);
    for (const [path, door, thing] of [
      ['/no/such/page', 'shut', 'signpost'],
      ['/account/Invalid', 'shut', 'chain'],
      ['/account/UnAuthorizedAccess', 'ajar', 'cone'],
    ] as const) {
      await page.goto(path);
      const porch = page.getByRole('main').locator('svg[data-door]');
      await expect(porch).toHaveAttribute('data-door', door);
      const box = await porch.locator(`use[href="#t-${thing}"]`).boundingBox();
      expect(box?.width, thing).toBeGreaterThan(10);
    }
  },
);

test(
  '[HLP-05] a new password is on its way: the letter lies in the doorway',
  { tag: '@full' },
  async ({ page, account }) => {
    const { email } = await account();
    await open(page, '/account/ForgetPassword');
    await field(page, 'email').fill(email);
    await page.getByRole('button', { name: 'Reset password' }).click();
    await expect(heading(page, 'Check your email')).toBeVisible();
    await expect(page.getByText('Open your mail.')).toBeVisible();
    const letters = page.locator('svg[data-door=half] use[href="#t-letter"]');
    await expect(letters.filter({ visible: true })).toHaveCount(1);
    // The strip of a phone is lower than the place where it lies in the drawing.
    await expect(page.locator('#t-letter')).toHaveCSS('overflow', 'visible');
    // The address has a line of its own, and no full stop (E49).
    await expect(page.getByRole('strong')).toHaveText(email);
    const [first] = await page.getByRole('main').getByRole('paragraph').allTextContents();
    expect(first).toMatch(/^Open your mail/);
    await page.getByRole('button', { name: 'Ask for another mail' }).click();
    await expect(field(page, 'email')).toHaveValue(email);
  },
);

test('[N2] alone in its panel, the door of a near porch stands in the middle (E39)', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, '/help');
  const off = await page.locator('svg[data-view=near]').evaluate((svg: SVGSVGElement) => {
    const { left, width } = svg.getBoundingClientRect();
    // The door's middle is at 298 of the drawing.
    const door = new DOMPoint(298, 0).matrixTransform(svg.getScreenCTM() ?? undefined).x;
    return door - (left + width / 2);
  });
  expect(Math.abs(off)).toBeLessThan(2);
});

test('[CON-10] opening the card shows six letters, the same when it opens again', async ({
  page,
}) => {
  await page.goto('/account/signin');
  const letters = card(page).locator('[data-page-code]');
  await lamp(page).click();
  await expect(letters).toHaveText(LETTERS);
  const before = await letters.textContent();
  await page.keyboard.press('Escape');
  await expect(card(page)).toBeHidden();
  await lamp(page).click();
  await expect(letters).toHaveText(before ?? '');
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('[CON-10] the help page has the letters', async ({ page }) => {
    await page.goto('/help');
    await page.locator('main').getByRole('button', { name: 'Get a code for my page' }).click();
    await expect(page.locator('main [role=status]').first()).toHaveText(LETTERS);
  });
});
