import { expect, test } from './support/test.ts';

test('[F3] a page goes out packed, as its browser takes it', async ({ request }) => {
  for (const [accepted, sent] of [
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const answer = await request.get('/account/signin', {
      headers: { 'accept-encoding': accepted },
    });
    expect(answer.headers()['content-encoding'], accepted).toBe(sent);
    expect(answer.headers().vary).toBe('accept-encoding');
    expect(await answer.text()).toContain('<title>Login – Rosewood Senior Living</title>');
  }
});

test('[F8] a page is painted whole: what the first paint waits for is the last thing in it', async ({
  request,
}) => {
  const html = await (await request.get('/account/signin')).text();
  const [, awaited] = /<link rel="expect" href="#(\w+)" blocking="render">/.exec(html) ?? [];
  const [, afterRoot = ''] = html.split('<div id="root">');
  expect(afterRoot.match(new RegExp(`id="${awaited}"`, 'g'))).toHaveLength(1);
});
