import { describe, expect, test } from 'vitest';
import { toCsv } from './csv.ts';

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
    expect(read(toCsv(rows))).toEqual(rows);
  });

  test('ends each line with CR and LF, and quotes only where it must', () => {
    expect(toCsv([['a', 'b c', 'd,e', 'f"g']])).toBe('a,b c,"d,e","f""g"\r\n');
    expect(toCsv([])).toBe('');
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
  expect(read(toCsv([[text]]))).toEqual([[`'${text}`]]);
});

test.each(['a=b', 'x-y', 'me@example.test', '1+1', "'quoted'"])('%j stays as it is', (text) => {
  expect(toCsv([[text]])).toBe(`${text}\r\n`);
});
