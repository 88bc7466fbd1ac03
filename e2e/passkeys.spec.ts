import { expect, type Page } from '@playwright/test';
import { startServer } from '../tools/server-process.ts';
import { expectAccessible } from './support/axe.ts';
import { addKeyDevice } from './support/key-device.ts';
import { tabTo } from './support/keyboard.ts';
import type { Account } from './support/people.ts';
import { enterCode, field, fillSignIn, heading } from './support/screens.ts';
import { signInWithCode } from './support/session.ts';
import { awake, test as base } from './support/test.ts';

// Passkeys with a device of Chromium's own. Keys belong to a host name: none at the IP address of the shared server.

const test = base.extend<object>({
  baseURL: async ({ keep }, provide) => {
    const named = (url: string) => url.replace('127.0.0.1', 'localhost');
    const server = await keep('localhost', () =>
      startServer({
        envFor: (url) => ({ PORCHLIGHT_PUBLIC_URL: named(url) }),
        env: { PORCHLIGHT_STEP_GAP_MS: '0' },
      }),
    );
    await provide(named(server.url));
  },
});

type ReadCode = (to: string) => Promise<string>;

const arrived = (page: Page, title = 'Member Intake') =>
  expect(page.getByRole('heading', { level: 1 })).toHaveText(title);

const offer = (page: Page) => heading(page, 'Sign in faster next time');

/** Signs in by password and code, and saves the offered key. */
async function saveOffered(page: Page, account: Account, code: ReadCode): Promise<void> {
  await signInWithCode(page, account, code);
  await expect(offer(page)).toBeVisible();
  const save = page.getByRole('button', { name: 'Save a key here' });
  const [calm, first, second] = await Promise.all(
    [
      page.getByText('Your password and your code still work.'),
      save,
      page.getByText('Not now'),
    ].map((each) => each.last().boundingBox()),
  );
  expect((calm?.y ?? NaN) + (calm?.height ?? 0)).toBeLessThan(first?.y ?? 0);
  expect([second?.width, second?.height]).toEqual([first?.width, first?.height]);
  await save.click();
  await expect(heading(page, 'Your key is saved')).toBeFocused();
  await expect(page).toHaveTitle(/^Your key is saved – /);
  await page.getByRole('link', { name: 'Continue' }).click();
  await arrived(page);
}

/** Ends the session; what the browser stores stays. */
const forgetSession = (page: Page) => page.context().clearCookies();

test('[KEY-11] [KEY-02] the offer saves a key, and the next sign-in needs no typing @core', async ({
  page,
  account,
  code,
  inbox,
}) => {
  test.slow();
  const device = await addKeyDevice(page);
  const member = await account();
  await saveOffered(page, member, code);
  expect(await device.keys()).toHaveLength(1);
  expect((await inbox(member.email))[0]?.subject).toContain('A saved key was added');

  await forgetSession(page);
  await page.goto('/account/signin');
  await arrived(page);
});

test('[KEY-17] before the first touch there is no request and no script for keys', async ({
  page,
}) => {
  await addKeyDevice(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/account/signin');
  await page.waitForLoadState('networkidle');
  const ofKeys = () => asked.filter((path) => /Keys|passkeys|key-sign-in/.test(path));
  expect(ofKeys()).toEqual([]);
  await expect(field(page, 'email')).toHaveAttribute('autocomplete', 'username webauthn');
  await field(page, 'email').click();
  await expect.poll(ofKeys).toContain('/api/Keys/Request');
  expect(ofKeys().filter((path) => path.endsWith('.js')).length).toBeGreaterThan(0);
});

/** Lets each request that waits in a field fail by itself, and counts them. */
async function failInField(page: Page, name: string, ms: number): Promise<() => Promise<number[]>> {
  const played = async ([error, delay]: readonly [string, number]) => {
    const counts = { asked: 0, failed: 0 };
    Object.assign(globalThis, { keyRequests: counts });
    PublicKeyCredential.isConditionalMediationAvailable = async () => true;
    navigator.credentials.get = async () => {
      counts.asked += 1;
      await new Promise((resolve) => setTimeout(resolve, delay));
      counts.failed += 1;
      if (error === 'nothing') throw undefined;
      if (error === 'TypeError') throw new TypeError('played');
      if (error === 'no answer') return null;
      throw new DOMException('played', error);
    };
  };
  await page.addInitScript(played, [name, ms] as const);
  return () =>
    page.evaluate(() => {
      const { keyRequests } = globalThis as unknown as { keyRequests: Record<string, number> };
      return [keyRequests.asked ?? 0, keyRequests.failed ?? 0];
    });
}

/** The errors that the portal tells apart, one that it does not, and answers that are no key. */
const ERRORS = [
  'NotAllowedError',
  'InvalidStateError',
  'AbortError',
  'NotSupportedError',
  'TypeError',
  'no answer',
  'nothing',
];

for (const name of ERRORS) {
  test(`[KEY-21] ${name} for a request that waits in the field: the form stays, and signs in`, async ({
    page,
    account,
    code,
  }) => {
    const counts = await failInField(page, name, 300);
    const { email, password } = await account();
    await page.goto('/account/signin');
    await awake(page);
    await field(page, 'email').click();
    await field(page, 'email').fill(email);
    await field(page, 'password').fill(password);
    await expect.poll(counts).toEqual([1, 1]);
    await expect(heading(page, 'Login')).toBeVisible();
    await expect(field(page, 'email')).toHaveValue(email);
    await expect(field(page, 'password')).toHaveValue(password);
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
    await enterCode(page, await code(email));
    await arrived(page);
  });
}

test('[KEY-21] a request that fails on the page of the code leaves the person there', async ({
  page,
  account,
  code,
}) => {
  const counts = await failInField(page, 'NotAllowedError', 5000);
  const { email, password } = await account();
  await page.goto('/account/signin');
  await awake(page);
  await field(page, 'email').click();
  await fillSignIn(page, { email, password });
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  const failed = async () => (await counts())[1];
  expect(await failed()).toBe(0);
  await expect.poll(failed, { timeout: 10_000 }).toBeGreaterThan(0);
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await enterCode(page, await code(email));
  await arrived(page);
});

test('[KEY-21] after a failure, and after "Use my password", this tab asks for no key in the field', async ({
  page,
}) => {
  const counts = await failInField(page, 'NotSupportedError', 0);
  await page.goto('/account/signin');
  await awake(page);
  await field(page, 'email').click();
  await expect.poll(counts).toEqual([1, 1]);
  await page.getByRole('link', { name: 'Forgot Password?' }).click();
  await expect(page).toHaveURL(/ForgetPassword/i);
  await page.goBack();
  await expect(heading(page, 'Login')).toBeVisible();
  await field(page, 'email').fill('someone@example.test');
  expect(await counts()).toEqual([1, 1]);
  await page.reload();
  await awake(page);
  await field(page, 'email').fill('someone@example.test');
  expect(await counts()).toEqual([0, 0]);
});

test('[KEY-21] "Use my password" leads to a form that asks for no key', async ({ page }) => {
  const counts = await failInField(page, 'NotAllowedError', 3000);
  await page.goto('/account/KeyFailed?why=cancelled');
  await awake(page);
  await page.getByRole('link', { name: 'Use my password' }).click();
  await expect(heading(page, 'Login')).toBeVisible();
  await field(page, 'email').fill('someone@example.test');
  expect(await counts()).toEqual([0, 0]);
});

test('[KEY-12] a key that fails in the field loses nothing; its page has two ways on', async ({
  page,
  account,
  code,
}) => {
  test.slow();
  const device = await addKeyDevice(page);
  const member = await account();
  await saveOffered(page, member, code);
  await forgetSession(page);

  await device.setUnlocks(false);
  await page.goto('/account/signin');
  await awake(page);
  await fillSignIn(page, member);
  await expect(field(page, 'password')).toHaveValue(member.password);
  await page.goto('/account/KeyFailed?why=cancelled');
  await expect(page.getByText('The device was not unlocked, or you stopped it.')).toBeVisible();
  await expectAccessible(page, 'a key that failed');
  await page.getByRole('link', { name: 'Use my password' }).click();
  await expect(field(page, 'email')).toHaveValue(member.email);
  await page.goBack();
  await awake(page);
  await device.setUnlocks(true);
  await page.getByRole('button', { name: 'Try again' }).click();
  await arrived(page);
});

test('[KEY-06] a key that we do not know any more is named so, and the device forgets it', async ({
  page,
  account,
  code,
}) => {
  test.slow();
  const device = await addKeyDevice(page);
  const member = await account();
  await saveOffered(page, member, code);
  await page.goto('/account/me/keys');
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByText('The key is removed.')).toBeVisible();
  await expect.poll(() => device.keys()).toEqual([]);
  await expect(page.getByText('You have no saved key.')).toBeVisible();
});

test('[KEY-01] two keys and two accounts on one device, each opens its own', async ({
  page,
  account,
  code,
}) => {
  test.slow();
  const device = await addKeyDevice(page);
  const [one, other] = [await account(), await account()];
  await saveOffered(page, one, code);
  const [first] = await device.keys();
  await forgetSession(page);
  await device.setAnswers(false);
  await signInWithCode(page, other, code);
  await device.setAnswers(true);
  await expect(offer(page)).toBeVisible();
  await page.getByRole('button', { name: 'Save a key here' }).click();
  await expect(heading(page, 'Your key is saved')).toBeVisible();
  expect(await device.keys()).toHaveLength(2);

  await forgetSession(page);
  await device.lose(first ?? '');
  await page.goto('/account/me');
  await expect(page.getByText(other.email).first()).toBeVisible();
});

test('[KEY-07] a key stands for the code of a step-up', async ({
  page,
  account,
  code,
  request,
}) => {
  test.slow();
  await addKeyDevice(page);
  const member = await account();
  await saveOffered(page, member, code);
  await request.post('/dev/clock', { data: { advanceSeconds: 11 * 60 } });
  await page.goto('/account/me/keys');
  await expect(page.getByRole('button', { name: 'Send me a code' })).toBeVisible();
  await page.getByRole('button', { name: 'Use a saved key' }).click();
  await expect(page.getByRole('button', { name: 'Send me a code' })).toBeHidden();
});

test('[KEY-11] by keyboard alone: "Not now" at the offer leads on', async ({
  page,
  account,
  code,
}) => {
  test.slow();
  await addKeyDevice(page);
  await signInWithCode(page, await account(), code);
  await expect(offer(page)).toBeVisible();
  await expectAccessible(page, 'the offer of a key');
  await tabTo(page, page.getByRole('link', { name: 'Not now' }));
  await page.keyboard.press('Enter');
  await arrived(page);
});

test('[KEY-18] an app that takes the password asks for it alone after a key, or goes on without', async ({
  page,
  code,
}) => {
  test.slow();
  await addKeyDevice(page);
  const special = { email: 'special@demo.porchlight.test', password: 'Porchlight-1' };
  await signInWithCode(page, special, code);
  await page.getByRole('button', { name: 'Save a key here' }).click();
  await page.getByRole('link', { name: 'Continue' }).click();
  await arrived(page, 'Special Programs');

  const question = heading(page, 'This app wants your password, too');
  for (const answer of ['Go on without', 'Go on'] as const) {
    await forgetSession(page);
    await page.goto('/account/signin');
    await expect(question).toBeVisible();
    if (answer === 'Go on') {
      await expectAccessible(page, 'the password that an app wants');
      await field(page, 'password').fill('Wrong-Pass-1');
      await page.getByRole('button', { name: answer, exact: true }).click();
      await expect(page.getByText('This is not your password')).toBeVisible();
      await field(page, 'password').fill(special.password);
    }
    await page.getByRole('button', { name: answer, exact: true }).click();
    await arrived(page, 'Special Programs');
    await page.locator('summary').click();
    const credential = answer === 'Go on' ? 'opened, 12 characters' : 'none';
    await expect(page.getByText(credential)).toBeVisible();
  }
});
