import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Sources and the bundle in `dist/server/` lie at different depths below it. */
const ROOT = rootAbove(import.meta.dirname);

function rootAbove(directory: string): string {
  return existsSync(join(directory, 'package.json')) ? directory : rootAbove(dirname(directory));
}

/** Returns the path of a file or directory that comes with the product, named from the repository's root. */
export const packageFile = (name: string): string => join(ROOT, name);
