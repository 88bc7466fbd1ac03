import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

const VARIABLE = 'PORCHLIGHT_TEST_EMPTY_DATABASE';

/** Making an empty embedded database costs seconds, and every test wants its own: one is made, the others are copies. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-empty-'));
  const pglite = await PGlite.create({ dataDir: 'memory://', relaxedDurability: true });
  const file = join(folder, 'data.tar');
  await writeFile(file, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()));
  await pglite.close();
  process.env[VARIABLE] = file;
  return () => rm(folder, { recursive: true, force: true });
}

/** An empty embedded database in memory. */
export async function openEmptyPglite(): Promise<PGlite> {
  const file = process.env[VARIABLE];
  return PGlite.create({
    dataDir: 'memory://',
    relaxedDurability: true,
    ...(file && { loadDataDir: new Blob([await readFile(file)]) }),
  });
}
