import { expect, test } from 'vitest';
import { createTestApp } from '../testing/test-app.ts';
import { toNetwork } from './network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['somebody@example.test', ''],
  ['203.0.113.7:80', ''],
])('[R20] %s counts as %s', (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

test(
  '[R20] every address of one /64 shares one count, and the next /64 has its own',
  { tags: 'long' },
  async () => {
    const testApp = await createTestApp();
    const isTold = async (n: number, ip: string) => {
      const params = { email: `nobody-${n}@example.test` };
      return (await testApp.visitor(ip).ok('checkUser', { params })) === false;
    };
    const told: boolean[] = [];
    for (let n = 0; n < 7; n += 1) told.push(await isTold(n, `2001:db8:7:1:${n}::5`));
    expect(told).toEqual([true, true, true, true, true, false, false]);
    expect(await isTold(7, '2001:db8:7:2::5')).toBe(true);
    await testApp.close();
  },
);
