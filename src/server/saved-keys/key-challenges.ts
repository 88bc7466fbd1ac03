import { KEY_CHALLENGE_MS } from '#domain/saved-keys.ts';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';

/** The uses of a challenge. `createByItself`: nobody has to be there or to unlock the device. */
export type KeyPurpose = 'signIn' | 'stepUp' | 'create' | 'createByItself';

type Challenge = {
  readonly visitId: string;
  readonly purposes: readonly KeyPurpose[];
  /** The account for which it was issued; `null` before a sign-in. */
  readonly userId: number | null;
};

/** Stores a challenge for one answer of this visit within five minutes. */
export async function insertChallenge(
  db: Db,
  challenge: string,
  { visitId, purpose, userId }: Omit<Challenge, 'purposes'> & { readonly purpose: KeyPurpose },
  now: Date,
): Promise<void> {
  await db
    .insertInto('key_challenges')
    .values({
      challenge,
      visit_id: visitId,
      purpose,
      user_id: userId,
      expires_at: later(now, KEY_CHALLENGE_MS),
    })
    .execute();
}

/**
 * Consumes a challenge before its answer is checked, so that a wrong answer uses it up too.
 * @returns its purpose; `null`: used, over, of another visit, account or purpose
 */
export async function consumeChallenge(
  db: Db,
  challenge: string,
  { visitId, purposes, userId }: Challenge,
  now: Date,
): Promise<KeyPurpose | null> {
  const consumed = await db
    .deleteFrom('key_challenges')
    .where('challenge', '=', challenge)
    .where('visit_id', '=', visitId)
    .where('purpose', 'in', purposes)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('expires_at', '>', now)
    .returning('purpose')
    .executeTakeFirst();
  return (consumed?.purpose as KeyPurpose | undefined) ?? null;
}
