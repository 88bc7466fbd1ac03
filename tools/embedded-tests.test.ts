import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { EMBEDDED_TESTS, NOT_EMBEDDED_TESTS } from './embedded-tests.ts';
import { ROOT } from './processes.ts';

/** By name or by a choice: `database.url ? … : …`, where only PostgreSQL has an address. */
const EMBEDDED =
  /pglite|embedded database|openDatabase\(\{ directory|\b(?:database|test)\.url (?:\?|&&)|!database\.url/i;

const files = globSync('src/{cli,server,openid-provider,demo-apps,module-kit}/**/*.test.ts', {
  cwd: ROOT,
})
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => !/\.(?:pglite|postgres)\.test\.ts$/.test(file));

test('every test file that tells the embedded database from PostgreSQL is in one of the lists', () => {
  const telling = files.filter((file) =>
    EMBEDDED.test(readFileSync(path.join(ROOT, file), 'utf8')),
  );
  const listed = new Set([...EMBEDDED_TESTS, ...Object.keys(NOT_EMBEDDED_TESTS)]);
  expect(telling.filter((file) => !listed.has(file))).toEqual([]);
});

test('every file of the lists exists, and is in one of them alone', () => {
  const listed = [...EMBEDDED_TESTS, ...Object.keys(NOT_EMBEDDED_TESTS)];
  expect(listed.filter((file) => !files.includes(file))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});
