import type * as Os from 'node:os';
import { hostname, userInfo } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { operatorName } from './installation.ts';

const system = vi.hoisted(() => ({ hasEntry: true }));
vi.mock('node:os', async (original) => {
  const os = await original<typeof Os>();
  return {
    ...os,
    userInfo() {
      if (!system.hasEntry) throw new Error('ENOENT: no entry for this uid');
      return os.userInfo();
    },
  };
});

afterEach(() => {
  vi.unstubAllEnvs();
  system.hasEntry = true;
});

test('[OPS-85] N23: the operator is the user of the system, whatever the environment says', () => {
  const { username } = userInfo();
  vi.stubEnv('USER', 'somebody-else');
  vi.stubEnv('LOGNAME', 'somebody-else');
  vi.stubEnv('SUDO_USER', '');
  expect(operatorName()).toBe(`operator:${username}@${hostname()}`);
  vi.stubEnv('SUDO_USER', 'rosa');
  expect(operatorName()).toBe(`operator:${username} (sudo: rosa)@${hostname()}`);
});

test('[OPS-85] N23: a uid that the system has no name for is written as its number', () => {
  vi.stubEnv('SUDO_USER', '');
  system.hasEntry = false;
  expect(operatorName()).toBe(`operator:uid ${process.getuid?.()}@${hostname()}`);
});
