/** Pages of mailed links, as the server first answers them. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAppWithPages, type TestApp } from '../testing/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestAppWithPages({});
});
afterAll(() => testApp.close());

const first = (path: string) => testApp.visitor().request(path, { redirect: 'manual' });

test.each([
  '',
  '?resetLinkKey=',
  '?resetLinkKey=%25%25',
  '?resetLinkKey=a+b',
  '?resetLinkKey=a.',
  '?key=a',
])('[PWD-06] B12: the first answer for a new password by %s is the invalid page', async (query) => {
  const answer = await first(`/account/resetPassword${query}`);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/account/Invalid']);
});
