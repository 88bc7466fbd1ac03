import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { RATE_LIMITS, readLimits } from './limits.ts';
import { faultText } from './setting.ts';

const page = readFileSync(new URL('../../../docs/limits.md', import.meta.url), 'utf8');
const rules = Object.values(RATE_LIMITS);

describe('[LIM-10] docs/limits.md', () => {
  test('has every limit of the table, in its order, with its number and its minutes', () => {
    const rows = page
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .split('|')
          .slice(1, 4)
          .map((cell) => cell.trim()),
      );
    expect(rows).toEqual(
      rules.map(({ name, max, windowMs, counter }) => [
        `\`${name}\``,
        String(max),
        counter ? `as \`${counter}\`` : windowMs > 0 ? String(windowMs / 60_000) : 'at once',
      ]),
    );
  });

  test('says of each that doubles that it does', () => {
    for (const { name, isDoubling } of rules) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? '';
      expect([name, row.includes('the wait doubles')]).toEqual([name, isDoubling === true]);
    }
  });
});

describe('[LIM-10] PORCHLIGHT_LIMITS', () => {
  test('one number or both, of as many limits as there are', () => {
    const text = '{"textPerRange": {"max": 7}, "resetPerIp": {"max": 1, "minutes": 2}}';
    expect(readLimits(text)).toEqual({
      faults: [],
      warnings: [],
      settings: {
        textPerRange: { max: 7, windowMs: 60 * 60_000 },
        resetPerIp: { max: 1, windowMs: 2 * 60_000 },
      },
    });
    expect(readLimits(undefined)).toEqual({ faults: [], warnings: [], settings: {} });
  });

  test.each([
    ['{', 'is no JSON'],
    ['[]', 'must be an object in braces'],
    ['{"textPerRange": {"max": 0}}', 'textPerRange.max: '],
    ['{"textPerRange": {"max": 1.5}}', 'textPerRange.max: '],
    ['{"textPerRange": {"max": "7"}}', 'textPerRange.max: '],
    ['{"textPerRange": {"minutes": 10081}}', 'textPerRange.minutes: '],
    ['{"textPerRange": {}}', 'textPerRange: needs "max", "minutes" or both'],
    [
      '{"resetProofPerIp": {"minutes": 5}}',
      'resetProofPerIp.minutes: it counts as long as resetPerIp does',
    ],
    ['{"requestsAtOnce": {"minutes": 5}}', 'requestsAtOnce.minutes: it counts what is under way'],
  ])('%s is refused', (text, fault) => {
    const { faults } = readLimits(text);
    expect(faults).toHaveLength(1);
    expect(faults.map(faultText)[0]).toContain(fault);
  });

  test.each([
    [
      '{"textPerRnge": {"max": 7}}',
      'textPerRnge: there is no such limit. Did you mean textPerRange?',
    ],
    ['{"toString": {"max": 7}}', 'toString: there is no such limit'],
    ['{"textPerRange": {"max": 7, "hours": 1}}', 'textPerRange: '],
  ])('N21: %s is left out, with a warning', (text, warning) => {
    const { faults, warnings } = readLimits(text);
    expect(faults).toEqual([]);
    expect(warnings.map(faultText)).toEqual([expect.stringContaining(warning)]);
  });

  test('a start names the fault with all others', () => {
    const limits = '{"textPerRange": {"max": 0}}';
    const start = () => loadConfig({ PORT: 'x', PORCHLIGHT_LIMITS: limits });
    expect(start).toThrow(/PORT: [^]*PORCHLIGHT_LIMITS textPerRange.max/);
  });
});
