import { join } from 'node:path';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/en/server.ts';
import { createApp } from './app.ts';
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
    closeOnSignal(
      async () => {
        await app.drain(config.drainSeconds * 1000);
        await app.close();
      },
      config.drainSeconds * 1000 + CLOSE_LIMIT_MS,
    );
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

/** The first signal closes in order; a second one, or a close that hangs, ends at once. */
function closeOnSignal(close: () => Promise<void>, limitMs: number): void {
  let isClosing = false;
  const onSignal = () => {
    if (isClosing) process.exit(1);
    isClosing = true;
    setTimeout(() => process.exit(1), limitMs).unref();
    void close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

main().catch((error: unknown) => {
  const text = error instanceof OperatorError ? error.message : (error as Error).stack;
  process.stderr.write(`${text}\n`, () => process.exit(1));
});
