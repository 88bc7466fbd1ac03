import { isPasswordAcceptable } from '#domain/password-policy.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { ServerContext } from '../context.ts';
import { randomId } from '../crypto/secret-box.ts';
import { endAccess } from './end-access.ts';

type Person = { readonly email: string; readonly firstName: string; readonly subtenantId: number };

export type GivenPasswords = {
  /**
   * Sets a password that did not come from its owner, and ends what the old one had opened, as a reset does.
   * @throws AppError BAD_REQUEST for a weak one, NOT_FOUND for an account that is not active
   */
  set(userId: number, password: string): Promise<void>;
  /** Ends every session and token of an account, for example because it is closed. */
  endAccess(userId: number): Promise<void>;
};

type Ports = {
  readonly hash: (password: string) => Promise<string>;
  readonly queueNotice: (db: Db, to: Person, cause: string) => Promise<void>;
  readonly endProviderSessions: (userId: number) => Promise<void>;
};

/** Passwords that an operator's program sets. */
export function createGivenPasswords(
  { db, clock, outbox }: ServerContext,
  ports: Ports,
): GivenPasswords {
  return {
    async set(userId, password) {
      if (!isPasswordAcceptable(password)) throw new AppError('BAD_REQUEST');
      const passwordHash = await ports.hash(password);
      await db.transaction().execute(async (transaction) => {
        const user = await transaction
          .updateTable('users')
          .set({ password_hash: passwordHash })
          .where('id', '=', userId)
          .where('status', '=', 'active')
          .returning(['email', 'first_name as firstName', 'subtenant_id as subtenantId'])
          .executeTakeFirst();
        if (!user) throw new AppError('NOT_FOUND');
        await endAccess(transaction, userId, clock.now());
        await ports.queueNotice(transaction, user, randomId());
      });
      await ports.endProviderSessions(userId);
      outbox.wake();
    },

    async endAccess(userId) {
      await db.transaction().execute((transaction) => endAccess(transaction, userId, clock.now()));
      await ports.endProviderSessions(userId);
    },
  };
}
