import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import { OperatorError } from '../config/operator-error.ts';
import { lockDataDirectory } from './data-lock.ts';
import { createKysely, type Database, type Db, type OnStatement } from './kysely.ts';
import { watchRoom } from './room.ts';

/** Paths of the embedded database in its directory: in use, during a restore, and ready to be moved into place. */
const FILES = { present: 'pgdata', draft: 'pgdata.draft', restored: 'pgdata.restored' } as const;

async function openFiles(directory: string, archive?: Blob): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite');
  return PGlite.create({
    dataDir: directory,
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
    ...(archive && { loadDataDir: archive }),
  });
}

/** Whether the directory has an embedded database. */
export const hasEmbedded = (directory: string) =>
  [FILES.present, FILES.restored].some((name) => existsSync(join(directory, name)));

/**
 * Replaces the embedded database by an archive of `dump`, unpacked to a tar file, after `finish` has worked on it. If
 * interrupted at any moment, it has the old files or the complete new ones.
 * @throws OperatorError when the directory is locked or the archive is not a database's
 */
export async function restoreEmbedded(
  directory: string,
  archive: Blob,
  finish: (db: Db) => Promise<void>,
): Promise<void> {
  const lock = lockDataDirectory(directory);
  const draft = join(directory, FILES.draft);
  try {
    await rm(draft, { recursive: true, force: true });
    const pglite = await openFiles(draft, archive).catch((error: unknown) => {
      throw new OperatorError(fill(texts.embeddedDown, { reason: (error as Error).message }));
    });
    try {
      await finish(overPglite(pglite).db);
    } finally {
      await pglite.close();
    }
    await rename(draft, join(directory, FILES.restored));
    await takeRestored(directory);
  } finally {
    await rm(draft, { recursive: true, force: true });
    lock.release();
  }
}

/** Runs the last steps of a restore, also after an interruption in them. */
async function takeRestored(directory: string): Promise<void> {
  const [present, restored] = [join(directory, FILES.present), join(directory, FILES.restored)];
  if (!existsSync(restored)) return;
  await rm(present, { recursive: true, force: true });
  await rename(restored, present);
}

/**
 * Opens the embedded database of a directory, and makes it when there is none.
 * @throws OperatorError when the directory is locked
 */
export async function openEmbedded(
  directory: string,
  onStatement?: OnStatement,
): Promise<Database> {
  const lock = lockDataDirectory(directory);
  try {
    await takeRestored(directory);
    const pglite = await openFiles(join(directory, FILES.present));
    const database = overPglite(pglite, onStatement);
    return {
      ...database,
      description: fill(texts.embedded, { dir: directory }),
      close: async () => {
        await database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw new OperatorError(fill(texts.embeddedDown, { reason: (error as Error).message }));
  }
}

/** Wraps an open PGlite as a database: the tests use it in memory. */
export function overPglite(pglite: PGlite, onStatement?: OnStatement): Database {
  const begin = pglite.transaction.bind(pglite);
  let isClosed = false;
  // Kysely waits until its work is called, and would wait for ever after a begin that PGlite rejects.
  pglite.transaction = (work) => {
    if (isClosed) throw new Error('The database is closed.');
    return begin(work);
  };
  const room = watchRoom();
  const db = createKysely(new PGliteDialect({ pglite }), room, onStatement);
  return {
    db,
    engine: 'pglite',
    isWritable: () => room.isWritable(db),
    description: '',
    maintenance: (work) => work(db),
    dump: () => pglite.dumpDataDir('gzip'),
    close() {
      isClosed = true;
      return pglite.close();
    },
  };
}
