import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { openDatabase, overPglite } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { inCluster } from './cluster.ts';

/** What every test would make for itself, made once: the others are copies. */
const EMPTY = 'PORCHLIGHT_TEST_EMPTY_DATABASE';
const MIGRATED = 'PORCHLIGHT_TEST_MIGRATED_DATABASE';

/** `empty`: no tables at all; `migrated`: the portal's, with nothing in them. */
export type Content = 'empty' | 'migrated';

/** Making a database, and its tables, costs seconds on a busy machine, and every test wants its own. */
export async function setup(): Promise<() => Promise<void>> {
  const cluster = process.env.TEST_DATABASE_URL;
  return cluster ? setUpTemplate(cluster) : setUpFiles();
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
