import { expect, test } from 'vitest';
import { createAccountPages } from '../testing/account-pages.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';
import { createTestAppWithPages } from '../testing/test-app.ts';

const testApp = closeAtEnd(await createTestAppWithPages());
const { signedIn, send } = createAccountPages(() => testApp);

/** The forms that need a fresh proof, by their pages. */
const FORMS: readonly (readonly [path: string, fields: Readonly<Record<string, string>>])[] = [
  ['/account/me/devices', { session: 'others' }],
  ['/account/me/keys', { key: 'x' }],
  ['/account/me/app-codes', { do: 'start' }],
  ['/account/me/email', { do: 'send' }],
  ['/account/me/email', { do: 'check', code: '000000' }],
  ['/account/me/phone', { do: 'send' }],
  ['/account/me/close', { do: 'close' }],
  ['/account/me/helpers', { helperEmail: 'helper@account.test', relation: 'Niece' }],
  ['/account/me/people', { help: 'x', do: 'accept' }],
];

test('[ACC-12] each form whose proof has grown old leads to its own page, which asks for a new one', async () => {
  const { visitor } = await signedIn();
  testApp.clock.advance(11 * 60);
  for (const [path, fields] of FORMS) {
    const answer = await send(visitor, fields, path);
    expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 303, path]);
  }
});
