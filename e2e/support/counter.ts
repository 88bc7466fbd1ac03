import type { Page } from '@playwright/test';
import { createVisitor } from '../../src/server/testing/visitor.ts';
import { DEMO_PASSWORD, demoEmail } from './people.ts';

type ReadCode = (to: string) => Promise<string>;

const TRIES = 5;

/** Makes the browser of a page a shared device, by a staff member's calls in another one, which hands the cookie on. */
export async function shareByApi(page: Page, code: ReadCode): Promise<void> {
  const { origin } = new URL((await page.request.get('/api/health/live')).url());
  const email = demoEmail('mobile-counter');
  for (let tries = 0; tries < TRIES; tries += 1) {
    const visitor = createVisitor({ url: origin, codeFor: code });
    // Another test may sign the same staff member in: then only its code is good.
    if (!(await visitor.signIn(email, DEMO_PASSWORD).catch(() => null))) continue;
    const body = new URLSearchParams({ action: 'shared', name: 'Front desk' });
    await visitor.request('/account/me/shared-device', { method: 'POST', body });
    const value = visitor.cookies.get('shared');
    if (value === undefined) continue;
    await page
      .context()
      .addCookies([{ name: 'shared', value, url: origin, httpOnly: true, sameSite: 'Lax' }]);
    return;
  }
  throw new Error('No shared device');
}
