/** The door of `npm run keys`: the same settings and the same database as the server's own. */

import { createAudit } from '../audit/audit.ts';
import { createClock } from '../clock.ts';
import { loadConfig } from '../config/config.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { runKeyCommand } from '../crypto/keys-command.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { OperatorError } from '../config/operator-error.ts';

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const database = await openDatabase(
    config.databaseUrl ? { url: config.databaseUrl } : { directory: config.dataDirectory },
  );
  try {
    const { db } = database;
    await migrate(db);
    const clock = createClock();
    const secretBox = createSecretBox(config.secret, config.previousSecrets);
    const deps = { db, clock, secretBox, audit: createAudit({ db, clock }) };
    const { lines, failed } = await runKeyCommand(deps, process.argv.slice(2));
    process.stdout.write(`${lines.join('\n')}\n`);
    if (failed) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

main().catch((error: unknown) => {
  const text = error instanceof OperatorError ? error.message : (error as Error).stack;
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});
