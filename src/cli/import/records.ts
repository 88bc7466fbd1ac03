import { createCsvReader } from '#domain/csv.ts';

/** One person of a file, as it stands there. */
export type FileRecord = {
  /** Where it begins, from 1. */
  readonly line: number;
  /** `undefined`: it cannot be read. */
  readonly value: unknown;
};

type Texts = AsyncIterable<string>;

/** Characters of one person; an Auth0 user may carry much that is not taken over. */
const MOST_CHARACTERS = 2 ** 20;

/** @throws TypeError for what is no UTF-8 */
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

/**
 * The objects of one array: the document itself, or its `users`, as Keycloak exports a realm. Only one of them is held
 * at a time; what stands around them is passed over.
 * @returns whether there was such an array
 */
export async function* readArray(texts: Texts): AsyncGenerator<FileRecord, boolean> {
  let line = 1;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  /** The string that was read last at the top of the document, and the name that it is. */
  let word = '';
  let name = '';
  /** Of the objects that are looked for; 0 while not in their array. */
  let level = 0;
  let isFound = false;
  let begun = 0;
  let kept: string | null = null;

  for await (const text of texts) {
    /** Where what is kept goes on in this piece. */
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const sign = text.charAt(at);
      if (sign === '\n') line += 1;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (sign === '\\') isEscaped = true;
        else if (sign === '"') isInString = false;
        if (depth === 1 && isInString && word.length < 100) word += sign;
        continue;
      }
      switch (sign) {
        case '"':
          isInString = true;
          if (depth === 1) word = '';
          break;
        case ':':
          if (depth === 1) name = word;
          break;
        case '{':
        case '[':
          if (level > 0 && depth === level && sign === '{') {
            begun = line;
            from = at;
            kept = '';
          }
          if (sign === '[' && level === 0 && (depth === 0 || (depth === 1 && name === 'users'))) {
            level = depth + 1;
            isFound = true;
          }
          depth += 1;
          break;
        case '}':
        case ']':
          depth -= 1;
          if (kept !== null && depth === level) {
            kept = add(kept, text.slice(from, at + 1));
            yield { line: begun, value: parsed(kept) };
            kept = null;
          }
          if (depth < level) level = 0;
          break;
        default:
      }
    }
    if (kept !== null) kept = add(kept, text.slice(from));
  }
  if (depth !== 0 || isInString) yield { line: kept === null ? line : begun, value: undefined };
  return isFound;
}

/** Longer than anything is, it is cut, and is no JSON any more. */
const add = (kept: string, text: string) => (kept + text).slice(0, MOST_CHARACTERS);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
