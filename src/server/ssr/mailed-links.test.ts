/** Pages of mailed links, as the server first answers them. */

import { expect, test } from 'vitest';
import { createTestAppWithPages } from '../testing/test-app.ts';
import { closeAtEnd } from '../testing/close-at-end.ts';

const testApp = closeAtEnd(await createTestAppWithPages({}));

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

test('[SEC-30] F91: search engines find the doors and the help, and no page of a link', async () => {
  const robots = await (await first('/robots.txt')).text();
  expect(robots).toMatch(/^User-agent: \*\nAllow: \/account\/signin\$\n[\s\S]*Disallow: \/\n$/);
  expect(robots).toContain('Allow: /help$');
  for (const [path, tag] of [
    ['/account/Activation?UID=MTp0ZXN0OjE%3D&SUP=MQ%3D%3D', 'noindex'],
    ['/account/resetPassword?resetLinkKey=abc', 'noindex'],
    ['/account/undo?key=abc', 'noindex'],
    ['/account/change?key=abc', 'noindex'],
    ['/account/Invalid', 'noindex'],
    ['/account/Signin', null],
    ['/Account/SignUp', null],
    ['/help', null],
  ] as const) {
    expect([path, (await first(path)).headers.get('x-robots-tag')]).toEqual([path, tag]);
  }
  const icon = await first('/apple-touch-icon.png');
  expect([icon.status, icon.headers.get('location')]).toEqual([301, '/logos/porchlight.png']);
  expect((await first('/logos/porchlight.png')).headers.get('content-type')).toBe('image/png');
});
