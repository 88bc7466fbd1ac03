import type { Page, Request } from '@playwright/test';
import { type Recorder, recordApi } from './recorder.ts';
import { test as base } from './server-test.ts';

export { expect } from '@playwright/test';

type Fixtures = {
  /**
   * Fails any test on a console error or warning, an uncaught error, a hydration mismatch or a CSP report, and on a
   * request of any kind whose Referer has a query: a link's key may be in it.
   * `allow` is for what a test brings about on purpose: a refused call, a server that fails.
   */
  quiet: { readonly allow: (pattern: RegExp) => void };
  /** The API calls of the page, request by request. */
  api: Recorder;
};

type Kept = { readonly stop: () => unknown };
type WorkerFixtures = {
  /**
   * Starts something once for a worker and keeps it to the worker's end. The one fixture of that scope: a test with
   * another set of them would get a worker, and a browser, of its own.
   */
  keep: <T extends Kept>(name: string, start: () => Promise<T>) => Promise<T>;
};

/**
 * What a page asks by itself may meet the new cookie of a sign-in, with the token of the old one: on a slow machine
 * both are on the way at once. The page asks again, or was left.
 */
const ASKED_BY_ITSELF =
  /status of 403 .*\/api\/(?:Subtenant\/get-subtenant-details|Keys\/(?:Request|Offer))$/;

export const test = base.extend<Fixtures, WorkerFixtures>({
  keep: [
    // oxlint-disable-next-line no-empty-pattern -- the runner reads from it what a fixture needs
    async ({}, provide) => {
      const kept = new Map<string, Promise<Kept>>();
      await provide(<T extends Kept>(name: string, start: () => Promise<T>) => {
        const running = kept.get(name) ?? start();
        kept.set(name, running);
        return running as Promise<T>;
      });
      for (const running of kept.values()) await (await running).stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  quiet: [
    async ({ context, baseURL }, provide) => {
      const said: string[] = [];
      const allowed = [ASKED_BY_ITSELF];
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) {
          said.push(`${message.text()} ${message.location().url}`);
        }
      });
      const looks: Promise<unknown>[] = [];
      context.on('requestfinished', (request) => {
        // Playwright shows a Referer for some redirects that were sent without: only what crossed the line counts.
        const { referer = '' } = request.headers();
        // What pages of other applications send is theirs.
        if (referer.startsWith(baseURL ?? '') && referer.includes('?')) looks.push(look(request));
      });
      const look = async (request: Request) => {
        const { referer = '' } = await request.allHeaders();
        if (referer.includes('?')) said.push(`${request.url()} has the Referer ${referer}`);
      };
      context.on('weberror', (error) => said.push(String(error.error())));
      await provide({ allow: (pattern) => allowed.push(pattern) });
      await Promise.all(looks);
      const unexpected = said.filter((line) => !allowed.some((pattern) => pattern.test(line)));
      base.expect(unexpected, 'the console is quiet').toEqual([]);
    },
    { auto: true },
  ],

  api: async ({ page }, provide) => provide(recordApi(page)),
});

/**
 * Touches the page until it answers by itself: what is typed and pressed after this is React's. A page of text and links
 * stays as it is (decision 261).
 */
export async function awake(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isStill = document.scripts[0]?.text.includes('"waking":"whenPressed"');
    const isAwake = isStill || 'porchlightHydrated' in window;
    if (!isAwake) dispatchEvent(new Event('focusin'));
    return isAwake;
  });
}
