import { open, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { sql } from 'kysely';
import { backupCommand as texts } from '#locales/operator/backup-command.ts';
import { fill } from '#locales/fill.ts';
import type { Config } from '#server/config/config.ts';
import { fileFault } from '#server/config/fault-words.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type Database, type Db, openConfigured } from '#server/db/database.ts';
import { hasEmbedded, restoreEmbedded } from '#server/db/embedded.ts';
import { migrateRestored, UNFINISHED_RESTORE } from '#server/db/migrate.ts';
import { type CommandOf, type Installation, output } from '../command.ts';
import { commandContext } from '../installation.ts';
import { countTables, serverMajor, sha256Of } from './backup.ts';
import { endAllAccess } from './end-all-access.ts';
import { connectionEnv, requireProgram, run } from './postgres-programs.ts';
import { endedLines } from './sessions.ts';
import {
  connectionsOfOthers,
  forgetReplaced,
  hasTables,
  otherSchema,
  restoreTables,
  setTablesAside,
} from './tables-aside.ts';

type Restored = Awaited<ReturnType<typeof finish>>;
type Task = {
  readonly file: string;
  readonly sha256: string;
  readonly mayReplace: boolean;
  readonly config: Config;
  readonly at: Pick<Installation, 'progress'>;
};

/** `porchlight restore FILE [--replace]` */
export const restore: CommandOf<'restore'> = {
  '':
    ([file = ''], { replace = false }) =>
    async (at) => {
      const config = at.config();
      const engine = await engineOf(file);
      if (engine !== (config.databaseUrl ? 'postgres' : 'embedded')) {
        const isOther = engine === 'postgres';
        throw new OperatorError(
          isOther ? fill(texts.ofPostgres, { file }) : fill(texts.ofEmbedded, { file }),
        );
      }
      const sha256 = await sha256Of(file);
      const task: Task = { file, sha256, mayReplace: replace, config, at };
      const done = await (engine === 'postgres' ? restorePostgres(task) : restoreFiles(task));
      const { applied, ended, isSecretMissing } = done;
      return output(
        [
          fill(texts.restored, { file, applied: applied.length }),
          ...endedLines(ended),
          ...(isSecretMissing ? [texts.otherSecret] : []),
        ],
        { file, sha256, ...done },
        isSecretMissing,
      );
    },
};

/** The first bytes of a backup file. */
const BEGINNINGS = { postgres: Buffer.from('PGDMP'), embedded: Buffer.from([0x1f, 0x8b]) } as const;

/** @throws OperatorError when the file is not there, or is no backup */
async function engineOf(file: string): Promise<keyof typeof BEGINNINGS> {
  const beginning = Buffer.alloc(5);
  try {
    await using handle = await open(file);
    await handle.read(beginning, 0, beginning.length, 0);
  } catch (error) {
    throw new OperatorError(fill(texts.noFile, { file, reason: fileFault(error) }));
  }
  for (const engine of ['postgres', 'embedded'] as const) {
    const expected = BEGINNINGS[engine];
    if (beginning.subarray(0, expected.length).equals(expected)) return engine;
  }
  throw new OperatorError(fill(texts.unknownFile, { file }));
}

async function restoreFiles(task: Task): Promise<Restored> {
  const { config, file, mayReplace } = task;
  if (hasEmbedded(config.dataDirectory)) {
    const database = await openConfigured(config);
    const isEmpty = !(await hasTables(database.db));
    await database.close();
    if (!isEmpty && !mayReplace) throw new OperatorError(texts.notEmpty);
  }
  const archive = await promisify(gunzip)(await readFile(file)).catch((error: Error) => {
    throw new OperatorError(fill(texts.damaged, { file, reason: error.message }));
  });
  let restored: Restored | undefined;
  await restoreEmbedded(config.dataDirectory, new Blob([archive]), async (db) => {
    const { rows } = await sql`select 1 from pg_tables where tablename = 'users'`.execute(db);
    if (rows.length === 0) throw new OperatorError(fill(texts.ofOthers, { file }));
    restored = await finish(db, task);
  });
  if (!restored) throw new Error('The restore was not finished');
  return restored;
}

async function restorePostgres(task: Task): Promise<Restored> {
  await using database = await openConfigured(task.config);
  await requireProgram('pg_restore', await serverMajor(database.db));
  const tables = await readThrough(task);
  await refuseWhatIsThere(database.db, task);
  return await database.maintenance(async (db) => {
    await setTablesAside(db);
    try {
      await load(task, tables);
      return await finish(db, task);
    } catch (error) {
      await restoreTables(db);
      throw error;
    }
  });
}

/** Reads the whole file, before anything is changed. @returns how many tables it has */
async function readThrough({ file }: Task): Promise<number> {
  const env = process.env;
  try {
    const list = await run('pg_restore', ['--list', file], { env });
    const tables = [...list.matchAll(/ TABLE DATA \S+ (\S+) /g)].map(([, name]) => name);
    if (!tables.includes('users')) throw new OperatorError(fill(texts.ofOthers, { file }));
    await run('pg_restore', ['--file=/dev/null', file], { env });
    return tables.length;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(fill(texts.damaged, { file, reason: error.message }));
  }
}

async function refuseWhatIsThere(db: Database['db'], { mayReplace }: Task): Promise<void> {
  const count = await connectionsOfOthers(db);
  if (count > 0) throw new OperatorError(fill(texts.inUse, { count }));
  const schema = await otherSchema(db);
  if (schema) throw new OperatorError(fill(texts.otherSchemas, { schema }));
  if (!mayReplace && (await hasTables(db))) throw new OperatorError(texts.notEmpty);
}

async function load({ file, config, at }: Task, tables: number): Promise<void> {
  const env = connectionEnv(config.databaseUrl ?? '');
  const args = [
    '--single-transaction',
    '--exit-on-error',
    '--no-owner',
    '--no-privileges',
    '--no-password',
    '--verbose',
    // Without it the program prints SQL; the rest of the connection is in the environment.
    `--dbname=${env.PGDATABASE ?? ''}`,
    file,
  ];
  const onLine = countTables(/processing data for table/, tables, at);
  await run('pg_restore', args, { env, onLine });
}

/** Everything that makes a copy of yesterday's rows a database that people may sign in to. */
async function finish(db: Db, { config, sha256 }: Task) {
  const applied = await migrateRestored(db);
  const { clock, audit, secretBox } = commandContext(db, config);
  const ended = await db.transaction().execute(async (transaction) => {
    const counts = await endAllAccess(transaction, clock.now());
    await audit({ kind: 'backup.restored', details: { sha256, applied } }, transaction);
    await audit({ kind: 'sessions.ended', details: { ended: counts } }, transaction);
    await sql`drop table if exists ${sql.table(UNFINISHED_RESTORE)}`.execute(transaction);
    await forgetReplaced(transaction);
    return counts;
  });
  const keys = await db.selectFrom('server_keys').select('sealed').execute();
  const isSecretMissing = keys.some(({ sealed }) => {
    try {
      secretBox.decrypt('server-key', sealed);
      return false;
    } catch {
      return true;
    }
  });
  return { applied, ended, isSecretMissing };
}
