import { DEMO_PASSWORD, demoEmail, newMember } from './support/people.ts';
import { expectFocusInPage, tabTo } from './support/keyboard.ts';
import {
  boxes,
  enterCode,
  errorOf,
  field,
  fillSignIn,
  fillSignUp,
  heading,
  loginButton,
  open,
  signUpButton,
} from './support/screens.ts';
import { signInByApi, signInWithCode } from './support/session.ts';
import { expect, test } from './support/test.ts';
import type { Page } from '@playwright/test';

// One after the other: signing in twice at once with one account leaves only the newest code valid.
test.describe.configure({ mode: 'default' });

const demo = (name: string) => ({ email: demoEmail(name), password: DEMO_PASSWORD });

/** A row of what the demo module says that it received. */
const received = (page: Page, term: string) =>
  page.locator('dt', { hasText: new RegExp(`^${term}$`) }).locator('+ dd');

type Landing = {
  readonly account: string;
  readonly module: string;
  readonly path: string;
  readonly role: string;
  readonly passedOn: string;
  readonly credential?: string;
};

const INTAKE = 'Member Intake';
const OPENED = 'opened, 12 characters';

// Alone in a module, with the sealed password, and with two roles; each account's landing is a row of hand-off.test.ts.
// prettier-ignore
const LANDINGS: readonly Landing[] = [
  { account: 'member', module: INTAKE, path: '/demo/member-intake/login', role: '1', passedOn: 'Member (1)' },
  { account: 'special', module: 'Special Programs', path: '/demo/special', role: '20', passedOn: 'Special Programs (20)', credential: OPENED },
  { account: 'member-agent', module: INTAKE, path: '/demo/member-intake', role: '9', passedOn: 'Agent (5), Head of Household (9)' },
];

for (const { account, module, path, role, passedOn, credential = 'none' } of LANDINGS) {
  test(`[GEN-02] [RED-06] [RED-08] [RED-10] [RED-11] [RED-12] [RED-13] ${account} lands in ${module}`, async ({
    page,
    code,
  }) => {
    await signInWithCode(page, demo(account), code);
    await expect(heading(page, `${module}`)).toBeVisible();
    await expect(page).toHaveURL(path);
    await expect(received(page, 'Role here')).toHaveText(role);
    await expect(received(page, 'Roles passed on')).toHaveText(passedOn);
    await expect(received(page, 'Signed in with')).toHaveText('pwd and otp');
    await expect(received(page, 'Token')).toHaveText('verified by the public keys, redeemed once');
    await expect(received(page, 'Sealed credential')).toHaveText(credential);
    // The sealed copy is used once and then gone.
    expect(await page.evaluate(() => sessionStorage.getItem('sealedCredential'))).toBeNull();
  });
}

const choices = (page: Page) =>
  page
    .getByRole('radio')
    .evaluateAll((all) => all.map((radio) => radio.closest('label')?.innerText.split('\n')[0]));

async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(`^${entry}`) }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
}

// prettier-ignore
const SWITCHERS = [
  { account: 'staff', entries: ['Staff', 'Sign-In On App'] },
  { account: 'legal', entries: ['Legal Staff', 'Sign-In On App'] },
  { account: 'multi', entries: ['Admin', 'Event Counter', 'Mobile Event Counter', 'Member'] },
] as const;

for (const { account, entries } of SWITCHERS) {
  test(`[RED-07] [ROL-01] [ROL-02] [ROL-05] ${account} chooses on the switcher`, async ({
    page,
    code,
  }) => {
    await signInByApi(page, demo(account), code);
    await expect(heading(page, 'Accounts switcher')).toBeVisible();
    await expect(page).toHaveURL('/account/SelectRoles');
    await expect(page.getByRole('main')).toContainText(demoEmail(account));
    expect(await choices(page)).toEqual(entries);
  });
}

test('[ROL-01..06] [RED-12] [RED-13] the switcher of somebody with everything', async ({
  page,
  code,
}) => {
  await signInWithCode(page, demo('everything'), code);
  await expect(heading(page, 'Accounts switcher')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Olive Nakamura');
  // 17 is hidden beside 9; the login on the app comes last.
  expect(await choices(page)).toEqual([
    'Staff',
    'Admin',
    'Event Counter',
    'Mobile Event Counter',
    'Head of Household',
    'Special Programs',
    'Sign-In On App',
  ]);

  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.locator('#role-err')).toHaveText('Please select a role');
  await expect(page.getByRole('radio').first()).toBeFocused();

  await choose(page, 'Staff');
  await expect(heading(page, 'Member Intake')).toBeVisible();
  await expect(page).toHaveURL('/demo/member-intake');
  await expect(received(page, 'Role here')).toHaveText('3');
  await expect(received(page, 'Sealed credential')).toHaveText(OPENED);

  await open(page, '/account/SelectRoles');
  await choose(page, 'Admin');
  await expect(heading(page, 'Admin')).toBeVisible();
  await expect(received(page, 'Roles passed on')).toHaveText('Admin (4)');

  await open(page, '/account/SelectRoles');
  await choose(page, 'Sign-In On App');
  await expect(heading(page, 'Member Intake')).toBeVisible();
  await expect(page).toHaveURL('/demo/member-intake/login');
  await expect(received(page, 'Role here')).toHaveText('3');
});

test('[ROL-06] role 20, chosen on the switcher, leads to the separate module with the sealed password', async ({
  page,
  code,
}) => {
  await signInWithCode(page, demo('everything'), code);
  await choose(page, 'Special Programs');
  await expect(heading(page, 'Special Programs')).toBeVisible();
  await expect(received(page, 'Sealed credential')).toHaveText(OPENED);
});

test('[RED-06] [SCR-03] somebody with excluded roles only is shown out, and may stay to read why', async ({
  page,
  code,
}) => {
  await signInByApi(page, demo('excluded'), code);
  await expect(heading(page, 'Oops... Something went wrong !!!')).toBeVisible();
  await expect(page).toHaveURL('/account/UnAuthorizedAccess');
  // A pointer on its way is enough: the button could go before the press.
  await page.getByRole('button', { name: 'Stay on this page' }).dispatchEvent('click');
  await expect(page.getByText('You stay on this page.')).toBeVisible();
});

test('[SIN-06] an account that was never verified reads like a wrong password', async ({
  page,
}) => {
  await open(page, '/account/signin');
  await fillSignIn(page, demo('inactive'));
  await loginButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText(
    'The username or password you entered is incorrect. Please try again.',
  );
});

test('[V9] [PRF-09] a suspended account is told so behind password and code, with whom to call', async ({
  page,
  code,
}) => {
  await signInWithCode(page, demo('suspended'), code);
  await expect(heading(page, 'We could not sign you in')).toBeVisible();
  const box = page.getByRole('main').getByRole('alert');
  await expect(box).toContainText('Your account is switched off.');
  await expect(box).toBeFocused();
  await expect(box.getByRole('link', { name: '+1 555' })).toHaveAttribute('href', /^tel:\+?\d+$/);
  await expect(box.getByRole('link', { name: 'help@' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Verify OTP' })).toHaveCount(0);
});

test('[V9] [PRF-09] forgotten password and sign-up lead a suspended person to people, not in a circle', async ({
  page,
  inbox,
}) => {
  const { email } = demo('suspended');
  await open(page, '/account/ForgetPassword');
  await field(page, 'email').fill(email);
  await page.getByRole('button', { name: 'Reset password' }).click();
  await expect(heading(page, 'Check your email')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Call or write to us' })).toBeVisible();
  expect((await inbox(email))[0]?.subject).toBe(
    'Your Rosewood Senior Living account is switched off',
  );
  await open(page, '/Account/SignUp');
  await fillSignUp(page, { ...newMember(), email });
  await signUpButton(page).click();
  await expect(errorOf(page, 'email')).toContainText('already associated');
  await expect(errorOf(page, 'email').getByRole('link', { name: '+1 555' })).toBeVisible();
});

test('[V9] [PWD-04] an account that never finished its sign-up: Verify here., and then it signs in', async ({
  page,
  code,
}) => {
  const { email } = demo('inactive');
  await open(page, '/account/ForgetPassword');
  await field(page, 'email').fill(email);
  await page.getByRole('button', { name: 'Reset password' }).click();
  await page.getByRole('button', { name: 'Verify here.' }).click();
  await page.getByRole('button', { name: 'Send my code' }).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  await enterCode(page, await code(email));
  await expect(heading(page, 'Email verified')).toBeVisible();
});

test('[RED-02] [RED-09] [SIN-01] staff come in by their own door, straight to the staff module', async ({
  page,
  code,
}) => {
  await open(page, '/legal-staff/signin');
  await expect(heading(page, 'Staff Payment Login')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign Up' })).toHaveCount(0);
  await signInWithCode(page, demo('staff'), code, '/legal-staff/signin');
  await expect(heading(page, 'Member Intake')).toBeVisible();
  await expect(page).toHaveURL('/demo/member-intake');
  await expect(received(page, 'Role here')).toHaveText('3');
  await expect(received(page, 'Sealed credential')).toHaveText(OPENED);
});

test("[RED-02] [RED-09] a member at the staff's door is told, and shown the right one", async ({
  page,
  account,
  code,
}) => {
  await signInWithCode(page, await account(), code, '/legal-staff/signin');
  await expect(page).toHaveURL('/legal-staff/Redirect');
  await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText(
    'You are not staff; try using the button below.',
  );
  await page.getByRole('link', { name: 'Go to the Universal Login' }).click();
  await expect(heading(page, 'Member Intake')).toBeVisible();
});

test('[ROL-03] [ROL-06] the switcher by keyboard alone', async ({ page, code }) => {
  const { email, password } = demo('multi');
  await open(page, '/account/signin');
  await tabTo(page, field(page, 'email'));
  await page.keyboard.type(email);
  await tabTo(page, field(page, 'password'));
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(boxes(page).first()).toBeFocused();
  await page.keyboard.type(await code(email));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Accounts switcher')).toBeVisible();
  await expectFocusInPage(page);

  const go = page.getByRole('button', { name: 'Continue' });
  await tabTo(page, go);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: /^Event Counter/ })).toBeChecked();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('radio', { name: /^Admin/ })).toBeChecked();
  await tabTo(page, go);
  await page.keyboard.press('Space');
  await expect(heading(page, 'Admin')).toBeVisible();
});
