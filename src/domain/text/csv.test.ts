import { describe, expect, test } from 'vitest';
import { createCsvReader, toCsv } from './csv.ts';

/** Reads RFC 4180, one letter after another. */
function read(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') cell += text[(at += 1)];
      else isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === ',') {
      row.push(cell);
      cell = '';
    } else if (char === '\r' && text[at + 1] === '\n') {
      rows.push([...row, cell]);
      [row, cell] = [[], ''];
      at += 1;
    } else cell += char;
  }
  return rows;
}

describe('a table', () => {
  test('comes back as it went, whatever is in it', () => {
    const rows = [
      ['a', 'b'],
      ['', 'two words'],
      ['one, two', 'she said "yes"'],
      ['line\r\nline', 'line\nline'],
      ['Зоя 李 🏡', '"'],
    ];
    expect(read(toCsv(rows).slice(1))).toEqual(rows);
  });

  test('ends each line with CR and LF, and quotes only where it must', () => {
    expect(toCsv([['a', 'b c', 'd,e', 'f"g']])).toBe('\uFEFFa,b c,"d,e","f""g"\r\n');
    expect(toCsv([])).toBe('\uFEFF');
  });
});

test.each([
  '=1+1',
  '+1 555',
  '-2',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '=HYPERLINK("http://x";"y")',
])('what a spreadsheet would run is text: %j', (text) => {
  expect(read(toCsv([[text]]).slice(1))).toEqual([[`'${text}`]]);
});

test.each(['a=b', 'x-y', 'me@example.test', '1+1', "'quoted'"])('%j stays as it is', (text) => {
  expect(toCsv([[text]])).toBe(`\uFEFF${text}\r\n`);
});

describe('[OPS-43] reading, piece by piece', () => {
  const all = (text: string, size = text.length) => {
    const reader = createCsvReader();
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
      text.slice(n * size, (n + 1) * size),
    );
    return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
  };
  const rows = [
    ['a', 'b'],
    ['', 'two words'],
    ['one, two', 'she said "yes"'],
    ['line\r\nline', 'line\nline'],
    ['Зоя 李 🏡', '"'],
    ['', ''],
  ];

  test.each([1, 2, 3, 7, 1000])('what was written comes back, in pieces of %i', (size) => {
    expect(all(toCsv(rows).slice(1), size).map(({ cells }) => cells)).toEqual(rows);
  });

  test('records know the line they begin at; LF alone, empty lines and no last line end are fine', () => {
    expect(all('a,b\n\n"1\n2",3\r\n4,5')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 3, cells: ['1\n2', '3'] },
      { line: 5, cells: ['4', '5'] },
    ]);
  });

  test.each(['a"b,c', '"a"b,c', 'c,"a" '])(
    'a quote where none can stand breaks its record alone: %s',
    (text) => {
      expect(all(`${text}\n1,2\n`)).toEqual([
        { line: 1, cells: null },
        { line: 2, cells: ['1', '2'] },
      ]);
    },
  );

  test('a quote that is never closed takes so much with it and no more', () => {
    const [open, ...others] = all(`1,"2\n${'3,4\n'.repeat(10_000)}5,6\n`);
    expect(open).toEqual({ line: 1, cells: null });
    expect(others.at(-1)).toEqual({ line: 10_002, cells: ['5', '6'] });
    expect(others.length).toBeGreaterThan(5000);
    expect(all('1,"2\n3')).toEqual([{ line: 1, cells: null }]);
  });
});
