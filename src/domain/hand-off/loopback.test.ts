import { expect, test } from 'vitest';
import { isLoopbackHost } from './loopback.ts';

test.each(['http://localhost:3000/', 'http://LOCALHOST/', 'http://127.0.0.1/', 'http://[::1]:80/'])(
  '%s is this machine',
  (url) => expect(isLoopbackHost(new URL(url).hostname)).toBe(true),
);

test.each([
  'http://localhost.example/',
  'http://app.localhost/',
  'http://127.0.0.1.example/',
  'http://127.0.0.2/',
  'http://[::2]/',
  'http://0.0.0.0/',
])('%s is not', (url) => expect(isLoopbackHost(new URL(url).hostname)).toBe(false));
