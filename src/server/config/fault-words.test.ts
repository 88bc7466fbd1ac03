import { expect, test } from 'vitest';
import * as z from 'zod';
import { faultWords, fileFault } from './fault-words.ts';

const schema = z.strictObject({
  url: z.url(),
  kind: z.enum(['sms', 'mail']),
  name: z.string().min(3).max(5),
  list: z.array(z.string()).min(1),
  count: z.int().min(2),
  isOn: z.boolean(),
});
const good = {
  url: 'https://a.test',
  kind: 'sms',
  name: 'four',
  list: ['a'],
  count: 2,
  isOn: true,
};

test.each([
  ['url', 'nonsense', 'must be a whole address with its scheme, such as https://example.org'],
  ['url', undefined, 'is missing'],
  ['kind', 'fax', 'must be one of sms, mail'],
  ['kind', undefined, 'is missing'],
  ['name', 'ab', 'must have at least 3 characters'],
  ['name', 'abcdef', 'may have at most 5 characters'],
  ['name', 7, 'must be a text'],
  ['list', [], 'must have entries, at least 1'],
  ['list', 'a', 'must be a list'],
  ['count', 1, 'must be at least 2'],
  ['count', 'two', 'must be a number'],
  ['isOn', 'yes', 'must be true or false'],
])('N16: %s as %j %s', (name, value, says) => {
  const { error } = schema.safeParse({ ...good, [name]: value }, { error: faultWords });
  expect(error?.issues).toMatchObject([{ path: [name], message: says }]);
});

test('N16: a name that is not known is named', () => {
  const { error } = schema.safeParse({ ...good, colour: 'red' }, { error: faultWords });
  expect(error?.issues).toMatchObject([{ message: 'has a name that is not known: colour' }]);
});

test('N16: what stands in the way of a file is said without the system’s codes', () => {
  expect(fileFault({ code: 'ENOENT', message: 'ENOENT: no such file' })).toBe(
    'there is no such file',
  );
  expect(fileFault(new Error('not JSON'))).toBe('not JSON');
});
