import { expect, test } from 'vitest';
import { createProgress } from '../progress.ts';
import { readArray } from './array-reader.ts';
import { decode, type FileRecord, readCsv, readLines } from './records.ts';

async function* pieces(text: string, size: number): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function all(records: AsyncIterable<FileRecord>): Promise<FileRecord[]> {
  const found: FileRecord[] = [];
  for await (const record of records) found.push(record);
  return found;
}

const REALM = `{
  "realm": "users", "users": "no list", "roles": {"users": [{"id": "nested"}]},
  "note": "users\\": [{",
  "users": [
    {"id": "1", "note": "}]\\"{", "more": [{"users": [{"id": "in it"}]}]},
    {"id": "2", "name": "Зоя"}, {}
  ],
  "clients": [{"id": "after"}]
}`;
const PEOPLE = [
  { line: 5, value: { id: '1', note: '}]"{', more: [{ users: [{ id: 'in it' }] }] } },
  { line: 6, value: { id: '2', name: 'Зоя' } },
  { line: 6, value: {} },
];

test.each([1, 2, 7, 10_000])(
  '[OPS-43] the users of a realm, in pieces of %i bytes',
  async (size) => {
    expect(await all(readArray(decode(pieces(REALM, size))))).toEqual(PEOPLE);
    const list = JSON.stringify(PEOPLE.map(({ value }) => value));
    const values = (await all(readArray(decode(pieces(list, size))))).map(({ value }) => value);
    expect(values).toEqual(PEOPLE.map(({ value }) => value));
  },
);

test('[OPS-43] a list deeper in the document is not the list of users', async () => {
  const text = '{"users": {"more": [{"id": "in it"}]}, "other": [{"id": "beside it"}]}';
  expect(await all(readArray(decode(pieces(text, 100))))).toEqual([]);
});

test.each([1, 5, 10_000])('[OPS-43] an object a line, in pieces of %i bytes', async (size) => {
  const text = '{"a":1}\r\n\n{"b":\n{"c":"Зоя"}';
  expect(await all(readLines(decode(pieces(text, size))))).toEqual([
    { line: 1, value: { a: 1 } },
    { line: 3, value: undefined },
    { line: 4, value: { c: 'Зоя' } },
  ]);
});

test(
  '[OPS-46] what breaks off or is endless is a fault, and what follows is read',
  { tags: 'long' },
  async () => {
    const cut = await all(readArray(decode(pieces('[{"a":1},\n{"b":', 100))));
    expect(cut).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 2, value: undefined },
    ]);
    const endless = `"${'x'.repeat(2 ** 21)}"`;
    const list = await all(readArray(decode(pieces(`[{"a":${endless}},\n{"b":1}]`, 65_536))));
    expect(list).toEqual([
      { line: 1, value: undefined },
      { line: 2, value: { b: 1 } },
    ]);
    const lines = await all(readLines(decode(pieces(`{"a":${endless}}\n{"b":1}`, 65_536))));
    expect(lines).toEqual([
      { line: 1, value: undefined },
      { line: 2, value: { b: 1 } },
    ]);
  },
);

test('[OPS-49] progress: a bar on a terminal, a line each 10,000 rows elsewhere, objects for programs', () => {
  const told = (isTTY: boolean, isForPrograms: boolean) => {
    let text = '';
    const write = (more: string | Uint8Array) => (text += String(more)) !== '';
    const progress = createProgress({ isTTY, write }, isForPrograms);
    for (const rows of [500, 10_000, 10_500, 20_000]) progress(rows, rows / 20_000);
    return text;
  };
  expect(told(true, false).split('\r').slice(2)).toEqual([
    '[###############...............] 10000 rows 50 %',
    '[################..............] 10500 rows 53 %',
    '[##############################] 20000 rows 100 %\n',
  ]);
  expect(told(false, false)).toBe('10000 rows 50 %\n20000 rows 100 %\n');
  expect(told(true, true)).toBe('{"rows":10000,"share":0.5}\n{"rows":20000,"share":1}\n');
});

test('[OPS-46] a row with more texts than there are columns is a fault; without text they are none', async () => {
  const rows = 'email,phone\na@x.test,1,2\nb@x.test,1,,\n';
  const read = await all(readCsv(decode(pieces(rows, 7)), () => undefined));
  expect(read.map(({ value }) => value)).toEqual([undefined, { email: 'b@x.test', phone: '1' }]);
});
