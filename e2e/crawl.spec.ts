import { expect, type Page } from '@playwright/test';
import { SCREENS } from '../src/domain/flow/screens.ts';
import { answer } from './support/faults.ts';
import { faultsOfPage, linksIn } from './support/visual-checks.ts';
import { signInByApi } from './support/session.ts';
import { test } from './support/test.ts';

/** All that can be typed into the address bar. */
const ADDRESSES = [
  '/',
  ...Object.values(SCREENS).flatMap(({ paths }) => paths),
  '/account/StartFreeTrial?subtenantId=3',
  '/account/Signin?expired=1',
  '/account/resetPassword?resetLinkKey=none',
  '/account/Activation?UID=x&SUP=y',
  '/no/such/place',
  '/dev/inbox',
  '/demo/member-intake',
  '/idp/no/such/place',
  '/idp/authorize?client_id=nobody',
];

/** Samples of mails, shown as a mail program shows them. */
const isMail = (path: string) => path.startsWith('/dev/mails');

/** The same page in another language has the same links. */
const isInLanguage = (href: string) => new URL(href).searchParams.has('lang');

// A walk through the whole house takes its time.
test.describe.configure({ timeout: 180_000 });

/** Follows every link from every address until nothing new is found. @returns the faults, page by page */
async function crawl(page: Page, origin: string, isLeft: (path: string) => boolean) {
  const waiting = ADDRESSES.filter((path) => !isLeft(path)).map(
    (path) => new URL(path, origin).href,
  );
  const seen = new Set(waiting);
  const faults: string[] = [];
  for (let href = waiting.pop(); href !== undefined; href = waiting.pop()) {
    const response = await open(page, href);
    const path = href.slice(origin.length);
    if ((response?.status() ?? 0) >= 500) faults.push(`${path}: ${response?.status()}`);
    const found = await look(page);
    faults.push(...found.faults.map((fault) => `${path}: ${fault}`));
    for (const next of found.links) {
      if (seen.has(next) || isInLanguage(next) || isLeft(next.slice(origin.length))) continue;
      seen.add(next);
      const answered = await page.request.get(next);
      if (!answered.ok()) faults.push(`${path}: a dead link to ${next}, ${answered.status()}`);
      // A file is no page.
      if (!answered.headers()['content-disposition']) waiting.push(next);
    }
  }
  return { faults, visited: seen.size };
}

/** Opens a page. The page before it may lead on by itself at that moment, which calls off the jump: then it jumps again. */
async function open(page: Page, href: string) {
  return page.goto(href).catch((cause: Error) => {
    if (!cause.message.includes('net::ERR_ABORTED')) throw cause;
    return page.goto(href);
  });
}

/** Some pages lead on by themselves, or ask the server first: what counts is where that ends. */
async function look(page: Page) {
  const found = { faults: ['no title of level 1'], links: [] as string[] };
  const settled = expect(async () => {
    found.faults = await faultsOfPage(page);
    found.links = await linksIn(page);
    expect(found.faults).toEqual([]);
  }).toPass({ timeout: 15_000 });
  await settled.catch(() => undefined);
  return found;
}

test('[SCR-05] [SCR-06] a stranger who follows every link finds a page with a way on at each', async ({
  page,
  baseURL,
  quiet,
}) => {
  quiet.allow(/Failed to load resource/);
  const { faults, visited } = await crawl(page, baseURL ?? '', isMail);
  expect(faults).toEqual([]);
  expect(visited).toBeGreaterThan(ADDRESSES.length);
});

test(
  '[GEN-01] so does somebody who is signed in',
  { tag: '@full' },
  async ({ page, baseURL, account, code, quiet }) => {
    quiet.allow(/Failed to load resource/);
    await signInByApi(page, await account(), code);
    await expect(page).toHaveURL(/\/demo\/member-intake/);
    // Signing out would end the walk, and a module would take the visitor away.
    await answer(page, '/api/Handoff/Issue', { errorFlag: 'HANDOFF_LOOP' });
    const { faults } = await crawl(
      page,
      baseURL ?? '',
      (path) => isMail(path) || /^\/account\/signout/i.test(path),
    );
    expect(faults).toEqual([]);
  },
);
