import { PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import type { ClientConfig, Pool, PoolClient, PoolConfig } from 'pg';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import { databaseAddresses } from '../config/database-url.ts';
import { OperatorError } from '../config/operator-error.ts';
import { isConnectionLost, isPoolBusy } from './availability.ts';
import { createHosts, type Hosts, requireWritable } from './hosts.ts';
import { createKysely, type Database, type Db, type OnStatement } from './kysely.ts';
import { watchRoom } from './room.ts';

/** The name of our connections in the database's list, unless the URL sets one. */
const APPLICATION_NAME = 'porchlight';
/** R34; `database.pool` overrides it. */
const POOL_SIZE = 10;
const CONNECT_MS = 2000;
const STATEMENT_MS = 2500;
/** Milliseconds; a host that vanished does not even report that a statement took too long. */
const ANSWER_MS = STATEMENT_MS + 1500;
const KEEP_ALIVE_MS = 10_000;

export type PostgresPlace = {
  readonly url: string;
  readonly poolSize?: number;
  /** Multiplies the time limits: tests must not fail because the machine is busy. */
  readonly patience?: number;
};

/** The type id of bigint, which both engines return as a number: our ids stay below 2^53. */
const INT8 = 20;

/**
 * Opens PostgreSQL by its URL.
 * @throws OperatorError when no server can be reached, or its role has no time limit behind a pooler
 */
export async function openPostgres(
  { url, poolSize = POOL_SIZE, patience = 1 }: PostgresPlace,
  onStatement?: OnStatement,
): Promise<Database> {
  // Each engine is loaded only where it is used, to save memory and start-up time.
  const { default: pg } = await import('pg');
  const hosts = createHosts(databaseAddresses(url));
  const openPool = (limits: PoolConfig) => {
    const pool = new pg.Pool({
      application_name: APPLICATION_NAME,
      Client: class extends pg.Client {
        constructor(options: ClientConfig = {}) {
          super({ ...options, connectionString: hosts.current() });
        }
      },
      connectionTimeoutMillis: CONNECT_MS * patience,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      types: {
        getTypeParser: (oid, format) =>
          oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
      },
      ...limits,
    });
    // A connection that the server closes, idle or between two statements, must not end the process: its user gets an
    // error, and the next query a new connection.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => void client.on('error', () => undefined));
    const dialect = new PostgresDialect({ pool: withoutLostConnections(pool, hosts) });
    return createKysely(dialect, room, onStatement);
  };
  const room = watchRoom();
  const limits = { max: poolSize, query_timeout: ANSWER_MS * patience };
  let db = openPool({ ...limits, statement_timeout: STATEMENT_MS * patience });
  try {
    const version = await show(db, 'server_version').catch(async (error: unknown) => {
      if (!isRefusedByPooler(error)) throw error;
      await db.destroy();
      db = openPool(limits);
      await requireStatementLimit(db);
      return show(db, 'server_version');
    });
    return {
      db,
      engine: 'postgres',
      isWritable: () => room.isWritable(db),
      description: fill(texts.external, { version }),
      async maintenance(work) {
        const own = openPool({ max: 1 });
        try {
          return await work(own);
        } finally {
          await own.destroy();
        }
      },
      dump: null,
      close: () => db.destroy(),
    };
  } catch (error) {
    await db.destroy();
    throw error instanceof OperatorError ? error : databaseDown(url, error);
  }
}

/** Returns the refusal of a command or start for which the database is too slow or away: where it is, and what to do. */
export function databaseDown(url: string, error: unknown): OperatorError {
  const { message, code } = error as NodeJS.ErrnoException;
  const addresses = databaseAddresses(url).map((address) => new URL(address));
  const name = addresses[0]?.pathname.slice(1) ?? '';
  const hosts = addresses.map(({ host, searchParams }) => host || searchParams.get('host'));
  const at = hosts.map((host) => host ?? texts.thisMachine).join(', ');
  return new OperatorError(fill(texts.databaseDown, { name, at, reason: message || String(code) }));
}

async function show(db: Db, setting: string): Promise<string> {
  const { rows } = await sql<{ value: string }>`
    select current_setting(${setting}) as value`.execute(db);
  return rows[0]?.value ?? '';
}

/** PgBouncer accepts only settings that it knows from clients (PostgreSQL: protocol violation). */
function isRefusedByPooler(error: unknown): boolean {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return code === '08P01' && message?.includes('statement_timeout') === true;
}

/**
 * Behind a pooler the limit is the role's.
 * @throws OperatorError when it has none (R34)
 */
async function requireStatementLimit(db: Db): Promise<void> {
  if ((await show(db, 'statement_timeout')) !== '0') return;
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db);
  const role = rows[0]?.role ?? '';
  throw new OperatorError(fill(texts.databaseWithoutLimit, { role, ms: STATEMENT_MS }));
}

/**
 * Wraps a pool so that it never reuses a lost connection. Kysely releases a connection without its error, and one that
 * hangs or leads to a read-only server would be given to the next request.
 */
function withoutLostConnections(pool: Pool, hosts: Hosts): PostgresPool {
  const writable = new WeakSet<PoolClient>();
  /** Tries each host once, starting with the last writable one. */
  async function reach(tries: number): Promise<PoolClient> {
    const address = hosts.current();
    try {
      const client = await pool.connect();
      // With one host, its writers find out that it is read-only.
      if (hosts.count > 1 && !writable.has(client)) await checkWritable(client);
      writable.add(client);
      return client;
    } catch (error) {
      if (isPoolBusy(error)) throw error;
      hosts.leave(address);
      if (tries <= 1) throw error;
      return reach(tries - 1);
    }
  }
  async function checkWritable(client: PoolClient): Promise<void> {
    try {
      await requireWritable(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await reach(hosts.count);
      let lost: unknown;
      const query = async (text: string, parameters: readonly unknown[]) => {
        // A rollback on a hanging connection would take as long again.
        if (lost !== undefined) throw lost;
        try {
          return await client.query(text, [...parameters]);
        } catch (error) {
          if (isConnectionLost(error)) lost = error;
          throw error;
        }
      };
      return {
        // Kysely uses the other overload only for cursors, and nothing here streams.
        query: query as unknown as PostgresPoolClient['query'],
        release: (isUnusable?: boolean | Error) => client.release(lost !== undefined || isUnusable),
      };
    },
  };
}
