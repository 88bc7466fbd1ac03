import type { Page } from '@playwright/test';
import { accentCss } from '#domain/looks/theme.ts';
import { enterCode, send, signIn, signUpForm, type } from './support/native.ts';
import { DEMO_PASSWORD, demoEmail, newMember } from './support/people.ts';
import { expect, test } from './support/test.ts';
import { openPlace } from './support/topologies.ts';

// Without script where the portal looks or is set up otherwise: other subtenants, and a tenant of one's own.

test.use({ javaScriptEnabled: false });

const NEEDS = 'Signing in needs JavaScript here. Please turn it on';
const brand = (page: Page) =>
  page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue('--brand').trim(),
  );

// prettier-ignore
const LOOKS = [
  { id: 742, name: 'Rosewood Senior Living', accent: null },
  { id: 900, name: 'Harbor Point Care',      accent: '#8A3B12' },
];

for (const { id, name, accent } of LOOKS) {
  test(`[NOS-02] [NOS-14] a sign-up at ${name} looks like it all the way`, async ({
    page,
    code,
  }) => {
    const member = newMember();
    await page.goto(`/Account/SignUp?subtenantId=${id}`);
    const [light] = accentCss(accent).split('}');
    const expectLook = async () => {
      await expect(page).toHaveTitle(new RegExp(`– ${name}$`));
      await expect(page.locator('header')).toContainText(name);
      const logo = page.locator(`header img[src*="/logos/${id}"]`);
      expect(await logo.evaluate((image) => (image as HTMLImageElement).naturalWidth)).not.toBe(0);
      expect(light).toContain(`--brand:${await brand(page)};`);
    };
    await expectLook();
    await send(page, 'sign-up');
    await expect(page).toHaveTitle(/^Error: /);
    // Above the form what is wrong, in the order of the fields, each with a way there.
    const ways = page.locator('main li a[href^="#"]');
    const fields = await ways.evaluateAll((links) =>
      links.map((link) => document.querySelector((link as HTMLAnchorElement).hash)),
    );
    expect(fields).toHaveLength(6);
    expect(fields).not.toContain(null);
    await expectLook();
    await signUpForm(page, `/Account/SignUp?subtenantId=${id}`, member);
    await expect(page).toHaveURL(/verifyOtp/);
    await expectLook();
    await enterCode(page, '000000');
    await expectLook();
    await enterCode(page, await code(member.email));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email verified');
    await expectLook();
  });
}

test('[NOS-14] with a tenant of one’s own sign-in says what it needs, before and after it is sent, and the rest works', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const place = await openPlace('two sites');
  const note = page.locator('.no-script');
  try {
    for (const path of ['/account/signin', '/legal-staff/signin', '/account/SelectRoles']) {
      await page.goto(place.url + path);
      await expect(note).toContainText(NEEDS);
      await expect(note).toContainText('help@demo.porchlight.test');
    }
    await signIn(page, demoEmail('legal'), DEMO_PASSWORD, `${place.url}/legal-staff/signin`);
    await expect(page).toHaveTitle(/^Error: /);
    await expect(note).toContainText(NEEDS);
    await expect(page.locator('main')).not.toContainText('Something went wrong');
    const email = newMember().email;
    await signUpForm(page, `${place.url}/Account/SignUp`, { ...newMember(), email });
    await expect(page).toHaveURL(/verifyOtp/);
    await expect(note).toHaveCount(0);
    const answer = await fetch(`${place.direct}/dev/inbox.json?to=${encodeURIComponent(email)}`);
    const [newest] = (await answer.json()) as { readonly code: string }[];
    await enterCode(page, newest?.code ?? '');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email verified');
    await page.goto(`${place.url}/account/ForgetPassword`);
    await type(page, 'forgot-password', { email: 'nobody.at.all@example.org' });
    await send(page, 'forgot-password');
    await expect(page.locator('#email-err')).toContainText('No account found');
    await expect(note).toHaveCount(0);
  } finally {
    await place.stop();
  }
});
