import { type APIRequestContext, test as base } from '@playwright/test';
import { type Account, addAcademyRole, newMember, signUpByApi } from './people.ts';

type Message = {
  readonly channel: 'email' | 'sms' | 'whatsapp';
  readonly to: string;
  readonly subject: string | null;
  readonly text: string;
  readonly code: string | null;
  readonly link: string | null;
};

type Fixtures = {
  /** Everything in the dev inbox for an address or a phone number, newest first. */
  inbox: (to: string) => Promise<readonly Message[]>;
  /** The newest code sent to an address. */
  code: (to: string) => Promise<string>;
  /** Signs somebody new up by the API alone, for tests that start later; with two roles for the switcher. */
  account: (roles?: 'member' | 'member and academy') => Promise<Account>;
};

/** What a test asks of the server, whatever browser it drives. */
export const test = base.extend<Fixtures>({
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
});

async function readInbox(request: APIRequestContext, to: string): Promise<readonly Message[]> {
  const answer = await request.get('/dev/inbox.json', { params: { to } });
  return (await answer.json()) as readonly Message[];
}
