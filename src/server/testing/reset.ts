/** The whole way of 'Forgot Password?': the mail, its link, the new password. */

import type { TestApp } from './test-app.ts';

export async function resetPassword(
  testApp: TestApp,
  email: string,
  password: string,
  ip?: string,
): Promise<void> {
  const visitor = testApp.visitor(ip);
  await visitor.ok('forgotPassword', { body: { userName: email, emailID: email } });
  await testApp.app.outbox.settle();
  const mail = (await testApp.inbox(email)).find(({ link }) => link?.includes('resetPassword'));
  const key = new URL(mail?.link ?? '').searchParams.values().next().value ?? '';
  const found = await visitor.ok('getResetUser', { params: { resetKey: key, ip: '::1' } });
  if (!found) throw new Error('The link leads to nobody');
  const { userName, userId, hostedUserId, forgotPasswordId } = found;
  await visitor.ok('updatePassword', {
    body: { userName, userId, hostedUserId: hostedUserId ?? '', password, forgotPasswordId },
  });
}
