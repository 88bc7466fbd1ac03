import { hostname } from 'node:os';
import { fill } from '#locales/fill.ts';
import { offerOnly } from '#locales/languages.ts';
import { server as texts } from '#locales/operator/server.ts';
import { type App, createApp } from './app.ts';
import { createClock } from '../core/clock.ts';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import { isDatabaseAway } from '../db/availability.ts';
import { type Db, openConfigured } from '../db/database.ts';
import { databaseDown } from '../db/postgres.ts';
import { migrate, requireMigrated } from '../db/migrate.ts';
import { recordStatement } from '../http/tracing/span.ts';
import { checkConfigured } from '../identity-provider/auth0-tenant/check-configured.ts';
import { demoSummary } from '../demo/summary.ts';
import { packageFile } from '../core/package-file.ts';
import { keepHeapSmall } from '../core/small-heap.ts';

const BUILD = packageFile('dist');
/** Beyond the time in which balancers are told (security R37). */
const CLOSE_LIMIT_MS = 10_000;
/** As the other lines of the log have it. */
const INFO = 30;
const WARN = 40;

/**
 * Starts Porchlight; from then on signals end the process.
 * @param isMigrating whether it brings the database up to date, or refuses one that is not
 * @param hasMonth whether a demo that starts for the first time gets a month of events
 * @throws OperatorError with the reason not to start, in one clear sentence
 */
export async function serve(config: Config, isMigrating = true, hasMonth = false): Promise<void> {
  keepHeapSmall();
  offerOnly(config.languages);
  if (config.mode === 'production') say(config, texts.starting);
  for (const warning of config.warnings) say(config, warning, WARN);
  const database = await openConfigured(config, config.traces ? recordStatement : undefined);
  const prepare = isMigrating ? migrate : requireMigrated;
  const clock = createClock();
  const options = { config, database, clock, build: BUILD, prepare, hasMonth };
  const app = await createApp(options).catch(async (error: unknown) => {
    await database.close();
    const { databaseUrl } = config;
    throw databaseUrl && isDatabaseAway(error) ? databaseDown(databaseUrl, error) : error;
  });
  endInOrder(app, config.drainSeconds * 1000);
  try {
    const welcome = await announcement(database.db, config);
    await listen(app.fastify, config);
    say(config, database.description);
    say(config, welcome);
  } catch (error) {
    // Its jobs run already.
    await app.close();
    throw error;
  }
  void announceTenant(config);
}

/** Prints what there is to mend at a real tenant; nobody waits for it, and it stops nothing. */
async function announceTenant(config: Config): Promise<void> {
  const result = await checkConfigured(config).catch(() => null);
  for (const finding of result?.findings ?? []) say(config, finding);
}

/** A line for people in a demo, for collectors of logs in production; whatever LOG_LEVEL says. */
function say({ mode }: Config, msg: string, level = INFO): void {
  const line = { level, time: Date.now(), pid: process.pid, hostname: hostname(), msg };
  process.stdout.write(`${mode === 'production' ? JSON.stringify(line) : msg}\n`);
}

async function listen(
  server: { listen(where: { host: string; port: number }): Promise<string> },
  { host, port }: Config,
): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new OperatorError(fill(texts.portTaken, { port }));
  }
}

async function announcement(db: Db, { mode, publicUrl }: Config): Promise<string> {
  const listening = fill(texts.listening, { url: publicUrl });
  return mode === 'demo' ? `${listening}\n\n${await demoSummary(db, publicUrl)}` : listening;
}

/**
 * A signal drains and closes. More SIGTERMs change nothing: supervisors and npm pass on several for one stop. A second
 * Ctrl-C, or a close that hangs, ends at once.
 *
 * An error that nobody caught is logged and counted, and the process ends in the same order with code 1: its state is
 * unknown, and a supervisor starts another one (R54).
 */
function endInOrder(app: App, drainMs: number): void {
  let isClosing = false;
  const end = (code: number) => {
    if (isClosing) return;
    isClosing = true;
    setTimeout(() => process.exit(1), drainMs + CLOSE_LIMIT_MS).unref();
    const { log } = app.fastify;
    log.info({ seconds: drainMs / 1000 }, 'draining');
    void app
      .drain(drainMs)
      .then(() => log.info('stopping'))
      .then(app.close)
      .then(() => log.info('stopped'))
      .then(
        () => process.exit(code),
        () => process.exit(1),
      );
  };
  process.on('SIGTERM', () => end(0));
  process.on('SIGINT', () => (isClosing ? process.exit(1) : end(0)));
  // Also for a rejection that nobody handled: Node throws it, as long as nobody listens for those.
  process.on('uncaughtException', (error: unknown) => {
    app.reportFault(error);
    end(1);
  });
}
