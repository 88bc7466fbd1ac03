import type { ConsolePage } from '#contract/console.ts';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { PASSWORD, type TestApp, type Visitor } from './test-app.ts';

/** The page of an answer; `null` for a redirect, or a page that is none of the console's. */
export type DeskAnswer = {
  readonly status: number;
  readonly location: string | null;
  readonly page: ConsolePage | null;
  readonly text: string;
};

export type Desk = Awaited<ReturnType<typeof openDesk>>;

let forms = 0;

/** Signs a demo account or an address in, and reads and sends pages of the console as its browser would. */
export async function openDesk(testApp: TestApp, who: string) {
  const visitor: Visitor = testApp.visitor();
  const isRegistered = who.includes('@');
  const email = isRegistered ? who : demoEmail(who);
  await visitor.signIn(email, isRegistered ? PASSWORD : DEMO_PASSWORD);

  async function read(response: Response): Promise<DeskAnswer> {
    // With the byte order mark of a file.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
    // A page that follows along gets its inside alone.
    const [, json] = /<body>\s*(\{.*\})<\/body>/s.exec(text) ?? /^\n(\{.*\})$/s.exec(text) ?? [];
    return {
      status: response.status,
      location: response.headers.get('location'),
      page: json === undefined ? null : (JSON.parse(json) as ConsolePage),
      text,
    };
  }

  const open = async (path: string) => read(await visitor.request(path));

  /** Sends a form of a page that was opened a moment ago, with its token. */
  async function send(path: string, fields: Record<string, string> = {}, from = '/console') {
    const { page } = await open(from);
    const own = { xsrf: page?.xsrf ?? '', once: `form-${(forms += 1)}` };
    const body = new URLSearchParams({ ...own, how: 'called', ...fields });
    return read(await visitor.request(path, { method: 'POST', body }));
  }

  /** Proves by a code of one's own that it is still the staff member. */
  async function stepUp(path: string): Promise<DeskAnswer> {
    await send(path, { step: 'send' });
    return send(path, { step: 'check', code: await testApp.codeFor(email) });
  }

  return { visitor, open, send, stepUp, read };
}
