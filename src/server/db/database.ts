import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { type Dialect, Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/en/server.ts';
import { OperatorError } from '../config/operator-error.ts';
import { lockDataDirectory } from './data-lock.ts';
import type { Tables } from './schema.ts';

export type Db = Kysely<Tables>;

export type Database = {
  readonly db: Db;
  readonly engine: 'pglite' | 'postgres';
  /** A line for the start-up log. */
  readonly description: string;
  close(): Promise<void>;
};

const POOL_SIZE = 10;
const WAIT_MS = 2000;
const STATEMENT_MS = 2500;

/**
 * Opens PostgreSQL by its URL, or the embedded PGlite in a directory.
 * @throws StartError when the directory is locked or the server cannot be reached.
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
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: WAIT_MS,
    statement_timeout: STATEMENT_MS,
    types: {
      getTypeParser: (oid, format) =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  });
  // An idle connection that the server closes is not a fault of ours; the next query gets a new one.
  pool.on('error', () => undefined);
  const db = createKysely(new PostgresDialect({ pool }));
  try {
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
    const version = rows[0]?.server_version ?? '';
    return {
      db,
      engine: 'postgres',
      description: fill(texts.external, { version }),
      close: () => db.destroy(),
    };
  } catch (error) {
    await db.destroy();
    const reason = (error as Error).message || String((error as NodeJS.ErrnoException).code);
    throw new OperatorError(fill(texts.databaseDown, { reason }));
  }
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
  return {
    db: createKysely(new PGliteDialect({ pglite })),
    engine: 'pglite',
    description: '',
    close: () => pglite.close(),
  };
}

function createKysely(dialect: Dialect): Db {
  return new Kysely<Tables>({ dialect });
}
