import { newMember } from './support/people.ts';
import {
  boxes,
  errorOf,
  field,
  fillSignUp,
  heading,
  open,
  signUpButton,
  toast,
} from './support/screens.ts';
import { awake, expect, test } from './support/test.ts';

const GENERAL = 'Something went wrong. Try again later.';
const IN_USE = 'This email is already associated with other account or partner';

const REQUIRED = {
  firstName: 'First name is required',
  lastName: 'Last name is required',
  phone: 'Please enter the Phone Number',
  email: 'Please enter email address',
  password: 'Please enter password',
  confirmPassword: 'Please enter confirm password',
} as const;

test.beforeEach(async ({ page }) => open(page, '/Account/SignUp'));

test('[SUP-13] [SUP-22] an empty form: six messages, one warning, and the focus on the first field', async ({
  page,
}) => {
  await signUpButton(page).click();
  for (const [name, message] of Object.entries(REQUIRED)) {
    await expect(errorOf(page, name)).toHaveText(message);
    await expect(field(page, name)).toHaveAttribute('aria-invalid', 'true');
    await expect(field(page, name)).toHaveAccessibleDescription(new RegExp(message));
  }
  await expect(toast(page)).toContainText('Please fill out all required fields as highlighted.');
  await expect(field(page, 'firstName')).toBeFocused();
  await expect(page).toHaveTitle(/^Error: Sign up/);

  // A mark goes as soon as its field is mended, and no sooner.
  await field(page, 'firstName').pressSequentially('Ada');
  await expect(errorOf(page, 'firstName')).toBeHidden();
  await expect(errorOf(page, 'lastName')).toHaveText(REQUIRED.lastName);
});

const WRONG = [
  ['SUP-09', 'firstName', '42', 'Please enter valid First Name Allowed'],
  ['SUP-09', 'lastName', '...', 'Please enter valid Last Name Allowed'],
  ['SUP-10', 'phone', '555014229', 'Enter the valid Phone Nummber'],
  ['SUP-11', 'email', 'ada@example', 'Please enter a valid email address'],
  ['SUP-12', 'password', 'alllowercase1!', 'Your password does not meet our security criteria'],
  ['SUP-12', 'confirmPassword', 'Another-One-9', 'Your password does not match'],
] as const;

for (const [id, name, text, message] of WRONG) {
  test(`[${id}] [SUP-22] ${name} '${text}': ${message}`, async ({ page, api }) => {
    await fillSignUp(page, newMember());
    await field(page, name).fill(text);
    await signUpButton(page).click();
    await expect(errorOf(page, name)).toHaveText(message);
    await expect(field(page, name)).toBeFocused();
    await expect(toast(page)).toBeHidden();
    expect(api.to('/api/User/CreateUser')).toEqual([]);
  });
}

test('[SUP-09] [SUP-10] [SUP-11] names get their capital, spaces go, the number takes its shape', async ({
  page,
}) => {
  await field(page, 'firstName').pressSequentially('  ada');
  await expect(field(page, 'firstName')).toHaveValue('Ada');
  await field(page, 'lastName').pressSequentially('van der Berg');
  await expect(field(page, 'lastName')).toHaveValue('Van der Berg');
  await field(page, 'phone').pressSequentially('5550142290');
  await expect(field(page, 'phone')).toHaveValue('(555) 014-2290');
  await field(page, 'email').pressSequentially('  ada@example.org');
  await expect(field(page, 'email')).toHaveValue('ada@example.org');
});

test('[SUP-05] the checklist follows the password, in words and not in colour alone', async ({
  page,
}) => {
  const rules = page.getByRole('listitem').filter({ hasText: /, (?:done|not yet)$/ });
  const states = () => rules.allTextContents();
  expect(await states()).toEqual([
    'At least 8 characters, not yet',
    'One uppercase, not yet',
    'Alphanumeric, not yet',
    'One special character, not yet',
  ]);
  const steps = [
    ['Porch', [false, true, false, false]],
    ['Porchlight', [true, true, false, false]],
    ['Porchlight1', [true, true, true, false]],
    ['Porchlight1!', [true, true, true, true]],
  ] as const;
  for (const [password, met] of steps) {
    await field(page, 'password').fill(password);
    expect((await states()).map((text) => text.endsWith('done'))).toEqual(met);
  }
  await expect(page.locator('#live-polite')).toHaveText('All password rules met.');
});

test('[SUP-06] [SUP-07] the country picker opens on a click, filters by name and by code, and closes outside', async ({
  page,
}) => {
  const button = page.getByRole('button', { name: /^Country code/ });
  const list = page.getByRole('listbox');
  const options = list.getByRole('option');
  const search = page.getByRole('combobox', { name: 'Search country or code' });
  await expect(button).toHaveText('(+1) USA');
  await expect(list).toBeHidden();

  await button.click();
  await expect(search).toBeFocused();
  await expect(options.nth(3)).toBeVisible();
  expect((await options.allTextContents()).slice(0, 3)).toEqual([
    '(+1) USA',
    '(+254) Kenya',
    '(+91) India',
  ]);
  expect((await list.boundingBox())?.height).toBeLessThanOrEqual(150);

  await search.fill('united k');
  await expect(options).toHaveText(['(+44) United Kingdom']);
  await search.fill('254');
  await expect(options).toHaveText(['(+254) Kenya']);
  await search.fill('nowhere');
  await expect(page.getByText('No country found').first()).toBeVisible();

  await heading(page, 'Sign up').click();
  await expect(list).toBeHidden();
  await expect(button).toHaveText('(+1) USA');

  await button.click();
  await search.fill('kenya');
  await options.first().click();
  await expect(list).toBeHidden();
  await expect(button).toHaveText('(+254) Kenya');
  await expect(button).toBeFocused();
});

test("[SUP-15] the chosen country's code is sent", async ({ page, api }) => {
  await page.getByRole('button', { name: /^Country code/ }).click();
  await page.getByRole('option', { name: '(+254) Kenya' }).click();
  await fillSignUp(page, { ...newMember(), phone: '712345678' });
  await signUpButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  expect(api.to('/api/User/CreateUser')[0]?.body).toMatchObject({ user: { countryCode: '+254' } });
});

test("[SUP-08] survey answers toggle; 'Other' comes first and asks for words", async ({ page }) => {
  const group = page.getByRole('group', { name: 'How did you hear about us?' });
  const other = group.getByLabel('Other', { exact: true });
  const friend = group.getByLabel('Friend or family');
  await expect(group.getByRole('checkbox').first()).toHaveAttribute('value', '418');
  await friend.check();
  await other.check();
  await expect(friend).toBeChecked();
  await expect(field(page, 'otherText')).toBeVisible();
  await friend.uncheck();
  await other.uncheck();
  await expect(friend).not.toBeChecked();
  await expect(field(page, 'otherText')).toBeHidden();
});

test('[SUP-21] an address in use: the message, the focus, and a way to sign in with it', async ({
  page,
  account,
}) => {
  const taken = await account();
  await fillSignUp(page, taken);
  await signUpButton(page).click();
  await expect(errorOf(page, 'email')).toContainText(IN_USE);
  await expect(field(page, 'email')).toBeFocused();
  await expect(field(page, 'firstName')).toHaveValue(taken.firstName);
  await errorOf(page, 'email').getByRole('link', { name: 'Sign In' }).click();
  await expect(heading(page, 'Login')).toBeVisible();
  await expect(field(page, 'email')).toHaveValue(taken.email);
});

test('[SEC-01] a password that is easy to guess: said at the field, and nothing is lost', async ({
  page,
}) => {
  const member = { ...newMember(), password: 'Password1!' };
  await fillSignUp(page, member);
  await signUpButton(page).click();
  await expect(errorOf(page, 'password')).toContainText('This password is easy to guess.');
  await expect(field(page, 'password')).toBeFocused();
  await expect(field(page, 'firstName')).toHaveValue(member.firstName);
  await expect(field(page, 'email')).toHaveValue(member.email);
  await expect(field(page, 'confirmPassword')).toHaveValue(member.password);

  await field(page, 'password').fill('Rocking-Chair-7');
  await expect(errorOf(page, 'password')).toBeHidden();
  await field(page, 'confirmPassword').fill('Rocking-Chair-7');
  await signUpButton(page).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
});

test("[SUP-21] INVALID_SUBTENANT: the server's own words, at the email", async ({ page }) => {
  await page.route('**/api/User/CreateUser', (route) => {
    const body = route.request().postDataJSON() as Record<string, unknown>;
    return route.continue({ postData: JSON.stringify({ ...body, subtenantId: 999_999 }) });
  });
  await fillSignUp(page, newMember());
  await signUpButton(page).click();
  await expect(errorOf(page, 'email')).toHaveText(
    'We do not know this organization, or it is closed. Please check your link.',
  );
});

for (const fault of ['aborted', 'status 500'] as const) {
  test(`[SUP-21] CreateUser ${fault}: the general warning, and everything typed is still there`, async ({
    page,
    quiet,
  }) => {
    quiet.allow(/Failed to load resource/);
    await page.route('**/api/User/CreateUser', (route) =>
      fault === 'aborted' ? route.abort() : route.fulfill({ status: 500, json: {} }),
    );
    const member = newMember();
    await fillSignUp(page, member);
    await signUpButton(page).click();
    await expect(toast(page)).toContainText(GENERAL);
    await expect(page.getByRole('main').getByRole('alert')).toContainText(GENERAL);
    await expect(field(page, 'firstName')).toHaveValue(member.firstName);
    await expect(field(page, 'phone')).toHaveValue(member.shownPhone);
    await expect(field(page, 'email')).toHaveValue(member.email);
    await expect(field(page, 'password')).toHaveValue(member.password);
  });
}

test('[SUP-21] the code could not be sent: said, and sending alone is tried again', async ({
  page,
  api,
  quiet,
}) => {
  quiet.allow(/Failed to load resource/);
  await page.route('**/api/OTP/Send-OTP-To-User', (route) => route.abort(), { times: 1 });
  await fillSignUp(page, newMember());
  await signUpButton(page).click();
  await expect(toast(page)).toContainText(GENERAL);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  expect(api.to('/api/User/CreateUser')).toHaveLength(1);
});

test("[SUP-16] a double click on 'Sign Up' makes one account and sends one code", async ({
  page,
  api,
  inbox,
}) => {
  const member = newMember();
  await fillSignUp(page, member);
  await signUpButton(page).dblclick();
  await expect(heading(page, 'Enter your 6-digit code')).toBeVisible();
  expect(api.to('/api/User/CreateUser')).toHaveLength(1);
  expect(api.to('/api/OTP/Send-OTP-To-User')).toHaveLength(1);
  expect(await inbox(member.email)).toHaveLength(1);
});

test('[SUP-16] the same person in two tabs: one account, and one code that both accept', async ({
  page,
  context,
  inbox,
  code,
}) => {
  const member = newMember();
  const second = await context.newPage();
  await second.goto('/Account/SignUp');
  await awake(second);
  const ids: unknown[] = [];
  for (const tab of [page, second]) {
    tab.on('response', async (response) => {
      if (!response.url().endsWith('/api/User/CreateUser')) return;
      const { data } = (await response.json()) as { data: { userId: unknown } };
      ids.push(data.userId);
    });
    await fillSignUp(tab, member);
  }
  await Promise.all([signUpButton(page).click(), signUpButton(second).click()]);
  for (const tab of [page, second]) {
    await expect(heading(tab, 'Enter your 6-digit code')).toBeVisible();
  }
  expect(new Set(ids).size).toBe(1);
  expect(ids).toHaveLength(2);
  const codes = (await inbox(member.email)).map((message) => message.code);
  // The newest code counts, in whichever tab it is typed.
  expect(await code(member.email)).toBe(codes[0]);
  await page.reload();
  await awake(page);
  await boxes(page).first().fill(String(codes[0]));
  await page.getByRole('button', { name: 'Verify OTP' }).click();
  await expect(heading(page, 'Email verified')).toBeVisible();
});
