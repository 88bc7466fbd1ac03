import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { OTHER_VERSIONS, PARTS } from './other-postgres.ts';
import { ROOT } from './processes.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** Each of these files names the same versions. */
const PROMISES = [
  'README.md',
  'docs/configuration.md',
  'docs/requirements.md',
  'docs/security.md',
  'docs/operations/deploy.md',
];

test('[OPS-68] [R48] every version that the docs promise is tested, and each server is locked by its content', () => {
  for (const file of PROMISES) {
    const [, first, last] = /PostgreSQL,? (\d+) to (\d+)/.exec(read(file))?.map(Number) ?? [];
    expect([file, first, last]).toEqual([file, 15, OTHER_VERSIONS.at(-1)]);
  }
  expect(OTHER_VERSIONS).toEqual([16, 17, 18]);
  const { packages } = JSON.parse(read('tools/postgres-versions/package-lock.json')) as {
    packages: Record<string, { version: string; integrity: string; resolved?: string }>;
  };
  for (const version of OTHER_VERSIONS) {
    for (const machine of ['linux-x64', 'linux-arm64']) {
      expect(packages[`node_modules/${machine}-${version}`]).toMatchObject({
        version: expect.stringMatching(`^${version}\\.`),
        integrity: expect.stringMatching(/^sha512-/),
      });
    }
  }
});

test.each(PARTS)('[OPS-68] %s is there', (part) => {
  const files = globSync(`${part}*`, { cwd: ROOT });
  expect(files.length > 0 || existsSync(path.join(ROOT, part))).toBe(true);
});
