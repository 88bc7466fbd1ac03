import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.ts';

const LONG = 64 * 1024;
let server: Server;
let port = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://here');
    if (pathname === '/moved') return response.writeHead(302, { location: '/fine' }).end();
    if (pathname === '/exact') return response.end('x'.repeat(LONG));
    if (pathname === '/long') return response.end('x'.repeat(LONG + 1));
    if (pathname === '/none') return response.writeHead(204).end();
    if (pathname === '/slow') return response.write('…');
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => response.end(`${request.method} ${body}`));
    return undefined;
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  ({ port } = server.address() as { port: number });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('[ORG-03] [D20] an address that is not public is refused, in a demo, too', () => {
  test.each([
    'https://127.0.0.1/keys',
    'https://localhost/keys',
    'https://10.0.0.1/keys',
    'https://172.16.0.1/keys',
    'https://192.168.1.1/keys',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/keys',
    'https://0.0.0.0/keys',
    'https://0x7f.1/keys',
    'https://2130706433/keys',
    'https://[::1]/keys',
    'https://[::ffff:127.0.0.1]/keys',
    'https://[::ffff:10.0.0.1]/keys',
    'https://[fd00::1]/keys',
    'https://[fe80::1]/keys',
    'https://[64:ff9b::a00:1]/keys',
    'https://[2002:a00:1::]/keys',
    'https://idp.rosewood.example:25/keys',
    'https://idp.rosewood.example:22/keys',
    'http://idp.rosewood.example/keys',
    'http://10.0.0.1/keys',
    'ftp://idp.rosewood.example/keys',
    'file:///etc/passwd',
    'data:application/json,{}',
  ])('%s', async (url) => {
    for (const isDemo of [true, false]) {
      await expect(createGuardedFetch({ isDemo })(url)).rejects.toThrow('no public');
    }
  });

  test.each([
    [['127.0.0.1']],
    [['10.0.0.1']],
    [['::1']],
    [['::ffff:169.254.169.254']],
    // One good address beside it does not help.
    [['93.184.216.34', '192.168.0.1']],
  ])('a name with the addresses %j', async (addresses) => {
    const asked: string[] = [];
    const guarded = createGuardedFetch({
      isDemo: false,
      lookup(host, _options, done) {
        asked.push(host);
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      },
    });
    await expect(guarded('https://idp.rosewood.example:8443/')).rejects.toThrow('no public');
    expect(asked).toEqual(['idp.rosewood.example']);
  });
});

describe('[ORG-03] this machine', () => {
  const at = (path: string) => `http://127.0.0.1:${port}${path}`;

  test('is reached in a demo alone', async () => {
    const demo = createGuardedFetch({ isDemo: true });
    const body = new URLSearchParams({ code: 'a b' });
    const answer = await demo(new URL(at('/fine')), { method: 'POST', body });
    expect(await answer.text()).toBe('POST code=a+b');
    expect((await demo(at('/none'))).status).toBe(204);
    await expect(createGuardedFetch({ isDemo: false })(at('/fine'))).rejects.toThrow('no public');
  });

  test('a redirect, a long answer and one that the caller gives up are refused', async () => {
    const demo = createGuardedFetch({ isDemo: true });
    await expect(demo(at('/moved'))).rejects.toThrow('redirect');
    await expect(demo(at('/long'))).rejects.toThrow('64 KiB');
    expect(await (await demo(at('/exact'))).text()).toHaveLength(LONG);
    const given = new AbortController();
    const waiting = demo(at('/slow'), { signal: given.signal });
    given.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });
});
