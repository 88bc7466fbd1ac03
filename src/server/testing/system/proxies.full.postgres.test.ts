/** [R37] [OPS-40] Two instances on one PostgreSQL behind the proxies of `deploy/`, with their examples. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Instances, startInstancesBehind } from '../instances.ts';
import { type Proxy, startProxy } from '../proxies.ts';
import { openTestDatabase, type TestDatabase } from '../test-database.ts';
import { PEOPLE, underLoad } from '../under-load.ts';

const SLOW_MS = 240_000;

describe.each(['nginx', 'haproxy'] as const)('behind %s', (name) => {
  let database: TestDatabase;
  let instances: Instances<Proxy>;

  beforeAll(async () => {
    database = await openTestDatabase('empty');
    instances = await startInstancesBehind((ports) => startProxy(name, ports), {
      DATABASE_URL: database.url ?? '',
      // Longer than the proxy takes to see it.
      PORCHLIGHT_DRAIN_SECONDS: '3',
    });
  }, SLOW_MS);
  afterAll(async () => {
    await instances?.close();
    await database.close();
  });

  test(
    '[OPS-40] a rolling restart under load: no request fails, nobody is signed out, both end with 0',
    async () => {
      const { failed, done } = await underLoad(
        instances.visitor,
        async () => {
          for (const port of instances.ports) {
            expect(await instances.restart(port)).toBe(0);
            await instances.balancer.untilReady();
          }
        },
        async (visitor, turn) => {
          if (turn % 3 === 0) await visitor.complete();
          const answer = await visitor.call('getVisit', {});
          if (answer.status !== 200) throw new Error(`getVisit: ${answer.status}`);
        },
      );
      expect(failed).toEqual([]);
      expect(done).toBeGreaterThan(PEOPLE);
    },
    SLOW_MS,
  );

  test('[OPS-40] its log has no query, and of a call no more than its name', async () => {
    const marked = `marked-${name}`;
    await fetch(`${instances.balancer.url}/account/resetPassword?resetLinkKey=${marked}`);
    const calls = `/api/User/GetUserDetailsbyTokenKey/${marked}/x`;
    await fetch(`${instances.balancer.url}${calls}`);
    await instances.balancer.untilReady();
    const log = instances.balancer.log();
    expect(log).toContain('/account/resetPassword');
    expect(log).toContain('/api/User/GetUserDetailsbyTokenKey');
    expect(log).not.toContain(marked);
  });

  test('[CON-23] a logo of a megabyte reaches an instance', async () => {
    const body = new FormData();
    body.set('logo', new File([new Uint8Array(1_000_000)], 'logo.png'));
    const path = '/console/subtenants/742/logo';
    const answer = await fetch(`${instances.balancer.url}${path}`, {
      method: 'POST',
      body,
      redirect: 'manual',
    });
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    expect(answer.status).not.toBe(413);
  });
});

test.each(['nginx', 'haproxy'] as const)(
  '[OPS-40] %s finds a file that only one instance has, as between two releases',
  async (name) => {
    const stub = (file: string) =>
      createServer((request, response) => {
        const isThere = !request.url?.startsWith('/assets/') || request.url === `/assets/${file}`;
        response.writeHead(isThere ? 200 : 404).end(file);
      });
    const stubs = [stub('before.js'), stub('after.js')];
    const ports = await Promise.all(
      stubs.map(async (server) => {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        return (server.address() as AddressInfo).port;
      }),
    );
    const proxy = await startProxy(name, ports);
    await proxy.untilReady();
    const ask = async (file: string) => {
      const answer = await fetch(`${proxy.url}/assets/${file}`);
      return answer.status === 200 ? answer.text() : answer.status;
    };
    for (const file of ['before.js', 'after.js', 'before.js', 'after.js']) {
      expect(await ask(file)).toBe(file);
    }
    expect(await ask('nobody-has-it.js')).toBe(404);
    await proxy.close();
    for (const server of stubs) {
      server.closeAllConnections();
      server.close();
    }
  },
);
