import { expect, test, vi } from 'vitest';
import { toNetwork } from '../abuse/network.ts';
import { createTestApp } from '../testing/test-app.ts';

/** The proxy of a test is 127.0.0.1. */
const PROXY = '127.0.0.1';
const V4 = '203.0.113.21';
const V6 = '2001:db8:0:0::/64';

async function networkOf(url: string, forwarded: string) {
  const answer = await fetch(`${url}/api/health/address`, {
    headers: { 'x-forwarded-for': forwarded },
  });
  const { address } = (await answer.json()) as { address: string };
  return toNetwork(address);
}

test('[R20] [WIR-06] F49: each form of X-Forwarded-For counts as its network, and no address as the proxy', async () => {
  const testApp = await createTestApp();
  const warn = vi.spyOn(testApp.app.fastify.log, 'warn');
  const readable: readonly (readonly [string, string])[] = [
    ['203.0.113.21', V4],
    ['203.0.113.21:40000', V4],
    ['203.0.113.21:40001', V4],
    [' "203.0.113.21:40001" ', V4],
    ["'203.0.113.21'", V4],
    ['[203.0.113.21]:80', V4],
    ['::ffff:203.0.113.21', V4],
    ['::FFFF:cb00:7115', V4],
    ['[::ffff:203.0.113.21]:443', V4],
    ['2001:db8::1', V6],
    ['[2001:db8::1]', V6],
    ['[2001:DB8::2]:443', V6],
    ['"[2001:db8::3]:443"', V6],
    ['2001:db8:0:0:1:2:3:4:443', V6],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['[fe80::1%25eth0]:443', 'fe80:0:0:0::/64'],
    ['198.51.100.1, 203.0.113.21:40000', V4],
    ['unknown, 203.0.113.21:40000', V4],
    ['203.0.113.21:40000,127.0.0.1:5000', V4],
    ['203.0.113.21:40000, [::ffff:127.0.0.1]:5000', V4],
    ['', PROXY],
    [' , ', PROXY],
  ];
  for (const [header, network] of readable) {
    expect([header, await networkOf(testApp.url, header)]).toEqual([header, network]);
  }
  expect(warn).not.toHaveBeenCalled();
  for (const header of [
    'unknown',
    '_hidden',
    '-',
    '0x7f.1',
    '3405803797',
    '203.0.113.21.4',
    '203.0.113.256:80',
    '203.0.113.21:80:80',
    '203.0.113.21/24',
    '[203.0.113.21',
    'for=203.0.113.21',
    'for="[2001:db8::1]:443";proto=https',
    'visitor@example.test',
    '203.0.113.21, unknown',
    'unknown, 127.0.0.1:80',
  ]) {
    expect([header, await networkOf(testApp.url, header)]).toEqual([header, PROXY]);
  }
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]?.join()).not.toContain('unknown');
  await testApp.close();
});

test('[R20] F49: connections of one client through a proxy that writes its port share one limit', async () => {
  const testApp = await createTestApp();
  const told: boolean[] = [];
  for (let n = 0; n < 7; n += 1) {
    const params = { email: `unknown-${n}@example.test` };
    const visitor = testApp.visitor(`203.0.113.21:${40_000 + n}`);
    told.push((await visitor.ok('checkUser', { params })) === false);
  }
  expect(told).toEqual([true, true, true, true, true, false, false]);
  await testApp.close();
});
