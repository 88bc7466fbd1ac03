import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { commands as texts } from '#locales/en/commands.ts';
import { fill } from '#locales/fill.ts';
import { createAudit } from '../audit/audit.ts';
import { createClock } from '../clock.ts';
import { loadConfig } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { openConfigured } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createOutbox } from '../jobs/outbox.ts';
import { createEventWebhook } from '../notifications/event-webhook.ts';
import type { Installation } from './command.ts';

/** The installation that the environment names, and before it the file. */
export function openInstallation(settingsFile: string | null): Installation {
  const env = () => readEnvironment(settingsFile);
  return {
    settingsFile,
    env,
    config: () => loadConfig(env()),
    async withDatabase(work) {
      const config = loadConfig(env());
      const database = await openConfigured(config);
      try {
        const { db } = database;
        await database.maintenance(migrate);
        const clock = createClock();
        const secretBox = createSecretBox(config.secret, config.previousSecrets);
        // Nothing is sent from here: a server that runs does it.
        const outbox = createOutbox({ db, clock, secretBox, onError: () => undefined });
        const { tell } = createEventWebhook({ clock, config, outbox });
        const audit = createAudit({ db, clock, actor: 'operator', tell });
        return await work({ db, clock, config, secretBox, audit });
      } finally {
        await database.close();
      }
    },
  };
}

/** The environment wins. @throws OperatorError */
function readEnvironment(file: string | null): NodeJS.ProcessEnv {
  if (file === null) return process.env;
  try {
    return { ...parseEnv(readFileSync(file, 'utf8')), ...process.env };
  } catch (error) {
    const reason = (error as Error).message;
    throw new OperatorError(fill(texts.badSettings, { file, reason }));
  }
}
