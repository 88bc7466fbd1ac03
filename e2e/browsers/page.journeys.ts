import { expectNoSidewaysScroll, signIn, SWITCHER } from './steps.ts';
import { expect, test } from './test.ts';
import { button, heading } from './visitor.ts';

test('theme and text size are kept', async ({ visitor }) => {
  const shown = () =>
    visitor.evaluate(() => {
      const { theme, textSize } = document.documentElement.dataset;
      return [theme, textSize, getComputedStyle(document.documentElement).fontSize];
    });
  await visitor.open('/account/signin');
  await visitor.click(button('Largest text'));
  await visitor.click(button('Display'));
  await visitor.click(button('Dark'));
  await visitor.until(async () => {
    expect((await shown()).slice(0, 2)).toEqual(['dark', 'largest']);
  });
  const chosen = await shown();
  for (const path of ['/account/signin', '/Account/SignUp', '/help']) {
    await visitor.open(path);
    expect(await shown(), path).toEqual(chosen);
  }
});

test('no screen scrolls sideways at 390 and 1440', async ({ visitor, account, code }) => {
  const screens = {
    '/account/signin': 'Login',
    '/Account/SignUp': 'Sign up',
    '/account/StartFreeTrial?subtenantId=3': 'Sign up',
    '/account/ForgetPassword': 'Forgot Password?',
    '/help': 'Call or write to us',
    '/account/browser': 'Check your browser',
  };
  for (const [path, title] of Object.entries(screens)) {
    await visitor.open(path);
    await visitor.sees(heading(title));
    await expectNoSidewaysScroll(visitor, path);
  }
  await signIn(visitor, await account('member and academy'), code);
  await visitor.sees(SWITCHER);
  await expectNoSidewaysScroll(visitor, 'the switcher');
});
