import { expect, type Page } from '@playwright/test';
import { type State, stateOf } from './states.ts';

// The words of the requirements to the letter, on screens that no journey passes; the journeys assert those on their way.

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
  { ids: '[ACT-02]', state: 'activation, expired link', title: 'This link is expired', texts: ['The link you are trying to access has expired or is no longer available'] },
  { ids: '[SCR-02] [OTP-11]', state: 'congratulation, account activated', title: 'Email verified', texts: ['Congratulations! your account is activated successfully', 'Login', 'back to sign up'] },
  { ids: '[PRF-02]', state: 'congratulation, phone number verified', title: 'Phone number verified', texts: ['Congratulations! your account has been created successfully', 'Login', 'back to sign up'] },
  { ids: '[OTP-09] [SCR-02]', state: 'congratulation, with the old password', title: 'Email verified', texts: ['Congratulations! your account is activated successfully', 'old password'] },
  { ids: '[RED-02] [RED-01]', state: 'redirect, not staff', title: 'We could not sign you in', texts: ['You are not staff; try using the button below.', 'Go to the Universal Login', 'Checking for Secured connection', 'Validate User ID', 'Checking if any Multi-Role', 'Validated successfully Signing-in'] },
  { ids: '[ROL-02]', state: 'switcher, staff', title: 'Accounts switcher', texts: ['Sign-In On App'] },
  { ids: '[H5]', state: 'hosted login, a request with a mistake', title: 'The app made a mistake', texts: ['They can give us this reference: ', 'For the developers of the app: invalid_client: client not found'] },
  { ids: '[GEN-07] [GEN-09]', state: 'subtenant 900', title: 'Login', texts: ['Powered By', 'Great News - Experience Our New User Interface'] },
];

/** GEN-10: what each browser's help says first, and which browser is told. */
const HELP: Readonly<Record<string, string>> = {
  'redirect, privacy help 1: Safari on a desk': 'Open the Safari menu and choose Settings.',
  'redirect, privacy help 2: Firefox': 'Click the icon to the left of the address.',
  'redirect, privacy help 3: Safari on a tablet':
    'Open the Settings app and choose Apps, then Safari.',
  'redirect, privacy help 4: unknown':
    'Open the settings of your browser and look for Privacy or Cookies.',
};

/** A row of a state that is gone would never be looked at. */
for (const name of [...ROWS.map(({ state }) => state), ...Object.keys(HELP)]) stateOf(name);

/** The rows that a state proves by its words. */
export const citedBy = ({ name }: State): string => {
  const cited = ROWS.filter(({ state }) => state === name).map(({ ids }) => `${ids} `);
  return cited.join('') + (HELP[name] ? '[GEN-10] [RED-05] ' : '');
};

/** The words to the letter, where the state has some of its own. */
export async function expectLiterals(page: Page, { name }: State): Promise<void> {
  for (const { title, texts } of ROWS.filter(({ state }) => state === name)) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    const shown = await page.locator('body').innerText();
    for (const text of texts) expect(shown).toContain(text);
  }
  const first = HELP[name];
  if (first) {
    const help = page.getByRole('region', { name: 'Your browser is blocking sign-in' });
    await expect(help.getByRole('listitem').first()).toHaveText(first);
  }
}
