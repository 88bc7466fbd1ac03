import { expect, test } from 'vitest';
import { databaseAddresses, isDatabaseUrl } from './database-url.ts';

test('[OPS-64] several hosts are an address each; the password may have any sign that is encoded', () => {
  const url = 'postgres://me:p%40ss%2Cword@one,two:5433/portal?sslmode=require';
  const each = [
    'postgres://me:p%40ss%2Cword@one/portal?sslmode=require',
    'postgres://me:p%40ss%2Cword@two:5433/portal?sslmode=require',
  ];
  expect(databaseAddresses(url)).toEqual(each);
  for (const wanted of ['read-write', 'primary'])
    expect(databaseAddresses(`${url}&target_session_attrs=${wanted}`)).toEqual(each);
  for (const one of ['postgresql://one/portal', 'postgres:///portal?host=%2Fvar%2Frun'])
    expect(databaseAddresses(one)).toEqual([one]);
});

test.each([
  'mysql://one/portal',
  'postgres://one,,two/portal',
  'postgres://one:port/portal',
  'postgres://one,two/portal?target_session_attrs=standby',
])('[OPS-64] %s is no address to write to', (url) => {
  expect(isDatabaseUrl(url)).toBe(false);
});
