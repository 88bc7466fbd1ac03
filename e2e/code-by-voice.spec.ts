import type { Page } from '@playwright/test';
import { listen } from './support/live.ts';
import { enterCode as enterNatively, press, signIn as signInNatively } from './support/native.ts';
import { boxes, enterCode, signIn } from './support/screens.ts';
import { expect, test } from './support/test.ts';

// Code by voice: the demo's phone rings in the dev inbox, and its voice says the code after the key 1.

const notCome = (page: Page) => page.locator('summary', { hasText: 'It has not come' });

/** Answers the phone and presses its key, as a person does in another tab. */
async function answer(page: Page, phone: string): Promise<string> {
  const other = await page.context().newPage();
  await other.goto(`/dev/inbox?to=${phone}`);
  const call = other.getByRole('article').filter({ hasText: 'Phone call' }).first();
  await expect(call).toContainText('To hear your code, press 1.');
  await expect(call).not.toContainText('Your code is:');
  await call.getByRole('button', { name: 'Press 1' }).click();
  await expect(call).toContainText('Your code is:');
  const [, digits = ''] = /Your code is: ((?:\d ){6})/.exec(await call.innerText()) ?? [];
  await other.close();
  return digits.replaceAll(' ', '');
}

test('[VOI-01] [VOI-07] a person who gets no text is called, and signs in with what they heard', async ({
  page,
  account,
}) => {
  const said = await listen(page);
  const member = await account();
  await signIn(page, member);
  await notCome(page).click();
  await page.getByRole('button', { name: 'Call me with my code' }).click();
  const digits = member.phone.slice(-2);
  const card = page.getByRole('region', {
    name: `Answer and listen. We are calling the phone ending in ${digits}`,
  });
  await expect(card).toContainText('Answer');
  await expect(boxes(page).first()).toBeFocused();
  await expect(notCome(page)).toContainText(/Call again in 0:\d\d/);
  await expect(page.getByRole('button', { name: 'Call me with my code' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  const code = await answer(page, member.phone);
  await expect(page.getByRole('heading', { name: /^We called at \d+:\d\d/ })).toBeVisible();
  expect((await said()).join(' ')).toContain('We are calling the phone ending in');
  await enterCode(page, code);
  await expect(page).not.toHaveURL(/verifyOtp/);
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('[VOI-07] the same, told as of the drawing of the page', async ({ page, account }) => {
    const member = await account();
    await signInNatively(page, member.email, member.password);
    await notCome(page).click();
    await press(page, 'call');
    await expect(page).toHaveURL(/\/account\/verifyOtp/);
    // Matchers look past what stands in a noscript.
    const text = () => page.locator('main').innerText();
    expect(await text()).toContain('We are calling the phone ending in');
    const code = await answer(page, member.phone);
    await page.reload();
    expect(await text()).toContain('Type what you heard.');
    await enterNatively(page, code);
    await expect(page).not.toHaveURL(/verifyOtp/);
  });
});
