import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { newestCode } from './inbox.ts';
import { createVisitor, type Visitor } from './visitor.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The environment of every child process, with the shared compile cache of Node. */
export const PROCESS_ENV: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'porchlight-compile-cache'),
};

export type ServerProcess = {
  readonly url: string;
  readonly pid: number;
  /** Both streams, as far as they came. */
  output(): string;
  /** Resolves with `null` when it serves, or with its output when it has ended. */
  readonly started: Promise<string | null>;
  readonly exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
  visitor(): Visitor;
};

/** Starts the real process of `npm start`, with the given settings alone. */
export async function startProcess(env: Record<string, string>): Promise<ServerProcess> {
  const port = env.PORT ?? String(await freePort());
  const url = env.PORCHLIGHT_PUBLIC_URL ?? `http://localhost:${port}`;
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...PROCESS_ENV,
      HOST: '127.0.0.1',
      PORT: port,
      PORCHLIGHT_PUBLIC_URL: url,
      // A developer's own settings.
      PORCHLIGHT_CONFIG: 'none',
      ...env,
    },
  });
  let text = '';
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const started = new Promise<string | null>((resolve) => {
    const hear = (chunk: string) => {
      text += chunk;
      if (text.includes(`Porchlight is at ${url}`)) resolve(null);
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    void exited.then(() => resolve(text));
  });
  return {
    url,
    pid: child.pid ?? 0,
    output: () => text,
    started,
    exited,
    kill: (signal) => void child.kill(signal),
    visitor: () => createVisitor({ url, codeFor: (email) => newestCode(url, email) }),
  };
}

export async function endProcess(server: ServerProcess): Promise<void> {
  server.kill('SIGKILL');
  await server.exited;
}
