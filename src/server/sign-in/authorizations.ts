import type { Db } from '../db/database.ts';
import type { CodeExpectation } from './code-exchange.ts';
import { authorizationExpiry } from './session-lifetime.ts';

/** Keeps what the answer to an authorization request will be compared with. */
export async function insertAuthorization(
  db: Db,
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

/** Uses up an authorization request of this visit. @returns `null` when there is none, or somebody was faster */
export async function takeAuthorization(
  db: Db,
  { visitId, state }: { readonly visitId: string; readonly state: string },
  now: Date,
): Promise<{ readonly signInId: string; readonly expected: CodeExpectation } | null> {
  const taken = await db
    .updateTable('authorizations')
    .set({ used_at: now })
    .where('state', '=', state)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('sign_in_id', 'in', (query) =>
      query
        .selectFrom('sign_ins')
        .select('id')
        .where('visit_id', '=', visitId)
        .where('ended_at', 'is', null),
    )
    .returning(['sign_in_id', 'nonce', 'code_verifier'])
    .executeTakeFirst();
  if (!taken) return null;
  const { sign_in_id: signInId, nonce, code_verifier: codeVerifier } = taken;
  return { signInId, expected: { state, nonce, codeVerifier } };
}
