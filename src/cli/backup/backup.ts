import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { backupCommand as texts } from '#locales/operator/backup-command.ts';
import { fill } from '#locales/fill.ts';
import { fileFault } from '#server/config/fault-words.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { type Db, openConfigured } from '#server/db/database.ts';
import { hasEmbedded } from '#server/db/embedded.ts';
import { readMigrationState } from '#server/db/migrate.ts';
import { type CommandOf, type Installation, output } from '../command.ts';
import { commandContext } from '../installation.ts';
import { connectionEnv, requireProgram, run } from './postgres-programs.ts';

/** `porchlight backup FILE`: changes nothing in the database but the audit log; migrations that wait go on waiting. */
export const backup: CommandOf<'backup'> = {
  '':
    ([file = '']) =>
    async (at) => {
      refuseToOverwrite(file);
      const config = at.config();
      if (!config.databaseUrl && !hasEmbedded(config.dataDirectory)) {
        throw new OperatorError(texts.nothing);
      }
      await using database = await openConfigured(config);
      const { applied, pending } = await readMigrationState(database.db);
      if (applied.length === 0) throw new OperatorError(texts.nothing);
      const made = await write(file, async (draft) => {
        if (!database.dump) return dumpPostgres(draft, database.db, config.databaseUrl ?? '', at);
        const archive = await (await database.dump()).arrayBuffer();
        return writeFile(draft, Buffer.from(archive), { flush: true });
      });
      const isTold = pending.length === 0;
      if (isTold) {
        await commandContext(database.db, config).audit({ kind: 'backup.made', details: made });
      }
      const data = { file, ...made, isTold };
      return output(
        [
          fill(texts.made, { file, bytes: made.bytes, hash: made.sha256 }),
          ...(isTold ? [] : [texts.noEvent]),
        ],
        data,
      );
    },
};

/** Refuses a file that is there, and one in a folder that is not. */
function refuseToOverwrite(file: string): void {
  const folder = path.dirname(path.resolve(file));
  if (!existsSync(folder)) throw new OperatorError(fill(texts.noFolder, { folder }));
  if (existsSync(file)) throw new OperatorError(fill(texts.exists, { file }));
}

/** Under its name a file is whole: it is written under another one first, and never readable by anybody else. */
async function write(file: string, fillIn: (draft: string) => Promise<void>) {
  const draft = `${file}.partial-${process.pid}`;
  try {
    await (await open(draft, 'wx', 0o600)).close();
    await fillIn(draft);
    const { size: bytes } = await stat(draft);
    const sha256 = await sha256Of(draft);
    refuseToOverwrite(file);
    await rename(draft, file);
    return { bytes, sha256 };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${file}: ${fileFault(error)}`);
  } finally {
    await rm(draft, { force: true });
  }
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function dumpPostgres(draft: string, db: Db, url: string, at: Installation): Promise<void> {
  await requireProgram('pg_dump', await serverMajor(db));
  const { rows } = await sql`
    select 1 from pg_tables where schemaname = current_schema()`.execute(db);
  const args = ['--format=custom', '--no-password', '--verbose', `--file=${draft}`];
  const onLine = countTables(/dumping contents of table/, rows.length, at);
  await run('pg_dump', args, { env: connectionEnv(url), onLine });
}

/** The major version of the database server. */
export async function serverMajor(db: Db): Promise<number> {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version_num') as version`.execute(db);
  return Math.floor(Number(rows[0]?.version) / 10_000);
}

/** Tells how far a program is that says a line at each table. */
export function countTables(pattern: RegExp, total: number, at: Pick<Installation, 'progress'>) {
  let count = 0;
  return (line: string) => {
    if (!pattern.test(line)) return;
    count += 1;
    at.progress?.(count, total === 0 ? null : Math.min(1, count / total), 'tables');
  };
}
