import type { Locator, Page } from '@playwright/test';
import { listen } from './support/live.ts';
import { newMember } from './support/people.ts';
import { boxes, boxTexts, enterCode, heading, signUp } from './support/screens.ts';
import { test } from './support/own-server.ts';
import { expect } from './support/test.ts';

// One worker, one server of its own: its clock moves for everybody on it.
test.describe.configure({ mode: 'default' });

/** A number that costs its caller money: no text goes there. */
const premium = () => ({ ...newMember(), phone: '9005550199', shownPhone: '(900) 555-0199' });
const line = (page: Page, channel: string) =>
  page
    .getByRole('list', { name: 'Where your code is' })
    .getByRole('listitem')
    .filter({ hasText: `${channel}: ` });
const notCome = (page: Page) => page.locator('summary', { hasText: 'It has not come' });
const fill = (button: Locator) => button.evaluate((each) => getComputedStyle(each).backgroundColor);
const warning = (page: Page) => page.getByRole('main').getByText('could not be delivered');

test(
  '[OTP-06] the page says when the mail and the text have arrived, each of them once',
  { tag: '@full' },
  async ({ page }) => {
    const said = await listen(page);
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/Visit/State')) asked += 1;
    });
    await page.clock.install();
    await signUp(page, newMember());
    await expect(line(page, 'Email')).toHaveText(/^Email: .* on its way$/);
    await page.clock.runFor(2000);
    await expect(line(page, 'Email')).toHaveText(
      /^Email: a•••@example\.org a, dots, at example\.org arrived \d+:\d\d (am|pm)$/,
    );
    await expect(line(page, 'Text')).toHaveText(/^Text: phone ending in \d\d arrived /);
    await page.clock.runFor(500);
    const spoken = (await said()).join(' ');
    expect(spoken.match(/Email: arrived/g)).toHaveLength(1);
    expect(spoken.match(/Text: arrived/g)).toHaveLength(1);
    await expect(boxes(page).first()).toBeFocused();
    // The link of the mail may still be opened elsewhere: that is asked every three seconds, with the delivery.
    const before = asked;
    await page.clock.runFor(60_000);
    expect(asked - before).toBeLessThanOrEqual(20);
  },
);

test('[R17] a text that cannot go: why, where to look, and later the mail alone', async ({
  page,
  code,
  passTime,
}) => {
  const said = await listen(page);
  const member = premium();
  await page.clock.install();
  await signUp(page, member);
  await page.clock.runFor(2000);
  await expect(line(page, 'Text')).toHaveText(/^Text: .* not sent$/);
  const card = page.getByRole('region', {
    name: 'Use the code in your mail. The text was not sent.',
  });
  await expect(card).toBeVisible();
  await notCome(page).click();
  await expect(line(page, 'Email')).toHaveText(/arrived/);
  await expect(warning(page)).toHaveText(
    'Your text message could not be delivered. We cannot send text messages to this number.',
  );
  const byEmail = page.getByRole('button', { name: 'Get a new code by email only' });
  await expect(byEmail).toBeHidden();
  await page.clock.runFor(500);
  expect((await said()).join(' ').match(/Text: not sent/g)).toHaveLength(1);

  await boxes(page).first().fill('123');
  await passTime(125);
  await byEmail.click();
  await expect(line(page, 'Text')).toHaveCount(0);
  await expect(boxes(page).first()).toBeFocused();
  await expect.poll(() => boxTexts(page)).toEqual(['', '', '', '', '', '']);
  await page.clock.runFor(2000);
  await expect(line(page, 'Email')).toHaveText(/arrived/);
  await expect(line(page, 'Text')).toHaveCount(0);
  await expect(warning(page)).toHaveCount(0);
  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Email verified')).toBeVisible();
});

test(
  '[R17] nothing could be delivered: said plainly, and one button asks for a new code (E41)',
  { tag: '@full' },
  async ({ page }) => {
    await page.route('**/api/Visit/State', async (route) => {
      const answer = await (await route.fetch()).json();
      const failed = { state: 'failed', reason: 'invalid', waitsForReceipt: false };
      const { delivery } = answer.data;
      for (const message of delivery?.messages ?? []) Object.assign(message, failed);
      if (delivery) delivery.canAskNow = true;
      await route.fulfill({ json: answer });
    });
    const said = await listen(page);
    await page.clock.install();
    await signUp(page, newMember());
    await page.clock.runFor(2000);
    const card = page.getByRole('region', { name: 'Your code did not reach you.' });
    await expect(line(page, 'Email')).toHaveText(/a•••@example\.org .* came back$/);
    await expect(line(page, 'Text')).toHaveText(/phone ending in \d\d did not arrive$/);
    // One thing to press, and the boxes rest.
    const again = page.getByRole('button', { name: 'Click to resend' });
    const verify = page.getByRole('button', { name: 'Verify OTP' });
    const brand = await fill(card.getByRole('button'));
    expect(brand).toBe(await fill(again));
    await expect(verify).not.toHaveCSS('background-color', brand);
    await expect(page.getByRole('group', { name: '6-digit code' })).toContainText(
      'Needs a new code',
    );
    await expect(boxes(page).first()).toHaveCSS('border-style', 'dashed');
    await notCome(page).click();
    await expect(warning(page)).toHaveCount(2);
    await expect(again).toHaveCount(1);
    // Nothing on the page says that it is on its way any more, or until when it works.
    await expect(page.getByText('OTP has been sent')).toHaveCount(0);
    await expect(page.getByText('Your code works until')).toHaveCount(0);
    await expect(page.getByText('First ask for a new code')).toBeVisible();
    await page.clock.runFor(130_000);
    await expect(card).toBeVisible();
    const spoken = (await said()).join(' ');
    expect(spoken.match(/Your code did not reach you\./g)).toHaveLength(1);
    expect(spoken).not.toMatch(/seconds/);
    await again.click();
    await expect(boxes(page).first()).toBeFocused();
  },
);
