import { sql } from 'kysely';
import type { Clock } from '../core/clock.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import type { Task } from '../core/task.ts';
import {
  ensureChain,
  inIndexOrder,
  lockChain,
  openChain,
  readFirstWhole,
  readLastSeal,
  readOpen,
  tryLockChain,
  writeSeal,
} from './audit-store.ts';
import { START } from './chain.ts';

export type Sealing = ReturnType<typeof createSealing>;

type Deps = { readonly db: Db; readonly clock: Clock; readonly secretBox: SecretBox };

/** Rows, few enough for the time limit of a statement. */
const BATCH = 500;

/** Returns a time in the chain's format. */
const momentText = (moment: Date) => moment.toISOString().replace('Z', '000Z');

/**
 * Creates the hash chain of the audit log (R49). Any number of instances insert rows without waiting for each other;
 * seconds later one of them adds the committed rows as a batch (decision 095).
 */
export function createSealing({ db, clock, secretBox }: Deps) {
  return {
    /**
     * Adds committed rows to the chain, unless another instance is doing it.
     * @returns how many
     */
    async seal(signal?: AbortSignal): Promise<number> {
      // Usually there are no new rows, and no lock is needed.
      if ((await readOpen(db, 1)).length === 0) return 0;
      let total = 0;
      for (let count = BATCH; count === BATCH && !signal?.aborted;) {
        count = await db.transaction().execute(async (transaction) => {
          const isOurs = await tryLockChain(transaction);
          return isOurs ? sealBatch(transaction, { clock, secretBox }) : 0;
        });
        total += count;
      }
      return total;
    },

    /**
     * Deletes batches whose newest row is older than a time, the oldest first; an anchor stays.
     * @returns the number of rows
     */
    async clearBefore(moment: Date, signal?: AbortSignal): Promise<number> {
      let total = 0;
      for (let count = 1; count > 0 && !signal?.aborted;) {
        count = await db.transaction().execute((transaction) => clearBatch(transaction, moment));
        total += count;
      }
      return total;
    },
  };

  /** Writes the anchor first: the table allows no deletion without one. */
  async function clearBatch(transaction: Db, moment: Date): Promise<number> {
    await lockChain(transaction);
    const chain = await openChain(transaction, secretBox);
    const seal = await readFirstWhole(transaction);
    if (!chain || !seal || new Date(seal.newest_at) >= moment) return 0;
    const clearedAt = momentText(clock.now());
    await transaction
      .updateTable('audit_seals')
      .set({
        cleared_at: sql<Date>`${clearedAt}::text::timestamptz`,
        cleared_mac: chain.clearedMacOf(seal, clearedAt),
      })
      .where('seq', '=', seal.seq)
      .execute();
    const gone = await transaction
      .deleteFrom('audit_events')
      .where('seal', '<=', seal.seq)
      .executeTakeFirst();
    await transaction.deleteFrom('audit_seals').where('seq', '<', seal.seq).execute();
    return Number(gone.numDeletedRows);
  }
}

/** Chains all new rows, for a transaction that holds the chain's lock. */
export async function sealAll(transaction: Db, deps: Omit<Deps, 'db'>): Promise<void> {
  while ((await sealBatch(transaction, deps)) === BATCH);
}

async function sealBatch(transaction: Db, deps: Omit<Deps, 'db'>): Promise<number> {
  await inIndexOrder(transaction);
  const open = await readOpen(transaction, BATCH);
  if (open.length === 0) return 0;
  const chain = await ensureChain(transaction, deps);
  const last = await readLastSeal(transaction);
  let hash = last?.last_hash ?? START.hash;
  const rows = open.map((row) => {
    const sealed = {
      ...row,
      subject: chain.subjectOf(row.user_id),
      network: chain.networkOf(row.ip),
    };
    hash = chain.hashOf(hash, sealed);
    return { id: row.id, hash, subject: sealed.subject, network: sealed.network };
  });
  const seal = {
    seq: (last?.seq ?? 0) + 1,
    row_count: rows.length,
    last_hash: hash,
    newest_at: open.map(({ at }) => at).reduce((a, b) => (a > b ? a : b)),
    sealed_at: momentText(deps.clock.now()),
  };
  const mac = chain.macOf(last?.mac ?? START.mac, seal);
  await writeSeal(transaction, { ...seal, mac }, rows);
  return rows.length;
}

/** Adds committed rows to the hash chain. */
export const auditSealing = ({ seal }: Sealing): Task => ({
  // Rows written within this interval are not yet in the hash chain.
  everyMs: 5000,
  run: seal,
  failed: 'the audit log will be sealed later',
});
