/** The whole way of 'Forgot Password?': the mail, its link, the new password. */

import type { Data } from '#contract/index.ts';
import type { InboxMessage } from './inbox.ts';
import type { TestApp } from './test-app.ts';
import type { Visitor } from './visitor.ts';

type Shown = NonNullable<Data<'getResetUser'>>;

/** Returns the part of a link's answer that the form of a new password sends back. */
export const sentBack = ({ userId, userName, hostedUserId, forgotPasswordId }: Shown) => ({
  userId,
  userName,
  hostedUserId,
  forgotPasswordId,
});

export async function resetPassword(
  testApp: TestApp,
  email: string,
  password: string,
  ip?: string,
): Promise<void> {
  await resetBy(testApp.visitor(ip), email, password, async () => {
    await testApp.app.outbox.settle();
    return testApp.inbox(email);
  });
}

/** `readMails`: the newest first, once the mail with the link is there. */
export async function resetBy(
  visitor: Visitor,
  email: string,
  password: string,
  readMails: () => Promise<readonly InboxMessage[]>,
): Promise<void> {
  await visitor.ok('forgotPassword', { body: { userName: email, emailID: email } });
  const mail = (await readMails()).find(({ link }) => link?.includes('resetPassword'));
  const key = new URL(mail?.link ?? '').searchParams.values().next().value ?? '';
  const found = await visitor.ok('getResetUser', { params: { resetKey: key, ip: '::1' } });
  if (!found) throw new Error('The link leads to nobody');
  await visitor.ok('updatePassword', { body: { ...sentBack(found), password } });
}
