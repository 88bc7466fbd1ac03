import type { Page } from '@playwright/test';
import { type Recorder, recordApi } from './recorder.ts';
import { test as base } from './server-test.ts';

export { expect } from '@playwright/test';

type Fixtures = {
  /**
   * Fails any test on a console error or warning, an uncaught error, a hydration mismatch or a CSP report.
   * `allow` is for what a test brings about on purpose: a refused call, a server that fails.
   */
  quiet: { readonly allow: (pattern: RegExp) => void };
  /** The API calls of the page, request by request. */
  api: Recorder;
};

export const test = base.extend<Fixtures>({
  quiet: [
    async ({ context }, provide) => {
      const said: string[] = [];
      const allowed: RegExp[] = [];
      context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) {
          said.push(`${message.text()} ${message.location().url}`);
        }
      });
      context.on('weberror', (error) => said.push(String(error.error())));
      await provide({ allow: (pattern) => allowed.push(pattern) });
      const unexpected = said.filter((line) => !allowed.some((pattern) => pattern.test(line)));
      base.expect(unexpected, 'the console is quiet').toEqual([]);
    },
    { auto: true },
  ],

  api: async ({ page }, provide) => provide(recordApi(page)),
});

/** Until the page answers by itself: what is typed and pressed after this is React's. */
export async function awake(page: Page): Promise<void> {
  await page.waitForFunction(() => 'porchlightHydrated' in window);
}
