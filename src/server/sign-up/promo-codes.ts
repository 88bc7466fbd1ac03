import { sql } from 'kysely';
import type { Clock } from '../core/clock.ts';
import type { Db } from '../db/database.ts';

export type PromoCodes = ReturnType<typeof createPromoCodes>;

/** A row of the registry, as an operator reads and writes it. */
export type PromoCode = {
  readonly code: string;
  readonly validUntil: Date | null;
  readonly maxUses: number | null;
  readonly used: number;
};

/** Characters that are easy to type (security D23). */
const CODE = /^[A-Z\d-]{4,32}$/;

/** Returns the code in its stored spelling, or `null` for an impossible one. */
export function parsePromoCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  return CODE.test(code) ? code : null;
}

/** Adds a code, or changes its expiry and cap; counted uses stay. */
export async function savePromoCode(
  db: Db,
  { code, validUntil, maxUses }: Omit<PromoCode, 'used'>,
): Promise<boolean> {
  const terms = { valid_until: validUntil, max_uses: maxUses };
  const saved = await db
    .insertInto('promo_codes')
    .values({ code, ...terms })
    .onConflict((conflict) =>
      conflict
        .column('code')
        .doUpdateSet(terms)
        // The cap cannot be less than the counted uses.
        .where((eb) =>
          eb.or([eb.val(maxUses === null), eb('promo_codes.used', '<=', maxUses ?? 0)]),
        ),
    )
    .returning('code')
    .executeTakeFirst();
  return saved !== undefined;
}

/** Returns all promo codes. */
export async function listPromoCodes(db: Db): Promise<readonly PromoCode[]> {
  const rows = await db.selectFrom('promo_codes').selectAll().orderBy('code').execute();
  return rows.map(({ code, valid_until, max_uses, used }) => ({
    code,
    validUntil: valid_until,
    maxUses: max_uses,
    used,
  }));
}

/** Creates the registry of promo codes, checked only on the server (security D23). */
export function createPromoCodes({ clock }: { readonly clock: Clock }) {
  const usable = (db: Db, code: string) =>
    db
      .selectFrom('promo_codes')
      .select('code')
      .where('code', '=', code)
      .where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', clock.now())]))
      .where((eb) => eb.or([eb('max_uses', 'is', null), eb('used', '<', eb.ref('max_uses'))]));
  return {
    isUsable: async (db: Db, code: string) =>
      (await usable(db, code).executeTakeFirst()) !== undefined,
    /** Counts one use, within the cap, in one statement; returns `false` when none was left. */
    async use(db: Db, code: string) {
      const counted = await db
        .updateTable('promo_codes')
        .set({ used: sql`used + 1` })
        .where('code', 'in', usable(db, code))
        .where((eb) => eb.or([eb('max_uses', 'is', null), eb('used', '<', eb.ref('max_uses'))]))
        .returning('code')
        .executeTakeFirst();
      return counted !== undefined;
    },
  };
}
