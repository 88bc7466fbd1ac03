import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '..');

/** The milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 10_000;

export type RunOptions = {
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  /** For a step that runs alone: others keep their output quiet. */
  output?: 'inherit' | 'collect';
};

export type RunResult = {
  code: number;
  output: string;
};

/**
 * Runs a program to its end. On abort the program and everything it started are asked to end and
 * waited for: a browser or a server left behind would hold a port and a data directory.
 */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<RunResult> {
  const { signal, env = process.env, output = 'inherit' } = options;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env,
      // A group of its own, so that one signal reaches its workers as well.
      detached: process.platform !== 'win32',
      stdio: output === 'inherit' ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    });
    let collected = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (collected += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (collected += text));

    let force: NodeJS.Timeout | undefined;
    const stop = () => {
      // Test runners end in order on SIGINT.
      child.kill('SIGINT');
      force = setTimeout(() => killGroup(child, 'SIGKILL'), GRACE_MS);
    };
    signal?.addEventListener('abort', stop, { once: true });
    const settle = () => {
      signal?.removeEventListener('abort', stop);
      clearTimeout(force);
      if (signal?.aborted) killGroup(child, 'SIGKILL');
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code, killedBy) => {
      settle();
      resolve({
        code: code ?? 128 + (killedBy ? constants.signals[killedBy] : 1),
        output: collected,
      });
    });
  });
}

/** A Node program of our own or of a package, on the Node this process runs on. */
export function runNode(script: string, args: string[] = [], options?: RunOptions) {
  return run(process.execPath, [script, ...args], options);
}

export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // The group has no process left, as intended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** An AbortSignal for Ctrl-C and friends; the caller cleans up and ends by itself. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => controller.abort(name));
  }
  // A parent that was killed outright cannot pass anything on.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) controller.abort('orphaned');
  }, 500).unref();
  return controller.signal;
}
