import { besideUser } from '../accounts/account-store.ts';
import type { Db } from '../db/database.ts';
import type { CodeExpectation } from './code-exchange.ts';
import { ATTEMPT_COLUMNS, type AttemptOf, toAttemptOf } from './sign-in-attempts.ts';
import { authorizationExpiry } from './session-lifetime.ts';

/** Stores the values that the answer to an authorization request is compared with. */
export async function insertAuthorization(
  db: Pick<Db, 'insertInto'>,
  signInId: string,
  { state, nonce, codeVerifier }: CodeExpectation,
  now: Date,
): Promise<void> {
  await db
    .insertInto('authorizations')
    .values({
      state,
      sign_in_id: signInId,
      nonce,
      code_verifier: codeVerifier,
      expires_at: authorizationExpiry(now),
      used_at: null,
    })
    .execute();
}

/**
 * Consumes an authorization request of this visit.
 * @returns its attempt and account as they were; `null` when there is none, or another request was faster
 */
export async function takeAuthorization(
  db: Db,
  { visitId, state }: { readonly visitId: string; readonly state: string },
  now: Date,
): Promise<(AttemptOf & { readonly expected: CodeExpectation }) | null> {
  const taken = await db
    .updateTable('authorizations')
    .from('sign_ins')
    .leftJoin('users', 'users.id', 'sign_ins.user_id')
    .set({ used_at: now })
    .where('authorizations.state', '=', state)
    .where('authorizations.used_at', 'is', null)
    .where('authorizations.expires_at', '>', now)
    .whereRef('sign_ins.id', '=', 'authorizations.sign_in_id')
    .where('sign_ins.visit_id', '=', visitId)
    .where('sign_ins.ended_at', 'is', null)
    .returningAll('users')
    .returning(besideUser)
    .returning(ATTEMPT_COLUMNS)
    .returning(['authorizations.nonce', 'authorizations.code_verifier'])
    .executeTakeFirst();
  if (!taken) return null;
  const { nonce, code_verifier: codeVerifier, ...row } = taken;
  return { ...toAttemptOf(row), expected: { state, nonce, codeVerifier } };
}
