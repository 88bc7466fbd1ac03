import { describe, expect, test } from 'vitest';
import { findFaults, readIds } from './asvs.ts';

const LEVELS = readIds('1.1.1:2 1.2.1:1\n1.2.2:1\n');
const FILES: Record<string, string> = {
  'tools/lock.test.ts': "test('a code works once')",
  'docs/limits.md': '## Limits',
};
const TEST = '| 1.1.1 | `tools/lock.test.ts`, "works once"; not by text |';
const REASON = '| 1.2.1 | not applicable: no XML |';
const DEVIATION = '| 1.2.2 TLS | Deviation 2026-11-22: the proxy has it. Ends with a test |';
const faultsIn = (...rows: string[]) =>
  findFaults(['| Requirement | Answer |', ...rows].join('\n'), LEVELS, (file) =>
    Object.hasOwn(FILES, file) ? (FILES[file] ?? '') : null,
  );
/** The one row, changed, beside the others as they should be. */
const changed = (from: string, to: string) =>
  faultsIn(...[TEST, REASON, DEVIATION].map((row) => row.replace(from, to)));

describe('[ASR-01] the answers to ASVS', () => {
  test('each requirement once, by a test, a document, a reason or a deviation', () => {
    expect(faultsIn(TEST, REASON, DEVIATION)).toEqual([]);
    expect(changed('`tools/lock.test.ts`, "works once"', '`docs/limits.md`, "## Limits"')).toEqual(
      [],
    );
    expect(faultsIn(TEST, DEVIATION, REASON.replace('1.2.1', '1.2.1, 1.2.2'))).toEqual([
      '1.2.2 stands there twice',
    ]);
    expect(faultsIn(TEST, REASON.replace('1.2.1', '1.2.1, 1.2.2'))).toEqual([]);
  });

  const noAnswer = 'has neither a test, a reason nor a dated deviation with its end';
  test.each([
    [
      'an id that is none',
      '1.1.1',
      '1.1.9',
      ['1.1.9 is no requirement of level 1 or 2', '1.1.1 is missing'],
    ],
    ['an id twice', '1.2.1 |', '1.1.1 |', ['1.1.1 stands there twice', '1.2.1 is missing']],
    ['a row that is missing', TEST, '', ['1.1.1 is missing']],
    [
      'half a row',
      '1.1.1 |',
      '1.1.1',
      [`not a row: ${TEST.replace('1.1.1 |', '1.1.1')}`, '1.1.1 is missing'],
    ],
    [
      'a test that is not there',
      'tools/lock.test',
      'tools/none.test',
      ['1.1.1 names tools/none.test.ts, which is not there'],
    ],
    [
      'words that are not in it',
      'works once',
      'works twice',
      ['1.1.1 quotes "works twice", which is not in tools/lock.test.ts'],
    ],
    ['a test without words', ', "works once"', '', [`1.1.1 ${noAnswer}`]],
    ['a file that is no test', 'tools/lock.test.ts', 'tools/lock.ts', [`1.1.1 ${noAnswer}`]],
    ['no reason', ': no XML', '', [`1.2.1 ${noAnswer}`]],
    ['a deviation without a date', ' 2026-11-22', '', [`1.2.2 ${noAnswer}`]],
    ['a deviation without an end', ' Ends with a test', '', [`1.2.2 ${noAnswer}`]],
    [
      'a day that is none',
      '2026-11-22',
      '2026-13-41',
      ['1.2.2 deviates since 2026-13-41, which is no day'],
    ],
    ['nothing', 'not applicable: no XML', '-', [`1.2.1 ${noAnswer}`]],
  ])('%s is found', (_what, from, to, faults) => {
    expect(changed(from, to)).toEqual(faults);
  });

  test('the list has 70 requirements of level 1 and 183 of level 2', () => {
    const levels = [...readIds().values()];
    expect([levels.filter((level) => level === '1').length, levels.length]).toEqual([70, 253]);
  });
});
