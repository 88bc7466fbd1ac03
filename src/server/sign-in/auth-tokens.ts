import { hashToken, randomToken } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import { tokenExpiry } from './session-lifetime.ts';

/** What is kept of a bearer, the AuthToken. */
export type NewBearer = { readonly hash: string; readonly expiresAt: Date };

export function makeBearer(now: Date): NewBearer & { readonly token: string } {
  const token = randomToken();
  return { token, hash: hashToken(token), expiresAt: tokenExpiry(now) };
}

/** Gives a complete sign-in its bearer. */
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

/** What is kept of a bearer in a header; `null` when there is none. */
export function bearerHash(bearer: string | undefined): string | null {
  const token = /^Bearer ([\w-]{20,200})$/.exec(bearer ?? '')?.[1];
  return token ? hashToken(token) : null;
}

/** A bearer that is used lives on. */
export async function slideToken(db: Db, tokenHash: string, now: Date): Promise<void> {
  await db
    .updateTable('auth_tokens')
    .set({ expires_at: tokenExpiry(now) })
    .where('token_hash', '=', tokenHash)
    .execute();
}

export async function deleteTokens(db: Db, signInIds: readonly string[]): Promise<void> {
  await db.deleteFrom('auth_tokens').where('sign_in_id', 'in', signInIds).execute();
}
