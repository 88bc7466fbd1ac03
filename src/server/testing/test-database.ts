import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, type OnStatement, openDatabase } from '../db/database.ts';
import { overPglite } from '../db/embedded.ts';
import { inCluster } from './cluster.ts';
import { type Content, openCopy, templateFor } from './database-copies.ts';

/** The environment of processes for a database. */
export type ProcessDatabase = Pick<TestDatabase, 'url' | 'close'>;

export type TestDatabase = Database & {
  /** On PostgreSQL, where a second pool or process can open the same database; `null` on the embedded one. */
  readonly url: string | null;
  /** Another pool, as a second instance has; the embedded one, with its single connection, returns itself. */
  second(): Promise<Pick<Database, 'db' | 'close'>>;
};

/**
 * TEST_DATABASE_URL names a throw-away PostgreSQL; without it everything runs on PGlite in memory. PGlite has one
 * connection: a race test runs its logic there, but only PostgreSQL can lose the race.
 */
const cluster = process.env.TEST_DATABASE_URL;
/** Fifty requests at once take half a minute on a busy machine. */
const PATIENCE = 20;

/** For processes of their own: they make the embedded one themselves, in their data directory. */
export async function openProcessDatabase(content: Content = 'migrated'): Promise<ProcessDatabase> {
  return cluster ? openTestDatabase(content) : { url: null, close: async () => undefined };
}

/** Where a database is, or will be: nobody is connected to it. */
export type DatabasePlace = {
  /** The environment of its processes. */
  readonly env: Readonly<Record<string, string>>;
  open(): Promise<TestDatabase>;
  remove(): Promise<void>;
};

/** Room for a database without tables: on PostgreSQL, or a directory that is empty. */
export async function makePlace(): Promise<DatabasePlace> {
  if (!cluster) {
    const directory = await mkdtemp(join(tmpdir(), 'porchlight-place-'));
    return {
      env: { PORCHLIGHT_DATA_DIR: directory },
      open: async () => onlyOne(await openDatabase({ directory })),
      remove: () => rm(directory, { recursive: true, force: true }),
    };
  }
  const name = `porchlight_${randomUUID().replaceAll('-', '')}`;
  await inCluster(cluster, `create database ${name}`);
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return {
    env: { DATABASE_URL: url.href },
    open: () => openInCluster(url.href),
    remove: () => inCluster(cluster, `drop database if exists ${name} with (force)`),
  };
}

/** A database of one's own, with tables and no rows unless it is to be `empty`; closing it drops it. */
export async function openTestDatabase(
  content: Content = 'migrated',
  onStatement?: OnStatement,
): Promise<TestDatabase> {
  if (!cluster) {
    return onlyOne(overPglite(await openCopy(content), onStatement));
  }
  const name = `porchlight_${randomUUID().replaceAll('-', '')}`;
  await inCluster(cluster, `create database ${name} ${templateFor(content)}`);
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  const database = await openInCluster(url.href, onStatement);
  return {
    ...database,
    async close() {
      await database.close();
      await inCluster(cluster, `drop database if exists ${name} with (force)`);
    },
  };
}

async function openInCluster(url: string, onStatement?: OnStatement): Promise<TestDatabase> {
  const open = () => openDatabase({ url, patience: PATIENCE }, onStatement);
  return { ...(await open()), url, second: open };
}

const onlyOne = (database: Database): TestDatabase => ({
  ...database,
  url: null,
  second: async () => ({ db: database.db, close: async () => undefined }),
});
