import { expect, test } from 'vitest';
import { shortAddress } from './short-address.ts';

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:12:34::5', '2001:db8:12::/48'],
  ['2001:DB8:0:0:0:0:0:5', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['', null],
  ['somewhere', null],
  [null, null],
])('[R50] [AUD-05] of %s is kept %s', (whole, short) => {
  expect(shortAddress(whole)).toBe(short);
});
