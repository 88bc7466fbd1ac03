import { type FileRecord, MOST_CHARACTERS, parsed } from './records.ts';

/**
 * Reads the objects of one array: the document itself, or its `users`, as Keycloak exports a realm. Only one object is
 * in memory at a time, and an endless one is cut. The rest of the document is skipped (decision 152).
 * @returns whether there was such an array
 */
export async function* readArray(
  texts: AsyncIterable<string>,
): AsyncGenerator<FileRecord, boolean> {
  const scanner = createScanner();
  for await (const text of texts) yield* scanner.push(text);
  yield* scanner.end();
  return scanner.isFound();
}

/** Scans pieces of a document for the objects of the array. */
function createScanner() {
  const strings = createStringScanner();
  let line = 1;
  let depth = 0;
  /** The last name at the top of the document. */
  let name = '';
  /** The depth of the wanted objects; 0 outside of their array. */
  let level = 0;
  let isFound = false;
  /** The wanted object at present, and the line of its beginning. */
  let object: { readonly line: number; text: string } | null = null;

  function open(sign: string): void {
    const isWanted = level > 0 && depth === level && sign === '{';
    if (isWanted) object = { line, text: '' };
    const isList = depth === 0 || (depth === 1 && name === 'users');
    if (sign === '[' && level === 0 && isList) {
      level = depth + 1;
      isFound = true;
    }
    depth += 1;
  }

  /** Returns the wanted object that ends here, with its last sign. */
  function close(sign: string): FileRecord | null {
    depth -= 1;
    const ended = object !== null && depth === level ? object : null;
    if (ended) object = null;
    if (depth < level) level = 0;
    return ended && { line: ended.line, value: parsed(ended.text + sign) };
  }

  function take(sign: string): FileRecord | null {
    if (sign === '\n') line += 1;
    if (strings.take(sign)) return null;
    if (sign === '{' || sign === '[') open(sign);
    else if (sign === ':' && depth === 1) name = strings.last();
    else if (sign === '}' || sign === ']') return close(sign);
    return null;
  }

  return {
    isFound: () => isFound,
    *push(text: string): Iterable<FileRecord> {
      for (const sign of text) {
        const ended = take(sign);
        if (ended) yield ended;
        // A text that is longer than any object is cut here; the parser then reports it as a faulty row.
        if (object && object.text.length < MOST_CHARACTERS) object.text += sign;
      }
    },
    /** Returns a fault for a document that breaks off. */
    *end(): Iterable<FileRecord> {
      if (depth === 0 && !strings.isOpen()) return;
      yield { line: object?.line ?? line, value: undefined };
    },
  };
}

/** A name that is looked for is shorter. */
const MOST_OF_NAME = 100;

/** Scans the strings of a document. */
function createStringScanner() {
  let isOpen = false;
  let isEscaped = false;
  let text = '';
  return {
    isOpen: () => isOpen,
    /** Returns the last string, or its beginning. */
    last: () => text,
    /** Returns whether the sign belongs to a string. */
    take(sign: string): boolean {
      if (!isOpen) {
        isOpen = sign === '"';
        if (isOpen) text = '';
        return isOpen;
      }
      if (sign === '"' && !isEscaped) isOpen = false;
      else if (text.length < MOST_OF_NAME) text += sign;
      isEscaped = sign === '\\' && !isEscaped;
      return true;
    },
  };
}
