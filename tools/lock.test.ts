import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Lock, missingOptional, productionPackages } from './lock.ts';

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

test('production packages: no tools, no binaries of single platforms, each version once', () => {
  const packages = {
    '': { version: '0.2.0' },
    'node_modules/pg': { version: '8.0.0' },
    'node_modules/ms': { version: '2.0.0' },
    'node_modules/pg/node_modules/ms': { version: '1.0.0' },
    'node_modules/koa/node_modules/ms': { version: '1.0.0' },
    'node_modules/vite': { version: '8.0.0', dev: true },
    'node_modules/argon2-linux': { version: '2.0.0', optional: true, os: ['linux'] },
  };
  expect(productionPackages({ packages })).toEqual(['pg@8.0.0', 'ms@2.0.0', 'ms@1.0.0']);
});
