import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './processes.ts';

const WRITES =
  /updateAccount\(|\.(?:updateTable|insertInto|deleteFrom|mergeInto)\(\s*'users'|(?:update|insert into|delete from) users\b/i;
/** Rooms whose operations change an account; tests and the demo's fixtures may write a row as they need it. */
const WRITERS = /^src\/server\/(?:accounts|people|contacts)\//;
const OTHERS = /\.test\.ts$|\/testing\//;

const FILES = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !OTHERS.test(file));
const writing = FILES.filter((file) => WRITES.test(readFileSync(path.join(ROOT, file), 'utf8')));

test('[OPS-96] only accounts/, people/ and contacts/ write the table of accounts', () => {
  expect(writing.length).toBeGreaterThan(4);
  expect(writing.filter((file) => !WRITERS.test(file))).toEqual([]);
});
