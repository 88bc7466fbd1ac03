import { describe, expect, it } from 'vitest';
import { parseStrictJson } from './strict-json.ts';

describe('JSON that means one thing', () => {
  it.each([
    ['a name twice', '{"a":1,"a":2}'],
    ['a name twice, written in two ways', '{"a":1,"\\u0061":2}'],
    ['a name twice, with quotes in it', String.raw`{"a\"b":1,"a\"b":2}`],
    ['a name twice, further in', '{"list":[{"x":{}},{"x":1,"y":[],"x":1}]}'],
    ['a name twice, around an object', '{"a":{"b":1},"b":1,"a":1}'],
    ['no name, twice', '{"":1,"":1}'],
    ['__proto__', '{"a":{"__proto__":{"isAdmin":true}}}'],
    ['a NUL in a value', '{"a":"b\\u0000c"}'],
    ['a NUL in a name', '{"a\\u0000":1}'],
    ['a NUL behind a backslash', String.raw`["\\\u0000"]`],
    ['S49: half of a pair', String.raw`{"a":"x\ud800y"}`],
    ['S49: the other half, in a name', String.raw`{"\uDC00":1}`],
    ['21 levels', `${'['.repeat(21)}${']'.repeat(21)}`],
    ['21 levels of objects', `${'{"a":'.repeat(21)}1${'}'.repeat(21)}`],
    ['half an object', '{"a":'],
    ['an open text', '["a'],
    ['nothing', ''],
  ])('[SEC-03] refuses %s', (_, text) => {
    expect(() => parseStrictJson(text)).toThrow(SyntaxError);
  });

  it.each([
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"a":"a","b":"b: {\\"a\\":1,\\"a\\":2}"}',
    String.raw`{"a":"\\u0000 is written so","b\\":1,"b":2}`,
    '{"constructor":1,"toString":2,"hasOwnProperty":3}',
    `${'['.repeat(20)}${']'.repeat(20)}`,
    String.raw`{"a":"\ud83d\uDE00 and \\ud800 is written so"}`,
    ' "one" ',
    'null',
  ])('[SEC-03] reads %s as everybody does', (text) => {
    expect(parseStrictJson(text)).toEqual(JSON.parse(text));
  });

  it('[SEC-03] reads whatever JSON.stringify writes, and refuses it with any of its names repeated', () => {
    // A generator of its own: the same values in every run.
    let seed = 11;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const PARTS = ['a', 'b', '"', '\\', '\\u0061', '{', '}', '[', ']', ':', ',', 'é', '😀', '\n'];
    const text = () => Array.from({ length: next(5) }, () => PARTS[next(PARTS.length)]).join('');
    const make = (levels: number): unknown => {
      const kind = next(levels > 0 ? 5 : 3);
      if (kind === 0) return text();
      if (kind === 1) return next(1000) / 8;
      if (kind === 2) return [null, true, false][next(3)];
      const parts = Array.from({ length: next(5) }, () => make(levels - 1));
      return kind === 3 ? parts : Object.fromEntries(parts.map((part) => [text(), part]));
    };
    let repeated = 0;
    for (let n = 0; n < 2000; n += 1) {
      const value = { first: make(4), [text()]: make(4) };
      const written = JSON.stringify(value, null, next(3));
      expect(parseStrictJson(written)).toEqual(JSON.parse(written));
      for (const name of Object.keys(value)) {
        const twice = written.replace(/\s*\}$/, `,${JSON.stringify(name)}:1}`);
        expect(() => parseStrictJson(twice)).toThrow(SyntaxError);
        repeated += 1;
      }
    }
    expect(repeated).toBeGreaterThan(3000);
  });

  it('[R36] is quick with 32 KB of what is slow for others', () => {
    const hostile = ['"\\"'.repeat(10_000), '['.repeat(32_000), `["${'\\\\'.repeat(16_000)}"]`];
    const open = hostile.map((text) => () => parseStrictJson(text));
    for (const parse of open.slice(0, 2)) expect(parse).toThrow(SyntaxError);
    expect(open[2]?.()).toEqual(['\\'.repeat(16_000)]);
  });
});
