import { type ServerProcess, startServer } from '../../tools/server-process.ts';
import { test as base } from './test.ts';

/**
 * A server of this file's own, for tests that move its clock: on the shared one every other test's code would expire.
 * The browser's clock is the test's as well.
 */
export const test = base.extend<{
  readonly passTime: (seconds: number) => Promise<void>;
  readonly ownServer: ServerProcess;
}>({
  ownServer: async ({ keep }, provide) => provide(await keep('own server', () => startServer())),
  baseURL: ({ ownServer }, provide) => provide(ownServer.url),
  /** Moves the server's clock and the browser's together. */
  passTime: async ({ page, request }, provide) => {
    await page.clock.install();
    await provide(async (seconds) => {
      await request.post('/dev/clock', { data: { advanceSeconds: seconds } });
      await page.clock.runFor(seconds * 1000);
    });
  },
});
