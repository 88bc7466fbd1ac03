/** Levels; our bodies have far fewer. */
const MOST_LEVELS = 20;
/** The structural tokens of valid JSON. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;
/** An even number of backslashes before it are escaped backslashes. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

const ESCAPED_SURROGATE = /\\u[Dd][89A-Fa-f]/;
/** Matched by characters, so that a whole pair does not match. */
const HALF = /\p{Surrogate}/u;

/**
 * Parses JSON that has one meaning for every parser (RFC 8259, 4; security R33).
 * @throws SyntaxError for invalid JSON, a repeated name in one object, `__proto__`, a NUL, half of a surrogate pair,
 * and more than 20 levels
 */
export function parseStrictJson(text: string): unknown {
  // First, because the next checks are fast only for valid JSON.
  const value: unknown = JSON.parse(text);
  const open: (Set<string> | null)[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    switch (token) {
      case '{':
      case '[':
        if (open.push(token === '{' ? new Set() : null) > MOST_LEVELS) {
          throw new SyntaxError('JSON is nested too deeply');
        }
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ':':
        addName(open[open.length - 1], last);
        break;
      default:
        if (ESCAPED_NUL.test(token)) throw new SyntaxError('JSON has a NUL in it');
        if (ESCAPED_SURROGATE.test(token) && HALF.test(String(JSON.parse(token)))) {
          throw new SyntaxError('JSON has half of a character in it');
        }
        last = token;
    }
  }
  return value;
}

/** Compares names after unescaping: `"a"` and `"\u0061"` are one. */
function addName(names: Set<string> | null | undefined, token: string): void {
  const name = String(JSON.parse(token));
  if (name === '__proto__' || names?.has(name)) throw new SyntaxError('JSON has a name twice');
  names?.add(name);
}
