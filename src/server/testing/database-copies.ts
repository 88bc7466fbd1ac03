import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { openDatabase, overPglite } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { inCluster } from './cluster.ts';

/** What every test would make for itself, made once: the others are copies. */
const EMPTY = 'PORCHLIGHT_TEST_EMPTY_DATABASE';
const MIGRATED = 'PORCHLIGHT_TEST_MIGRATED_DATABASE';
const DIRECTORY = 'PORCHLIGHT_TEST_DATA_DIRECTORY';

/** `empty`: no tables at all; `migrated`: the portal's, with nothing in them. */
export type Content = 'empty' | 'migrated';

/** Making a database, and its tables, costs seconds on a busy machine, and every test wants its own. */
export async function setup(): Promise<() => Promise<void>> {
  const cluster = process.env.TEST_DATABASE_URL;
  const directory = await mkdtemp(join(tmpdir(), 'porchlight-data-'));
  process.env[DIRECTORY] = directory;
  const tearDown = await (cluster ? setUpTemplate(cluster) : setUpFiles());
  return async () => {
    await tearDown();
    await rm(directory, { recursive: true, force: true });
  };
}

/**
 * A data directory for a process of its own, with an embedded database that has no tables yet: making it is two
 * thirds of a first start. With a `url` the database is elsewhere, and the directory empty.
 */
export async function makeDataDirectory(url: string | null = null): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'porchlight-data-'));
  if (url) return directory;
  await cp(await emptyDatabase(), join(directory, 'pgdata'), { recursive: true });
  return directory;
}

/** Made by the first who needs it; of two at once one is as good as the other. */
async function emptyDatabase(): Promise<string> {
  const shared = process.env[DIRECTORY] ?? '';
  const ready = join(shared, 'pgdata');
  if (existsSync(ready)) return ready;
  const own = await mkdtemp(join(shared, 'making-'));
  await (await PGlite.create({ dataDir: own })).close();
  await rename(own, ready).catch((error: unknown) => {
    if (!existsSync(ready)) throw error;
  });
  return ready;
}

async function setUpTemplate(cluster: string): Promise<() => Promise<void>> {
  const name = `porchlight_template_${randomUUID().replaceAll('-', '')}`;
  await inCluster(cluster, `create database ${name}`);
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  const database = await openDatabase({ url: url.href });
  await migrate(database.db);
  await database.close();
  process.env[MIGRATED] = name;
  return () => inCluster(cluster, `drop database if exists ${name} with (force)`);
}

async function setUpFiles(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-empty-'));
  const pglite = await PGlite.create({ dataDir: 'memory://', relaxedDurability: true });
  const keep = async (variable: string) => {
    const file = join(folder, `${variable}.tar`);
    await writeFile(file, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()));
    process.env[variable] = file;
  };
  await keep(EMPTY);
  await migrate(overPglite(pglite).db);
  await keep(MIGRATED);
  await pglite.close();
  return () => rm(folder, { recursive: true, force: true });
}

/** The template of new databases on PostgreSQL, as SQL wants it. */
export function templateFor(content: Content): string {
  const name = process.env[MIGRATED];
  return content === 'migrated' && name ? `template ${name}` : '';
}

/** An embedded database in memory. */
export async function openCopy(content: Content): Promise<PGlite> {
  const file = process.env[content === 'empty' ? EMPTY : MIGRATED];
  return PGlite.create({
    dataDir: 'memory://',
    relaxedDurability: true,
    ...(file && { loadDataDir: new Blob([await readFile(file)]) }),
  });
}
