import { hashToken, randomToken } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import { tokenExpiry } from './session-lifetime.ts';

/** The stored form of a bearer, the AuthToken. */
export type NewBearer = { readonly hash: string; readonly expiresAt: Date };

/** Returns a new bearer token with its stored form. */
export function makeBearer(now: Date): NewBearer & { readonly token: string } {
  const token = randomToken();
  return { token, hash: hashToken(token), expiresAt: tokenExpiry(now) };
}

/** Stores the bearer of a complete sign-in. */
export async function insertToken(
  transaction: Db,
  signInId: string,
  { hash, expiresAt }: NewBearer,
): Promise<void> {
  await transaction
    .insertInto('auth_tokens')
    .values({ token_hash: hash, sign_in_id: signInId, expires_at: expiresAt })
    .execute();
}

/** Returns the stored form of a header's bearer; `null` when there is none. */
export function bearerHash(bearer: string | undefined): string | null {
  const token = /^Bearer ([\w-]{20,200})$/.exec(bearer ?? '')?.[1];
  return token ? hashToken(token) : null;
}

/** Extends a bearer's life by its use. */
export async function slideToken(db: Db, tokenHash: string, now: Date): Promise<void> {
  await db
    .updateTable('auth_tokens')
    .set({ expires_at: tokenExpiry(now) })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** Deletes the bearers of these sign-ins. */
export async function deleteTokens(db: Db, signInIds: readonly string[]): Promise<void> {
  await db.deleteFrom('auth_tokens').where('sign_in_id', 'in', signInIds).execute();
}
