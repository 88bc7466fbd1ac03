import type { Page } from '@playwright/test';
import { textsIn } from '../src/locales/catalogue.ts';
import { OFFERED } from '../src/locales/languages.ts';
import { newMember } from './support/people.ts';
import { field, fillSignIn, fillSignUp } from './support/screens.ts';
import { expectSpanish, untranslatedIn } from './support/spanish.ts';
import { test } from './support/state-test.ts';
import { awake, expect } from './support/test.ts';
import { lostContentIn } from './support/visual-checks.ts';
import { inItsFont } from './support/waking.ts';

// The choice of a language, the way in and back in Spanish, and the two pseudo-languages.

const t = textsIn('es');

const spanish = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Español' });

test('[LNG-07] two words on the step line; what was typed stays, the password does not @core', async ({
  page,
}) => {
  await page.goto('/account/signin?subtenantId=900');
  await expect(page.getByRole('main').getByText('English')).toHaveAttribute('aria-current', 'true');
  await fillSignIn(page, { email: 'ada@example.org', password: 'Rocking-Chair-7' });
  await awake(page);
  await spanish(page).click();
  await expectSpanish(page, t.signIn.title);
  await expect(page).toHaveURL('/account/signin?subtenantId=900');
  await expect(field(page, 'email')).toHaveValue('ada@example.org');
  await expect(field(page, 'password')).toHaveValue('');
  // Kept for later visits, and first in Display.
  await page.goto('/help');
  await expectSpanish(page, t.pages.helpTitle);
  await page.getByRole('button', { name: t.shell.display.button }).click();
  const panel = page.getByRole('group', { name: t.display.panel });
  await expect(panel.getByText(t.display.language)).toBeVisible();
  await panel.getByRole('link', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false, locale: 'en-US' });

  test('[LNG-07] the choice works, and forms are answered in it', async ({ page }) => {
    await page.goto('/account/signin');
    await spanish(page).click();
    await expectSpanish(page, t.signIn.title);
    await page.getByRole('button', { name: t.signIn.submit }).click();
    await expect(page.getByText(t.fields.emailRequired).first()).toBeVisible();
    await expect(page).toHaveTitle(/^Error: /);
    expect(await untranslatedIn(page)).toEqual([]);
  });
});

test.describe('a browser that asks for Spanish', () => {
  test.use({ locale: 'es-MX' });

  test('[LNG-04] [LNG-10] sign-up with its survey, code, sign-in, My account', async ({
    page,
    code,
    inbox,
  }) => {
    const member = newMember();
    await page.goto('/Account/SignUp');
    await expectSpanish(page, t.signUp.title);
    await awake(page);
    await fillSignUp(page, member);
    await page.getByRole('button', { name: t.signUp.submit }).click();
    await expectSpanish(page, t.otp.title);
    const mail = (await inbox(member.email)).find(({ channel }) => channel === 'email');
    expect(mail?.subject).toContain('es su código de Rosewood Senior Living');
    await field(page, 'otp')
      .first()
      .fill(await code(member.email));
    await page.getByRole('button', { name: t.otp.submit }).click();
    await expectSpanish(page, t.pages.congratulationTitle);
    await page.goto('/account/me');
    await awake(page);
    await fillSignIn(page, member);
    await page.getByRole('button', { name: t.signIn.submit }).click();
    await expectSpanish(page, t.otp.title);
    await field(page, 'otp')
      .first()
      .fill(await code(member.email));
    await page.getByRole('button', { name: t.otp.submit }).click();
    await expect(page).toHaveURL(/\/account\/me/);
    await expect(page.getByRole('heading', { name: t.myAccount.rows.name })).toBeVisible();
    expect(await untranslatedIn(page)).toEqual([]);
  });

  test('[LNG-10] refusals, reset and help @core', async ({ page, account, quiet }) => {
    quiet.allow(/403 \(Forbidden\)/);
    const member = await account();
    await page.goto('/account/signin');
    await awake(page);
    await fillSignIn(page, { email: member.email, password: 'Wrong-Chair-7' });
    await page.getByRole('button', { name: t.signIn.submit }).click();
    await expect(page.getByText(t.problems.wrongCredentials)).toBeVisible();
    for (const [path, title] of [
      ['/account/ForgetPassword', t.passwords.forgotLead],
      ['/help', t.lamp.before],
      ['/account/browser', t.browser.lead],
      ['/account/congratulation', t.pages.congratulationTitle],
      ['/account/StartFreeTrial?subtenantId=3', t.signUp.trial],
    ] as const) {
      await page.goto(path);
      await expect(page.getByText(title).first()).toBeVisible();
      expect(await untranslatedIn(page), path).toEqual([]);
    }
  });
});

/** Of languages, addresses, numbers and countries. */
const NAMES = /^(?:EnglishEspañol|\(\+1\) USA|\S+@\S+)$/;

/** Pages that are there by their address alone. */
const PATHS = [
  '/account/signin',
  '/Account/SignUp',
  '/account/StartFreeTrial?subtenantId=3',
  '/account/ForgetPassword',
  '/account/congratulation',
  '/account/Signout',
  '/account/UnAuthorizedAccess',
  '/account/browser',
  '/help',
];

for (const language of ['es', 'en-XA', 'ar-XB']) {
  test(`[LNG-06] [LNG-09] ${language}: nothing is cut, and nothing sticks out`, async ({
    page,
  }) => {
    for (const path of PATHS) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
      await awake(page);
      for (const width of [320, 390, 820, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await lostContentIn(page), `${path} at ${width}`).toEqual([]);
      }
      if (language !== 'en-XA') continue;
      const missing = (await page.locator('main').innerText())
        .split('\n')
        .filter(
          (line) => /[a-z]{3}/i.test(line) && !/[áéíóúÁÉÍÓÚ\]]/.test(line) && !NAMES.test(line),
        );
      expect(missing, `not in the catalogue: ${path}`).toEqual([]);
    }
  });
}

test('[LNG-09] from right to left the page is mirrored, and an address is not', async ({
  page,
}) => {
  await page.goto('/account/signin?lang=ar-XB');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  const [toggle, input] = await Promise.all([
    page.getByRole('main').locator('button[type=button]').first().boundingBox(),
    field(page, 'password').boundingBox(),
  ]);
  // The button of the password stands at the left end of its field.
  expect((toggle?.x ?? 99) - (input?.x ?? 0)).toBeLessThan(8);
  await expect(field(page, 'email')).toHaveCSS('direction', 'ltr');
  const porch = page.locator('svg[data-door]:visible').first();
  await expect(porch).toHaveCSS('transform', 'matrix(-1, 0, 0, 1, 0, 0)');
  // Nobody else gets these rules.
  await page.goto('/account/signin?lang=en');
  expect(await page.content()).not.toContain('[dir=rtl]');
});

for (const language of OFFERED) {
  test(`[LNG-11] ${language}: the page loads one font, and each letter is in it`, async ({
    page,
  }) => {
    const fonts: string[] = [];
    page.on('response', (answer) => answer.url().endsWith('.woff2') && fonts.push(answer.url()));
    await page.goto(`/account/signin?lang=${language}`);
    await awake(page);
    await inItsFont(page);
    expect(fonts).toEqual([expect.stringMatching(/atkinson-latin-wght/)]);
    const texts = JSON.stringify({ ...textsIn(language) });
    const letters = [...new Set(texts.match(/[\p{L}\p{N}\p{P}]/gu))];
    const missing = await page.evaluate((all) => {
      const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
      const widthOf = (letter: string, other: string) => {
        pen.font = `64px 'Atkinson Hyperlegible Next', ${other}`;
        return pen.measureText(letter).width;
      };
      return all.filter((each) => widthOf(each, 'monospace') !== widthOf(each, 'serif'));
    }, letters);
    expect(missing).toEqual([]);
  });
}

// `npm test -- budgets` weighs the scripts.
test('[LNG-10] a Spanish page weighs at most half a KiB more, without its scripts', async ({
  request,
}) => {
  const bytes = async (path: string, lang: string) => {
    const answer = await request.get(path, { headers: { 'accept-language': lang } });
    return Number(answer.headers()['content-length'] ?? (await answer.body()).length);
  };
  for (const path of PATHS) {
    expect((await bytes(path, 'es')) - (await bytes(path, 'en')), path).toBeLessThan(512);
  }
});

test.describe('where Spanish is switched off', () => {
  test.use({ locale: 'es-MX', settings: { PORCHLIGHT_LANGUAGES: 'en' } });

  test('[LNG-12] pages are English and offer no choice', async ({ page, request }) => {
    await page.goto('/account/signin?lang=es');
    await awake(page);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await page.getByRole('button', { name: 'Display' }).click();
    await expect(page.getByText('Text size')).toBeVisible();
    await expect(page.getByText('Español')).toHaveCount(0);
    const known = await request.get('/idp/.well-known/openid-configuration');
    expect(await known.json()).toMatchObject({ ui_locales_supported: ['en'] });
  });
});
