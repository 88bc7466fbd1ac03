// A check that cannot fail proves nothing: every rule is broken once here, on purpose, in a
// temporary folder that holds the real configuration and one planted file per rule.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FEATURES, FOUNDATION, MAY_IMPORT, SUBJECTS } from './boundaries.ts';
import { folderTable, SERVER_FOLDERS } from './server-folders.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const CONFIG = [
  'oxlint.config.ts',
  'tools/boundaries.ts',
  'tools/server-folders.ts',
  'package.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'tsconfig.portal.json',
];

const IMPORTS = 'no-restricted-imports';

/** Forbidden imports: their file, their text, and the rule that has to report them. */
const VIOLATIONS: [file: string, source: string, rule: string][] = [
  // locales imports nothing
  ...forbidden('src/locales/en.ts', ['#domain/a.ts', '#server/a.ts', 'zod', 'node:fs']),
  // domain: types of locales, zod, nothing else
  ...forbidden('src/domain/proofs/otp.ts', [
    '#contract/a.ts',
    '#openid-provider/a.ts',
    '#demo-apps/a.ts',
  ]),
  ...forbidden('src/domain/people/roles.ts', ['#server/a.ts', '#portal/a.ts']),
  ...forbidden('src/domain/flow/step.ts', [
    '../../server/main.ts',
    'kysely',
    'node:crypto',
    'react',
  ]),
  ...forbidden('src/domain/text.ts', ['#locales/en.ts', 'zodiac', '@fastify/cookie']),
  ...['fetch("/")', 'setTimeout(() => {}, 1)', 'console.log(1)', 'process.exit()'].map(
    (call, i): [string, string, string] => [
      `src/domain/impure-${i}.ts`,
      `export const x = () => ${call};`,
      'no-restricted-globals',
    ],
  ),
  // what must not be guessed comes from node:crypto
  ...['server/otp/otp.ts', 'openid-provider/id.ts', 'demo-apps/state.ts', 'portal/lib/key.ts'].map(
    (file): [string, string, string] => [
      `src/${file.replace('.ts', '-guessed.ts')}`,
      'export const x = Math.random();',
      'no-restricted-properties',
    ],
  ),
  ...['Date.now()', 'Math.random()', 'globalThis.fetch("/")', 'globalThis.setTimeout(f, 1)'].map(
    (call, i): [string, string, string] => [
      `src/domain/hidden-${i}.ts`,
      `export const x = (f: () => void) => [f, ${call}];`,
      'no-restricted-properties',
    ],
  ),
  // one language is chosen by the build, and an operator's words are in no page
  ...forbidden('src/server/proofs/otp/texts.ts', ['#locales/en/otp.ts']),
  ...forbidden('src/portal/screens/sign-in/words.ts', ['#locales/operator/server.ts']),
  ...forbidden('src/domain/words.ts', ['#texts/otp.ts']),
  // contract: domain, types of locales
  ...forbidden('src/contract/otp.ts', ['#server/a.ts', '#portal/a.ts', '#openid-provider/a.ts']),
  ...forbidden('src/contract/users.ts', ['#locales/en.ts', 'fastify', '../demo-apps/a.ts']),
  // the provider declares ports and never reaches for the server
  ...forbidden('src/openid-provider/session.ts', [
    '#server/a.ts',
    '#demo-apps/a.ts',
    '#portal/a.ts',
  ]),
  ...forbidden('src/openid-provider/adapter/pg.ts', ['../../server/db/database.ts']),
  ...forbidden('src/openid-provider/sign-in.test.ts', ['#portal/a.ts', '#demo-apps/a.ts']),
  // demo-apps: domain
  ...forbidden('src/demo-apps/app.ts', ['#server/a.ts', '#contract/a.ts']),
  ...forbidden('src/demo-apps/redeem.ts', ['#openid-provider/a.ts', '#portal/a.ts']),
  // the module kit checks modules of others, and has nothing of the server
  ...forbidden('src/module-kit/check.ts', ['#server/a.ts', '#cli/user.ts', '#contract/a.ts']),
  // server: the provider and the demo apps only from the wiring
  ...forbidden('src/cli/user.ts', ['#openid-provider/a.ts', '#demo-apps/a.ts', '#portal/a.ts']),
  ...forbidden('src/server/wiring/sign-in.ts', ['#cli/user.ts', '../../cli/user.ts']),
  ...forbidden('src/server/http/errors.ts', [
    '#openid-provider/a.ts',
    '#demo-apps/a.ts',
    '#portal/a.ts',
  ]),
  ...forbidden('src/server/config/config.ts', [
    '../openid-provider/session.ts',
    '../portal/app.tsx',
  ]),
  ...forbidden('src/server/wiring/app.ts', ['#portal/entry-server.tsx']),
  ...forbidden('src/server/identity-provider/port.ts', [
    '#openid-provider/a.ts',
    '../sign-in/a.ts',
  ]),
  ...forbidden('src/server/identity-provider/auth0-tenant/tenant-provider.ts', [
    '#openid-provider/a.ts',
    '../embedded/embedded-provider.ts',
  ]),
  ...forbidden('src/server/identity-provider/embedded/embedded-provider.ts', [
    '#demo-apps/a.ts',
    '#portal/a.ts',
    '../auth0-tenant/api.ts',
  ]),
  ...forbidden('src/server/identity-provider/embedded/provider-store.ts', [
    '#openid-provider/session.ts',
    '#demo-apps/a.ts',
  ]),
  // the foundation imports only the folders below it, types included
  ...FOUNDATION.flatMap((folder, i) => {
    const above = [...FOUNDATION, FEATURES[0]][i + 1];
    return [
      ...forbidden(`src/server/${folder}/planted.ts`, [
        `../${above}/a.ts`,
        '../sign-in/a.ts',
        '../wiring/a.ts',
        '../main.ts',
        `#server/${above}/a.ts`,
      ]),
      type(`src/server/${folder}/planted-type.ts`, `../${above}/a.ts`),
    ];
  }),
  // a feature takes types of those below it and nothing else
  ...FEATURES.filter((feature) => !feature.startsWith('identity-provider')).flatMap(
    (feature, i, all) => {
      const [below, above] = [all[i - 1], all[i + 1]];
      return [
        ...(below ? forbidden(`src/server/${feature}/below.ts`, [`../${below}/a.ts`]) : []),
        ...(above ? [type(`src/server/${feature}/above.ts`, `../${above}/a.ts`)] : []),
        ...forbidden(`src/server/${feature}/planted.ts`, [
          '../wiring/a.ts',
          '../demo/a.ts',
          `#server/${feature}/a.ts`,
          '#openid-provider/a.ts',
        ]),
      ];
    },
  ),
  // a subject imports only what stands before it, types included
  ...SUBJECTS.flatMap((subject, i) =>
    forbidden(`src/server/${subject}/planted.ts`, [
      ...SUBJECTS.slice(i + 1).map((later) => `../${later}/a.ts`),
      '../wiring/a.ts',
      '../demo/a.ts',
      '#cli/user.ts',
    ]),
  ),
  // portal
  ...forbidden('src/portal/app.tsx', ['#server/a.ts', '#openid-provider/a.ts', '#demo-apps/a.ts']),
  ...forbidden('src/portal/lib/api.ts', ['../../server/main.ts', '../../domain/otp.ts']),
  ...forbidden('src/portal/screens/otp/otp-screen.tsx', [
    '../sign-in/sign-in-screen.tsx',
    '../../screens/sign-in/sign-in-screen.tsx',
    '#server/a.ts',
  ]),
  ...forbidden('src/portal/ui/field.tsx', [
    '#contract/a.ts',
    '../flow/runner.ts',
    '../screens/otp/otp-screen.tsx',
    '#domain/flow/index.ts',
    '#server/a.ts',
  ]),
  // The ways of importing that a rule could overlook
  ['src/portal/lazy.ts', "export const x = () => import('#server/wiring/app.ts');", IMPORTS],
  ['src/portal/lazy-relative.ts', "export const x = () => import('../server/main.ts');", IMPORTS],
  ['src/portal/again.ts', "export { x } from '#server/wiring/app.ts';", IMPORTS],
  ['src/portal/all.ts', "export * from '#openid-provider/session.ts';", IMPORTS],
  ['src/portal/types.ts', "export type { X } from '#server/wiring/app.ts';", IMPORTS],
  // what the build takes out of React

  // Rules that hold everywhere
  ['src/server/db/cycle-a.ts', "export { b as a } from './cycle-b.ts';", 'no-cycle'],
  ['src/server/db/cycle-b.ts', "export { a as b } from './cycle-a.ts';", 'no-cycle'],
  [
    'src/server/db/types-a.ts',
    "import type { B } from './types-b.ts';\nexport type A = B | null;",
    'no-cycle',
  ],
  [
    'src/server/db/types-b.ts',
    "import type { A } from './types-a.ts';\nexport type B = A | 1;",
    'no-cycle',
  ],
  ['src/server/db/default.ts', 'const x = 1;\nexport default x;', 'no-default-export'],
  ['src/server/db/noise.ts', 'export const x = () => console.log(1);', 'no-console'],
  [
    'src/server/db/floating.ts',
    'const f = async () => 1;\nexport const x = () => {\n  f();\n};',
    'no-floating-promises',
  ],
  ['src/server/db/shape.ts', 'export interface X {\n  a: 1;\n}', 'consistent-type-definitions'],
  [
    'src/server/db/missing-case.ts',
    "export function x(v: 'a' | 'b') {\n  switch (v) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}",
    'switch-exhaustiveness-check',
  ],
  [
    'src/portal/ui/hook.tsx',
    "import { useState } from 'react';\nexport function X({ on }: { on: boolean }) {\n  if (on) useState(1);\n  return null;\n}",
    'rules-of-hooks',
  ],
  [
    'src/portal/ui/deps.tsx',
    "import { useEffect } from 'react';\nexport function X({ on }: { on: () => void }) {\n  useEffect(() => on(), []);\n  return null;\n}",
    'exhaustive-deps',
  ],
  ['src/portal/ui/image.tsx', "export const X = () => <img src='/a.png' />;", 'alt-text'],
];

/** Allowed imports; a rule that refuses everything would pass the tests above. */
const CLEAN: [file: string, source: string][] = [
  ['src/locales/fill.ts', "export * from './en/otp.ts';"],
  ['src/domain/clean.ts', "import type { K } from '#locales/en.ts';\nexport type X = K;"],
  ['src/domain/clean-zod.ts', "export * from 'zod/mini';\nexport * from './flow/a.ts';"],
  ['src/domain/clean.test.ts', "export * from 'vitest';\nexport const x = Date.now();"],
  ['src/contract/clean.ts', "export * from '#domain/proofs/otp.ts';\nexport * from 'zod';"],
  [
    'src/openid-provider/clean.ts',
    "export * from '#contract/index.ts';\nexport * from 'oidc-provider';",
  ],
  [
    'src/module-kit/clean.ts',
    "export * from '#domain/hand-off/hand-off.ts';\nexport * from 'jose';",
  ],
  [
    'src/demo-apps/clean.ts',
    "export * from '#domain/hand-off/hand-off.ts';\nexport * from 'fastify';",
  ],
  ['src/server/main.clean.ts', "export * from '#contract/index.ts';"],
  [
    'src/server/wiring/clean.ts',
    "export * from '#openid-provider/provider.ts';\nexport * from '#demo-apps/app.ts';",
  ],
  [
    'src/server/proofs/otp/clean.ts',
    "export * from '../../db/database.ts';\nexport * from './otp.ts';\nexport * from '#contract/otp.ts';\nexport type { Leads } from '../../leads/leads.ts';",
  ],
  ...SUBJECTS.slice(1).map((subject, i): [file: string, source: string] => [
    `src/server/${subject}/clean.ts`,
    `export * from '../${SUBJECTS[i]}/a.ts';\nexport * from '../sign-in/a.ts';`,
  ]),
  [
    'src/server/http/clean.ts',
    "export * from '../config/config.ts';\nexport * from '../core/clock.ts';",
  ],
  [
    'src/server/identity-provider/embedded/clean.ts',
    "export type { A } from '#openid-provider/ports.ts';\nexport type { B } from '../port.ts';",
  ],
  [
    'src/portal/screens/otp/clean.tsx',
    "export * from '../../ui/field.tsx';\nexport * from './boxes.tsx';\nexport * from '#domain/flow/index.ts';\nexport const x = () => import('../../lib/api.ts');",
  ],
  [
    'src/portal/screens/screens.ts',
    "export * from '../flow/view.ts';\nexport const x = () => import('./otp/otp-screen.tsx');",
  ],
  ['src/server/store.test.ts', "export * from '#openid-provider/testing/database.ts';"],
  [
    'src/openid-provider/testing/test-provider.ts',
    "export * from '#server/identity-provider/embedded/provider-store.ts';",
  ],
  ['src/portal/ui/clean.tsx', "export * from './field.tsx';\nexport * from '#locales/en.ts';"],
];

function type(file: string, name: string): [string, string, string] {
  return [file, `import type { X } from '${name}';\nexport type Y = X;`, IMPORTS];
}

function forbidden(file: string, names: string[]): [string, string, string][] {
  return names.map((name, i) => [
    file.replace(/(\.tsx?)$/, i === 0 ? '$1' : `-${i}$1`),
    `import { x } from '${name}';\nexport const y = x;`,
    IMPORTS,
  ]);
}

type Report = {
  diagnostics: { code: string; filename: string }[];
};

let folder: string;
let report: Report;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'porchlight-boundaries-'));
  for (const file of CONFIG) cpSync(path.join(ROOT, file), path.join(folder, file));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'dir');
  for (const [file, source] of [...VIOLATIONS, ...CLEAN]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), `${source}\n`);
  }
  const oxlint = path.join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const run = spawnSync(process.execPath, [oxlint, '--format=json', 'src'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    report = JSON.parse(run.stdout) as Report;
  } catch {
    throw new Error(`oxlint did not run: ${run.stdout}${run.stderr}`);
  }
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function reported(file: string): string[] {
  return report.diagnostics
    .filter((diagnostic) => path.normalize(diagnostic.filename).endsWith(path.normalize(file)))
    .map((diagnostic) => diagnostic.code);
}

test('no planted file overwrites another', () => {
  const files = [...VIOLATIONS, ...CLEAN].map(([file]) => file);
  expect(files.filter((file, i) => files.indexOf(file) !== i)).toEqual([]);
});

describe('a violation is reported', () => {
  test.each(VIOLATIONS)('%s: %s', (file, _source, rule) => {
    expect(reported(file)).toContainEqual(expect.stringContaining(`(${rule})`));
  });
});

describe('a clean file passes', () => {
  test.each(CLEAN)('%s', (file) => {
    expect(reported(file)).toEqual([]);
  });
});

/** Returns the part of docs/architecture.md below a heading. */
function sectionOf(heading: string): string {
  const [, rest = ''] = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8').split(
    `## ${heading}\n`,
  );
  return rest.split('\n## ')[0] ?? '';
}

const namesIn = (cell = ''): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

test('docs/architecture.md has the import rules of each room', () => {
  const rows = sectionOf('Import rules').matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm);
  const table = [...rows].map(([, room, cell]) => [room, namesIn(cell)]);
  expect(Object.fromEntries(table)).toEqual(MAY_IMPORT);
});

test('docs/architecture.md shows the list of folders', () => {
  expect(sectionOf("The server's folders")).toContain(`\n${folderTable()}\n`);
});

/** The folder of the list that a file of src/server is in; `null` for `main.ts`. */
function folderOf(file: string): string | null {
  const names = SERVER_FOLDERS.map(({ name }) => name).toSorted((a, b) => b.length - a.length);
  const inside = path.relative('src/server', file);
  if (/^identity-provider\/[^/]+$/.test(inside)) return 'identity-provider/port';
  return names.find((name) => inside.startsWith(`${name}/`)) ?? null;
}

const FILES = globSync('src/server/**/*.ts', { cwd: ROOT }).filter(
  (file) => !/\.test\.ts$|^src\/server\/main\.ts$/.test(file),
);

test('the list has each folder of the server', () => {
  expect(FILES.length).toBeGreaterThan(300);
  expect(FILES.filter((file) => folderOf(file) === null)).toEqual([]);
  expect(new Set(FILES.map(folderOf))).toEqual(new Set(SERVER_FOLDERS.map(({ name }) => name)));
});

const VALUE_IMPORT = /^(?:import|export) (?!type )(?:[^;']*? from )?'(\.[^']+)';/gm;
const ONLY_TYPES = /^(?:import|export) \{(?:\s*type \w+(?: as \w+)?,?)+\s*\}/;

test('no two folders of the server import each other', () => {
  const pairs = new Set<string>();
  for (const file of FILES) {
    const source = readFileSync(path.join(ROOT, file), 'utf8');
    for (const [text, name = ''] of source.matchAll(VALUE_IMPORT)) {
      const to = folderOf(path.join(path.dirname(file), name));
      if (to && to !== folderOf(file) && !ONLY_TYPES.test(text))
        pairs.add(`${folderOf(file)} ${to}`);
    }
  }
  expect(pairs.size).toBeGreaterThan(100);
  const isMutual = (pair: string) => pairs.has(pair.split(' ').toReversed().join(' '));
  expect([...pairs].filter(isMutual)).toEqual([]);
});
