import { evaluate, parse, type ValueNode } from '@humanwhocodes/momoa';

/** A text that is no JSON with comments; `line` counts from 1. */
export class JsoncError extends Error {
  override readonly name = 'JsoncError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

export type Jsonc = {
  readonly value: unknown;
  /** The line of each member and element, by its path: `server.port`, `modules.0`. */
  readonly lines: ReadonlyMap<string, number>;
};

/** As the parser calls them. */
const SIGNS: Readonly<Record<string, string>> = {
  Comma: ',',
  Colon: ':',
  LBrace: '{',
  RBrace: '}',
  LBracket: '[',
  RBracket: ']',
};

/**
 * Reads JSON (RFC 8259) with comments and a comma behind the last member.
 * @throws JsoncError at the first fault, and for a name that stands twice
 */
export function parseJsonc(source: string): Jsonc {
  const lines = new Map<string, number>();

  function recordLines(path: string, node: ValueNode): void {
    if (path !== '') lines.set(path, node.loc.start.line);
    const below = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`);
    if (node.type === 'Array') {
      for (const [index, { value }] of node.elements.entries()) recordLines(below(index), value);
    }
    if (node.type !== 'Object') return;
    const names = new Set<string>();
    for (const { name, value } of node.members) {
      const key = name.type === 'String' ? name.value : name.name;
      if (names.has(key)) throw new JsoncError(name.loc.start.line, `"${key}" stands there twice`);
      names.add(key);
      recordLines(below(key), value);
    }
  }

  // A byte order mark, as some editors write it, is no letter of the text.
  const { body } = read(source.replace(/^\uFEFF/, ''));
  recordLines('', body);
  return { value: evaluate(body), lines };
}

function read(text: string) {
  try {
    return parse(text, { mode: 'jsonc', allowTrailingCommas: true });
  } catch (error) {
    const { message, line } = error as Error & { readonly line?: number };
    if (message.includes('end of input')) throw new JsoncError(line ?? 1, 'ends too early');
    // The parser's own words may repeat a secret; a sign is none.
    const sign = SIGNS[/token (\w+)/.exec(message)?.[1] ?? ''];
    throw new JsoncError(line ?? 1, `is no JSON here${sign ? `: unexpected ${sign}` : ''}`);
  }
}
