import type { ClientBase } from 'pg';

/** The addresses of one database, of which one at a time is used. */
export type Hosts = {
  readonly count: number;
  /** Returns the address for the next connection. */
  current(): string;
  /** Moves on from an address after a failed or read-only connection. */
  leave(address: string): void;
};

/** Creates the rotation of addresses. */
export function createHosts(addresses: readonly string[]): Hosts {
  let at = 0;
  const current = () => addresses[at] ?? '';
  return {
    count: addresses.length,
    current,
    leave(address) {
      // Of several concurrent failures, only the first one moves on.
      if (address === current()) at = (at + 1) % addresses.length;
    },
  };
}

/** PostgreSQL's SQLSTATE of a read-only server. */
const READ_ONLY = '25006';

/**
 * Checks that the server accepts writes.
 * @throws Error with the state of a read-only transaction when it is a standby
 */
export async function requireWritable(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ is_read_only: boolean }>(
    `select current_setting('transaction_read_only') = 'on' as is_read_only`,
  );
  if (rows[0]?.is_read_only)
    throw Object.assign(new Error('this server is read-only'), { code: READ_ONLY });
}
