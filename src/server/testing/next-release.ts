import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RUN_TIME_FILES } from '../../../tools/release.ts';
import { ROOT } from './server-process.ts';

/** The migration that the next release has, beside those of this one. */
export const NEXT = '9998_of_the_next_release';

/** The built server of this release with one more migration: to it, a database of this one is an earlier release's. */
export function makeNextRelease(statements = 'create table of_the_next_release (id integer);') {
  const root = mkdtempSync(join(tmpdir(), 'porchlight-next-'));
  for (const name of ['package.json', 'dist/server', ...RUN_TIME_FILES])
    cpSync(join(ROOT, name), join(root, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  writeFileSync(join(root, 'src/server/db/migrations', `${NEXT}.sql`), statements);
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
