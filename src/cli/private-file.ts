import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a new file that only its owner reads; in a folder that is open to a group, and closed to others, that group
 * reads it, too: a server runs as a user of its own. @throws Error with code EEXIST when there is one
 */
export function writePrivately(path: string, content: string): void {
  const { mode, gid } = statSync(dirname(path));
  writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
  if ((mode & 0o057) !== 0o050) return;
  if (statSync(path).gid !== gid) chownSync(path, process.getuid?.() ?? -1, gid);
  chmodSync(path, 0o640);
}
