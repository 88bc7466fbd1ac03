import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Migration, Migrator } from 'kysely/migration';
import { sql } from 'kysely';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import { OperatorError } from '../config/operator-error.ts';
import { packageFile } from '../core/package-file.ts';
import { isDatabaseAway } from './availability.ts';
import type { Db } from './database.ts';

/** Kysely's own list of applied migrations. */
const TABLE = 'kysely_migration';
/** Exists from the first step of `porchlight restore` to its last. */
export const UNFINISHED_RESTORE = 'unfinished_restore';
const DIRECTORY = packageFile('src/server/db/migrations');

/**
 * Migrates the schema by the plain .sql files; several instances may start at once (kysely locks).
 * @returns the applied migrations
 * @throws OperatorError when a migration fails, or a restore was not finished
 */
export async function migrate(db: Db): Promise<readonly string[]> {
  await refuseUnfinished(db);
  return migrateRestored(db);
}

/**
 * Migrates as a step of a restore.
 * @throws OperatorError when a migration fails
 */
export async function migrateRestored(db: Db): Promise<readonly string[]> {
  const migrator = await migratorOf(db);
  const { error, results = [] } = await migrator.migrateToLatest();
  if (isDatabaseAway(error)) throw error;
  if (error)
    throw new OperatorError(fill(texts.databaseMigrating, { reason: (error as Error).message }));
  return results.map(({ migrationName }) => migrationName);
}

/**
 * Returns the applied and the pending migrations of this release.
 * @throws OperatorError when a restore was not finished
 */
export async function readMigrationState(db: Db) {
  await refuseUnfinished(db);
  const all = await (await migratorOf(db)).getMigrations();
  const namesOf = (isApplied: boolean) =>
    all
      .filter(({ executedAt }) => (executedAt !== undefined) === isApplied)
      .map(({ name }) => name);
  return { applied: namesOf(true), pending: namesOf(false) };
}

/** A pending migration that reads or writes every row of a table, while the writers of that table wait. */
export type WholeTable = {
  readonly migration: string;
  readonly table: string;
  readonly rows: number;
};

/** Statements over a whole table, with its name. An index may be there already: made beforehand, it is skipped. */
const WHOLE_TABLE =
  /^(?:create (?:unique )?index (?:if not exists (?<index>\w+)|\w+) on|update|insert into [^;]* select [^;]* from|alter table(?=[^;]*\b(?:add constraint|set not null|type)\b)) (?<table>\w+)/is;

/** Returns the work of pending migrations on whole tables, with the rows that the database estimates. */
export async function readPendingWork(db: Db): Promise<readonly WholeTable[]> {
  const { pending } = await readMigrationState(db);
  const work: WholeTable[] = [];
  for (const migration of pending) {
    const text = await readFile(join(DIRECTORY, `${migration}.sql`), 'utf8');
    const tables = new Set<string>();
    for (const statement of statementsOf(text)) {
      const { index, table } = WHOLE_TABLE.exec(statement)?.groups ?? {};
      if (table && !(index && (await isTable(db, index)))) tables.add(table);
    }
    for (const table of tables) {
      const { rows } = await sql<{ rows: number }>`
        select greatest(reltuples, 0)::float8 as rows from pg_class where oid = to_regclass(${table})`.execute(
        db,
      );
      if (rows[0]) work.push({ migration, table, rows: rows[0].rows });
    }
  }
  return work;
}

/** @throws OperatorError when migrations wait */
export async function requireMigrated(db: Db): Promise<void> {
  const { pending } = await readMigrationState(db);
  const [first] = pending;
  if (first === undefined) return;
  throw new OperatorError(fill(texts.migrationsWait, { count: pending.length, first }));
}

async function migratorOf(db: Db): Promise<Migrator> {
  const own = await readMigrations();
  // Read beforehand: the migrator has a transaction, and the embedded database only one connection.
  const others = await ofOtherReleases(db, Object.keys(own));
  return new Migrator({ db, provider: { getMigrations: async () => ({ ...own, ...others }) } });
}

/**
 * Returns the applied migrations before and after our own. The first of our own stands for those before it. Every
 * release works on the schema of the next one, and has to start on it: for the way back, and for an instance that
 * restarts during an update (R46).
 * @throws OperatorError when the database stands before the first of our own
 */
async function ofOtherReleases(db: Db, own: readonly string[]): Promise<Record<string, Migration>> {
  if (!(await isTable(db, TABLE))) return {};
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(TABLE)}`.execute(db);
  const [first = '', newest = first] = [own[0], own.at(-1)];
  if (rows.length > 0 && !rows.some(({ name }) => name === first))
    throw new OperatorError(texts.databaseTooOld);
  const others = rows.filter(({ name }) => name < first || name > newest);
  const isDone: Migration = { up: async () => undefined };
  return Object.fromEntries(others.map(({ name }) => [name, isDone]));
}

/** Restored rows may still hold valid sessions (R47). */
async function refuseUnfinished(db: Db): Promise<void> {
  if (await isTable(db, UNFINISHED_RESTORE)) throw new OperatorError(texts.restoreUnfinished);
}

async function isTable(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass(${name}) is not null as is_there`.execute(db);
  return rows[0]?.is_there === true;
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(DIRECTORY)).filter((name) => name.endsWith('.sql')).toSorted();
  const entries = files.map(async (file) => {
    const text = await readFile(join(DIRECTORY, file), 'utf8');
    const migration: Migration = {
      up: async (db) => {
        // Behind a pooler the role's limit for requests would apply here, too.
        await sql`set local statement_timeout = 0`.execute(db);
        for (const statement of statementsOf(text)) await sql.raw(statement).execute(db);
      },
    };
    return [file.replace(/\.sql$/, ''), migration] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** PGlite accepts one statement a query; in our files every `;` at the end of a line ends a statement. */
function statementsOf(text: string): readonly string[] {
  return text
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
