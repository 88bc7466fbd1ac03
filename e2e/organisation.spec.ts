import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import {
  createOrganisationProvider,
  type Forged,
} from '../src/server/testing/organisation-provider.ts';
import { ROOT } from '../tools/processes.ts';
import { type ServerProcess, startServer } from '../tools/server-process.ts';
import { BRIEF_VIEWS, expectAccessible } from './support/axe.ts';
import * as native from './support/native.ts';
import { enterCode } from './support/screens.ts';
import { signInWithCode } from './support/session.ts';
import { test as base } from './support/test.ts';

/** A provider of an organisation beside a server that knows it; both stay for the file. */
const test = base.extend<{
  readonly provider: Awaited<ReturnType<typeof createOrganisationProvider>>;
  readonly ownServer: ServerProcess;
}>({
  provider: async ({ keep }, provide) => {
    const provider = await keep('organisation provider', async () => {
      const made = await createOrganisationProvider();
      return { ...made, stop: async () => made.close() };
    });
    provider.as('person-1');
    provider.forge({});
    await provide(provider);
  },
  ownServer: async ({ keep, provider }, provide) => {
    const script = path.join(ROOT, 'e2e/support/organisation-process.ts');
    const env = { TEST_ISSUER: provider.issuer };
    await provide(await keep('server of an organisation', () => startServer({ script, env })));
  },
  baseURL: ({ ownServer }, provide) => provide(ownServer.url),
});

const STAFF = { email: 'staff@demo.porchlight.test', password: 'Porchlight-1' };
const MEMBER = { email: 'member@demo.porchlight.test', password: 'Porchlight-1' };

const press = (page: Page, name = 'Continue with Rosewood’s sign-in') =>
  page.getByRole('button', { name }).click();

test('[ORG-06] @core the button leads there and back, to the code and the switcher', async ({
  page,
  code,
}) => {
  await page.goto('/account/signin');
  await expectAccessible(page, 'a page of an organisation', BRIEF_VIEWS);
  await press(page);
  await expect(page).toHaveURL(/verifyOtp/i);
  await enterCode(page, await code(STAFF.email));
  await expect(page).toHaveURL(/SelectRoles/i);
});

test('[ORG-12] the page of an invitation links the account and signs in', async ({
  page,
  code,
  inbox,
  provider,
}) => {
  const email = 'invited-1@rosewood.example';
  provider.as(email);
  const [mail] = await inbox(email);
  await page.goto(mail?.link ?? '');
  await expect(page.getByText('or choose a password')).toBeVisible();
  await expectAccessible(page, 'a page of an organisation', BRIEF_VIEWS);
  await press(page);
  await expect(page).toHaveURL(/verifyOtp/i);
  await enterCode(page, await code(email));
  await expect(page).toHaveURL(/SelectRoles/i);
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });
  test('[ORG-12] the page of an invitation links the account', async ({
    page,
    inbox,
    provider,
  }) => {
    const email = 'invited-2@rosewood.example';
    provider.as(email);
    const [mail] = await inbox(email);
    await page.goto(mail?.link ?? '');
    // The key is looked up by a press.
    await press(page, 'Continue');
    await expect(page.getByText('or choose a password')).toBeVisible();
    await press(page);
    await expect(page).toHaveURL(/Redirect|verifyOtp/i);
  });

  test('[ORG-06] the same, from the staff entrance', async ({ page, code }) => {
    await page.goto('/legal-staff/signin');
    await press(page);
    await expect(page).toHaveURL(/legal-staff\/Redirect|verifyOtp/i);
    while (!/verifyOtp/i.test(page.url()))
      await page.locator('button[name=action]').first().click();
    await native.enterCode(page, await code(STAFF.email));
    await expect(page).not.toHaveURL(/verifyOtp/i);
  });

  test('[ORG-08] a person without a link reads whom to ask', async ({ page, provider }) => {
    provider.as('nobody');
    await page.goto('/account/signin');
    await press(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('We do not know you here yet');
    await expect(page.getByText('Ask Nora Lind at the front desk')).toBeVisible();
    await expect(page.getByText('nobody@rosewood.example')).toBeVisible();
    await page.getByRole('link', { name: 'I have a password here' }).click();
    await expect(page).toHaveURL(/signin/i);
  });
});

test.describe('en español', () => {
  test.use({ locale: 'es-US' });
  test('[ORG-08] the page of a person without a link', async ({ page, provider }) => {
    provider.as('nobody');
    await page.goto('/account/signin');
    await press(page, 'Continuar con el acceso de Rosewood');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Aquí todavía no le conocemos',
    );
  });
});

for (const [why, forged, heading] of [
  ['down', { tokenStatus: 503 }, 'Rosewood’s sign-\u2060in does not answer'],
  ['refused', { claims: { nonce: 'other' } }, 'Rosewood’s sign-\u2060in said no'],
] as readonly (readonly [string, Forged, string])[]) {
  test(`[ORG-08] the page is accessible: ${why}`, async ({ page, provider }) => {
    provider.forge(forged);
    await page.goto('/account/signin');
    await press(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page).toHaveTitle(`${heading} – Rosewood Senior Living`);
    await expectAccessible(page, 'a page of an organisation', BRIEF_VIEWS);
    provider.forge({});
    await press(page, 'Try again');
    await expect(page).toHaveURL(/verifyOtp/i);
  });
}

test('[ORG-11] My account links the person over there by a press, and ends it', async ({
  page,
  code,
  provider,
}) => {
  provider.as('person-2');
  await signInWithCode(page, MEMBER, code, '/account/me');
  await expect(page).toHaveURL('/account/me');
  await page.getByRole('link', { name: /Link it/ }).click();
  await expectAccessible(page, 'a page of an organisation', BRIEF_VIEWS);
  await press(page, 'Go to Rosewood’s sign-in');
  await expect(page.getByText('person-2@rosewood.example')).toBeVisible();
  await expect(page.getByText(MEMBER.email)).toBeVisible();
  await press(page, 'Yes, link them');
  await expect(page.getByText('Linked')).toBeVisible();
  await page.goto('/account/me/organization');
  await press(page, 'Unlink it');
  await expect(page.getByText('Not linked. One press less each day.')).toBeVisible();
});
