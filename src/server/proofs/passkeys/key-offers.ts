import { sql } from 'kysely';
import { type OfferFacts, type OfferOutcome, whyNoOffer } from '#domain/proofs/passkeys.ts';
import type { ServerContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { randomToken } from '../../crypto/secret-box.ts';

/** The sign-in that was just completed. */
type Completed = {
  readonly userId: number;
  readonly signInId: string;
  readonly amr: readonly string[];
  readonly entrance: string;
  readonly isSharedDevice: boolean;
  /** The browser's stored value for this account; '' on a shared device. */
  readonly device: string;
};

export type KeyOffers = ReturnType<typeof createKeyOffers>;

/** Counts for the operator, without a person. */
type Counts = { countEvent(kind: string): void };

/** Creates the offer of a key after a sign-in: rarely, and never where it would be a risk (decision 175). */
export function createKeyOffers(
  { db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>,
  metrics: Counts | null,
) {
  const count = (outcome: OfferOutcome) => metrics?.countEvent(`keyOffer.${outcome}`);

  /** Records the first use of the staff entrance by this account in this browser. */
  async function isFirstAtStaffEntrance({ userId, device }: Completed): Promise<boolean> {
    const row = await db
      .selectFrom('known_devices')
      .select('staff_entrance_at')
      .where('user_id', '=', userId)
      .where('device_hash', '=', device)
      .executeTakeFirst();
    if (row?.staff_entrance_at) return false;
    await db
      .updateTable('known_devices')
      .set({ staff_entrance_at: clock.now() })
      .where('user_id', '=', userId)
      .where('device_hash', '=', device)
      .execute();
    return true;
  }

  async function factsOf(completed: Completed): Promise<OfferFacts> {
    const { amr, entrance, isSharedDevice } = completed;
    const known = await readFacts(db, completed);
    return {
      isOn: config.keys !== null,
      isByKey: amr.includes('pop'),
      isByOrganisation: amr.includes('fed'),
      isSharedDevice,
      isFirstAtStaffEntrance:
        entrance === 'legalStaff' && (await isFirstAtStaffEntrance(completed)),
      ...known,
      offeredAt: known.offeredAt && new Date(known.offeredAt),
    };
  }

  return {
    /** Returns whether a key is offered before the hand-off; counts the reason when it is not. */
    async isDue(completed: Completed) {
      if (config.keys === null) {
        count('off');
        return false;
      }
      const why = whyNoOffer(await factsOf(completed), clock.now());
      if (why !== null) count(why);
      return why === null;
    },

    /** Counts the outcome of an offer; one that was shown counts for the account, too. */
    async record(userId: number | null, outcome: OfferOutcome) {
      count(outcome);
      if (outcome !== 'shown' || userId === null) return;
      await db
        .insertInto('key_owners')
        .values({ user_id: userId, handle: randomToken(), offers: 1, offered_at: clock.now() })
        .onConflict((conflict) =>
          conflict
            .column('user_id')
            .doUpdateSet({ offers: sql`key_owners.offers + 1`, offered_at: clock.now() }),
        )
        .execute();
    },
  };
}

/** Reads in one statement what the account says about an offer. */
async function readFacts(
  db: Db,
  { userId, signInId }: Completed,
): Promise<Pick<OfferFacts, 'hasKey' | 'isAfterReset' | 'offers' | 'offeredAt'>> {
  const { rows } = await sql<{
    hasKey: boolean;
    isAfterReset: boolean;
    offers: number | null;
    offeredAt: Date | null;
  }>`select
      exists (select 1 from saved_keys where user_id = ${userId} and removed_at is null) as "hasKey",
      exists (select 1 from reset_links where user_id = ${userId} and used_at > coalesce(
        (select max(completed_at) from sign_ins where user_id = ${userId} and id <> ${signInId}),
        '-infinity')) as "isAfterReset",
      (select offers from key_owners where user_id = ${userId}) as offers,
      (select offered_at from key_owners where user_id = ${userId}) as "offeredAt"`.execute(db);
  const [row] = rows;
  return {
    hasKey: row?.hasKey ?? false,
    isAfterReset: row?.isAfterReset ?? false,
    offers: row?.offers ?? 0,
    offeredAt: row?.offeredAt ?? null,
  };
}
