import * as plain from './support/native.ts';
import { newMember } from './support/people.ts';
import {
  boxes,
  enterCode,
  fillSignIn,
  heading,
  loginButton,
  open,
  signIn,
  signUp,
} from './support/screens.ts';
import { signInWithCode } from './support/session.ts';
import { awake, expect, test } from './support/test.ts';

const CODE = 'Enter your 6-digit code';

test('[OTP-01] [SCR-02] reload and Back at each step of signing up show the right screen', async ({
  page,
  code,
  api,
}) => {
  const member = newMember();
  await signUp(page, member);
  await page.reload();
  await awake(page);
  await expect(heading(page, CODE)).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'Sign up')).toBeVisible();
  await page.goForward();
  await expect(heading(page, CODE)).toBeVisible();
  expect(api.to('/api/OTP/Send-OTP-To-User')).toHaveLength(1);

  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Email verified')).toBeVisible();
  await page.reload();
  await awake(page);
  await expect(heading(page, 'Email verified')).toBeVisible();
  // The code is spent: its screen is no place to go back to.
  await page.goBack();
  await expect(heading(page, 'Sign up')).toBeVisible();
  await page.goto('/account/verifyOtp');
  await expect(heading(page, 'Email verified')).toBeVisible();
});

test('[RED-03] [RED-04] reload and Back at each step of signing in, and never a second code', async ({
  page,
  account,
  code,
  api,
}) => {
  const member = await account();
  await signIn(page, member);
  await page.reload();
  await awake(page);
  await expect(heading(page, CODE)).toBeVisible();
  await enterCode(page, await code(member.email));
  await expect(heading(page, 'Member Intake')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'You are already signed in')).toBeVisible();
  await page.goForward();
  await expect(heading(page, 'Member Intake')).toBeVisible();
  // The code is spent: its address leads on to where the visitor really is.
  await page.goto('/account/verifyOtp');
  await expect(heading(page, 'Member Intake')).toBeVisible();
  expect(api.to('/api/OTP/Send-OTP-To-User')).toHaveLength(1);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with script' : 'without script', () => {
    test.use({ javaScriptEnabled });

    test('[OTP-08] B5: a code of a sign-in that a newer one of this browser ended: said, with a way to the newer', async ({
      page,
      account,
      code,
    }) => {
      const [first, second] = [await account(), await account()];
      await plain.signIn(page, first.email, first.password);
      await expect(heading(page, CODE)).toBeVisible();
      const tab = await page.context().newPage();
      await plain.signIn(tab, second.email, second.password);
      await expect(heading(tab, CODE)).toBeVisible();
      await plain.enterCode(page, await code(first.email));
      await expect(page.getByText('Another sign-in was started in this browser.')).toBeVisible();
      await page.getByRole('link', { name: 'Go to the newest sign-in' }).click();
      await expect(heading(page, CODE)).toBeVisible();
      await plain.enterCode(page, await code(second.email));
      await expect(heading(page, 'Member Intake')).toBeVisible();
    });
  });
}

test('[RED-03] the addresses of later steps lead a visitor without the code back to it', async ({
  page,
  account,
  inbox,
}) => {
  const member = await account();
  await signIn(page, member);
  const mails = await inbox(member.email);
  for (const path of ['/account/Redirect', '/account/SelectRoles']) {
    await page.goto(path);
    await awake(page);
    await expect(heading(page, CODE)).toBeVisible();
  }
  // The code that is on its way is the code: nothing more was sent.
  expect(await inbox(member.email)).toEqual(mails);
});

test(
  '[RED-04] the processing screen, reloaded, goes on where it was',
  { tag: '@full' },
  async ({ page, account, code, api }) => {
    const member = await account();
    await signIn(page, member);
    // Never answered: the reload comes first.
    await page.route('**/api/User/LogUserLogin', () => undefined, { times: 1 });
    const asked = page.waitForRequest('**/api/User/LogUserLogin');
    await enterCode(page, await code(member.email));
    await asked;
    await page.reload();
    await expect(heading(page, 'Member Intake')).toBeVisible();
    expect(api.to('/api/OTP/Send-OTP-To-User')).toHaveLength(1);
  },
);

test('[GEN-05] the steps of signing in, asked for by nobody in particular, are sign-in', async ({
  page,
}) => {
  for (const path of ['/account/verifyOtp', '/account/Redirect', '/account/SelectRoles']) {
    await page.goto(path);
    await expect(heading(page, 'Login')).toBeVisible();
  }
});

test(
  '[OTP-01] a second tab in the middle of signing in is at the same step',
  { tag: '@full' },
  async ({ page, context, account, code }) => {
    const member = await account();
    await signIn(page, member);
    const second = await context.newPage();
    await open(second, '/account/verifyOtp');
    await expect(boxes(second).first()).toBeFocused();
    await enterCode(second, await code(member.email));
    await expect(heading(second, 'Member Intake')).toBeVisible();
  },
);

test('[SCR-05] [GEN-04] an unknown address leads on; at the academy to its free trial', async ({
  page,
  quiet,
}) => {
  quiet.allow(/404 \(Not Found\)/);
  await page.goto('/no/such/place');
  await expect(heading(page, 'Page not found')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  await page.goto('/account/ErrorPage?subtenantId=3');
  await page.getByRole('link', { name: 'Sign Up' }).click();
  await expect(page).toHaveURL('/account/StartFreeTrial?subtenantId=3');
  await expect(page.getByText('Start your 30-day free trial.')).toBeVisible();
});

test('[SCR-03] an unauthorized visitor is led to sign-in after five seconds, with the reason', async ({
  page,
}) => {
  await page.clock.install();
  await open(page, '/account/UnAuthorizedAccess');
  await expect(
    page.getByRole('main').getByText(/^Taking you to Sign In in \d seconds$/),
  ).toBeVisible();
  await page.clock.runFor(6000);
  await expect(heading(page, 'Login')).toBeVisible();
  await expect(page.getByRole('main')).toContainText(
    'Your account cannot open this page. Call us, and we will look at it with you.',
  );
});

test("[GEN-03] [GEN-07] [GEN-11] each organisation's logo and name; the choice stays in the session", async ({
  page,
}) => {
  await open(page, '/account/signin?subtenantId=900');
  await expect(page.getByRole('img', { name: 'Harbor Point Care' })).toBeVisible();
  await expect(page).toHaveTitle('Login – Harbor Point Care');
  await expect(page.getByRole('contentinfo')).toContainText('Powered By');
  const kept = () => page.evaluate(() => sessionStorage.getItem('subtenantDetails'));
  await expect.poll(kept).toContain('"subtenantId":900');
  await open(page, '/account/signin');
  await expect(page.getByRole('img', { name: 'Harbor Point Care' })).toBeVisible();
});

test('[GEN-11] [SRV-26] A3: the organisation in the address stays, also when the page is left alone', async ({
  page,
}) => {
  // Here nothing else wakes the page: no banner, no touch.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/account/signin?subtenantId=900');
  const kept = () => page.evaluate(() => sessionStorage.getItem('subtenantDetails'));
  await expect.poll(kept).toContain('"subtenantId":900');
  await page.goto('/account/ForgetPassword');
  await expect(page.getByRole('img', { name: 'Harbor Point Care' })).toBeVisible();
  await expect(page).toHaveTitle('Forgot Password? – Harbor Point Care');
});

test(
  '[GEN-01] somebody else signing in takes the place of who was signed in',
  { tag: '@full' },
  async ({ page, account, code }) => {
    const first = await account();
    await signInWithCode(page, first, code);
    await expect(heading(page, 'Member Intake')).toBeVisible();
    const second = await account();
    await open(page, '/account/signin');
    await page.getByText('Use another account').click();
    await fillSignIn(page, second);
    await loginButton(page).click();
    await expect(heading(page, CODE)).toBeVisible();
    await enterCode(page, await code(second.email));
    await expect(heading(page, 'Member Intake')).toBeVisible();
    await expect(page.getByText(second.email)).toBeVisible();
    await open(page, '/account/signin');
    await expect(heading(page, 'You are already signed in')).toBeVisible();
  },
);
