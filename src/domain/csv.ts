/** What spreadsheets take for a formula when a cell begins with it (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** A table as RFC 4180 has it: CRLF, quotes doubled; what a spreadsheet would run stands as text. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export type CsvRecord = {
  /** Where it begins, from 1. */
  readonly line: number;
  /** `null`: a quote stands where none can, or is never closed. */
  readonly cells: readonly string[] | null;
};

/** A quote that is never closed takes no more than so many characters with it. */
const MOST_CHARACTERS = 16_384;
const PLAIN_RUN = /[^,"\r\n]+/y;
const QUOTED_RUN = /[^"\n]+/y;

/** Reads RFC 4180 piece by piece, with CRLF or LF. Empty lines are no records. */
export function createCsvReader(): {
  readonly push: (text: string) => readonly CsvRecord[];
  /** The last record, where no line end follows it. */
  readonly end: () => readonly CsvRecord[];
} {
  let line = 1;
  let begun = 1;
  let cells: string[] = [];
  let cell = '';
  let size = 0;
  let quotes: 'none' | 'open' | 'closed' = 'none';
  let isBroken = false;

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
    } else if (sign === ',') endCell();
    else if (quotes === 'closed') {
      if (sign === '"') {
        cell += sign;
        quotes = 'open';
      } else isBroken = true;
    } else if (sign === '"') {
      if (cell === '') quotes = 'open';
      else isBroken = true;
    } else cell += sign;
  }

  return {
    push(text) {
      const records: CsvRecord[] = [];
      let at = 0;
      while (at < text.length) {
        const plain = quotes === 'open' ? QUOTED_RUN : PLAIN_RUN;
        plain.lastIndex = at;
        // Signs that mean nothing here go in at once.
        const run = quotes === 'closed' ? null : plain.exec(text);
        const part = run ? run[0] : text.charAt(at);
        at += part.length;
        size += part.length;
        if (part === '\n') line += 1;
        if (size > MOST_CHARACTERS) {
          isBroken = true;
          quotes = 'none';
          cell = '';
        }
        if (run) cell += part;
        else if (part === '\n' && quotes !== 'open') records.push(...endRecord());
        // Of a CRLF; anywhere else it is no part of a text either.
        else if (part !== '\r' || quotes === 'open') take(part);
      }
      return records;
    },
    end() {
      if (quotes === 'open') isBroken = true;
      return endRecord();
    },
  };
}
