import { isPasswordAcceptable } from '#domain/proofs/password-policy.ts';
import { findAccount, setPasswordHash } from '../accounts/account-store.ts';
import type { Db } from '../db/database.ts';
import type { MailRecipient } from '../notifications/notifications.ts';
import { AppError } from '../http/app-error.ts';
import type { ServerContext } from '../context.ts';
import { randomId } from '../crypto/secret-box.ts';
import type { IsGuessable } from './guessable-password.ts';

export type GivenPasswords = {
  /**
   * Checks and hashes a password that did not come from its owner. The function returned sets it and ends what the old
   * one had opened, as a reset does; `endProviderSessions` follows the commit.
   * @throws AppError BAD_REQUEST for a weak one, PASSWORD_GUESSABLE, NOT_FOUND for an account that is not active
   */
  prepare(userId: number, password: string): Promise<(transaction: Db) => Promise<void>>;
};

type Ports = {
  readonly hash: (password: string) => Promise<string>;
  readonly isGuessable: IsGuessable;
  readonly queueNotice: (db: Db, to: MailRecipient, cause: string) => Promise<void>;
  /** Ends every session, OTP, token and reset link of the account here. */
  readonly endAccess: (db: Db, userId: number, now: Date) => Promise<void>;
};

/** Passwords that an operator's program sets. */
export function createGivenPasswords({ db, clock }: ServerContext, ports: Ports): GivenPasswords {
  return {
    async prepare(userId, password) {
      if (!isPasswordAcceptable(password)) throw new AppError('BAD_REQUEST');
      const owner = await findAccount(db, userId);
      if (!owner) throw new AppError('NOT_FOUND');
      if (await ports.isGuessable(password, owner)) throw new AppError('PASSWORD_GUESSABLE');
      const passwordHash = await ports.hash(password);
      return async (transaction) => {
        const account = await setPasswordHash(transaction, userId, passwordHash);
        if (!account) throw new AppError('NOT_FOUND');
        await ports.endAccess(transaction, userId, clock.now());
        const { email, first_name: firstName, subtenant_id: subtenantId } = account;
        await ports.queueNotice(transaction, { email, firstName, subtenantId }, randomId());
      };
    },
  };
}
