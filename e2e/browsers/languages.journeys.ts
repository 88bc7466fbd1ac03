import { textsIn } from '../../src/locales/catalogue.ts';
import { expect, test } from './test.ts';
import { button, field, heading, link, main, type Visitor } from './visitor.ts';

const t = textsIn('es');

const shown = (visitor: Visitor) =>
  visitor.evaluate(() => {
    const { lang, clientWidth, scrollWidth } = document.documentElement;
    const dir = getComputedStyle(document.body).direction;
    return { lang, dir, overhang: scrollWidth - clientWidth };
  });

test('[LNG-07] [LNG-10] Spanish is chosen on the step line, and kept through a sign-in', async ({
  visitor,
  account,
  code,
}) => {
  const { email, password } = await account();
  await visitor.open('/account/signin');
  await visitor.fill(field('email'), email);
  await visitor.click(link('Español'));
  await visitor.sees(heading(t.signIn.title));
  await visitor.until(async () =>
    expect(await visitor.ask(field('email'), (input) => (input as HTMLInputElement).value)).toBe(
      email,
    ),
  );
  await visitor.fill(field('password'), 'Not-The-One-1');
  await visitor.click(button(t.signIn.submit));
  await visitor.sees(main, t.problems.wrongCredentials);
  await visitor.fill(field('password'), password);
  await visitor.click(button(t.signIn.submit));
  await visitor.sees(heading(t.otp.title));
  await visitor.hasFocusOn(field('otp'));
  await visitor.type(await code(email));
  await visitor.click(button(t.otp.submit));
  await visitor.sees(heading(t.demoModules.modules['member-intake'].name));
});

for (const [language, dir] of [
  ['es', 'ltr'],
  ['ar-XB', 'rtl'],
] as const) {
  test(`[LNG-09] [LNG-10] ${language}: the page has its direction and scrolls only down`, async ({
    visitor,
  }) => {
    for (const path of ['/account/signin', '/Account/SignUp', '/help']) {
      await visitor.open(`${path}?lang=${language}`);
      for (const width of [390, 1440]) {
        await visitor.resize(width, 900);
        await visitor.until(async () =>
          expect(await shown(visitor), path).toEqual({ lang: language, dir, overhang: 0 }),
        );
      }
    }
  });
}
