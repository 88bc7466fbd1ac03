import { mkdirSync, openSync, readFileSync, rmSync, writeSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { fill } from '#messages/fill.ts';
import { server as texts } from '#messages/en/server.ts';
import { StartError } from '../start-error.ts';

/**
 * Locks the data directory for this process: two PGlites on one directory silently lose rows (decisions 1.3).
 * A lock whose process is gone is stale and is taken over.
 * @throws StartError when another live process holds it.
 */
export function lockDataDirectory(dir: string): { release(): void } {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, 'porchlight.lock');
  // Two takers of one stale lock: the second finds the first one's fresh lock and stops.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (tryCreate(path)) return { release: () => rmSync(path, { force: true }) };
    const holder = readHolder(path);
    if (holder && holder.pid !== process.pid && isAlive(holder)) {
      throw new StartError(fill(texts.dataLocked, { dir, pid: holder.pid }));
    }
    rmSync(path, { force: true });
  }
  throw new StartError(fill(texts.dataLocked, { dir, pid: '?' }));
}

type Holder = { readonly pid: number; readonly startedAt: string | null };

function tryCreate(path: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) }));
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new StartError(`${path}: ${(error as Error).message}`);
  }
}

function readHolder(path: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Holder;
    return Number.isInteger(holder.pid) ? holder : null;
  } catch {
    return null;
  }
}

/** Process ids are used again after a restart of the machine; on Linux the start time tells two apart. */
function isAlive({ pid, startedAt }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const actual = startOf(pid);
  return !startedAt || !actual || actual === startedAt;
}

function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
