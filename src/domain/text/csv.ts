/** First characters that spreadsheets take for a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Without it Excel reads a file as Windows-1252. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Returns a file in RFC 4180: byte order mark, CRLF, quotes doubled; formulas are escaped to text. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export type CsvRecord = {
  /** The record's first line, from 1. */
  readonly line: number;
  /** `null`: a quote is misplaced, or never closed. */
  readonly cells: readonly string[] | null;
};

/** Characters after which an unclosed quote ends its record. */
const MOST_CHARACTERS = 16_384;
export const CSV_SEPARATORS = [',', ';', '\t'] as const;
export type CsvSeparator = (typeof CSV_SEPARATORS)[number];
const PLAIN_RUN: Readonly<Record<CsvSeparator, RegExp>> = {
  ',': /[^,"\r\n]+/y,
  ';': /[^;"\r\n]+/y,
  '\t': /[^\t"\r\n]+/y,
};
const QUOTED_RUN = /[^"\n]+/y;

/**
 * Creates a streaming reader of RFC 4180, with lines that end with CRLF, LF or CR, and the separators that spreadsheets
 * write. Empty lines are no records.
 */
export function createCsvReader(separator: CsvSeparator = ','): {
  readonly push: (text: string) => readonly CsvRecord[];
  /** Returns the last record, if no line end follows it. */
  readonly end: () => readonly CsvRecord[];
} {
  let line = 1;
  let begun = 1;
  let cells: string[] = [];
  let cell = '';
  let size = 0;
  let quotes: 'none' | 'open' | 'closed' = 'none';
  let isBroken = false;
  let wasReturn = false;

  function endCell(): void {
    cells.push(cell);
    cell = '';
    quotes = 'none';
  }

  function endRecord(): readonly CsvRecord[] {
    const isEmpty = cells.length === 0 && cell === '' && quotes === 'none' && !isBroken;
    endCell();
    const record = { line: begun, cells: isBroken ? null : cells };
    cells = [];
    size = 0;
    isBroken = false;
    begun = line;
    return isEmpty ? [] : [record];
  }

  function take(sign: string): void {
    if (quotes === 'open') {
      if (sign === '"') quotes = 'closed';
      else cell += sign;
    } else if (sign === separator) endCell();
    else if (quotes === 'closed') {
      if (sign === '"') {
        cell += sign;
        quotes = 'open';
      } else isBroken = true;
    } else if (sign === '"') {
      // `="0142"`: a text that other systems keep spreadsheets from reading as a number.
      if (cell === '' || cell === '=') [cell, quotes] = ['', 'open'];
      else isBroken = true;
    } else cell += sign;
  }

  return {
    push(text) {
      const records: CsvRecord[] = [];
      let at = 0;
      while (at < text.length) {
        const plain = quotes === 'open' ? QUOTED_RUN : PLAIN_RUN[separator];
        plain.lastIndex = at;
        // Runs of plain characters are added at once.
        const run = quotes === 'closed' ? null : plain.exec(text);
        const part = run ? run[0] : text.charAt(at);
        at += part.length;
        size += part.length;
        const isEnd = quotes !== 'open' && (part === '\r' || part === '\n');
        const isSecondOfTwo = wasReturn && part === '\n';
        wasReturn = isEnd && part === '\r';
        if (isSecondOfTwo) continue;
        if (isEnd || part === '\n') line += 1;
        if (size > MOST_CHARACTERS) {
          isBroken = true;
          quotes = 'none';
          cell = '';
        }
        if (run) cell += part;
        else if (isEnd) records.push(...endRecord());
        else take(part);
      }
      return records;
    },
    end() {
      if (quotes === 'open') isBroken = true;
      return endRecord();
    },
  };
}
