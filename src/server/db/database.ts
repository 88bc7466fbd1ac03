import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import {
  type Dialect,
  Kysely,
  PGliteDialect,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
} from 'kysely';
import type { Pool, PoolConfig } from 'pg';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/en/server.ts';
import { OperatorError } from '../config/operator-error.ts';
import { isConnectionLost } from './availability.ts';
import { lockDataDirectory } from './data-lock.ts';
import type { Tables } from './schema.ts';

export type Db = Kysely<Tables>;

export type Database = {
  readonly db: Db;
  readonly engine: 'pglite' | 'postgres';
  /** A line for the start-up log. */
  readonly description: string;
  /**
   * Runs work that may take longer than a request, such as migrations, on a connection without the time limits of
   * requests.
   */
  maintenance<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** R34. */
const POOL_SIZE = 10;
const CONNECT_MS = 2000;
const STATEMENT_MS = 2500;
/** A host that vanished answers nothing, not even that a statement took too long. */
const ANSWER_MS = STATEMENT_MS + 1500;
const KEEP_ALIVE_MS = 10_000;

/**
 * Opens PostgreSQL by its URL, or the embedded PGlite in a directory.
 * @throws OperatorError when the directory is locked or the server cannot be reached.
 */
export async function openDatabase(
  where: { readonly url: string } | { readonly directory: string },
): Promise<Database> {
  return 'url' in where ? openPostgres(where.url) : openEmbedded(where.directory);
}

/** bigint as a number on both engines: our ids stay below 2^53. */
const INT8 = 20;

async function openPostgres(url: string): Promise<Database> {
  // Each engine is loaded only where it is used: the other one would cost memory and start-up time.
  const { default: pg } = await import('pg');
  const openPool = (limits: PoolConfig) => {
    const pool = new pg.Pool({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      types: {
        getTypeParser: (oid, format) =>
          oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
      },
      ...limits,
    });
    // A connection that the server closes, idle or between two statements, must not end the process: whoever uses it
    // gets an error, and the next query a new connection.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => void client.on('error', () => undefined));
    return createKysely(new PostgresDialect({ pool: withoutLostConnections(pool) }));
  };
  const db = openPool({
    max: POOL_SIZE,
    statement_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
  });
  try {
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
    const version = rows[0]?.server_version ?? '';
    return {
      db,
      engine: 'postgres',
      description: fill(texts.external, { version }),
      async maintenance(work) {
        const own = openPool({ max: 1 });
        try {
          return await work(own);
        } finally {
          await own.destroy();
        }
      },
      close: () => db.destroy(),
    };
  } catch (error) {
    await db.destroy();
    const reason = (error as Error).message || String((error as NodeJS.ErrnoException).code);
    throw new OperatorError(fill(texts.databaseDown, { reason }));
  }
}

/**
 * A pool that takes no lost connection back. Kysely releases what it acquired without a word about errors, and a
 * connection that hangs or leads to a read-only server would be handed to the next request.
 */
function withoutLostConnections(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      let lost: unknown;
      const query = async (text: string, parameters: readonly unknown[]) => {
        // A rollback on a connection that hangs would take as long again.
        if (lost !== undefined) throw lost;
        try {
          return await client.query(text, [...parameters]);
        } catch (error) {
          if (isConnectionLost(error)) lost = error;
          throw error;
        }
      };
      return {
        // Of its two forms Kysely uses the other one for cursors only, and nothing here streams.
        query: query as unknown as PostgresPoolClient['query'],
        release: (isUnusable?: boolean | Error) => client.release(lost !== undefined || isUnusable),
      };
    },
  };
}

async function openEmbedded(directory: string): Promise<Database> {
  const lock = lockDataDirectory(directory);
  try {
    const { PGlite } = await import('@electric-sql/pglite');
    const pglite = await PGlite.create({
      dataDir: join(directory, 'pgdata'),
      startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
    });
    return {
      ...overPglite(pglite),
      description: fill(texts.embedded, { dir: directory }),
      close: async () => {
        await pglite.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw new OperatorError(fill(texts.databaseDown, { reason: (error as Error).message }));
  }
}

/** A database over an open PGlite: the tests use it in memory. */
export function overPglite(pglite: PGlite): Database {
  const db = createKysely(new PGliteDialect({ pglite }));
  return {
    db,
    engine: 'pglite',
    description: '',
    maintenance: (work) => work(db),
    close: () => pglite.close(),
  };
}

function createKysely(dialect: Dialect): Db {
  return new Kysely<Tables>({ dialect });
}
