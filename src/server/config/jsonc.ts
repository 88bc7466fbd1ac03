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

/** White space, the two kinds of comment; then a text, a sign, or a word such as `true` or `-1.5`. */
const TOKEN = /(\s+|\/\/.*|\/\*[^]*?\*\/)|"(?:[^"\\\n]|\\.)*"|[{}[\],:]|[^\s"{}[\],:/]+|[^]/gy;

type Token = { readonly text: string; readonly line: number };

/**
 * JSON (RFC 8259) with comments and a comma behind the last member.
 * @throws JsoncError at the first letter that does not belong there, and for a name that stands twice
 */
export function parseJsonc(source: string): Jsonc {
  const tokens = tokensOf(source);
  const lines = new Map<string, number>();
  let at = 0;
  const peek = () => tokens[at]?.text;
  const take = (): Token => {
    const token = tokens[at] ?? { text: '', line: tokens.at(-1)?.line ?? 1 };
    at += 1;
    return token;
  };
  const expect = (text: string) => {
    const token = take();
    if (token.text !== text) throw unexpected(token);
  };

  function value(path: string): unknown {
    const token = take();
    if (path !== '') lines.set(path, token.line);
    if (token.text === '{') return Object.fromEntries(members(path));
    if (token.text === '[') return elements(path);
    return scalar(token);
  }

  function members(path: string): ReadonlyMap<string, unknown> {
    const found = new Map<string, unknown>();
    while (peek() !== '}') {
      const token = take();
      if (!token.text.startsWith('"')) throw unexpected(token);
      const name = scalar(token) as string;
      if (found.has(name)) throw new JsoncError(token.line, `"${name}" stands there twice`);
      expect(':');
      found.set(name, value(path === '' ? name : `${path}.${name}`));
      if (peek() !== '}') expect(',');
    }
    take();
    return found;
  }

  function elements(path: string): readonly unknown[] {
    const found: unknown[] = [];
    while (peek() !== ']') {
      found.push(value(path === '' ? String(found.length) : `${path}.${found.length}`));
      if (peek() !== ']') expect(',');
    }
    take();
    return found;
  }

  const whole = value('');
  const rest = tokens[at];
  if (rest) throw unexpected(rest);
  return { value: whole, lines };
}

function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let line = 1;
  // A mark of the byte order, as some editors write it, is no letter of the text.
  for (const [text, blank] of source.replace(/^\uFEFF/, '').matchAll(TOKEN)) {
    if (blank === undefined) tokens.push({ text, line });
    line += text.split('\n').length - 1;
  }
  return tokens;
}

function scalar(token: Token): unknown {
  try {
    return JSON.parse(token.text);
  } catch {
    throw unexpected(token);
  }
}

/** What stands there is not repeated: it may be a secret. */
function unexpected({ text, line }: Token): JsoncError {
  if (text === '') return new JsoncError(line, 'ends too early');
  const what = /^[{}[\],:/]$/.test(text) ? ` ${text}` : '';
  return new JsoncError(line, `is no JSON here${what && `: unexpected${what}`}`);
}
