import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { PROCESS_ENV, ROOT } from './server-process.ts';

export type Ended = { readonly code: number; readonly out: string; readonly err: string };

/** An operator's command, in a process of its own; `cwd`: where the operator stands, `root`: another checkout's. */
export function runCommand(
  env: Readonly<Record<string, string>>,
  ...args: readonly (string | { readonly cwd?: string; readonly root?: string })[]
) {
  const words = args.filter((arg) => typeof arg === 'string');
  const { cwd = ROOT, root = ROOT } = args.find((arg) => typeof arg === 'object') ?? {};
  return new Promise<Ended>((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'dist/server/cli.js'), ...words],
      { cwd, env: { ...PROCESS_ENV, ...(cwd === ROOT && { PORCHLIGHT_CONFIG: 'none' }), ...env } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}
