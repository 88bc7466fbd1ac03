import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';

export type PromoCodes = {
  isUsable(db: Db, code: string): Promise<boolean>;
  /** Counts one use; the cap is kept by the statement itself. `false` when it was used up meanwhile. */
  use(db: Db, code: string): Promise<boolean>;
};

/** The registry of promo codes, checked on the server alone (security D23). */
export function createPromoCodes({ clock }: { readonly clock: Clock }): PromoCodes {
  const usable = (db: Db, code: string) =>
    db
      .selectFrom('promo_codes')
      .select('code')
      .where('code', '=', code)
      .where((e) => e.or([e('valid_until', 'is', null), e('valid_until', '>', clock.now())]))
      .where((e) => e.or([e('max_uses', 'is', null), e('used', '<', e.ref('max_uses'))]));
  return {
    async isUsable(db, code) {
      return (await usable(db, code).executeTakeFirst()) !== undefined;
    },
    async use(db, code) {
      const counted = await db
        .updateTable('promo_codes')
        .set({ used: sql`used + 1` })
        .where('code', 'in', usable(db, code))
        .where((e) => e.or([e('max_uses', 'is', null), e('used', '<', e.ref('max_uses'))]))
        .returning('code')
        .executeTakeFirst();
      return counted !== undefined;
    },
  };
}
