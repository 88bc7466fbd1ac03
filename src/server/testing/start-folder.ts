import { rmSync } from 'node:fs';
import { afterEach, beforeEach } from 'vitest';
import { makeDataDirectory } from './database-copies.ts';
import { endProcess, type ServerProcess, startProcess } from './server-process.ts';

/** Real processes on a data directory that each test has of its own; processes that still run after it are ended. */
export function serversForEachTest() {
  let directory = '';
  const running: ServerProcess[] = [];
  beforeEach(async () => {
    directory = await makeDataDirectory(process.env.TEST_DATABASE_URL);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map(endProcess));
    rmSync(directory, { recursive: true, force: true });
  });

  async function start(env: Record<string, string> = {}): Promise<ServerProcess> {
    const server = await startProcess({ PORCHLIGHT_DATA_DIR: directory, ...env });
    running.push(server);
    return server;
  }

  return {
    directory: () => directory,
    start,
    /** Starts a server that has to refuse. @returns its output and exit code */
    async refused(env: Record<string, string>) {
      const server = await start(env);
      return { said: await server.started, code: await server.exited };
    },
  };
}

/** Settings of a process that fails outside every request, as by a bug in a timer, when it gets SIGUSR2. */
export function plantedError(statement: string): Record<string, string> {
  const script = `process.on('SIGUSR2', () => { ${statement} })`;
  return {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}`,
    PORCHLIGHT_DRAIN_SECONDS: '0',
  };
}

/** Settings of a process that prints each flag that it gives to V8, and each file that it loads. */
export function toldStart(): Record<string, string> {
  const script = `
    import { registerHooks, syncBuiltinESMExports } from 'node:module';
    import v8 from 'node:v8';
    const { setFlagsFromString } = v8;
    v8.setFlagsFromString = (flag) => { console.log('V8 got ' + flag); setFlagsFromString(flag); };
    syncBuiltinESMExports();
    registerHooks({
      load(url, context, next) {
        console.log('Loaded ' + url);
        return next(url, context);
      },
    });`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` };
}
