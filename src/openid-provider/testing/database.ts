/** A database with the schema: PGlite in memory, or a schema of its own on TEST_DATABASE_URL. */

import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { CompiledQuery, Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { ProviderTables } from '#server/db/schema.ts';
import { openCopy } from '#server/testing/database-copies.ts';

export type TestDatabase = {
  readonly db: Kysely<ProviderTables>;
  query(sql: string, parameters?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
};

const MIGRATIONS = new URL('../../server/db/migrations/', import.meta.url);

/** The schema, of which the provider uses its own tables. */
async function readMigrations(): Promise<string> {
  const files = (await readdir(MIGRATIONS)).toSorted();
  const texts = files.map((file) => readFile(new URL(file, MIGRATIONS), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

function withClose(db: Kysely<ProviderTables>, close: () => Promise<void>): TestDatabase {
  return {
    db,
    query: async (sql, parameters = []) =>
      (await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql, [...parameters])))
        .rows,
    close,
  };
}

export async function openTestDatabase(): Promise<TestDatabase> {
  const migration = await readMigrations();
  const url = process.env.TEST_DATABASE_URL;
  if (!url) {
    const pglite = await openCopy('empty');
    await pglite.exec(migration);
    return withClose(new Kysely({ dialect: new PGliteDialect({ pglite }) }), () => pglite.close());
  }
  const schema = `hosted_${randomUUID().replaceAll('-', '')}`;
  const pool = new pg.Pool({ connectionString: url, max: 8, options: `-c search_path=${schema}` });
  await pool.query(`CREATE SCHEMA ${schema}`);
  await pool.query(migration);
  const db = new Kysely<ProviderTables>({ dialect: new PostgresDialect({ pool }) });
  return withClose(db, async () => {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await db.destroy();
  });
}
