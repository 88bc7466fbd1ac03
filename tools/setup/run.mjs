import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program to its end and answers its exit code. Ctrl-C reaches every process of the
 * terminal's group and npm sends it on once more, which would look like an impatient second
 * Ctrl-C to the server. The child therefore gets a group of its own and each signal exactly once.
 */
export function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const isWindows = process.platform === 'win32';
    const child = spawn(command, args, {
      stdio: 'inherit',
      detached: !isWindows,
      ...options,
      env: options.env ?? process.env,
    });
    const seen = new Set();
    const forward = (signal) => {
      if (seen.has(signal)) return;
      seen.add(signal);
      child.kill(signal);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    // `kill <npm>` ends npm and the shell between us and tells us nothing: without this the server
    // would live on, holding its port and its database.
    const parent = process.ppid;
    const watch = setInterval(() => {
      if (process.ppid !== parent) forward('SIGTERM');
    }, 300);
    if (!process.env.npm_lifecycle_event) clearInterval(watch);
    const done = () => {
      clearInterval(watch);
      for (const signal of FORWARDED) process.off(signal, forward);
    };
    child.once('error', (error) => {
      done();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      done();
      // The convention of shells: 128 plus the number of the signal.
      resolve(code ?? 128 + (constants.signals[signal] ?? 1));
    });
  });
}
