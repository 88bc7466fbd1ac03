import { createVisitor } from '../src/server/testing/visitor.ts';
import { find, openConsole } from './support/console.ts';
import { addKeyDevice } from './support/key-device.ts';
import { heading } from './support/screens.ts';
import { signInByApi, signInWithCode } from './support/session.ts';
import { expect, test } from './support/test.ts';

// Pages as a screen reader reads them, from the top: each is a conversation by itself, without a look at the page.

test('[KEY-11] the offer of a key: what it is, when not, what stays, then the two answers', async ({
  page,
  account,
  code,
}) => {
  await addKeyDevice(page);
  await signInWithCode(page, await account(), code);
  await expect(heading(page, 'Sign in faster next time')).toBeVisible();
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Sign in faster next time" [level=1]
    - paragraph: With your face, your finger or the PIN of this device, as you unlock it.
    - heading "Do other people use this device?" [level=2]
    - paragraph: /Then choose “Not now”/
    - paragraph: Your password and your code still work.
    - button "Save a key here"
    - link "Not now"
  `);
  await page.getByRole('button', { name: 'Save a key here' }).click();
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Your key is saved" [level=1]
    - paragraph: Next time, unlock this device and you are in.
    - paragraph: Your password and your code still work.
    - link "Continue"
  `);
});

test('[ACC-15] My account: the last time, then each thing with its value and its verb', async ({
  page,
  account,
  code,
}) => {
  await signInByApi(page, await account(), code);
  await expect(page).toHaveURL(/\/demo\//);
  await page.goto('/account/me');
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "My account" [level=1]
    - paragraph: This is your first time here.
    - list:
      - listitem:
        - heading "Your name" [level=2]
        - paragraph: Ada Winslow
        - 'link "Change: Your name"'
      - listitem:
        - heading "Your email address" [level=2]
        - paragraph: /@/
        - 'link "Change: Your email address"'
      - listitem:
        - heading "Your phone number" [level=2]
        - paragraph: /\\+1/
        - 'link "Change: Your phone number"'
      - listitem:
        - heading "How you sign in" [level=2]
        - paragraph: /With a password and a 6-.digit code/
        - 'link "Change: How you sign in"'
      - listitem:
        - heading "Where you are signed in" [level=2]
        - paragraph: Only here
        - 'link "See all: Where you are signed in"'
  `);
});

test('[CON-06] a person in the console: the cause, what was done, what is waited for, what to say', async ({
  page,
  account,
  code,
  baseURL,
}) => {
  const { email } = await account();
  await createVisitor({ url: baseURL ?? '', codeFor: code }).givePassword(email, 'Wrong-Pass-1');
  await openConsole(page, 'staff', code);
  await find(page, email, 'Ada Winslow');
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Ada Winslow" [level=1]
    - region:
      - heading [level=2]
      - term: The cause
      - definition: /Ada typed a wrong password/
      - term: What was done
      - definition: /Password wrong/
      - term: What we wait for
      - heading "Say this on the phone" [level=3]
      - link "Mail a link for a new password"
    - region "What happened":
      - heading "What happened" [level=2]
    - region "What you can do":
      - heading "This helps now" [level=3]
      - heading "You may do this any time" [level=3]
      - heading "Only if you are sure" [level=3]
    - region "Who this is":
      - heading "Who this is" [level=2]
  `);
});
