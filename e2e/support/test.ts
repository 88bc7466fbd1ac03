import { type APIRequestContext, test as base, type Page } from '@playwright/test';
import { type Account, addAcademyRole, newMember, signUpByApi } from './people.ts';
import { type Recorder, recordApi } from './recorder.ts';

export { expect } from '@playwright/test';

type Message = {
  readonly channel: 'email' | 'sms' | 'whatsapp';
  readonly to: string;
  readonly subject: string | null;
  readonly text: string;
  readonly code: string | null;
  readonly link: string | null;
};

type Fixtures = {
  /**
   * Fails any test on a console error or warning, an uncaught error, a hydration mismatch or a CSP report.
   * `allow` is for what a test brings about on purpose: a refused call, a server that fails.
   */
  quiet: { readonly allow: (pattern: RegExp) => void };
  /** Everything in the dev inbox for an address or a phone number, newest first. */
  inbox: (to: string) => Promise<readonly Message[]>;
  /** The newest code sent to an address. */
  code: (to: string) => Promise<string>;
  /** Signs somebody new up by the API alone, for tests that start later; with two roles for the switcher. */
  account: (roles?: 'member' | 'member and academy') => Promise<Account>;
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

  inbox: async ({ request }, provide) => provide((to) => readInbox(request, to)),

  code: async ({ request }, provide) =>
    provide(async (to) => {
      const codes = (await readInbox(request, to)).map((message) => message.code).filter(Boolean);
      base.expect(codes, `a code for ${to}`).not.toHaveLength(0);
      return String(codes[0]);
    }),

  account: async ({ playwright, baseURL }, provide) => {
    const open: APIRequestContext[] = [];
    await provide(async (roles) => {
      const context = await playwright.request.newContext({ baseURL: baseURL ?? '' });
      open.push(context);
      const account = await signUpByApi(context, newMember(), async (to) => {
        const [newest] = await readInbox(context, to);
        return newest?.code ?? '';
      });
      if (roles === 'member and academy') await addAcademyRole(context, account);
      return account;
    });
    await Promise.all(open.map((context) => context.dispose()));
  },

  api: async ({ page }, provide) => provide(recordApi(page)),
});

async function readInbox(request: APIRequestContext, to: string): Promise<readonly Message[]> {
  const answer = await request.get('/dev/inbox.json', { params: { to } });
  return (await answer.json()) as readonly Message[];
}

/** Until the page answers by itself: what is typed and pressed after this is React's. */
export async function awake(page: Page): Promise<void> {
  await page.waitForFunction(() => 'porchlightHydrated' in window);
}
