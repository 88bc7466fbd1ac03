/** The hosted login's rows over kysely; the same SQL on PGlite and PostgreSQL 15 to 18. */

import type { ColumnType, Kysely } from 'kysely';
import type { ProviderStore } from '../identity/ports.ts';

export interface HostedLoginTables {
  hosted_payloads: {
    model: string;
    id: string;
    payload: ColumnType<Record<string, unknown>, string, string>;
    grant_id: string | null;
    uid: string | null;
    user_code: string | null;
    account_id: string | null;
    expires_at: Date | null;
    consumed_at: Date | null;
  };
  hosted_tickets: {
    hash: string;
    account_id: string;
    client_id: string;
    co_id_hash: string;
    expires_at: Date;
  };
  hosted_keys: {
    kid: string;
    alg: string;
    generation: number;
    sealed: string;
    created_at: Date;
  };
}

export function createIdentityStore(_db: Kysely<HostedLoginTables>): ProviderStore {
  throw new Error('The hosted login store is not built yet.');
}
