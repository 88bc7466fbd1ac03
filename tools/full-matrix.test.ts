import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './processes.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const FILES = globSync(['{src,tools,load}/**/*.test.{ts,tsx}', 'e2e/**/*.ts'], { cwd: ROOT });
/** `[OTP-07]`, or `[ROL-01..06]`; `after` is the rest of the title and the options of the test. */
const CITED = /\[([A-Z]{3})-(\d{2,3})(?:\.\.(\d{2}))?\](?=([^]{0,400}))/g;
const NOTE = '(long run)';

const inShortRun = new Set<string>();
const inFullRun = new Set<string>();
for (const file of FILES) {
  const isFullFile = /\.full\.|^e2e\/browsers\//.test(file);
  const isJourney = /^e2e\/[^/]+\.spec\.ts$/.test(file);
  for (const [, prefix, from = '', to = from, after = ''] of read(file).matchAll(CITED)) {
    const [head = ''] = after.split('async');
    const isFull =
      isFullFile || head.includes("tags: 'long'") || (isJourney && !/@core|coreIf/.test(head));
    for (let n = Number(from); n <= Number(to); n += 1) {
      (isFull ? inFullRun : inShortRun).add(`${prefix}-${String(n).padStart(2, '0')}`);
    }
  }
}

test('[OPS-95] a requirement that `npm test` does not show says so in its row', () => {
  const rows = read('docs/requirements.md').matchAll(/^\| ([A-Z]{3}-\d{2,3}) \|(.*)$/gm);
  const found = [...rows].map(([, id = '', row = '']) => [id, row.includes(NOTE)] as const);
  const expected = found.map(([id]) => [id, inFullRun.has(id) && !inShortRun.has(id)] as const);
  expect(found.length).toBeGreaterThan(300);
  expect(found.filter(([, isNoted]) => isNoted).length).toBeGreaterThan(10);
  expect(found).toEqual(expected);
});
