import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Lock, missingOptional } from './lock.ts';

const file = path.resolve(import.meta.dirname, '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock;

test('`npm ci` finds every platform package in the lock (else: node tools/complete-lock.ts)', () => {
  expect(missingOptional(lock)).toEqual([]);
});

test('the lock names no registry host', () => {
  expect(readFileSync(file, 'utf8')).not.toContain('"resolved"');
});

test('a platform package that is left out is found', () => {
  const packages = {
    'node_modules/tool': {
      version: '1.2.3',
      dev: true,
      optionalDependencies: { 'tool-a': '1.2.3' },
    },
  };
  expect(missingOptional({ packages })).toEqual([
    { name: 'tool-a', version: '1.2.3', isDev: true },
  ]);
});
