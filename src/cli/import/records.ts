import { createCsvReader } from '#domain/csv.ts';

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

/** @throws TypeError for bytes that are no UTF-8 */
export async function* decode(bytes: AsyncIterable<Uint8Array>): Texts {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Each row by the names of the first one. */
export async function* readCsv(
  texts: Texts,
  checkHeader: (names: readonly string[]) => void,
): AsyncIterable<FileRecord> {
  const reader = createCsvReader();
  let names: readonly string[] | null = null;
  function* toRecords(rows: ReturnType<typeof reader.push>): Iterable<FileRecord> {
    for (const { line, cells } of rows) {
      if (names === null) {
        names = cells ?? [];
        checkHeader(names);
        continue;
      }
      const isWhole = cells?.length === names.length;
      const value = isWhole
        ? Object.fromEntries(names.map((name, at) => [name, cells[at]]))
        : undefined;
      yield { line, value };
    }
  }
  for await (const text of texts) yield* toRecords(reader.push(text));
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
