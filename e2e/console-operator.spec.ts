import type { Browser, Page } from '@playwright/test';
import { createOrganisationProvider } from '../src/server/testing/organisation-provider.ts';
import { startServer } from '../tools/server-process.ts';
import { expectAccessible } from './support/axe.ts';
import { openConsole } from './support/console.ts';
import { demoEmail } from './support/people.ts';
import { tabTo } from './support/keyboard.ts';
import { heading } from './support/screens.ts';
import { expect, test as base } from './support/test.ts';

// The operators' pages of the console: lists, forms, and the look of a subtenant (docs/operations/help-desk.md).

/** A server of their own: they change what every page shows. */
const test = base.extend({
  baseURL: async ({ keep }, provide) => {
    await provide((await keep('server of the operators', () => startServer())).url);
  },
});
// Signing in twice at once with one account leaves only the newest code valid.
test.describe.configure({ mode: 'default' });

async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label));
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

const accentOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand'));

/** Signs the operator in with script, for a page without. */
async function openInAnotherTab(
  page: Page,
  browser: Browser,
  code: (to: string) => Promise<string>,
): Promise<void> {
  const own = await browser.newContext({ javaScriptEnabled: true });
  await openConsole(await own.newPage(), 'admin', code);
  await page.context().addCookies(await own.cookies());
  await own.close();
}

test('[CON-22] by keyboard alone: a color is typed, seen, saved, and the sign-in page has it', async ({
  page,
  code,
}) => {
  await openConsole(page, 'admin', code);
  await tabTo(page, page.getByRole('link', { name: 'Subtenants' }));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Subtenants')).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Change the look Harbor Point Care' }));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Harbor Point Care')).toBeVisible();
  await expect(page.getByText('The color fits as it is.')).toBeVisible();
  await type(page, 'Color of the house', '#7AC143');
  await expect(page.getByText('White words on your color: 2.2 to 1.')).toBeVisible();
  const frame = page.frameLocator('iframe[title="The sign-in page on a wide screen"]');
  const button = frame.getByText('Login', { exact: true }).last();
  await expect(button).toBeAttached();
  const ground = () =>
    button.evaluate((each) => getComputedStyle(each.closest('button') ?? each).backgroundColor);
  // #356403, the deeper shade that the page names.
  await expect.poll(ground).toBe('rgb(53, 100, 3)');
  await tabTo(page, page.getByRole('button', { name: 'Save for everyone' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').first()).toContainText('Saved.');
  await expect(page.getByRole('row', { name: /Harbor Point Care/ })).toContainText('#7AC143');
  const visitor = await page
    .context()
    .browser()
    ?.newPage({ baseURL: new URL(page.url()).origin });
  if (!visitor) throw new Error('No browser');
  await expect(async () => {
    await visitor.goto('/account/signin?subtenantId=900');
    expect((await accentOf(visitor)).toUpperCase()).toBe('#356403');
  }).toPass({ timeout: 20_000 });
  await visitor.close();
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('[CON-22] a press shows a look, and Undo takes it back', async ({ page, browser, code }) => {
    await openInAnotherTab(page, browser, code);
    await page.goto('/console/subtenants/742/look');
    await page.getByLabel('Name on the page').fill('Rose Court');
    await page.getByRole('button', { name: 'Show it' }).click();
    await expect(page.getByLabel('Name on the page')).toHaveValue('Rose Court');
    const mail = page.locator('iframe[title="The mail with a code"]');
    await expect(mail).toHaveAttribute('src', /name=Rose\+Court/);
    await page.getByRole('link', { name: 'Undo' }).click();
    await expect(page.getByLabel('Name on the page')).toHaveValue('Rosewood Senior Living');
  });

  test('[CON-22] a color and a logo are chosen by their look, and no input is lost (E72)', async ({
    page,
    browser,
    code,
  }) => {
    await openInAnotherTab(page, browser, code);
    await page.goto('/console/subtenants/742/look');
    const logos = page.getByRole('radiogroup', { name: 'Logo' }).locator('label');
    const widths = logos
      .getByRole('presentation')
      .evaluateAll((all: HTMLImageElement[]) => all.map((each) => each.naturalWidth));
    expect(await widths).not.toContain(0);
    await logos.filter({ hasText: '900.png' }).click();
    await page.getByLabel('Name on the page').fill('Rose Court');
    await page.getByRole('button', { name: 'Plum' }).click();
    await expect(page.getByLabel('Color of the house')).toHaveValue('#6A2C70');
    await expect(page.getByLabel('Name on the page')).toHaveValue('Rose Court');
    await expect(logos.filter({ hasText: '900.png' }).getByRole('radio')).toBeChecked();
    // Enter in a field shows the look as it is typed: no color is the form's first button.
    await page.getByLabel('Color of the house').fill('#7AC143');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/accent=%237AC143/);
  });
});

test('[CON-21] by keyboard alone: a promo code is added, after a fault that loses nothing @core', async ({
  page,
  code,
}) => {
  await openConsole(page, 'admin', code);
  await page.goto('/console/promo-codes');
  await tabTo(page, page.getByRole('link', { name: 'Add a promo code' }));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Add a promo code')).toBeVisible();
  await type(page, 'Code', 'SPRING-27');
  await type(page, 'Most uses', 'many');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('The number of uses is a whole number');
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue('SPRING-27');
  await type(page, 'Most uses', '20');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').first()).toContainText('The code is added.');
  await expect(page.getByRole('row', { name: /SPRING-27/ })).toContainText('20');
});

test('[CON-24] three steps set up the sign-in of an organization, and a try says what fails', async ({
  page,
  code,
  keep,
}) => {
  const provider = await keep('an organization', async () => {
    const { issuer, close } = await createOrganisationProvider();
    return { issuer, stop: async () => close() };
  });
  await openConsole(page, 'admin', code);
  await page.goto('/console/organizations');
  await page.getByRole('link', { name: 'Add an organization' }).click();
  await page.getByLabel('Id', { exact: true }).fill('rosewood-staff');
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByText('/account/organization/rosewood-staff/back')).toBeVisible();
  await page.getByRole('link', { name: 'I have done that' }).click();
  await page.getByLabel('Address of the sign-in (issuer)').fill(provider.issuer);
  await page.getByLabel('Client id').fill('another-client');
  await page.getByLabel('Client secret').fill('typed once');
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await expect(page.getByRole('alert')).toContainText('There are 3 problems');
  await expect(page.getByLabel('Client secret')).toHaveValue('');
  await page.getByLabel('Subtenant').selectOption('Rosewood Senior Living');
  await page.getByLabel('Which sign-in is it?').selectOption('sub');
  await page.getByLabel('Client secret').fill('typed once');
  await page.getByLabel('Words on the button').fill('Rosewood');
  await page.getByLabel('Staff', { exact: true }).check();
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await page.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByRole('heading', { name: 'It does not work yet' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to the second step' }).click();
  await page.getByLabel('Client id').fill('porchlight');
  await page.getByRole('button', { name: 'Save and go on' }).click();
  await page.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByRole('heading', { name: 'It works' })).toBeVisible();
  await expectAccessible(page, 'a try that works');
  await page.getByRole('link', { name: 'Turn it on' }).click();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('row', { name: /Rosewood/ })).toContainText('on');
});

test('[CON-20] a list is a file, and a list of people asks for a code first', async ({
  page,
  code,
}) => {
  await openConsole(page, 'admin', code);
  await page.goto('/console/promo-codes');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download as a file (CSV)' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('promo-codes.csv');
  await page.request.post('/dev/clock', { data: { advanceSeconds: 301 } });
  await page.goto('/console/survey/csv');
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('The code').fill(await code(demoEmail('admin')));
  await page.getByRole('button', { name: 'Go on' }).click();
  const [survey] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as a file (CSV)' }).click(),
  ]);
  expect(survey.suggestedFilename()).toBe('survey.csv');
});

const PAGES = [
  'subtenants',
  'subtenants/add',
  'subtenants/742/links',
  'subtenants/900/look',
  'subtenants/900/logo',
  'promo-codes',
  'promo-codes/WELCOME30/end',
  'leads',
  'survey',
  'organizations',
  'organizations/add',
  'organizations/rosewood-staff/step-1',
  'organizations/rosewood-staff/step-2',
  'clients',
  'clients/add',
  'modules',
  'modules/agent/check',
  'keys',
  'keys/rotate',
  'limits',
  'limits/passwordPerIp/clear',
];

test('[CON-20] [CON-22] axe finds nothing on any page, at each width, in light and dark, and nothing is wider than the page', async ({
  page,
  code,
}) => {
  // Each page three times in two schemes.
  test.setTimeout(240_000);
  await openConsole(page, 'admin', code);
  for (const each of PAGES) {
    await page.goto(`/console/${each}`);
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(
      'This page does not exist',
    );
    await expectAccessible(page, each);
    await page.setViewportSize({ width: 320, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), each).toBe(320);
    const empty = page.locator('td:visible', { has: page.locator('bdi:empty') });
    await expect(empty, `${each}: labels without a value`).toHaveCount(0);
    await page.setViewportSize({ width: 820, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), each).toBe(820);
    expect(await brokenWords(page), each).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  }
});

/** Returns the words of lists that begin on one line and end on the next, although they are short. */
const brokenWords = (page: Page) =>
  page.locator('td bdi, th bdi').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const broken: string[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const { 0: word, index } of (node.textContent ?? '').matchAll(
          /[\p{L}\p{N}]{2,19}/gu,
        )) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const isLong = getComputedStyle(cell).overflowWrap === 'anywhere';
          if (!isLong && range.getClientRects().length > 1) broken.push(word);
        }
      }
      return broken;
    }),
  );
