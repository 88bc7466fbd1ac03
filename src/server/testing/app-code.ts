/** A person's authenticator app, on the clock of the test. */

import { Secret, TOTP } from 'otpauth';
import { confirmByCode, keyToConfirm, startAppCode } from '../access/authenticator.ts';
import { adminContextOf } from './admin-context.ts';
import type { TestApp } from './test-app.ts';

/** Returns the code that an app shows for a key. */
export const appCodeAt = (key: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: at.getTime() });

/** Sets up an app for an account. Its first code is used up: the next one comes half a minute later. */
export async function addApp(testApp: TestApp, userId: number) {
  const context = adminContextOf(testApp);
  const session = { userId, signInId: '' };
  await startAppCode(context, session);
  const waiting = await keyToConfirm(context, session);
  const key = waiting?.key ?? '';
  const code = (aheadMs = 0) => appCodeAt(key, new Date(testApp.clock.now().getTime() + aheadMs));
  const confirmed = await confirmByCode(context, session, code());
  const recovery = typeof confirmed === 'string' ? [] : confirmed;
  return { key, code, recovery };
}
