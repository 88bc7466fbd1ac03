// `npm run release-check`: lists the open decisions and texts of this version before its release.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './processes.ts';
import { releaseFaults } from './release.ts';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const faults = releaseFaults({
  version,
  changelog: read('CHANGELOG.md'),
});
for (const fault of faults) console.log(fault);
console.log(
  faults.length > 0 ? `${version} cannot be released yet.` : `${version} can be released.`,
);
if (faults.length > 0) process.exitCode = 1;
