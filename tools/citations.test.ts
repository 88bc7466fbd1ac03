import { expect, test } from 'vitest';
import { findFaults, readSources, type Source } from './citations.ts';

const DOCS: Source[] = [
  {
    file: 'docs/requirements.md',
    text: '# Requirements\n\n## Roles\n\n| OTP-07 | late |\n| R1 | hash |\n| T1 | bulk |',
  },
  { file: 'docs/decisions/046-accounts.md', text: '# 046 Accounts' },
];

const FOLDER = 'docs/decisions/';

/** Returns the anchor that GitHub gives a heading. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

const byNumber = (one: string, other: string): number =>
  one.slice(0, 4).localeCompare(other.slice(0, 4));

const faultsIn = (text: string): string[] =>
  findFaults([...DOCS, { file: 'src/a.ts', text }], (file) => file === 'docs/requirements.md');

test.each([
  ['an id', "test('[OTP-08] late')", 'OTP-08 is not defined'],
  ['an id with an unknown prefix', "test('[OPT-07] late')", 'OPT-07 is not defined'],
  ['an id in passing', '/** As R2 has it. */', 'R2 is not defined'],
  ['an id of another letter', "test('[S7] headers')", 'S7 is not defined'],
  ['a decision', '// decision 047', 'no decision 047'],
  ['one of two decisions', '// decisions 046, 047', 'no decision 047'],
  ['a decision by its file', '// docs/decisions/047', 'no decision 047'],
  ['a document', '// docs/roles.md', 'there is no docs/roles.md'],
  ['a path', 'see `src/b.ts`', 'there is no src/b.ts'],
  ['a heading', '// docs/requirements.md, "Rules"', 'docs/requirements.md has no heading "Rules"'],
  ...[
    'the seed',
    'seed’s',
    'seed section',
    'ledger.md',
    'hosted-login wire',
    'decisions 4',
    'lesson 5',
    '../shared',
  ].map((words) => ['what nobody can open', `// ${words} `, `"${words}" is not in the repository`]),
])('%s that leads nowhere is found', (_what, line, fault) => {
  expect(faultsIn(`const x = 1;\n${line}`)).toEqual([`src/a.ts:2 ${fault}`]);
});

test('what leads somewhere passes', () => {
  const text = `[OTP-07] R1, decision 046, docs/requirements.md, "Roles"; T23:59, UTF-16, S256, seed(), \`src/<x>\``;
  expect(faultsIn(text)).toEqual([]);
});

test('an id that is defined twice is found', () => {
  const again = { file: 'docs/security.md', text: '| R1 | again |' };
  expect(findFaults([...DOCS, again])).toEqual(['R1 is defined twice']);
});

test('a decision is defined by its record or by its section of a page', () => {
  const page = {
    file: 'docs/decisions/limits.md',
    text: '# Limits\n\n## 047 Slots\n2026-11-20. ...',
  };
  const source = { file: 'src/a.ts', text: '// decisions 046, 047' };
  expect(findFaults([...DOCS, page, source])).toEqual([]);
});

test('every decision has a date and is once in the index', () => {
  const records = readSources().filter(({ file }) => file.startsWith(FOLDER));
  const index = records.find(({ file }) => file === `${FOLDER}README.md`)?.text ?? '';
  const expected = records.flatMap(({ file, text }) =>
    [...text.matchAll(/^(##?) (\d{3}) (.+)\n+(.*)/gm)].map(
      ([, level, number = '', title = '', line = '']) => {
        const isDated = /^(?:Date: )?\d{4}-\d\d-\d\d\. /.test(line);
        const anchor = level === '##' ? `#${toAnchor(`${number} ${title}`)}` : '';
        return `${isDated ? '' : 'no date: '}[${number}](${file.slice(FOLDER.length)}${anchor}) ${title}`;
      },
    ),
  );
  const rows = index.matchAll(/^- (\[\d{3}\]\([^)]+\) .+?)(?: \([^(]+\))?$/gm);
  const listed = [...rows].map(([, row]) => row);
  expect(expected.length).toBeGreaterThan(150);
  expect(listed).toEqual(expected.toSorted(byNumber));
});
