import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileFault } from './fault-words.ts';
import { OperatorError } from './operator-error.ts';
import { SECRET_BYTES } from './settings.ts';
import type { Called } from './production-faults.ts';

/** The secret out of its own file, as containers and `init` keep it. */
export function readSecretFile({
  PORCHLIGHT_SECRET: secret,
  PORCHLIGHT_SECRET_FILE: path,
}: NodeJS.ProcessEnv): {
  readonly given: NodeJS.ProcessEnv;
  readonly faults: (called: Called) => readonly string[];
} {
  if (path === undefined) return { given: {}, faults: () => [] };
  if (secret !== undefined) {
    const names = ['PORCHLIGHT_SECRET_FILE', 'PORCHLIGHT_SECRET'];
    return {
      given: {},
      faults: (called) => [`${names.map((name) => called(name)).join(' and ')}: choose one`],
    };
  }
  try {
    return { given: { PORCHLIGHT_SECRET: readFileSync(path, 'utf8').trim() }, faults: () => [] };
  } catch (error) {
    const says = `${path}: ${fileFault(error)}`;
    return { given: {}, faults: (called) => [`${called('PORCHLIGHT_SECRET_FILE')}: ${says}`] };
  }
}

/** A demo makes its own secret once and keeps it, so that a restart ends no session. */
export function demoSecret(directory: string): string {
  const path = join(directory, 'secret');
  const draft = join(directory, `secret.draft-${randomUUID()}`);
  try {
    if (existsSync(path)) return readFileSync(path, 'utf8').trim();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(draft, randomBytes(SECRET_BYTES).toString('base64url'), { mode: 0o600 });
    keepFirst(draft, path);
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new OperatorError(`${path}: ${fileFault(error)}`);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Of two first starts at one moment both go on with the same secret, and it is never half written. */
function keepFirst(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
