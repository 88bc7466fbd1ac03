import { expect, test } from './support/test.ts';

test(
  '[F3] a page goes out packed, as its browser takes it',
  { tag: '@full' },
  async ({ request }) => {
    for (const [accepted, sent] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const answer = await request.get('/account/signin', {
        headers: { 'accept-encoding': accepted },
      });
      expect(answer.headers()['content-encoding'], accepted).toBe(sent);
      expect(answer.headers().vary).toBe('accept-encoding, cookie, accept-language');
      expect(await answer.text()).toContain('<title>Login – Rosewood Senior Living</title>');
    }
  },
);

test(
  '[F8] a page is painted whole: what the first paint waits for is the last thing in it',
  { tag: '@full' },
  async ({ request }) => {
    const html = await (await request.get('/account/signin')).text();
    const [, awaited] = /<link rel="expect" href="#(\w+)" blocking="render">/.exec(html) ?? [];
    const [, afterRoot = ''] = html.split('<div id="root">');
    expect(afterRoot.match(new RegExp(`id="${awaited}"`, 'g'))).toHaveLength(1);
  },
);

test('[R32] [SEC-09] inline script without the nonce does not run, and no text becomes markup or code @core', async ({
  page,
  quiet,
}) => {
  quiet.allow(/Content Security Policy|Trusted/i);
  // Markup that an attacker injected, under the real policy of the page.
  await page.route('/account/signin', async (route) => {
    const response = await route.fetch();
    const planted =
      '<script>window.planted = true</script><img src="x:" onerror="window.planted = true">';
    const body = (await response.text()).replace('</body>', `${planted}</body>`);
    await route.fulfill({ response, body });
  });
  const answer = await page.goto('/account/signin');
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible();
  expect(await page.evaluate(() => 'planted' in window)).toBe(false);

  const refusals = await page.evaluate(() => {
    const nameOf = (attempt: () => unknown) => {
      try {
        attempt();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    };
    const script = document.createElement('script');
    return [
      nameOf(() => (document.createElement('div').innerHTML = '<b>bold</b>')),
      nameOf(() => (script.textContent = 'window.planted = true')),
      nameOf(() => (script.src = '/planted.js')),
      nameOf(() =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
        ).trustedTypes.createPolicy('planted', { createHTML: String }),
      ),
    ];
  });
  expect(refusals).toEqual(Array.from({ length: 4 }, () => 'TypeError'));

  const headers = answer?.headers() ?? {};
  const policy = headers['content-security-policy'] ?? '';
  expect(policy).toMatch(/(?:^|; )script-src 'nonce-[\w+/=]{22,}' 'strict-dynamic'(?:;|$)/);
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
  expect(policy).not.toMatch(/unsafe-/);
  expect(policy).toContain('report-uri /api/PolicyReports; report-to policy');
  expect(headers['reporting-endpoints']).toBe('policy="/api/PolicyReports"');
});
