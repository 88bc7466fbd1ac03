/** The rules of the chain, without a database: what is hashed, and how (decision 095). */

import { createHmac, type KeyObject } from 'node:crypto';
import { shortAddress } from './short-address.ts';

/** A row as the chain sees it; every moment as text, to the microsecond. */
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

/** What comes before the first row and the first batch. */
export const START = { hash: '', mac: '' } as const;

export function createChain(key: KeyObject) {
  const mac = (...parts: readonly unknown[]) =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  return {
    /** Stands for an account: the same one in all its events, and nobody finds the account by it without the key. */
    subjectOf: (userId: number | null) => (userId === null ? null : mac('subject', userId)),
    networkOf: shortAddress,

    /** Covers the row and, by the hash before, every row before it. */
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

    /** Says that retention took the rows of a batch, and everything before it. */
    clearedMacOf: ({ seq, mac: sealed }: Pick<Seal, 'seq' | 'mac'>, clearedAt: string) =>
      mac('cleared', seq, sealed, clearedAt),
  };
}

export type Chain = ReturnType<typeof createChain>;
