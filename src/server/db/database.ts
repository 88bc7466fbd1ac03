import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import { hasEmbedded, openEmbedded } from './embedded.ts';
import type { Database, OnStatement } from './kysely.ts';
import { openPostgres, type PostgresPlace } from './postgres.ts';

export type { Database, Db, OnStatement } from './kysely.ts';

/**
 * Opens PostgreSQL by its URL, or the embedded PGlite in a directory.
 * @throws OperatorError when the directory is locked or the server cannot be reached
 */
export async function openDatabase(
  where: PostgresPlace | { readonly directory: string },
  onStatement?: OnStatement,
): Promise<OpenDatabase> {
  const database =
    'url' in where
      ? await openPostgres(where, onStatement)
      : await openEmbedded(where.directory, onStatement);
  return { ...database, [Symbol.asyncDispose]: database.close };
}

/** `await using` closes it. */
type OpenDatabase = Database & AsyncDisposable;

/**
 * Opens the database of the settings.
 * @throws OperatorError as `openDatabase` does
 */
export function openConfigured(
  config: Pick<Config, 'databaseUrl' | 'databasePool' | 'dataDirectory'>,
  onStatement?: OnStatement,
): Promise<OpenDatabase> {
  const { databaseUrl: url, databasePool: poolSize, dataDirectory: directory } = config;
  return openDatabase(url ? { url, poolSize } : { directory }, onStatement);
}

/**
 * Opens the database of the settings, and creates none in an empty directory.
 * @throws OperatorError as `openDatabase` does, and when there is none
 */
export async function openExisting(config: Config): Promise<OpenDatabase> {
  const { databaseUrl, dataDirectory: dir } = config;
  if (databaseUrl === null && !hasEmbedded(dir)) {
    throw new OperatorError(fill(texts.noDatabase, { dir }));
  }
  return openConfigured(config);
}
