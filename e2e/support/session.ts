import type { Page } from '@playwright/test';
import { createVisitor } from '../../src/server/testing/visitor.ts';
import type { Member } from './people.ts';
import { enterCode, signIn } from './screens.ts';

type Credentials = Pick<Member, 'email' | 'password'>;
type ReadCode = (to: string) => Promise<string>;

/** Signs in with password and code; what comes after that is the test's. */
export async function signInWithCode(
  page: Page,
  credentials: Credentials,
  code: ReadCode,
  path?: string,
): Promise<void> {
  await signIn(page, credentials, path);
  await enterCode(page, await code(credentials.email));
}

/** The same by the calls of those screens, for tests that are about what comes after: the browser is at the steps. */
export async function signInByApi(
  page: Page,
  { email, password }: Credentials,
  code: ReadCode,
): Promise<void> {
  const { origin } = new URL((await page.request.get('/api/health/live')).url());
  const visitor = createVisitor({ url: origin, codeFor: code });
  const { otpId, userId } = await visitor.reachCode(email, password);
  await visitor.verify(otpId, userId, await code(email));
  await page
    .context()
    .addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: origin })));
  await page.goto('/account/Redirect');
}

/** What the hosted login answers to a silent check of this browser: a code, or the name of an error. */
export async function silentCheck(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const xsrf = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '';
    const begun = await fetch('/api/Session/Begin', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-xsrf-token': decodeURIComponent(xsrf) },
      body: JSON.stringify({ entrance: 'portal', isFresh: false }),
    });
    const { data } = (await begun.json()) as { data: { authorizeUrl: string } };
    const answer = await (await fetch(data.authorizeUrl)).text();
    return /"error":"(\w+)"/.exec(answer)?.[1] ?? (answer.includes('"code":') ? 'code' : answer);
  });
}

/** The status of a hand-off asked for with this bearer. */
export async function handOffStatus(page: Page, bearer: string | null): Promise<number> {
  return page.evaluate(async (token) => {
    const xsrf = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '';
    const answer = await fetch('/api/Handoff/Issue', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-xsrf-token': decodeURIComponent(xsrf),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ choice: null, entrance: 'portal' }),
    });
    return answer.status;
  }, bearer);
}

export const authToken = (page: Page) => page.evaluate(() => sessionStorage.getItem('AuthToken'));
