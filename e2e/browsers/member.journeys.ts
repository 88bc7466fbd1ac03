import { privacy } from '#texts/privacy.ts';
import { ui } from '#texts/ui.ts';
import { newMember } from '../support/people.ts';
import { CODE, enterCode, fillSignUp, INTAKE, sendSignIn, signIn } from './steps.ts';
import { expect, test } from './test.ts';
import { button, facts, field, heading, link, main } from './visitor.ts';

const NEW_PASSWORD = 'Lantern-Glow-8';

test('[SUP-19] [OTP-11] a member signs up and proves the address with a code', async ({
  visitor,
  code,
}) => {
  const member = newMember();
  await visitor.open('/Account/SignUp');
  await fillSignUp(visitor, member);
  await visitor.click(button('Sign Up'));
  await visitor.sees(CODE);
  await enterCode(visitor, await code(member.email));
  await visitor.sees(heading('Email verified'));
  await visitor.sees(main, 'Congratulations! your account has been created successfully');
});

test('[SIN-08] [OTP-08] [HND-03] [SCR-01] a member signs in with password and code, is handed to the module, and signs out', async ({
  visitor,
  account,
  code,
}) => {
  const member = await account();
  await signIn(visitor, member, code);
  await visitor.sees(INTAKE);
  await visitor.sees(main, `Welcome, ${member.firstName} ${member.lastName}.`);
  await visitor.click(facts);
  await visitor.sees(main, 'verified by the public keys, redeemed once');
  await visitor.click(link('Sign out'));
  await visitor.sees(heading('Logged Out Successfully!'));
  await visitor.until(async () => {
    expect(await visitor.evaluate(() => sessionStorage.getItem('AuthToken'))).toBeNull();
  });
  // With a session this address would lead back to the module.
  await visitor.open('/account/Redirect');
  await visitor.sees(heading('Login'));
});

test('[SIN-07] a wrong password is told, and the right one is taken after it', async ({
  visitor,
  account,
}) => {
  const { email, password } = await account();
  await visitor.open('/account/signin');
  await sendSignIn(visitor, { email, password: 'Not-The-One-1' });
  await visitor.sees(main, 'The username or password you entered is incorrect. Please try again.');
  await sendSignIn(visitor, { email, password });
  await visitor.sees(CODE);
});

test('[PWD-01] [PWD-09] a forgotten password is reset by the mailed link, and the new one signs in', async ({
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
  await visitor.sees(heading('Set new password'));
  await visitor.fill(field('password'), NEW_PASSWORD);
  await visitor.fill(field('confirmPassword'), NEW_PASSWORD);
  await visitor.click(button('Set password'));
  await visitor.sees(heading('Password reset'));
  await signIn(visitor, { email, password: NEW_PASSWORD }, code);
  await visitor.sees(INTAKE);
});

test("[SIN-08] the silent check finds a session: 'Continue as' needs no second code", async ({
  visitor,
  account,
  code,
  inbox,
}) => {
  const member = await account();
  await signIn(visitor, member, code);
  await visitor.sees(INTAKE);
  const mails = (await inbox(member.email)).length;
  await visitor.open('/account/signin');
  await visitor.sees(main, 'You are already signed in');
  await visitor.click(link(`Continue as ${member.firstName} ${member.lastName}`));
  await visitor.sees(INTAKE);
  expect(await inbox(member.email)).toHaveLength(mails);
});

test('[GEN-10] [RED-05] a browser that hides the session is told where its own settings are, and goes on once it shows it', async ({
  visitor,
  account,
  code,
  engine,
}) => {
  const help = { css: 'section', name: privacy.title };
  await visitor.open('/account/signin');
  // What a browser does that hides the session: the hosted login cannot read it, and it is there all the same.
  await visitor.evaluate(() => {
    document.cookie = 'idp_session.sig=; path=/idp';
  });
  await signIn(visitor, await account(), code);
  // WebKitGTK is no Safari: its settings are somewhere else.
  for (const step of privacy.steps[engine.name === 'webkit' ? 4 : 2]) {
    await visitor.sees(help, step);
  }
  await visitor.evaluate(() => {
    document.cookie = 'idp_session.sig=; path=/idp; max-age=0';
  });
  await visitor.click(button(ui.tryAgain));
  await visitor.sees(INTAKE);
});
