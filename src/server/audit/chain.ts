/** The rules of the hash chain, without a database: the hashed fields, and their format (decision 095). */

import { createHmac, type KeyObject } from 'node:crypto';
import { shortAddress } from './short-address.ts';

/** A row as hashed; every time as text, to the microsecond. */
export type ChainRow = {
  readonly id: number;
  readonly at: string;
  readonly kind: string;
  readonly user_id: number | null;
  readonly visit_id: string | null;
  readonly ip: string | null;
  readonly request_id: string | null;
  readonly subtenant_id: number | null;
  readonly actor: string | null;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly details: string;
};

export type SealedRow = ChainRow & {
  readonly seal: number;
  readonly hash: string;
  readonly subject: string | null;
  readonly network: string | null;
};

export type Seal = {
  readonly seq: number;
  readonly row_count: number;
  readonly last_hash: string;
  readonly newest_at: string;
  readonly sealed_at: string;
  readonly mac: string;
  readonly cleared_at: string | null;
  readonly cleared_mac: string | null;
};

/** The predecessor of the first row and the first batch. */
export const START = { hash: '', mac: '' } as const;

/** Creates the chain's functions under its key. */
export function createChain(key: KeyObject) {
  const mac = (...parts: readonly unknown[]) =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  return {
    /** Returns a pseudonym of an account: the same in all its events, useless without the key. */
    subjectOf: (userId: number | null) => (userId === null ? null : mac('subject', userId)),
    networkOf: shortAddress,

    /** Returns a hash over the row and, by the previous hash, every row before it. */
    hashOf: (
      before: string,
      row: Omit<ChainRow, 'user_id' | 'ip'> & Pick<SealedRow, 'subject' | 'network'>,
    ) =>
      mac(
        before,
        row.id,
        row.at,
        row.kind,
        row.subject,
        row.visit_id,
        row.network,
        row.request_id,
        row.subtenant_id,
        row.actor,
        row.outcome,
        row.reason,
        row.details,
      ),

    macOf: (before: string, seal: Omit<Seal, 'mac' | 'cleared_at' | 'cleared_mac'>) =>
      mac('seal', before, seal.seq, seal.row_count, seal.last_hash, seal.newest_at, seal.sealed_at),

    /** Returns the MAC of a batch whose rows, and all before it, retention has deleted. */
    clearedMacOf: ({ seq, mac: sealed }: Pick<Seal, 'seq' | 'mac'>, clearedAt: string) =>
      mac('cleared', seq, sealed, clearedAt),
  };
}

export type Chain = ReturnType<typeof createChain>;
