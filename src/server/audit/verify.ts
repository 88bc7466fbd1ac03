import type { SecretBox } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import { inIndexOrder, openChain, readSealed, readSeals } from './audit-store.ts';
import { type Chain, type Seal, type SealedRow, START } from './chain.ts';

/** A fault, with its row or batch. */
export type Fault = {
  readonly kind:
    | 'row'
    | 'account'
    | 'address'
    | 'erased'
    | 'count'
    | 'stray'
    | 'seal'
    | 'missing'
    | 'anchor'
    | 'key'
    | 'head';
  /** Id of the row, or number of the batch. */
  readonly at: number;
};

export type Verification = {
  readonly rows: number;
  readonly batches: number;
  /** Rows without a batch: not verifiable yet. */
  readonly open: number;
  /** The last batch whose rows retention has deleted; 0 for none. */
  readonly clearedTo: number;
  readonly faultCount: number;
  /** The newest batch, for comparison with the server's log; `null` without one. */
  readonly head: string | null;
};

/** The event that records an erased account. */
export const ERASED = 'account.erased';

/** Rows that are read at once, to bound memory. */
const ROWS_AT_ONCE = 10_000;
const SEALS_AT_ONCE = 500;

/** Returns a batch with its MAC as one text. */
export const sealHead = ({ seq, mac }: Pick<Seal, 'seq' | 'mac'>) => `${seq}.${mac}`;

/**
 * Reads the whole chain in one snapshot, and reports every row and batch that was changed, moved, added or deleted
 * (R49). The anchor identifies rows that retention deleted. `expectedHead` is a batch that must still be there
 * unchanged.
 * @throws OperatorError when no secret decrypts the key
 */
export async function verifyAudit(
  { db, secretBox }: { readonly db: Db; readonly secretBox: SecretBox },
  onFault: (fault: Fault) => void,
  expectedHead?: string,
): Promise<Verification> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      await inIndexOrder(snapshot);
      return verifySnapshot(snapshot, secretBox, onFault, expectedHead);
    });
}

async function verifySnapshot(
  db: Db,
  secretBox: SecretBox,
  onFault: (fault: Fault) => void,
  expectedHead: string | undefined,
): Promise<Verification> {
  const counts = { rows: 0, batches: 0, faults: 0, clearedTo: 0 };
  const fault = (kind: Fault['kind'], at: number) => {
    counts.faults += 1;
    onFault({ kind, at });
  };
  const chain = await openChain(db, secretBox);
  let before: { seq: number; last_hash: string; mac: string } = {
    seq: 0,
    last_hash: START.hash,
    mac: START.mac,
  };
  let isHeadSeen = false;
  const [expectedSeq = ''] = (expectedHead ?? '').split('.');
  /**
   * Pseudonyms whose account was removed from their rows, with the first such row; and those with a recorded erasure.
   */
  const anonymous = new Map<string, number>();
  const erased = new Set<string>();

  if (chain) await verifyChain(chain);
  else if ((await readSeals(db, 0, 1)).length > 0) fault('key', 1);
  for (const [subject, id] of anonymous) if (!erased.has(subject)) fault('erased', id);
  if (expectedHead !== undefined && !isHeadSeen && Number(expectedSeq) >= counts.clearedTo) {
    fault('head', Number(expectedSeq) || 0);
  }
  const { open } = await db
    .selectFrom('audit_events')
    .select((eb) => eb.fn.countAll().as('open'))
    .where('seal', 'is', null)
    .executeTakeFirstOrThrow();
  return {
    rows: counts.rows,
    batches: counts.batches,
    open: Number(open),
    clearedTo: counts.clearedTo,
    faultCount: counts.faults,
    head: before.seq === 0 ? null : sealHead(before),
  };

  async function verifyChain(known: Chain): Promise<void> {
    for (;;) {
      const seals = await readSeals(db, before.seq, SEALS_AT_ONCE);
      for (const group of groupsOf(seals)) await verifyGroup(known, group);
      if (seals.length < SEALS_AT_ONCE) break;
    }
    const [stray] = await readSealed(db, before.seq + 1, Number.MAX_SAFE_INTEGER, 1);
    if (stray) fault('stray', stray.id);
  }

  async function verifyGroup(known: Chain, group: readonly Seal[]): Promise<void> {
    const last = group.at(-1)?.seq ?? 0;
    const expected = group.reduce((sum, seal) => sum + seal.row_count, 0);
    // One row more than expected, so that added rows are noticed without filling the memory.
    const rows = await readSealed(db, before.seq + 1, last, expected + 1);
    let at = 0;
    for (const seal of group) {
      for (let row = rows[at]; row && row.seal < seal.seq; row = rows[++at]) fault('stray', row.id);
      const from = at;
      while (rows[at]?.seal === seal.seq) at += 1;
      verifyBatch(known, seal, rows.slice(from, at));
      before = seal;
    }
  }

  function verifyBatch(known: Chain, seal: Seal, rows: readonly SealedRow[]): void {
    counts.batches += 1;
    if (sealHead(seal) === expectedHead) isHeadSeen = true;
    const { cleared_at, cleared_mac } = seal;
    const isFirst = counts.batches === 1;
    if (cleared_at !== null) {
      counts.clearedTo = seal.seq;
      const isAnchor = isFirst && rows.length === 0;
      if (!isAnchor || known.clearedMacOf(seal, cleared_at) !== cleared_mac) {
        fault('anchor', seal.seq);
      }
      return;
    }
    if (seal.seq !== before.seq + 1) fault('missing', before.seq + 1);
    else if (known.macOf(before.mac, seal) !== seal.mac) fault('seal', seal.seq);
    let hash = before.last_hash;
    for (const row of rows) {
      verifyRow(known, hash, row);
      hash = row.hash;
    }
    counts.rows += rows.length;
    if (rows.length !== seal.row_count) fault('count', seal.seq);
    else if (hash !== seal.last_hash) fault('seal', seal.seq);
  }

  function verifyRow(known: Chain, hash: string, row: SealedRow): void {
    if (known.hashOf(hash, row) !== row.hash) fault('row', row.id);
    if (row.user_id !== null) {
      if (known.subjectOf(row.user_id) !== row.subject) fault('account', row.id);
    } else if (row.subject !== null && !anonymous.has(row.subject)) {
      anonymous.set(row.subject, row.id);
    }
    if (row.ip !== null && known.networkOf(row.ip) !== row.network) fault('address', row.id);
    if (row.kind !== ERASED) return;
    const { subject } = JSON.parse(row.details) as { subject?: unknown };
    if (typeof subject === 'string') erased.add(subject);
  }
}

/** Groups batches whose rows are few enough to be read at once. */
function groupsOf(seals: readonly Seal[]): readonly (readonly Seal[])[] {
  const groups: Seal[][] = [];
  let rows = Infinity;
  for (const seal of seals) {
    rows += seal.row_count;
    if (rows > ROWS_AT_ONCE) {
      groups.push([]);
      rows = seal.row_count;
    }
    groups.at(-1)?.push(seal);
  }
  return groups;
}
