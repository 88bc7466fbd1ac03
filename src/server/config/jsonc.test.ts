import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsoncError, parseJsonc } from './jsonc.ts';

/** Letters that a stripper of comments takes for what they are not, inside a text. */
const tricky = fc
  .array(fc.constantFrom('//', '/*', '*/', '"', '\\', ',', '}', ']', ':', '\n', 'é', '\u2028', 'a'))
  .map((parts) => parts.join(''));
/**
 * Without a backslash: once `JSON.parse` has read a name that is one, it takes a name such as "\n" for it
 * (nodejs/node#63785), and we compare with it.
 */
const anyName = tricky.map((text) => text.replaceAll('\\', ''));
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    tricky,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(anyName, fc.constant('__proto__')), tie('value'), { maxKeys: 4 }),
  ),
}));
/** What may stand between two words. */
const between = fc
  .array(fc.constantFrom(' ', '\n', '\r\n', '\t', '// a "comment", } ]\n', '/* , " { */', '/**/'), {
    maxLength: 3,
  })
  .map((parts) => parts.join(''));

/** The words of a value, with a comma behind each last member. */
function wordsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return ['[', ...value.flatMap((each) => [...wordsOf(each), ',']), ']'];
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).flatMap(([key, each]) => [
      JSON.stringify(key),
      ':',
      ...wordsOf(each),
      ',',
    ]);
    return ['{', ...members, '}'];
  }
  return [JSON.stringify(value)];
}

describe('[OPS-54] JSON with comments', () => {
  test('any value, with comments between all its words and commas behind its last members', () => {
    fc.assert(
      fc.property(anyValue, fc.infiniteStream(between), (value, blanks) => {
        const blank = () => blanks.next().value as string;
        const text =
          wordsOf(value)
            .map((word) => `${blank()}${word}`)
            .join('') + blank();
        expect(parseJsonc(text).value).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test(
    'whatever stands there: what JSON takes means the same, all else is refused with a line',
    { tags: 'long' },
    () => {
      const damaged = fc
        .tuple(anyValue, fc.nat(), tricky)
        .map(([value, at, more]) => {
          const text = JSON.stringify(value);
          const place = at % (text.length + 1);
          return text.slice(0, place) + more + text.slice(place + 1);
        })
        .filter((text) => !text.includes('\\\\'));
      fc.assert(
        fc.property(fc.oneof(damaged, fc.string()), (text) => {
          const strict = attempt(() => JSON.parse(text) as unknown);
          const read = attempt(() => parseJsonc(text).value);
          // Of a name that stands twice JSON takes the last one.
          const isRight =
            'error' in read
              ? read.error instanceof JsoncError &&
                ('error' in strict || read.error.message.includes('twice'))
              : 'error' in strict || isDeepStrictEqual(read.value, strict.value);
          expect([text, isRight]).toEqual([text, true]);
        }),
        { numRuns: 1000 },
      );
    },
  );

  test('the line of everything', () => {
    const { lines } = parseJsonc('\uFEFF{ // one\n/* two\nthree */ "a": {\n"b": [1,\r\n 2,]},\n}');
    expect([...lines]).toEqual([
      ['a', 3],
      ['a.b', 4],
      ['a.b.0', 4],
      ['a.b.1', 5],
    ]);
  });

  test.each([
    ['', 1, 'ends too early'],
    ['{"a": 1', 1, 'ends too early'],
    ['{\n"a" 1}', 2, 'is no JSON here'],
    ['{\n\n"a": 1 "b": 2}', 3, 'is no JSON here'],
    ['{,}', 1, 'unexpected ,'],
    ['[1,,2]', 1, 'unexpected ,'],
    ['{"a": 1}\n}', 2, 'unexpected }'],
    ["{'a': 1}", 1, 'is no JSON here'],
    ['{"a": 01}', 1, 'is no JSON here'],
    ['/* no end', 1, 'ends too early'],
    ['{"a": 1,\n"a": 2}', 2, '"a" stands there twice'],
  ])('%j is refused', (text, line, says) => {
    const { error } = attempt(() => parseJsonc(text)) as { error: JsoncError };
    expect(error).toBeInstanceOf(JsoncError);
    expect([error.line, error.message]).toEqual([line, expect.stringContaining(says)]);
  });

  test('a fault never repeats what was written', () => {
    const { error } = attempt(() => parseJsonc('{"a": canary}')) as { error: JsoncError };
    expect(error.message).not.toContain('canary');
  });
});

function attempt<T>(work: () => T): { readonly value: T } | { readonly error: Error } {
  try {
    return { value: work() };
  } catch (error) {
    return { error: error as Error };
  }
}
