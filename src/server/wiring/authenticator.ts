import { findAccount } from '../accounts/account-store.ts';
import { type AppCodes, createAppCodes } from '../authenticator/authenticator.ts';
import type { ServerContext } from '../context.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { Notifications } from '../notifications/notifications.ts';

/** Creates the check of app codes; a used recovery code is told by mail. */
export function createToldAppCodes(
  context: ServerContext,
  notifications: Pick<Notifications, 'accountNotice'>,
): AppCodes {
  return createAppCodes(context, {
    async recoveryUsed(transaction, userId, left) {
      const account = await findAccount(transaction, userId);
      const notice = { kind: 'recoveryCodeUsed', words: { left: String(left) } } as const;
      if (account) await notifications.accountNotice(transaction, account, notice, randomId());
    },
  });
}
