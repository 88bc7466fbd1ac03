import type { Page, Route } from '@playwright/test';
import { isFullMatrix } from './support/matrix.ts';
import { type Member, newMember } from './support/people.ts';
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

const texts = (page: Page, names: readonly string[]) =>
  Promise.all(names.map((name) => field(page, name).inputValue()));

const SIGN_UP_FIELDS = [
  'firstName',
  'lastName',
  'phone',
  'email',
  'password',
  'confirmPassword',
] as const;

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
  `[F7] [PRF-17] forgotten password: an address sent before the page wakes up is asked for once, ${TIMES} times of ${TIMES}`,
  { tag: '@full' },
  async ({ page, context, account, api }) => {
    test.slow();
    const mails = () => api.to('/api/User/SendEmailForForgotPassword').length;
    for (let run = 1; run <= TIMES; run += 1) {
      await context.clearCookies();
      const { email } = await account();
      const before = mails();
      const wake = await openAsleep(page, '/account/ForgetPassword');
      await field(page, 'email').fill(email);
      await field(page, 'email').press('Enter');
      await wake();
      await expect(heading(page, 'Check your email')).toBeVisible();
      expect(mails()).toBe(before + 1);
    }
  },
);

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
    const typed = await texts(page, SIGN_UP_FIELDS);
    await wake();
    expect(await texts(page, SIGN_UP_FIELDS)).toEqual(typed);
    // The checklist knows a password that was there before it.
    await expect(page.getByText('One special character, done')).toBeVisible();

    await signUp(page, member);
    wake = await openAsleep(page, '/account/verifyOtp');
    await boxes(page).first().fill('4');
    await boxes(page).nth(1).fill('0');
    await wake();
    expect((await boxTexts(page)).join('')).toBe('40');
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
