import { KEY_CHALLENGE_MS } from '#domain/proofs/passkeys.ts';
import { later } from '../../core/clock.ts';
import type { Db } from '../../db/database.ts';

/** The uses of a challenge. `createByItself`: nobody has to be there or to unlock the device. */
export type KeyPurpose = 'signIn' | 'stepUp' | 'create' | 'createByItself';

type Challenge = {
  readonly visitId: string;
  readonly purposes: readonly KeyPurpose[];
  /** The session that it proves or adds a key in; before a sign-in its visit (PRF-24). */
  readonly subject: string;
  /** The account for which it was issued; `null` before a sign-in. */
  readonly userId: number | null;
};

/** Challenges that a visit has at once: some tabs, and what a reload leaves behind. */
const MOST_OF_VISIT = 8;

/** Stores a challenge for one answer of this visit within five minutes, and deletes all but the visit's newest. */
export async function insertChallenge(
  db: Db,
  challenge: string,
  {
    visitId,
    purpose,
    subject,
    userId,
  }: Omit<Challenge, 'purposes'> & { readonly purpose: KeyPurpose },
  now: Date,
): Promise<void> {
  await db
    .insertInto('key_challenges')
    .values({
      challenge,
      visit_id: visitId,
      purpose,
      subject,
      user_id: userId,
      expires_at: later(now, KEY_CHALLENGE_MS),
    })
    .execute();
  await db
    .deleteFrom('key_challenges')
    .where('visit_id', '=', visitId)
    .where('challenge', 'not in', (query) =>
      query
        .selectFrom('key_challenges')
        .select('challenge')
        .where('visit_id', '=', visitId)
        .orderBy('expires_at', 'desc')
        .orderBy((eb) => eb('challenge', '=', challenge), 'desc')
        .limit(MOST_OF_VISIT),
    )
    .execute();
}

/**
 * Consumes a challenge before its answer is checked, so that a wrong answer uses it up too.
 * @returns its purpose; `null`: used, over, of another visit, account, purpose or subject
 */
export async function consumeChallenge(
  db: Db,
  challenge: string,
  { visitId, purposes, subject, userId }: Challenge,
  now: Date,
): Promise<KeyPurpose | null> {
  const consumed = await db
    .deleteFrom('key_challenges')
    .where('challenge', '=', challenge)
    .where('visit_id', '=', visitId)
    .where('purpose', 'in', purposes)
    .where((eb) => eb.or([eb('subject', '=', subject), eb('subject', 'is', null)]))
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('expires_at', '>', now)
    .returning('purpose')
    .executeTakeFirst();
  return (consumed?.purpose as KeyPurpose | undefined) ?? null;
}
