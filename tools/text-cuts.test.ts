import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './processes.ts';
import { findTextCuts } from './text-cuts.ts';

/** A sign of JSON or CSV is compared there, and all others are put together again. */
const STAYS: Record<string, string[]> = {
  'src/cli/import/user-import.ts': ['trimStart.charAt(0)'],
  'src/domain/text/csv.ts': ['text.charAt(at)'],
};

const OTHERS = /\.test\.tsx?$|\/testing\//;
const FILES = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !OTHERS.test(file));

test('[OPS-109] S64: only firstLetters cuts a text at a number', () => {
  const found = FILES.toSorted().flatMap((file) => {
    const cuts = findTextCuts(readFileSync(path.join(ROOT, file), 'utf8'));
    return cuts.length > 0 ? [[file, cuts]] : [];
  });
  expect(FILES.length).toBeGreaterThan(500);
  expect(Object.fromEntries(found)).toEqual(STAYS);
});

test.each([
  ['name.slice(0, 80)', 'name.slice(0, 80)'],
  ['local.slice(0, 1)', 'local.slice(0, 1)'],
  ['text.slice(1)', 'text.slice(1)'],
  ['text.slice(-3)', 'text.slice(-3)'],
  ['message.slice(0, LONGEST)', 'message.slice(0, LONGEST)'],
  ["order.join('').slice(0, LONGEST_KEY)", 'join.slice(0, LONGEST_KEY)'],
  ["text.replace(/\\s+/g, ' ').slice(0, 500)", 'replace.slice(0, 500)'],
  ["(query.get('q') ?? '').trim()\n  .slice(0, 100)", 'trim.slice(0, 100)'],
  ['name.substring(0, 2)', 'name.substring(0, 2)'],
  ['name.substr(0, 2)', 'name.substr(0, 2)'],
  ['name.charAt(0)', 'name.charAt(0)'],
  ['name[0]?.toUpperCase()', 'name[0]'],
])('[OPS-109] refused: %s', (source, cut) => {
  expect(findTextCuts(source)).toEqual([cut]);
});

test.each([
  'firstLetters(name, 80)',
  'rows.slice(0, MOST)',
  'at.toISOString().slice(0, 10)',
  'email.slice(0, at)',
  'email.slice(domainAt)',
  'text.slice(PREFIX.length)',
  '[...words, ...more].slice(0, 2)',
  "name.split(' ').slice(0, 2)",
])('[OPS-109] let be: %s', (source) => {
  expect(findTextCuts(source)).toEqual([]);
});
