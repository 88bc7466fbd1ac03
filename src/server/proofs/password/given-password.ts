import { isPasswordAcceptable } from '#domain/proofs/password-policy.ts';
import { findAccount, setPasswordHash } from '../../accounts/account-store.ts';
import { waysOf } from '../../accounts/organisation-links.ts';
import type { Db } from '../../db/database.ts';
import type { Notifications } from '../../notifications/notifications.ts';
import { AppError } from '../../http/app-error.ts';
import type { ServerContext } from '../../core/context.ts';
import { randomId } from '../../crypto/secret-box.ts';
import type { IsGuessable } from './guessable-password.ts';
import type { Hashing } from './hashing.ts';

export type GivenPasswords = ReturnType<typeof createGivenPasswords>;

type Ports = {
  readonly hashing: Pick<Hashing, 'hash'>;
  readonly isGuessable: IsGuessable;
  readonly notifications: Pick<Notifications, 'passwordChanged'>;
  /** Ends every session, OTP, token and reset link of the account here. */
  readonly endAccess: (db: Db, userId: number, now: Date) => Promise<void>;
};

/** Passwords that an operator's program sets. */
export function createGivenPasswords({ db, clock }: ServerContext, ports: Ports) {
  return {
    /**
     * Checks and hashes a password that did not come from its owner. The function returned sets it and ends what the old
     * one had opened, as a reset does; `endProviderSessions` follows the commit.
     * @throws AppError BAD_REQUEST for a weak one, PASSWORD_GUESSABLE, NOT_FOUND for an account that is not active,
     * KEPT_BY_ORGANISATION
     */
    async prepare(userId: number, password: string) {
      if (!isPasswordAcceptable(password)) throw new AppError('BAD_REQUEST');
      const owner = await findAccount(db, userId);
      if (!owner) throw new AppError('NOT_FOUND');
      if ((await waysOf(db, userId)).keptBy !== null) throw new AppError('KEPT_BY_ORGANISATION');
      if (await ports.isGuessable(password, owner)) throw new AppError('PASSWORD_GUESSABLE');
      const passwordHash = await ports.hashing.hash(password);
      return async (transaction: Db) => {
        const account = await setPasswordHash(transaction, userId, passwordHash);
        if (!account) throw new AppError('NOT_FOUND');
        await ports.endAccess(transaction, userId, clock.now());
        const { email, first_name: firstName, subtenant_id: subtenantId } = account;
        const to = { email, firstName, subtenantId };
        await ports.notifications.passwordChanged(transaction, to, randomId());
      };
    },
  };
}
