import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createClock } from '../core/clock.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { openSigningKeys } from '../crypto/signing-keys.ts';
import { type Db, openDatabase } from '../db/database.ts';
import { overPglite } from '../db/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { setUpDemoModules } from '../demo/demo-modules.ts';
import { inCluster } from './cluster.ts';

/** The migrated database, made once; tests copy it. */
const EMPTY = 'PORCHLIGHT_TEST_EMPTY_DATABASE';
const MIGRATED = 'PORCHLIGHT_TEST_MIGRATED_DATABASE';
const KEYED = 'PORCHLIGHT_TEST_KEYED_DATABASE';
const DIRECTORY = 'PORCHLIGHT_TEST_DATA_DIRECTORY';

const VARIABLES = { empty: EMPTY, migrated: MIGRATED, keyed: KEYED } as const;

/** The default settings of test servers. */
export const SECRET = 'the secret of the tests, which is long enough';

/** `empty`: no tables at all; `migrated`: the portal's, with nothing in them; `keyed`: with keys under SECRET. */
export type Content = 'empty' | 'migrated' | 'keyed';

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
  const url = new URL(cluster);
  const name = `porchlight_template_${randomUUID().replaceAll('-', '')}`;
  const names = [name, `${name}_keyed`] as const;
  const open = (database: string) => {
    url.pathname = `/${database}`;
    return openDatabase({ url: url.href });
  };
  await inCluster(cluster, `create database ${names[0]}`);
  const migrated = await open(names[0]);
  await migrate(migrated.db);
  await migrated.close();
  await inCluster(cluster, `create database ${names[1]} template ${names[0]}`);
  const keyed = await open(names[1]);
  await makeKeys(keyed.db);
  await keyed.close();
  [process.env[MIGRATED], process.env[KEYED]] = names;
  return async () => {
    for (const each of names)
      await inCluster(cluster, `drop database if exists ${each} with (force)`);
  };
}

async function setUpFiles(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-empty-'));
  const pglite = await PGlite.create({ dataDir: 'memory://', relaxedDurability: true });
  const { db } = overPglite(pglite);
  const keep = async (variable: string) => {
    const file = join(folder, `${variable}.tar`);
    await writeFile(file, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()));
    process.env[variable] = file;
  };
  await keep(EMPTY);
  await migrate(db);
  await keep(MIGRATED);
  await makeKeys(db);
  await keep(KEYED);
  await pglite.close();
  return () => rm(folder, { recursive: true, force: true });
}

/** RSA keys cost more than all else of a server's start. */
async function makeKeys(db: Db): Promise<void> {
  const clock = createClock();
  const secretBox = createSecretBox(SECRET);
  const audit = async () => undefined;
  await openSigningKeys({ db, clock, secretBox, audit, maxAgeMs: Number.MAX_SAFE_INTEGER });
  await setUpDemoModules({ db, clock, secretBox, config: { modules: [], publicUrl: '' } });
}

/** The template of new databases on PostgreSQL, as SQL wants it. */
export function templateFor(content: Content): string {
  const name = process.env[VARIABLES[content]];
  // Without durability a copy of files is a third of the work of a log of them.
  return content !== 'empty' && name ? `template ${name} strategy file_copy` : '';
}

/** An embedded database in memory. */
export async function openCopy(content: Content): Promise<PGlite> {
  const file = process.env[VARIABLES[content]];
  return PGlite.create({
    dataDir: 'memory://',
    relaxedDurability: true,
    ...(file && { loadDataDir: new Blob([await readFile(file)]) }),
  });
}
