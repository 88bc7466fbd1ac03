import { expect } from '@playwright/test';
import { test } from './support/state-test.ts';
import { stateOf } from './support/states.ts';

// The words of docs/requirements.md, typed out, on screens that no journey passes; the journeys assert those on their way.

type Row = {
  readonly ids: string;
  readonly state: string;
  readonly title: string;
  readonly texts: readonly string[];
};

const RULES = ['At least 8 characters', 'One uppercase', 'Alphanumeric', 'One special character'];

// prettier-ignore
const ROWS: readonly Row[] = [
  { ids: '[SUP-03] [SUP-04] [SUP-05]', state: 'sign-up', title: 'Sign up', texts: ['First Name', 'Last Name', 'Phone Number', 'Email', 'Password', 'Confirm Password', 'How did you hear about us?', ...RULES, 'Already have an account? Log in'] },
  { ids: '[SUP-02] [SUP-03]', state: 'sign-up, academy', title: 'Sign up', texts: ['Start your 30-day free trial.', 'Promo code'] },
  { ids: '[PWD-05] [SUP-05]', state: 'set password', title: 'Set Password', texts: ['New password', 'Confirm password', ...RULES] },
  { ids: '[PWD-08]', state: 'reset password, 404', title: 'Set new password', texts: ['User does not exist.'] },
  { ids: '[PWD-08]', state: 'reset password, 401', title: 'Set new password', texts: ['Unauthorized to change password.'] },
  { ids: '[PWD-08]', state: 'reset password, 400', title: 'Set new password', texts: ['Invalid change password request'] },
  { ids: '[PWD-08]', state: 'reset password, 503', title: 'Set new password', texts: ['Unable to procees your request, Please try later.'] },
  { ids: '[PWD-09] [OTP-10]', state: 'first password set', title: 'Set password', texts: ['Your password has been created successfully', 'Back to login'] },
  { ids: '[ACT-02]', state: 'activation, expired link', title: 'This link is expired', texts: ['The link you are trying to access has expired or is no longer available', 'Login'] },
  { ids: '[SCR-02] [OTP-11]', state: 'congratulation, account activated', title: 'Email verified', texts: ['Congratulations! your account is activated successfully', 'Login', 'back to sign up'] },
  { ids: '[OTP-09] [SCR-02]', state: 'congratulation, with the old password, with its toast', title: 'Email verified', texts: ['Congratulations! your account is activated successfully', 'old password'] },
  { ids: '[RED-02] [RED-01]', state: 'redirect, not staff', title: 'Signing you in', texts: ['You are not staff; try using the button below.', 'Go to the Universal Login', 'Checking for Secured connection', 'Validate User ID', 'Checking if any Multi-Role', 'Validated successfully Signing-in'] },
  { ids: '[ROL-02]', state: 'switcher, staff', title: 'Accounts switcher', texts: ['Sign-In On App'] },
  { ids: '[GEN-07] [GEN-09]', state: 'subtenant 900', title: 'Login', texts: ['Powered By', 'Great News - Experience Our New User Interface'] },
];

for (const { ids, state, title, texts } of ROWS) {
  test(`${ids} ${state}: the specified words to the letter`, async ({ page, reach }) => {
    await reach(stateOf(state));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    const shown = await page.locator('body').innerText();
    for (const text of texts) expect(shown).toContain(text);
  });
}

/** GEN-10: what each browser's help says first, and which browser is told. */
const HELP = {
  'redirect, privacy help 1: Safari on a desk': 'Open the Safari menu and choose Settings.',
  'redirect, privacy help 2: Firefox': 'Click the icon to the left of the address.',
  'redirect, privacy help 3: Safari on a tablet':
    'Open the Settings app and choose Apps, then Safari.',
  'redirect, privacy help 4: unknown':
    'Open the settings of your browser and look for Privacy or Cookies.',
} as const;

for (const [name, first] of Object.entries(HELP)) {
  const state = stateOf(name);
  test.describe(() => {
    test.use({ ...state.needs, settings: null });
    test(`[GEN-10] [RED-05] ${name}`, async ({ page, reach }) => {
      await reach(state);
      const help = page.getByRole('region', { name: 'Your browser is blocking sign-in' });
      await expect(help.getByRole('listitem').first()).toHaveText(first);
    });
  });
}

test('[GEN-08] a listed path goes without the banner, the others keep it', async ({
  page,
  serverWith,
}) => {
  const { needs } = stateOf('no banner on a listed path');
  const url = await serverWith(needs?.settings ?? {});
  const banner = page.getByText('Great News - Experience Our New User Interface');
  await page.goto(`${url}/Account/ForgetPassword`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot Password?');
  await expect(banner).toHaveCount(0);
  await page.goto(`${url}/account/signin`);
  await expect(banner).toBeVisible();
});
