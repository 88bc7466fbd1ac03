import { hostname, userInfo } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { operatorName } from './installation.ts';

afterEach(() => {
  vi.unstubAllEnvs();
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
  const readUser = () => {
    throw new Error('ENOENT: no entry for this uid');
  };
  expect(operatorName(readUser)).toBe(`operator:uid ${process.getuid?.()}@${hostname()}`);
});
