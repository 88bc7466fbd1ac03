/** What an operator does beside a running server, or, with the embedded database, while it is stopped. */

import { createAudit } from '../audit/audit.ts';
import { createClock } from '../clock.ts';
import { loadConfig } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import type { Installation } from './command.ts';
import { readCommand } from './commands.ts';

const config = () => loadConfig(process.env);

const installation: Installation = {
  config,
  async withDatabase(work) {
    const settings = config();
    const { databaseUrl, dataDirectory, secret, previousSecrets } = settings;
    const database = await openDatabase(
      databaseUrl ? { url: databaseUrl } : { directory: dataDirectory },
    );
    try {
      const { db } = database;
      await database.maintenance(migrate);
      const clock = createClock();
      return await work({
        db,
        clock,
        config: settings,
        secretBox: createSecretBox(secret, previousSecrets),
        audit: createAudit({ db, clock }),
      });
    } finally {
      await database.close();
    }
  },
};

async function main(): Promise<void> {
  const { text, hasFailed } = await readCommand(process.argv.slice(2))(installation);
  process.stdout.write(text);
  if (hasFailed) process.exitCode = 1;
}

main().catch((error: unknown) => {
  const text = error instanceof OperatorError ? error.message : (error as Error).stack;
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});
