import type { Page } from '@playwright/test';
import { demo, find, openConsole } from './support/console.ts';
import { boxes, signIn } from './support/screens.ts';
import { signInByApi } from './support/session.ts';
import { expect, test } from './support/test.ts';
import { faultsOfPage } from './support/visual-checks.ts';

/** The parts that lines made of an address, for each that is drawn. */
const lines = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('bdi[dir]')].map((drawn) => {
      const found: string[] = [];
      let top: number | undefined;
      const walk = document.createTreeWalker(drawn, NodeFilter.SHOW_TEXT);
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        for (const [at, sign] of [...(node.textContent ?? '')].entries()) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const line = Math.round(range.getBoundingClientRect().top);
          if (line === top) found[found.length - 1] += sign;
          else found.push(sign);
          top = line;
        }
      }
      return found;
    }),
  );

/** `isTight`: a number in the largest letters finds no line of 320 px that it fits on. */
async function expectWhole(page: Page, isTight = false) {
  expect(await faultsOfPage(page)).toEqual([]);
  for (const parts of await lines(page)) {
    if (isTight && parts[0]?.startsWith('+')) continue;
    parts.slice(1).forEach((part, index) => {
      expect(parts[index]?.endsWith('@') || part.startsWith('.'), parts.join(' / ')).toBe(true);
    });
  }
}

test.describe('[V14] an address breaks only after @ and before a dot, a number nowhere', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test('on the code page, on My account and in the help, with the largest letters', async ({
    page,
    context,
    baseURL,
    account,
    code,
  }) => {
    await context.addCookies([
      { name: 'display', value: 'device.largest.off', url: baseURL ?? '' },
    ]);
    const member = await account();
    await signIn(page, member);
    await expect(boxes(page).first()).toBeFocused();
    await expectWhole(page, true);
    await signInByApi(page, member, code);
    await expect(page).toHaveURL(/\/demo\//);
    for (const path of ['/account/me', '/account/me/email', '/account/me/phone', '/help']) {
      await page.goto(path);
      await expectWhole(page, true);
    }
    await page.goto('/account/me');
    await expect(page.getByText(/^\+1\s\d{3}\s\d{3}\s\d{4}$/).first()).toBeVisible();
  });

  test('in the console', async ({ page, code }) => {
    await openConsole(page, 'admin', code);
    await find(page, demo('member').email, 'Margaret Okafor');
    await expectWhole(page);
  });
});

test('[V14] a mask is heard as words', async ({ page, account }) => {
  const member = await account();
  await signIn(page, member);
  const [first, ...rest] = member.email;
  const domain = rest.join('').split('@')[1];
  await expect(page.getByText(`${first}, dots, at ${domain}`)).toBeAttached();
  await expect(page.locator('bdi', { hasText: '•' })).toHaveAttribute('aria-hidden', 'true');
});
