import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fill } from '#locales/fill.ts';
import { server as texts } from '#locales/operator/server.ts';
import { OperatorError } from '../config/operator-error.ts';

const NAME = /^porchlight\.lock\.(\d+)$/;
const RELEASED = '{}';
/** Most tries to create the lock file. A try fails when another process created it first. */
const TURNS = 50;

/**
 * Locks the data directory for this process: two PGlites on one directory silently lose rows (ARC-03, decision 066).
 * The lock file with the highest number is valid. A process that finds its holder gone creates the next number, which
 * succeeds for one process only; a file is deleted when a higher one exists. So a lock always names its holder, and of
 * many processes that find the same stale lock exactly one takes it over.
 * @throws OperatorError when another running process holds it
 */
export function lockDataDirectory(dir: string): { release(): void } {
  const own = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) });
  const draft = join(dir, `porchlight.lock.draft-${randomUUID()}`);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    writeFileSync(draft, own, { mode: 0o600 });
    const path = take(dir, draft);
    return { release: () => writeFileSync(path, RELEASED) };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${dir}: ${(error as Error).message}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

function take(dir: string, draft: string): string {
  const pathOf = (number: number) => join(dir, `porchlight.lock.${number}`);
  for (let turn = 0; turn < TURNS; turn += 1) {
    const highest = highestIn(dir);
    const holder = highest === 0 ? null : readHolder(pathOf(highest));
    // Deleted between listing and reading: the list is outdated, so read it again.
    if (holder === undefined) continue;
    if (holder && isAlive(holder)) {
      throw new OperatorError(fill(texts.dataLocked, { dir, pid: holder.pid }));
    }
    const path = pathOf(highest + 1);
    if (!isLinked(draft, path)) continue;
    // A number that had been used and removed before: a higher one exists and is valid.
    if (highestIn(dir) !== highest + 1) {
      rmSync(path, { force: true });
      continue;
    }
    for (const number of numbersIn(dir))
      if (number <= highest) rmSync(pathOf(number), { force: true });
    return path;
  }
  throw new OperatorError(fill(texts.dataLocked, { dir, pid: '?' }));
}

/** Creates the file with its content in one step; returns `false` when another process has it. */
function isLinked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function numbersIn(dir: string): readonly number[] {
  return readdirSync(dir).flatMap((name) => {
    const number = NAME.exec(name)?.[1];
    return number ? [Number(number)] : [];
  });
}

const highestIn = (dir: string) => Math.max(0, ...numbersIn(dir));

type Holder = { readonly pid: number; readonly startedAt: string | null };

/** `null`: released, or invalid; `undefined`: there is no such file. */
function readHolder(path: string): Holder | null | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Holder;
    return Number.isInteger(holder.pid) ? holder : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : null;
  }
}

/** Process ids are reused, for example after a restart of the machine or container; the start time tells two apart. */
function isAlive({ pid, startedAt }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const actual = startOf(pid);
  if (!startedAt || !actual) return pid !== process.pid;
  return actual === startedAt;
}

/** Available on Linux only. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
