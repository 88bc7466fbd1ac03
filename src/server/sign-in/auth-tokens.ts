import { hashToken, randomToken } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import { tokenExpiry } from './session-lifetime.ts';

/** Gives a complete sign-in its bearer, the AuthToken; one that it had before ends. */
export async function issueToken(transaction: Db, signInId: string, now: Date): Promise<string> {
  const token = randomToken();
  await deleteTokens(transaction, [signInId]);
  await transaction
    .insertInto('auth_tokens')
    .values({
      token_hash: hashToken(token),
      sign_in_id: signInId,
      expires_at: tokenExpiry(now),
    })
    .execute();
  return token;
}

/** The complete sign-in of a bearer in its own visit, with the bearer's end; also when that has passed. */
export async function findByBearer(db: Db, bearer: string | undefined, visitId: string) {
  const token = /^Bearer ([\w-]{20,200})$/.exec(bearer ?? '')?.[1];
  if (!token) return undefined;
  return db
    .selectFrom('auth_tokens')
    .innerJoin('sign_ins', 'sign_ins.id', 'auth_tokens.sign_in_id')
    .selectAll('sign_ins')
    .select(['auth_tokens.expires_at', 'auth_tokens.token_hash'])
    .where('auth_tokens.token_hash', '=', hashToken(token))
    .where('sign_ins.visit_id', '=', visitId)
    .where('sign_ins.stage', '=', 'complete')
    .where('sign_ins.ended_at', 'is', null)
    .executeTakeFirst();
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
