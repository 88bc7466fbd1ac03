import type { ClientBase } from 'pg';

export type Hosts = ReturnType<typeof createHosts>;

/** Creates the rotation of the addresses of one database, of which one at a time is used. */
export function createHosts(addresses: readonly string[]) {
  let at = 0;
  /** Returns the address for the next connection. */
  const current = () => addresses[at] ?? '';
  return {
    count: addresses.length,
    current,
    /** Moves on from an address after a failed or read-only connection. */
    leave(address: string): void {
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
