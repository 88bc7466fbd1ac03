import { existsSync, readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import tls from 'node:tls';
import { parseEnv } from 'node:util';
import { commands as texts } from '#locales/operator/commands.ts';
import { fill } from '#locales/fill.ts';
import { createAudit } from '#server/audit/audit.ts';
import { createClock } from '#server/core/clock.ts';
import { CONFIG_FILE, withDefaultFile } from '#server/config/config-file.ts';
import { type Config, loadConfig } from '#server/config/config.ts';
import { fileFault } from '#server/config/fault-words.ts';
import { OperatorError } from '#server/config/operator-error.ts';
import { createSecretBox } from '#server/crypto/secret-box.ts';
import { type Db, openExisting } from '#server/db/database.ts';
import { requireMigrated } from '#server/db/migrate.ts';
import { offerOnly } from '#locales/languages.ts';
import { createOutbox } from '#server/jobs/outbox.ts';
import { createEventWebhook } from '#server/notifications/event-webhook.ts';
import { withMessages } from '#server/wiring/command-context.ts';
import type { CommandContext, Installation } from './command.ts';

/** The installation that the environment names, and before it the file: lines of an environment, or a `porchlight.json`. */
export function openInstallation(settingsFile: string | null): Installation {
  const env = () => readEnvironment(settingsFile);
  return {
    settingsFile,
    env,
    config: () => loadConfig(env()),
    async withDatabase(work, options) {
      const config = loadConfig(env());
      offerOnly(config.languages);
      await using database = await openExisting(config);
      // A first look with a new release must not change the schema below servers that run (decision 156).
      await requireMigrated(database.db);
      const workOn = (db: Db) => work(commandContext(db, config));
      return await (options?.isLong ? database.maintenance(workOn) : workOn(database.db));
    },
  };
}

/** Returns the context of a command on an open database. */
export function commandContext(db: Db, config: Config): CommandContext {
  const clock = createClock();
  const secretBox = createSecretBox(config.secret, config.previousSecrets);
  // Nothing is sent from here: a server that runs does it.
  const queue = createOutbox({ db, clock, secretBox, onError: () => undefined });
  const outbox = { ...queue, wake: () => undefined };
  const { tell } = createEventWebhook({ clock, config, outbox });
  const audit = createAudit({ db, clock, actor: operatorName(), tell });
  return withMessages({ db, clock, config, secretBox, audit, outbox });
}

/**
 * Returns the operator: the system's user of this process, the one named by sudo beside it, and the host.
 * @param readUser throws when the list of users has no entry, as in a container
 */
export function operatorName(
  readUser: () => { readonly username: string } = userInfo,
): `operator:${string}` {
  const { SUDO_USER } = process.env;
  const sudo = SUDO_USER ? ` (sudo: ${SUDO_USER})` : '';
  return `operator:${systemUser(readUser)}${sudo}@${hostname()}`;
}

function systemUser(readUser: () => { readonly username: string }): string {
  try {
    return readUser().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** The file with secrets that `init` writes, and that every verb finds in the working directory. */
export const ENVIRONMENT_FILE = 'porchlight.env';

/** The environment wins. @throws OperatorError */
function readEnvironment(named: string | null): NodeJS.ProcessEnv {
  // `none` means the environment alone.
  const isAlone = process.env[CONFIG_FILE] === 'none' || !existsSync(ENVIRONMENT_FILE);
  const file = named ?? (isAlone ? null : ENVIRONMENT_FILE);
  if (file === null) return withDefaultFile(process.env);
  if (file.endsWith('.json')) return { ...process.env, [CONFIG_FILE]: file };
  const given = { ...parseEnv(readText(file)), ...process.env };
  trustAuthorities(given);
  return withDefaultFile(given);
}

/** Node reads this name only from the environment that it starts with, as a unit and a container have it. */
function trustAuthorities({ NODE_EXTRA_CA_CERTS: file }: NodeJS.ProcessEnv): void {
  if (!file || process.env.NODE_EXTRA_CA_CERTS) return;
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readText(file)]);
}

/** @throws OperatorError when the file cannot be read */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(fill(texts.badSettings, { file, reason: fileFault(error) }));
  }
}
