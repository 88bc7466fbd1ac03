import { readdir, readFile } from 'node:fs/promises';
import { type Migration, Migrator } from 'kysely/migration';
import { sql } from 'kysely';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/en/server.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { Db } from './database.ts';

const DIRECTORY = new URL('./migrations/', import.meta.url);

/**
 * Brings the schema up to date from the plain .sql files; several instances may start at once (kysely locks).
 * @throws OperatorError when a migration fails.
 */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } });
  const { error } = await migrator.migrateToLatest();
  if (error)
    throw new OperatorError(fill(texts.databaseMigrating, { reason: (error as Error).message }));
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(DIRECTORY)).filter((name) => name.endsWith('.sql')).toSorted();
  const entries = files.map(async (file) => {
    const text = await readFile(new URL(file, DIRECTORY), 'utf8');
    const migration: Migration = {
      up: async (db) => {
        for (const statement of statementsOf(text)) await sql.raw(statement).execute(db);
      },
    };
    return [file.replace(/\.sql$/, ''), migration] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** PGlite takes one statement a query; our files keep every `;` at the end of a line for a statement's end. */
function statementsOf(text: string): readonly string[] {
  return text
    .replaceAll(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
