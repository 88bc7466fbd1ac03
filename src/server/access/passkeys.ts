import { findAccount } from '../accounts/account-store.ts';
import { removeKey } from '../proofs/passkeys/key-store.ts';
import type { DeedContext } from './context.ts';
import { inTransaction } from '../db/in-transaction.ts';

/**
 * Removes a passkey, and tells its owner, in one transaction with its audit event.
 * @returns the key's name; `null`: the account has no such key
 */
export async function removePasskey(
  context: DeedContext,
  userId: number,
  credentialId: string,
): Promise<string | null> {
  const { db, clock, audit } = context;
  const now = clock.now();
  return inTransaction(db, async (transaction) => {
    const account = await findAccount(transaction, userId);
    const key = account && (await removeKey(transaction, userId, credentialId, now));
    if (!account || key === undefined) return null;
    const cause = `key-removed:${credentialId}:${now.getTime()}`;
    const notice = { kind: 'keyRemoved', words: { key } } as const;
    await context.notifications.accountNotice(transaction, account, notice, cause);
    await audit({ kind: 'key.removed', userId }, transaction);
    return key;
  });
}
