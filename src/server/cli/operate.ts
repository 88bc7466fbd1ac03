import { loadConfig } from '../config/config.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { readCommand } from './operations.ts';
import { OperatorError } from '../config/operator-error.ts';

/** What an operator does beside a running portal, or, with the embedded database, while it is stopped. */
async function main(): Promise<void> {
  const run = readCommand(process.argv.slice(2));
  const config = loadConfig(process.env);
  const database = await openDatabase(
    config.databaseUrl ? { url: config.databaseUrl } : { directory: config.dataDirectory },
  );
  try {
    await migrate(database.db);
    process.stdout.write(await run(database.db));
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  const text = error instanceof OperatorError ? error.message : (error as Error).stack;
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});
