import {
  createCsvReader,
  CSV_SEPARATORS,
  type CsvRecord,
  type CsvSeparator,
} from '#domain/text/csv.ts';

/** One person of a file, as it stands there. */
export type FileRecord = {
  /** Where it begins, from 1. */
  readonly line: number;
  /** `undefined`: it cannot be read. */
  readonly value: unknown;
};

type Texts = AsyncIterable<string>;

/** Characters of one person; an Auth0 user may carry much that is not imported. */
export const MOST_CHARACTERS = 2 ** 20;

/** Bytes that are no text: in which line. */
export class EncodingFault extends Error {
  readonly line: number;

  constructor(line: number) {
    super(`Line ${line} is not UTF-8`);
    this.line = line;
  }
}

/**
 * Decodes UTF-8, or UTF-16 as spreadsheets save it, without the mark at its beginning.
 * @throws EncodingFault
 */
export async function* decode(bytes: AsyncIterable<Uint8Array>): Texts {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let head = Buffer.alloc(0);
  let line = 1;
  function read(chunk: Uint8Array, isLast: boolean): string {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    try {
      const text = decoder.decode(chunk, { stream: !isLast });
      line += text.split('\n').length - 1;
      return text;
    } catch {
      const lines = new TextDecoder(decoder.encoding).decode(chunk).split('\n');
      throw new EncodingFault(line + Math.max(0, lines.slice(0, -1).findIndex(hasReplacement)));
    }
  }
  for await (const chunk of bytes) {
    head = decoder ? head : Buffer.concat([head, chunk]);
    // Two bytes tell the encoding.
    if (decoder || head.length > 1) yield read(decoder ? chunk : head, false);
  }
  yield read(decoder ? new Uint8Array() : head, true);
}

const hasReplacement = (text: string) => text.includes('\uFFFD');

function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8';
}

/** A first line in which Excel names the separator. */
const SEPARATOR_LINE = /^"?sep=([,;\t])"?[\t,;]*(?=[\r\n]|$)/i;

function separatorOf(head: string): CsvSeparator {
  const [, said] = SEPARATOR_LINE.exec(head) ?? [];
  const [names = ''] = head
    .trimStart()
    .replaceAll(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const count = (separator: string) => names.split(separator).length;
  const [most = ','] = CSV_SEPARATORS.toSorted((a, b) => count(b) - count(a));
  return CSV_SEPARATORS.find((each) => each === said) ?? most;
}

const isBlank = (cell: string) => cell.trim() === '';

/** Takes off what marks a text as no formula: the apostrophe of our own files, and `="…"`. */
const unguarded = (cell: string) =>
  cell.replace(/^'(?=[=+\-@\t\r\n])/, '').replace(/^="([^"]*)"$/, '$1');

/**
 * Reads each row by the names of the first one, or by `names` in a file that has none, where rows may end early. Rows
 * and last columns without any text are none.
 */
export async function* readCsv(
  texts: Texts,
  checkHeader: (names: readonly string[]) => void,
  given: readonly string[] | null = null,
): AsyncIterable<FileRecord> {
  let reader: ReturnType<typeof createCsvReader> | null = null;
  let names = given;
  let head = '';
  let isSeparatorNamed = false;
  function* toRecords(rows: readonly CsvRecord[]): Iterable<FileRecord> {
    for (const { line, cells: raw } of rows) {
      const cells = raw?.map(unguarded);
      if (cells?.every(isBlank) || (isSeparatorNamed && line === 1)) continue;
      if (names === null) {
        names = (cells ?? []).slice(0, (cells ?? []).findLastIndex((cell) => !isBlank(cell)) + 1);
        checkHeader(names);
        continue;
      }
      const { length } = names;
      const isWhole =
        cells && (given || cells.length >= length) && cells.slice(length).every(isBlank);
      const value = isWhole
        ? Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
        : undefined;
      yield { line, value };
    }
  }
  function begin(): ReturnType<typeof createCsvReader> {
    isSeparatorNamed = SEPARATOR_LINE.test(head);
    return createCsvReader(separatorOf(head));
  }
  for await (const text of texts) {
    head = reader ? text : head + text;
    // The first line with a text tells the separator.
    if (!reader && !/[\r\n]/.test(head.trimStart()) && head.length < MOST_CHARACTERS) continue;
    yield* toRecords((reader ??= begin()).push(head));
  }
  if (!reader) yield* toRecords((reader = begin()).push(head));
  yield* toRecords(reader.end());
  if (names === null) checkHeader([]);
}

/** A JSON object a line. */
export async function* readLines(texts: Texts): AsyncIterable<FileRecord> {
  let line = 1;
  let rest = '';
  let isTooLong = false;
  function* take(text: string): Iterable<FileRecord> {
    const value = isTooLong ? undefined : parsed(text);
    if (isTooLong || text.trim() !== '') yield { line, value };
    line += 1;
    isTooLong = false;
  }
  for await (const text of texts) {
    const [first = '', ...others] = text.split('\n');
    rest += first;
    for (const next of others) {
      yield* take(rest);
      rest = next;
    }
    if (rest.length > MOST_CHARACTERS) {
      rest = '';
      isTooLong = true;
    }
  }
  yield* take(rest);
}

/** Returns the value of a JSON text; `undefined` for invalid JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
