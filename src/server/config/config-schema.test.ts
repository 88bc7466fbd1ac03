import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ROOT } from '../testing/server-process.ts';
import { configSchema, type SettingRow, settingRows } from './config-schema.ts';
import type { Setting } from './setting.ts';
import { SETTINGS } from './settings.ts';

const PAGE = `${ROOT}docs/configuration.md`;
const TABLE = /(?<=^<!-- This table .*\n)[^]*(?=^<!-- end of the table -->)/m;

/** The least and the most that a number may be. */
function range({ minimum, maximum }: SettingRow['schema']): string {
  const isBounded = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER;
  return isBounded ? `; ${String(minimum)} to ${maximum}` : '';
}

/** The table of docs/configuration.md; `vitest -u` writes it anew. */
function table(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const rows = settingRows().map(({ name, path, isSecret, otherwise, meaning, schema }) => {
    const place = isSecret ? '(secret)' : `\`${path}\``;
    return `| ${[place, `\`${name}\``, cell(otherwise), cell(`${meaning}${range(schema)}`)].join(' | ')} |`;
  });
  const head = ['| In `porchlight.json` | Variable | Default | Meaning |', '|---|---|---|---|'];
  return ['', ...head, ...rows, '', ''].join('\n');
}

test('[OPS-55] docs/configuration.md has every setting as the table of settings has it', async () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toMatch(TABLE);
  await expect(page.replace(TABLE, () => table())).toMatchFileSnapshot(PAGE);
});

describe('[OPS-55] the published schema of porchlight.json', () => {
  const schema = configSchema();

  test('is made from the same table', async () => {
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`${ROOT}docs/porchlight.schema.json`);
  });

  test('has every setting that is no secret, described as in the docs, and no secret', () => {
    for (const { name, path, isSecret, meaning } of settingRows()) {
      const found = at(schema, path) as { description?: string } | undefined;
      expect([name, found?.description]).toEqual([name, isSecret ? undefined : meaning]);
    }
  });

  test('every section has a line that says what it is for', () => {
    const sections = Object.entries(schema.properties as Record<string, { description?: string }>);
    const bare = sections.filter(([key, { description }]) => key !== '$schema' && !description);
    expect(bare).toEqual([]);
  });

  test.each([
    [
      { $schema: 'x', server: { port: 80, trustedProxies: ['none'] }, modules: 'modules.json' },
      true,
    ],
    [{ limits: { textPerRange: { max: 7 } }, oauth: { passwordGrant: true } }, true],
    [{ clients: [{ id: 'garden', name: 'Garden', redirectUris: [] }] }, true],
    [{ server: { port: '80' } }, false],
    [{ server: { port: 70_000 } }, false],
    [{ server: { prot: 80 } }, false],
    [{ crm: { key: 'x' } }, false],
    [{ mode: 'staging' }, false],
    [{ limits: { textPerRnge: { max: 7 } } }, false],
    [{ limits: { resetProofPerIp: { minutes: 5 } } }, false],
    [{ server: { trustedProxies: 'none' } }, false],
    [{ clients: [{ id: 'garden' }] }, false],
  ])('%j: %s', (content, isValid) => {
    // What reads JSON Schema here is made by the same hands that wrote it, but reads nothing else.
    const reader = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    expect(reader.safeParse(content).success).toBe(isValid);
  });
});

/** The schema of a place in the file. */
function at(schema: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce(
      (inner, key) =>
        (inner as { properties?: Record<string, unknown> } | undefined)?.properties?.[key],
      schema,
    );
}

test('[OPS-55] no two settings have one place, and none is a section of another', () => {
  const paths = Object.values(SETTINGS satisfies Record<string, Setting>).map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  const inside = paths.filter((path) => paths.some((other) => path.startsWith(`${other}.`)));
  expect(inside).toEqual([]);
});
