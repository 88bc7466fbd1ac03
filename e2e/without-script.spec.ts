import type { Page } from '@playwright/test';
import { choose, enterCode, press, send, signIn, signUpForm, type } from './support/native.ts';
import { DEMO_PASSWORD, demoEmail, inviteByApi, newMember } from './support/people.ts';
import { test as withParty } from './support/sample-relying-party.ts';
import { field } from './support/screens.ts';
import { expect, test } from './support/test.ts';

// Every way of the portal, in a browser whose scripts are off: forms are sent as HTML sends them (decision 124).

test.use({ javaScriptEnabled: false });
withParty.use({ javaScriptEnabled: false });

const text = (page: Page) => page.locator('main').innerText();

test('[NOS-01] a member signs in, with every refusal above what it is about, and arrives @core', async ({
  page,
  account,
  code,
}) => {
  const { email, password } = await account();
  await page.goto('/account/signin');
  await expect(page.locator('.no-script')).toHaveCount(0);
  await send(page, 'sign-in');
  await expect(page).toHaveTitle(/^Error: Login/);
  await expect(page.locator('#email-err')).toHaveText('Please enter email address');
  // Above the form all of it, each with a way to its field.
  await expect(page.locator('main a[href="#email"]')).toHaveText('Please enter email address');
  await page.locator('main a[href="#password"]').click();
  await expect(field(page, 'password')).toBeFocused();
  await type(page, 'sign-in', { email, password: 'Not-The-Word-1' });
  await send(page, 'sign-in');
  await expect(page.getByRole('alert').first()).toContainText('incorrect');
  await expect(field(page, 'email')).toHaveValue(email);
  await expect(field(page, 'password')).toHaveValue('');
  await type(page, 'sign-in', { password });
  await send(page, 'sign-in');
  await expect(page).toHaveURL(/\/account\/verifyOtp/);
  await enterCode(page, '000000');
  await expect(page.locator('#otp-err')).toHaveText('Invalid Otp.');
  await enterCode(page, await code(email));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Member Intake');
});

test('[NOS-01] staff come in by their own entrance', async ({ page, code }) => {
  const email = demoEmail('legal');
  await signIn(page, email, DEMO_PASSWORD, '/legal-staff/signin');
  await enterCode(page, await code(email));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Member Intake');
});

test('[NOS-01] more time, and another address', async ({ page, code }) => {
  const member = newMember();
  await signUpForm(page, '/Account/SignUp', member);
  // What only a script can press is not there; the code's time is not over.
  await expect(page.locator('.script-only:visible')).toHaveCount(0);
  await page.locator('summary', { hasText: 'It has not come' }).click();
  await press(page, 'resend');
  await expect(page.locator('#code')).toContainText('Please wait until the time is up.');
  await press(page, 'moreTime');
  await expect(page).toHaveURL(/verifyOtp/);
  await expect(page.locator('main')).not.toContainText('There is a problem');
  await press(page, 'open:change-address');
  const email = `new.${member.email}`;
  await type(page, 'change-address', { email: 'nonsense' });
  await send(page, 'change-address');
  await expect(page.locator('#change-address #email-err')).not.toBeEmpty();
  await type(page, 'change-address', { email });
  await send(page, 'change-address');
  await enterCode(page, await code(email));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email verified');
});

test('[NOS-02] a sign-up keeps what was typed, knows a country by its number, and takes survey and promo @core', async ({
  page,
  code,
}) => {
  const { firstName, lastName, email, password } = newMember();
  await page.goto('/account/StartFreeTrial?subtenantId=3');
  await expect(field(page, 'otherText')).toBeHidden();
  await choose(page, 'survey');
  await expect(field(page, 'otherText')).toBeVisible();
  await choose(page, 'survey', 1);
  await type(page, 'sign-up', { firstName, lastName, email, phone: '+44 20 7946 0958' });
  await type(page, 'sign-up', { password, confirmPassword: 'Another-One-1', promo: 'NO-SUCH' });
  await send(page, 'sign-up');
  await expect(page.locator('#confirmPassword-err')).not.toBeEmpty();
  await expect(field(page, 'firstName')).toHaveValue(firstName);
  await expect(field(page, 'promo')).toHaveValue('NO-SUCH');
  await expect(page.locator('input[name=country]')).toHaveAttribute('value', 'GB');
  await expect(page.locator('input[name=survey]').nth(1)).toBeChecked();
  await type(page, 'sign-up', { password, confirmPassword: password });
  await send(page, 'sign-up');
  await expect(page.locator('#promo-err')).not.toBeEmpty();
  await type(page, 'sign-up', { password, confirmPassword: password, promo: '' });
  await send(page, 'sign-up');
  await expect(page).toHaveURL(/verifyOtp/);
  await enterCode(page, await code(email));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email verified');
  const said = 'your account has been created successfully';
  await expect(page.locator('main')).toContainText(said, { useInnerText: true });
});

for (const [how, written] of [
  ['in two groups', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
  [
    'with the words of our text around it',
    (code: string) => `Your code: ${code}. It works for 2 minutes.`,
  ],
] as const) {
  test(`[NOS-01] [OTP-05] F20: a code that stands ${how} in the first box is read`, async ({
    page,
    account,
    code,
  }) => {
    const { email, password } = await account();
    await signIn(page, email, password);
    await page
      .locator('#code input[name=otp]')
      .first()
      .fill(written(await code(email)));
    await send(page, 'code');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Member Intake');
  });
}

test('[NOS-03] the switcher asks for a role, hands over, and a press signs out @core', async ({
  page,
  account,
  code,
}) => {
  const { email, password } = await account('member and academy');
  await signIn(page, email, password);
  await enterCode(page, await code(email));
  await expect(page).toHaveURL('/account/SelectRoles');
  await send(page, 'roles');
  await expect(page.locator('#role-err')).toHaveText('Please select a role');
  await choose(page, 'role');
  await send(page, 'roles');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Member Intake');
  await page.goto('/account/signin');
  await page.locator('a', { hasText: 'Continue as' }).click();
  await press(page, 'goOn');
  await expect(page).toHaveURL('/account/SelectRoles');
  // The address that browsers remember is no proof of a sign-out (A1).
  await page.goto('/account/Signout?hosted=done');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign out');
  await press(page, 'goOn');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Logged Out Successfully!');
  await page.goto('/account/SelectRoles');
  await expect(page).toHaveURL(/signin/);
});

test('[NOS-03] who signs out at a module is out, also after others signed in without script', async ({
  page,
  account,
  code,
}) => {
  const { email, password } = await account();
  await signIn(page, email, password);
  await enterCode(page, await code(email));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Member Intake');
  await page.locator('a', { hasText: 'Sign out' }).click();
  await press(page, 'goOn');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Logged Out Successfully!');
  await page.goto('/account/Redirect');
  await expect(page).toHaveURL(/signin/);
});

test('[NOS-04] a forgotten password: unknown, unproven, mailed, set @core', async ({
  page,
  account,
  inbox,
  code,
}) => {
  const { email } = await account();
  await page.goto('/account/ForgetPassword');
  await type(page, 'forgot-password', { email: 'nobody.at.all@example.org' });
  await send(page, 'forgot-password');
  await expect(page.locator('#email-err')).toContainText('No account found');
  await type(page, 'forgot-password', { email });
  await send(page, 'forgot-password');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email');
  const link = (await inbox(email))
    .map((message) => message.link)
    .find((url) => url?.includes('resetLinkKey'));
  await page.goto(String(link));
  await press(page, 'goOn');
  const password = 'Green-Teapot-77';
  await type(page, 'reset-password', { password, confirmPassword: 'Other-Teapot-77' });
  await send(page, 'reset-password');
  await expect(page.locator('#confirmPassword-err')).not.toBeEmpty();
  await type(page, 'reset-password', { password, confirmPassword: password });
  await send(page, 'reset-password');
  await expect(page).toHaveURL('/account/SuccessResetPassword');
  await signIn(page, email, password);
  await enterCode(page, await code(email));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Member Intake');
});

test('[NOS-04] "Verify here." leads to an activation by code', async ({ page, code }) => {
  const member = newMember();
  await inviteByApi(page.request, member);
  const { email } = member;
  await page.goto('/account/ForgetPassword');
  await type(page, 'forgot-password', { email });
  await send(page, 'forgot-password');
  await press(page, 'verify');
  await expect(page).toHaveURL(/Activation/);
  await press(page, 'goOn');
  await press(page, 'send');
  await expect(page).toHaveURL(/verifyOtp/);
  await enterCode(page, await code(email));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email verified');
});

withParty(
  '[IDP-23] [NOS-06] a new password leads back to the third party',
  async ({ page, account, code, inbox, party }) => {
    const { email } = await account();
    const password = 'Copper-Teapot-77';
    await page.goto(party.start());
    await page.getByRole('link', { name: 'Forgot Password?' }).click();
    await type(page, 'forgot-password', { email });
    await send(page, 'forgot-password');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email');
    await page.goto((await inbox(email))[0]?.link ?? '');
    await press(page, 'goOn');
    await type(page, 'reset-password', { password, confirmPassword: password });
    await send(page, 'reset-password');
    await page.getByRole('link', { name: 'Go on to Garden Club' }).click();
    await type(page, 'sign-in', { email, password });
    await send(page, 'sign-in');
    await enterCode(page, await code(email));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Share with Garden Club?');
  },
);

withParty(
  '[NOS-06] a third party sends somebody here, asks once, and gets an answer',
  async ({ page, account, code, party }) => {
    const { email, password } = await account();
    await page.goto(party.start());
    await type(page, 'sign-in', { email, password });
    await send(page, 'sign-in');
    await enterCode(page, await code(email));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Share with Garden Club?');
    expect(await text(page)).toContain(email);
    await press(page, 'allow');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Garden Club: welcome');
  },
);
