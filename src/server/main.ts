import { join } from 'node:path';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/en/server.ts';
import { type App, createApp } from './app.ts';
import { createClock } from './clock.ts';
import { type Config, loadConfig } from './config/config.ts';
import { openDatabase } from './db/database.ts';
import { checkConfigured } from './identity-provider/auth0-tenant/check-configured.ts';
import { demoSummary } from './demo/summary.ts';
import { OperatorError } from './config/operator-error.ts';

const BUILD = join(import.meta.dirname, '../../dist');
/** Beyond the time in which balancers are told (security R37). */
const CLOSE_LIMIT_MS = 10_000;

/** Starts Porchlight; any reason not to start is one clear sentence and exit code 1. */
async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const database = await openDatabase(
    config.databaseUrl ? { url: config.databaseUrl } : { directory: config.dataDirectory },
  );
  try {
    const app = await createApp({ config, database, clock: createClock(), build: BUILD });
    endInOrder(app, config.drainSeconds * 1000);
    await listen(app.fastify, config);
    process.stdout.write(`${database.description}\n${announcement(config)}\n`);
    void announceTenant(config);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Prints what there is to mend at a real tenant; nobody waits for it, and it stops nothing. */
async function announceTenant(config: Config): Promise<void> {
  const result = await checkConfigured(config).catch(() => null);
  if (result) process.stdout.write(`${result.findings.join('\n')}\n`);
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

function announcement(config: Config): string {
  const listening = fill(texts.listening, { url: config.publicUrl });
  return config.mode === 'demo' ? `${listening}\n\n${demoSummary(config.publicUrl)}` : listening;
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
    void app
      .drain(drainMs)
      .then(app.close)
      .then(
        () => process.exit(code),
        () => process.exit(1),
      );
  };
  process.on('SIGTERM', () => end(0));
  process.on('SIGINT', () => (isClosing ? process.exit(1) : end(0)));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      app.reportFault(error);
      end(1);
    });
  }
}

main().catch((error: unknown) => {
  const text = error instanceof OperatorError ? error.message : (error as Error).stack;
  process.stderr.write(`${text}\n`, () => process.exit(1));
});
