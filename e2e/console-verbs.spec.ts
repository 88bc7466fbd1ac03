import type { Page } from '@playwright/test';
import { startServer } from '../tools/server-process.ts';
import { createVisitor } from '../src/server/testing/visitor.ts';
import { addApp } from './support/authenticator.ts';
import { act, find, openConsole, verb, why } from './support/console.ts';
import { addKeyDevice } from './support/key-device.ts';
import { heading } from './support/screens.ts';
import { signInByApi } from './support/session.ts';
import { expect, test as base } from './support/test.ts';

// What a help desk does for a person, verb by verb, and the causes that the demo's month has people for
// (docs/operations/help-desk.md). The verbs that mend a cause stand in console.spec.ts.

// Passkeys belong to a host name: none at the IP address of the shared server.
const test = base.extend({
  baseURL: async ({ keep }, provide) => {
    const named = (url: string) => url.replace('127.0.0.1', 'localhost');
    const start = () =>
      startServer({
        args: ['--demo-month'],
        envFor: (url) => ({ PORCHLIGHT_PUBLIC_URL: named(url) }),
      });
    await provide(named((await keep('server of the verbs', start)).url));
  },
});
// Signing in twice at once with one account leaves only the newest code valid.
test.describe.configure({ mode: 'default' });

type World = {
  readonly person: { readonly email: string; readonly password: string };
  readonly url: string;
  readonly code: (to: string) => Promise<string>;
  /** Runs a journey of the person in a browser of their own, signed in. */
  readonly asPerson: (journey: (own: Page) => Promise<unknown>) => Promise<void>;
};
type Verb = {
  readonly name: string;
  /** What the person has done before. */
  readonly before?: (world: World) => Promise<unknown>;
  /** What the form asks for, beside the reason. */
  readonly fillIn?: (page: Page) => Promise<unknown>;
  /** What the page of the person says afterwards. */
  readonly says: string;
};

const VERBS: readonly Verb[] = [
  {
    name: 'Sign out everywhere',
    before: ({ url, code, person }) =>
      createVisitor({ url, codeFor: code }).signIn(person.email, person.password),
    says: 'Signed in nowhere.',
  },
  {
    name: 'Switch the account off',
    says: 'Ada cannot sign in: the account is switched off.',
  },
  {
    name: 'Take a role away',
    fillIn: (page) => page.getByLabel('Role').selectOption('1'),
    says: 'Roles changed',
  },
  {
    name: 'Correct the phone number',
    fillIn: (page) => page.getByLabel(/^Phone, with the country/).fill('+1 202 555 0186'),
    says: 'A change waits',
  },
  {
    name: 'Take a saved key away',
    before: ({ asPerson }) =>
      asPerson(async (own) => {
        await addKeyDevice(own);
        await own.goto('/account/me/keys');
        await own.getByRole('button', { name: 'Save a key here' }).click();
        await expect(own).toHaveURL(/saved=1/);
      }),
    fillIn: (page) => page.getByLabel('Saved key').selectOption({ index: 1 }),
    says: 'A change waits',
  },
  {
    name: 'Take the app code away',
    before: ({ asPerson }) => asPerson(addApp),
    says: 'A change waits',
  },
];

for (const { name, before, fillIn, says } of VERBS) {
  test(`[CON-07] ${name}`, async ({ page, account, code, browser, baseURL }) => {
    const person = await account('member and academy');
    const url = baseURL ?? '';
    const asPerson = async (journey: (own: Page) => Promise<unknown>) => {
      const own = await browser.newContext({ baseURL: url });
      const ownPage = await own.newPage();
      await signInByApi(ownPage, person, code);
      await expect(heading(ownPage, 'Accounts switcher')).toBeVisible();
      await journey(ownPage);
      await own.close();
    };
    await before?.({ person, url, code, asPerson });
    await openConsole(page, 'staff', code);
    await find(page, person.email, 'Ada Winslow');
    await expect(page.getByRole('main')).not.toContainText(says);
    await verb(page, name).click();
    await fillIn?.(page);
    await act(page, name);
    await expect(page.getByRole('main')).toContainText(says);
  });
}

test('[CON-07] an operator downloads all data of a person, and erases the person', async ({
  page,
  account,
  code,
}) => {
  const person = await account();
  await openConsole(page, 'admin', code);
  await find(page, person.email, 'Ada Winslow');
  const path = new URL(page.url()).pathname;
  await verb(page, 'Download all data').click();
  await page.getByLabel('I called the phone that we have').check();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download all data' }).click();
  expect((await download).suggestedFilename()).toMatch(/^person-\d+\.json$/);
  await page.goto(path);
  await verb(page, 'Erase the person').click();
  await page.getByLabel('I called the phone that we have').check();
  await page.getByRole('button', { name: 'Erase the person' }).click();
  await expect(heading(page, 'Find a person')).toBeVisible();
  await page.getByRole('searchbox').fill(person.email);
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText(/^Nobody matches/)).toBeVisible();
});

test('[CON-07] R4: a help desk invites somebody, and the link goes to that person alone @core', async ({
  page,
  code,
  inbox,
}) => {
  const email = `signed-up-${Date.now()}@people.test`;
  await openConsole(page, 'staff', code);
  await page.getByRole('link', { name: 'Invite somebody' }).click();
  await page.getByLabel('First name').fill('Ruth');
  await page.getByLabel('Last name').fill('Castellanos');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Role').selectOption('1');
  await expect(page.getByRole('main')).not.toContainText(/\bthey\b|the phone that we have/i);
  await expect(page.getByText('Hello [First name],')).toBeVisible();
  await expect(
    page.getByRole('heading', { name: 'What the new person will be told' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await expect(page.getByText('Hello Ruth,')).toBeVisible();
  await page
    .getByRole('group', { name: 'Who asked you for this?' })
    .getByLabel('The person called me')
    .check();
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await expect(page.getByText('The invitation is on its way.')).toBeVisible();
  await expect(page.getByRole('row', { name: /Ruth Castellanos/ })).toContainText(email);
  const [mail] = await inbox(email);
  expect(mail?.link).toContain('/account/invitation?key=');
  expect(await page.content()).not.toContain('key=');
});

for (const [name, cause, mend] of [
  ['Margaret Oduya', 'Our mail comes back. No code arrives.', 'Correct the email address'],
  ['Agnes Teller', 'Our texts do not arrive.', null],
  ['Clara Whitman', 'Clara can sign in.', null],
] as const) {
  test(`[CON-08] the page of ${name}: ${cause}`, async ({ page, code }) => {
    await openConsole(page, 'staff', code);
    await find(page, name, name);
    const lead = page.getByRole('region', { name: cause }).getByRole('link');
    await expect(lead).toHaveText(mend === null ? [] : [mend]);
  });
}

test('[CON-08] R10: a landline is led to the phone call, and told that its digits are others', async ({
  page,
  code,
}) => {
  await openConsole(page, 'staff', code);
  await find(page, 'Agnes Teller', 'Agnes Teller');
  const reason = page.getByRole('region', { name: 'Our texts do not arrive.' });
  await expect(reason).toContainText('press "It has not come", then "Call me with my code"');
  await expect(reason).toContainText('in the mail, too, with digits of its own');
});

test('[CON-04] R9: who is not found may be the affair of an operator, and the words tell nothing of who exists', async ({
  page,
  code,
}) => {
  await openConsole(page, 'staff', code);
  for (const name of ['Rufus Adler', 'Rufus Nobodyatall']) {
    await page.goto(`/console?q=${encodeURIComponent(name)}`);
    await expect(
      page.getByText(
        `Nobody whom you may help matches "${name}". Ask for the spelling, or search by email or phone. Staff and other roles: ask an operator.`,
        { exact: true },
      ),
    ).toBeVisible();
  }
});

test('[CON-06] E31: the page of Margaret is a conversation, with what helps first and what rests folded', async ({
  page,
  code,
}) => {
  await openConsole(page, 'staff', code);
  await find(page, 'Margaret Oduya', 'Margaret Oduya');
  const band = page.getByRole('region', { name: 'Our mail comes back. No code arrives.' });
  await expect(why(page)).toHaveText(
    'Margaret gets no mail from us. The newest mail came back: no such mailbox.',
  );
  await expect(band.getByRole('definition')).toHaveText([
    /no such mailbox/,
    /^Password right, .* at /,
    'The right email address. A link to the new address confirms it.',
  ]);
  await expect(band).toContainText('Please spell your email address for me.');
  const verbs = page.getByRole('region', { name: 'What you can do' });
  await expect(verbs.getByRole('heading', { level: 3 })).toHaveText([
    'This helps now',
    'You may do this any time',
    'Only if you are sure',
  ]);
  const shown = verbs.getByRole('link');
  await expect(shown.first()).toContainText('Correct the email address');
  await expect(shown.last()).toContainText('Switch the account off');
  const free = await shown.count();
  await page.getByText(/^Not needed now \(\d+\)$/).click();
  expect(await shown.count()).toBeGreaterThan(free);
  const resting = verb(page, 'Mail a link for a new password');
  await resting.focus();
  await expect(resting).toBeFocused();
  await expect(resting).toContainText('Not now: mail comes back.');
  const happened = page.getByRole('region', { name: 'What happened' });
  // Open, though it was yesterday when a night lies between.
  await expect(happened.getByText('Came back: no such mailbox.')).toBeVisible();
  await expect(happened).toContainText('Came back: no such number.');
  await expect(happened).not.toContainText('A message failed');
  await page.setViewportSize({ width: 390, height: 844 });
  const top = async (name: string) =>
    (await page.getByRole('heading', { name, level: 2 }).boundingBox())?.y ?? 0;
  expect(await top('What happened')).toBeLessThan(await top('What you can do'));
  expect(await top('What you can do')).toBeLessThan(await top('Who this is'));
});
