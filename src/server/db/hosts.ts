import type { ClientBase } from 'pg';

/** The addresses of one database, of which one at a time is written to. */
export type Hosts = {
  readonly count: number;
  /** Where the next connection leads. */
  current(): string;
  /** A connection to this address failed, or was read-only: the next one leads elsewhere. */
  leave(address: string): void;
};

export function createHosts(addresses: readonly string[]): Hosts {
  let at = 0;
  const current = () => addresses[at] ?? '';
  return {
    count: addresses.length,
    current,
    leave(address) {
      // Of several that fail at once the first one moves on, the others follow.
      if (address === current()) at = (at + 1) % addresses.length;
    },
  };
}

/** PostgreSQL's own state of who must not write. */
const READ_ONLY = '25006';

/** @throws Error with the state of a read-only transaction where this is a standby */
export async function requireWritable(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ is_read_only: boolean }>(
    `select current_setting('transaction_read_only') = 'on' as is_read_only`,
  );
  if (rows[0]?.is_read_only)
    throw Object.assign(new Error('this server is read-only'), { code: READ_ONLY });
}
