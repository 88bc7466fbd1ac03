import { newMember } from '../support/people.ts';
import { CODE, fillSignUp, INTAKE, sendSignIn } from './steps.ts';
import { expect, test } from './test.ts';
import { button, facts, field, heading, link, main, type Visitor } from './visitor.ts';

// The main journeys with scripts off: forms are sent as HTML sends them (decision 124).

test.use({ hasScript: false });

const NEW_PASSWORD = 'Lantern-Glow-8';

async function enterDigits(visitor: Visitor, code: string): Promise<void> {
  for (const [at, digit] of [...code].entries()) {
    await visitor.fill({ css: `[aria-label="Digit ${at + 1} of 6"]` }, digit);
  }
  await visitor.click(button('Verify OTP'));
}

test('[NOS-15] a member signs in with password and code, is handed to the module, and signs out', async ({
  visitor,
  account,
  code,
}) => {
  const { email, password } = await account();
  await visitor.open('/account/signin');
  expect(await visitor.evaluate(() => 'porchlightHeldPresses' in window)).toBe(false);
  await sendSignIn(visitor, { email, password: 'Not-The-One-1' });
  await visitor.sees(main, 'The username or password you entered is incorrect. Please try again.');
  await sendSignIn(visitor, { email, password });
  await visitor.sees(CODE);
  await enterDigits(visitor, '000000');
  await visitor.sees(main, 'Invalid Otp.');
  await enterDigits(visitor, await code(email));
  await visitor.sees(INTAKE);
  await visitor.click(facts);
  await visitor.sees(main, 'verified by the public keys, redeemed once');
  await visitor.click(link('Sign out'));
  await visitor.click(button('Sign Out'));
  await visitor.sees(heading('Logged Out Successfully!'));
  await visitor.open('/account/Redirect');
  await visitor.sees(heading('Login'));
});

test('[NOS-15] a member signs up and proves the address with a code', async ({ visitor, code }) => {
  const member = newMember();
  await visitor.open('/Account/SignUp');
  await visitor.click(button('Sign Up'));
  await visitor.sees(main, 'Please enter');
  await fillSignUp(visitor, member);
  await visitor.click(button('Sign Up'));
  await visitor.sees(CODE);
  await enterDigits(visitor, await code(member.email));
  await visitor.sees(heading('Email verified'));
  await visitor.sees(main, 'your account has been created successfully');
});

test('[NOS-15] a forgotten password is reset by the mailed link, and the new one signs in', async ({
  visitor,
  account,
  inbox,
  code,
}) => {
  const { email } = await account();
  await visitor.open('/account/signin');
  await visitor.click(link('Forgot Password?'));
  await visitor.sees(heading('Forgot Password?'));
  await visitor.fill(field('email'), email);
  await visitor.click(button('Reset password'));
  await visitor.sees(heading('Check your email'));
  const [newest] = await inbox(email);
  await visitor.open(newest?.link ?? '');
  await visitor.click({ css: 'button[value=goOn]' });
  await visitor.fill(field('password'), NEW_PASSWORD);
  await visitor.fill(field('confirmPassword'), NEW_PASSWORD);
  await visitor.click(button('Set password'));
  await visitor.sees(heading('Password reset'));
  await visitor.open('/account/signin');
  await sendSignIn(visitor, { email, password: NEW_PASSWORD });
  await visitor.sees(CODE);
  await enterDigits(visitor, await code(email));
  await visitor.sees(INTAKE);
});
