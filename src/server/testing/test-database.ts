import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Database, openDatabase, overPglite } from '../db/database.ts';
import { openEmptyPglite } from './empty-database.ts';

export type TestDatabase = Database & {
  /** On PostgreSQL, where a second pool or process can open the same database; `null` on the embedded one. */
  readonly url: string | null;
};

/**
 * TEST_DATABASE_URL names a throw-away PostgreSQL; without it everything runs on PGlite in memory. PGlite has one
 * connection: a race test runs its logic there, but only PostgreSQL can lose the race.
 */
const cluster = process.env.TEST_DATABASE_URL;

/** An empty database of one's own; closing it drops it. */
export async function openTestDatabase(): Promise<TestDatabase> {
  if (!cluster) {
    return { ...overPglite(await openEmptyPglite()), url: null };
  }
  const name = `porchlight_${randomUUID().replaceAll('-', '')}`;
  await inCluster(cluster, `create database ${name}`);
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  const database = await openDatabase({ url: url.href });
  return {
    ...database,
    url: url.href,
    async close() {
      await database.close();
      await inCluster(cluster, `drop database if exists ${name} with (force)`);
    },
  };
}

async function inCluster(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
