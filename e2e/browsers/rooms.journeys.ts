import { DEMO_PASSWORD, demoEmail } from '../support/people.ts';
import { expectNoSidewaysScroll, INTAKE, signIn, SWITCHER } from './steps.ts';
import { test } from './test.ts';
import { button, heading, link, main } from './visitor.ts';

// The rooms behind the door: My account, the offer of a key, and a person in the console.

test('[ACC-14] My account is a house with one lit window a device', async ({
  visitor,
  account,
  code,
}) => {
  await signIn(visitor, await account(), code);
  await visitor.sees(INTAKE);
  await visitor.open('/account/me');
  await visitor.sees(heading('My account'));
  await visitor.sees(main, 'This is your first time here.');
  // Leaves the window wide, where the house has words.
  await expectNoSidewaysScroll(visitor, 'My account');
  await visitor.sees({ css: 'aside' }, 'One light is on: yours.');
  await visitor.click({ css: 'a[href="/account/me/devices"]' });
  await visitor.sees(heading('Where you are signed in'));
});

test('[KEY-11] the offer of a key leads on without one', async ({ visitor, account, code }) => {
  await signIn(visitor, await account(), code);
  await visitor.sees(INTAKE);
  await visitor.open('/account/SaveKey');
  await visitor.sees(heading('Sign in faster next time'));
  await visitor.sees(main, 'Your password and your code still work.');
  await expectNoSidewaysScroll(visitor, 'the offer of a key');
  await visitor.click(link('Not now'));
  await visitor.sees(INTAKE);
});

test('[CON-06] the help desk finds a person, and reads the answer', async ({
  visitor,
  account,
  code,
}) => {
  const { email } = await account();
  await signIn(visitor, { email: demoEmail('staff'), password: DEMO_PASSWORD }, code);
  await visitor.sees(SWITCHER);
  // Its pages need no script, so there is nothing to wake.
  await visitor.evaluate(() => location.assign('/console'));
  await visitor.fill({ css: 'input[type="search"]' }, email);
  await visitor.click(button('Search'));
  await visitor.click(link('Ada Winslow'));
  await visitor.sees(heading('Ada Winslow'));
  await visitor.sees(main, 'Say this on the phone');
  await expectNoSidewaysScroll(visitor, 'a person');
});
