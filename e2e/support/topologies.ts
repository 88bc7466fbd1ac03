import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import path from 'node:path';
import { freePort } from '../../src/server/testing/free-port.ts';
import { ROOT } from '../../tools/processes.ts';
import { startServer } from '../../tools/server-process.ts';
import { DEMO_PASSWORD, demoEmail } from './people.ts';

/** Where the hosted login stands as a browser sees it: on the portal's origin, its site, or elsewhere. */
export type Topology = 'one origin' | 'one site' | 'two sites';

export type Place = {
  /** What a browser opens. */
  readonly url: string;
  /** For requests that need no browser: not every resolver knows names under localhost. */
  readonly direct: string;
  stop(): Promise<void>;
};

const TENANT = 'src/openid-provider/testing/tenant-process.ts';
const PATH = '/tenant/';

/** The real portal, started with nothing but a tenant's settings, and a tenant that is a process of its own. */
export async function openPlace(topology: Topology): Promise<Place> {
  const [portalPort, tenantPort, proxyPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const isProxied = topology === 'one origin';
  const url = `http://portal.porchlight.localhost:${isProxied ? proxyPort : portalPort}`;
  const host =
    topology === 'two sites' ? 'tenant.elsewhere.localhost' : 'login.porchlight.localhost';
  const origin = isProxied ? url : `http://${host}:${tenantPort}`;
  const base = isProxied ? PATH : '/';

  const stopTenant = await startTenant({
    port: tenantPort,
    origin,
    portal: url,
    path: base,
    isOtherSite: topology === 'two sites',
    people: [{ email: demoEmail('legal'), password: DEMO_PASSWORD }],
  });
  const stopProxy = isProxied ? await startProxy(proxyPort, portalPort, tenantPort) : undefined;
  const portal = await startServer({
    env: {
      PORCHLIGHT_PUBLIC_URL: url,
      PORCHLIGHT_HOSTED_LOGIN_DOMAIN: `${origin}${base}`,
      PORCHLIGHT_HOSTED_LOGIN_CLIENT_ID: 'portal-at-tenant',
      PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_ID: 'backend-at-tenant',
      PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_SECRET: 'the secret of the backend client',
    },
    port: portalPort,
  });
  return {
    url,
    direct: `http://127.0.0.1:${portalPort}`,
    async stop() {
      await portal.stop();
      await stopTenant();
      await stopProxy?.();
    },
  };
}

async function startTenant(options: object): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [path.join(ROOT, TENANT), JSON.stringify(options)], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('The tenant did not start');
    }),
  ]);
  return async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
}

/** One origin for both: what begins with the tenant's path goes to the tenant. */
async function startProxy(port: number, portal: number, tenant: number) {
  const proxy = createServer((request, response) => {
    const { method, url: target = '/', headers } = request;
    const to = target.startsWith(PATH) ? tenant : portal;
    const passed = forward(
      { host: '127.0.0.1', port: to, method, path: target, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  return async () => {
    proxy.closeAllConnections();
    proxy.close();
    await once(proxy, 'close');
  };
}
