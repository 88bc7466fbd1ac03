import { takeTime } from './screens.ts';
import type { Page, TestInfo } from '@playwright/test';
import { startServer } from '../../tools/server-process.ts';
import { inviteByApi, newMember } from './people.ts';
import { isCoreState, type State, STATES, type Tools } from './states.ts';
import type { Settings } from './states/state.ts';
import { test as base } from './test.ts';
import { inItsFont } from './waking.ts';

type Fixtures = {
  /** Settings that the usual server does not have. */
  readonly settings: Settings | null;
  /** Brings a state about and holds it there. */
  readonly reach: (state: State) => Promise<void>;
  readonly serverWith: (settings: Settings) => Promise<string>;
};

export const test = base.extend<Fixtures>({
  settings: [null, { option: true }],

  serverWith: async ({ keep }, provide) =>
    provide(async (settings) => {
      const start = () => startServer({ env: settings });
      return (await keep(`server with ${JSON.stringify(settings)}`, start)).url;
    }),
  baseURL: async ({ settings, serverWith, baseURL }, provide) =>
    provide(settings ? await serverWith(settings) : baseURL),

  reach: async (
    { page, context, request, account, code, inbox, playwright, baseURL, quiet },
    provide,
  ) => {
    // Faults are brought about on purpose, and a browser without a session is told so by the server.
    quiet.allow(/^(?:Failed to load resource|Something went wrong )/);
    const invited = async () => {
      const { email } = await withContext(() =>
        playwright.request.newContext({ baseURL: baseURL ?? '' }),
      );
      const link = (await inbox(email)).find((message) => message.link)?.link ?? '';
      return { email, link };
    };
    const tools: Tools = { page, context, request, account, invited, code, inbox };
    await provide((state) => reach(state, tools));
  },
});

async function withContext(
  open: () => Promise<Parameters<typeof inviteByApi>[0]>,
): Promise<{ readonly email: string }> {
  const visitor = await open();
  const member = newMember();
  await inviteByApi(visitor, member);
  await visitor.dispose();
  return member;
}

async function reach(state: State, tools: Tools): Promise<void> {
  const { page } = tools;
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  if (state.hasToast) {
    await takeTime(page);
  } else {
    await page.route('**/assets/toasts-*.js', (route) => route.abort());
  }
  if (state.isPassing) {
    await page.addInitScript(() =>
      Object.assign(window, { realSetTimeout: window.setTimeout.bind(window) }),
    );
    await page.clock.install();
  }
  await state.reach(tools);
  // Such a page has a style sheet of its own, which may arrive after the page.
  if (state.screen === 'plain') await page.waitForLoadState('load');
  if (state.needs?.javaScriptEnabled !== false) {
    await inItsFont(page);
    await page.evaluate(() => document.fonts.ready);
  }
  if (state.isPassing) await stopClock(page);
}

async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/**
 * One test for each state of the table, on one visit to it. `npm test` runs the first of most screens in brief, `.ci/run`
 * all of them.
 */
export function testEveryState(
  title: (state: State) => string,
  check: (page: Page, state: State, info: TestInfo) => Promise<void>,
): void {
  for (const state of STATES) {
    const { settings = null, ...browser } = state.needs ?? {};
    test.describe(() => {
      test.use({ settings, ...browser });
      const tag = isCoreState(state) ? ['@core', '@state'] : ['@state'];
      test(`${title(state)}: ${state.name}`, { tag }, async ({ page, reach: go }, info) => {
        await go(state);
        await check(page, state, info);
      });
    });
  }
}
