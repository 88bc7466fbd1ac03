/** Records the statements of one whole sign-in, step by step, in a server in this process. */

import { rmSync } from 'node:fs';
import { currentRequest } from '../audit/request-context.ts';
import { DEFAULT_REALM } from '../config/auth0-tenant-config.ts';
import { DEMO_PASSWORD, demoEmail } from '../demo/seed.ts';
import { EMBEDDED_CLIENT_ID } from '../identity-provider/embedded/embedded-provider.ts';
import { writeStubBuild } from './stub-build.ts';
import { createTestApp } from './test-app.ts';
import { openTestDatabase } from './test-database.ts';

export const STEPS = [
  'page',
  'password',
  'code asked',
  'code entered',
  'record',
  'hand-off',
] as const;
export type Step = (typeof STEPS)[number];

export type StatementsOfSignIn = {
  /** The statements of the step's requests, in their order; begin and commit are among them. */
  readonly steps: Readonly<Record<Step, readonly string[]>>;
  /** What the outbox did meanwhile: it serves many requests at once, and none of them waits for it. */
  readonly outbox: readonly string[];
  /** What runs by the clock: sealing of the audit log, clean-up. */
  readonly jobs: readonly string[];
};

/** Sign-ins of the same browser and account that go before: it is known, and what is read once has been read. */
const BEFORE = 2;
const BETWEEN_SECONDS = 700;

/** Signs in once, in a browser that has done so before and was signed out since. */
export async function statementsOfSignIn(): Promise<StatementsOfSignIn> {
  let step: Step | 'after' | null = null;
  const steps = Object.fromEntries(STEPS.map((name) => [name, [] as string[]])) as Record<
    Step,
    string[]
  >;
  const outbox: string[] = [];
  const jobs: string[] = [];
  /** What a request leaves to be done behind its answer counts where the request does. */
  const begunIn = new WeakMap<object, Step | 'after'>();
  const database = await openTestDatabase('keyed', ({ query: { sql: text } }) => {
    const request = currentRequest();
    if (request) {
      const own = begunIn.get(request) ?? step ?? 'after';
      begunIn.set(request, own);
      if (own !== 'after') steps[own].push(text);
    } else if (step) (isOfOutbox(text) ? outbox : jobs).push(text);
  });
  const build = writeStubBuild();
  const testApp = await createTestApp({}, build, { database });
  try {
    const visitor = testApp.visitor();
    const email = demoEmail('member');
    async function during<T>(name: Step | null, work: () => Promise<T>): Promise<T> {
      step = name;
      const result = await work();
      step = name && 'after';
      return result;
    }
    async function signIn(isCounted: boolean): Promise<void> {
      const at = (name: Step) => (isCounted ? name : null);
      const begun = await during(at('page'), async () => {
        const page = await visitor.request('/account/signin');
        if (page.status !== 200) throw new Error(`The page answered ${page.status}`);
        return visitor.begin(true);
      });
      await during(at('password'), async () => {
        const ticket = await givePassword();
        await visitor.authorize(begun.authorizeUrl, ticket);
      });
      const { userId, otpId } = await during(at('code asked'), async () => {
        const user = await visitor.ok('getLoginUser', { query: { emailId: email } });
        const sent = await visitor.sendCode(user?.userId ?? 0, 'TWOFACTORAUTHENTICATION', 3);
        return { userId: user?.userId ?? 0, otpId: sent.data?.id ?? '' };
      });
      const otp = await testApp.codeFor(email);
      await during(at('code entered'), () =>
        visitor.ok('verifyOtp', { body: { id: otpId, createdBy: userId, otp } }),
      );
      await during(at('record'), () => visitor.complete());
      await during(at('hand-off'), async () => {
        const body = { choice: null, entrance: 'portal' } as const;
        const { url } = await visitor.ok('issueHandoff', { body });
        const { status } = await visitor.request(url);
        if (status !== 303) throw new Error(`The module answered ${status}`);
      });
    }
    /** As the portal does it, which has the settings from its page. */
    async function givePassword(): Promise<string> {
      const response = await visitor.post('/idp/co/authenticate', {
        client_id: EMBEDDED_CLIENT_ID,
        credential_type: 'http://auth0.com/oauth/grant-type/password-realm',
        realm: DEFAULT_REALM,
        username: email,
        password: DEMO_PASSWORD,
      });
      const { login_ticket: ticket } = (await response.json()) as { login_ticket?: string };
      if (!ticket) throw new Error(`The password was answered with ${response.status}`);
      return ticket;
    }
    for (let round = 0; round < BEFORE; round += 1) {
      await signIn(false);
      const params = { userId: '1', appState: 'a', loggedInId: 'b', roleId: '1' };
      await visitor.ok('logOut', { params });
      visitor.state.token = null;
      await visitor.post('/dev/clock', { advanceSeconds: BETWEEN_SECONDS });
    }
    await signIn(true);
    await testApp.app.outbox.settle();
    return { steps, outbox, jobs };
  } finally {
    await testApp.close();
    rmSync(build, { recursive: true, force: true });
  }
}

const isOfOutbox = (text: string): boolean =>
  !/audit_seals|audit_keys|pg_try_advisory|clock_timestamp/.test(text);

/** Returns the verb and the tables of a statement. */
export function statementKind(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  const [verb = ''] = plain.toLowerCase().split(' ', 1);
  const tables = [...plain.matchAll(/\b(?:from|into|update|join) "?(\w+)"?/gi)].map(
    ([, name]) => name,
  );
  return [verb, ...new Set(tables)].join(' ');
}
