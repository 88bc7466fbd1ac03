import { passkeysCommand as texts } from '#locales/operator/passkeys.ts';
import { fill } from '#locales/fill.ts';
import type { KeyConfig } from '../../config/key-config.ts';
import { OperatorError } from '../../config/operator-error.ts';
import type { Db } from '../../db/database.ts';

/** Returns the domain of the keys on record, and how many there are; `rpId` is `null` before the first key. */
export async function readKeyDomain(
  db: Db,
): Promise<{ readonly rpId: string | null; readonly count: number }> {
  const row = await db
    .selectFrom('key_domain')
    .select((eb) => [
      'rp_id',
      eb
        .selectFrom('saved_keys')
        .select(eb.fn.countAll<string>().as('count'))
        .where('removed_at', 'is', null)
        .whereRef('saved_keys.rp_id', '=', 'key_domain.rp_id')
        .as('count'),
    ])
    .executeTakeFirst();
  return { rpId: row?.rp_id ?? null, count: Number(row?.count ?? 0) };
}

/**
 * Refuses a start with another domain than that of the keys on record: every one of them would stop working at once,
 * and nobody could see why.
 * @throws OperatorError
 */
export async function refuseOtherDomain(db: Db, keys: KeyConfig | null): Promise<void> {
  if (!keys) return;
  const { rpId, count } = await readKeyDomain(db);
  if (rpId === null || rpId === keys.rpId || count === 0) return;
  if (!keys.acceptsChange) {
    throw new OperatorError(fill(texts.otherDomain, { count, old: rpId, rpId: keys.rpId }));
  }
  await db.updateTable('key_domain').set({ rp_id: keys.rpId }).execute();
}
