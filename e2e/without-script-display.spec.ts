import type { Page } from '@playwright/test';
import { enterCode, press, send, signIn, signUpForm, type } from './support/native.ts';
import { newMember } from './support/people.ts';
import { field } from './support/screens.ts';
import { expect, test } from './support/test.ts';

// Choices of how pages look, and what a browser without script does by itself: Back, reload, two presses.

test.use({ javaScriptEnabled: false });

const root = (page: Page) => page.locator('html');
const choose = async (page: Page, name: string, value: string) => {
  const button = page.locator(`#display button[name=${name}][value=${value}]`);
  if (!(await button.isVisible())) await page.locator('header summary').click();
  await button.click();
};
const background = (page: Page) =>
  page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);

test('[NOS-08] text size, colours and time are chosen by a press, and stay', async ({
  page,
  context,
  quiet,
}) => {
  quiet.allow(/404/);
  await page.goto('/account/signin?subtenantId=3');
  // In one row, as with script.
  const sizes = page.locator('header [role=group]:visible').first();
  const [row, beside] = [
    await sizes.boundingBox(),
    await page.locator('header summary').boundingBox(),
  ];
  expect(Math.abs((row?.y ?? 0) - (beside?.y ?? 99))).toBeLessThan(4);
  const light = await background(page);
  await page.locator('header summary').click();
  expect(await page.locator('#display').innerText()).toContain(
    'Then type again what you typed here',
  );
  await choose(page, 'theme', 'dark');
  await expect(page).toHaveURL('/account/signin?subtenantId=3');
  await expect(root(page)).toHaveAttribute('data-theme', 'dark');
  expect(await background(page)).not.toBe(light);
  await page.locator('button[form=display][value=largest]').first().click();
  await choose(page, 'untimed', 'on');
  // In an answer to a form and on other pages as well; one press leaves the other choices.
  await send(page, 'sign-in');
  await expect(page).toHaveTitle(/^Error: /);
  for (const path of ['', '/account/ForgetPassword', '/help', '/no/such/page']) {
    if (path) await page.goto(path);
    await expect(root(page)).toHaveAttribute('data-theme', 'dark');
    await expect(root(page)).toHaveAttribute('data-text-size', 'largest');
    await expect(root(page)).toHaveAttribute('data-untimed', 'on');
    await expect(page.locator('.script-only:visible')).toHaveCount(0);
  }
  await page.goto('/help');
  await choose(page, 'theme', 'device');
  await expect(root(page)).not.toHaveAttribute('data-theme', /./);
  await expect(root(page)).toHaveAttribute('data-text-size', 'largest');
  const [cookie] = (await context.cookies()).filter(({ name }) => name === 'display');
  expect(cookie).toMatchObject({ value: 'device.largest.on', sameSite: 'Lax', path: '/' });
});

test('[NOS-08] a press of another site chooses nothing', async ({ request }) => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' };
  const form = { action: 'display', theme: 'dark' };
  const answer = await request.post('/account/signin', { form, headers, maxRedirects: 0 });
  expect(answer.status()).toBe(403);
  expect(answer.headers()['set-cookie'] ?? '').not.toContain('display=');
});

test('[NOS-11] Back and a reload send nothing again once a form led on', async ({
  page,
  inbox,
}) => {
  const member = newMember();
  const posts: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(new URL(request.url()).pathname);
  });
  await signUpForm(page, '/Account/SignUp', member);
  await expect(page).toHaveURL(/verifyOtp/);
  expect(posts).toHaveLength(1);
  await page.reload();
  await page.goBack();
  await page.goForward();
  await expect(page).toHaveURL(/verifyOtp/);
  expect(posts).toHaveLength(1);
  expect(await inbox(member.email)).toHaveLength(1);
});

test('[NOS-11] a double click on the first form of a browser leads on', async ({
  page,
  account,
  inbox,
  code,
}) => {
  const { email, password } = await account();
  const before = (await inbox(email)).length;
  await page.goto('/account/signin');
  await type(page, 'sign-in', { email, password });
  await page.locator('#sign-in button[type=submit]:not([form])').dblclick();
  await expect(page).toHaveURL(/verifyOtp/);
  expect((await inbox(email)).length - before).toBe(1);
  await enterCode(page, await code(email));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Member Intake');
});

test('[NOS-11] reload of an answer asks it again, and two tabs are one visit', async ({
  page,
  context,
  account,
  code,
}) => {
  const { email, password } = await account();
  await signIn(page, email, 'Not-The-Word-1');
  await expect(page.getByRole('alert').first()).toContainText('incorrect');
  await page.reload();
  await expect(page.getByRole('alert').first()).toContainText('incorrect');
  const second = await context.newPage();
  await signIn(second, email, password);
  await expect(second).toHaveURL(/verifyOtp/);
  // The tab of before goes on from where the visit is, with what it has.
  await page.goto('/account/verifyOtp');
  await enterCode(page, await code(email));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Member Intake');
  await second.locator('summary', { hasText: 'It has not come' }).click();
  await press(second, 'resend');
  await expect(second).not.toHaveURL(/verifyOtp/);
  await expect(field(second, 'otp')).toHaveCount(0);
});
