import { type Balancer, type BalancerOptions, startBalancer } from './balancer.ts';
import { freePort } from './free-port.ts';
import { newestCode, readInbox } from './inbox.ts';
import { endProcess, type ServerProcess, startProcess } from './server-process.ts';
import { createVisitor, type Visitor } from './visitor.ts';

/** The proxies before instances. */
export type Front = {
  readonly url: string;
  /** Resolves when it sends requests to so many of them. */
  untilReady(count: number): Promise<void>;
  close(): Promise<void>;
};

export type Instances<T extends Front = Balancer> = {
  readonly balancer: T;
  readonly ports: readonly number[];
  /** The processes as they run now. */
  servers(): readonly ServerProcess[];
  /** The settings of the instance on a port. */
  environment(port: number): Record<string, string>;
  /** Ends the instance on a port as an operator does, and starts it anew. Resolves with its exit code. */
  restart(port: number): Promise<number | null>;
  /** A visitor whose requests alternate between the instances. */
  visitor(ip?: string): Visitor;
  /** The newest code that was sent to this address by either. */
  codeFor(email: string): Promise<string>;
  close(): Promise<void>;
};

/** Two instances on one database behind a balancer, started at once: one migrates, one makes the keys. */
export function startInstances(
  env: Record<string, string>,
  options: BalancerOptions = {},
): Promise<Instances> {
  return startInstancesBehind((ports) => startBalancer(ports, options), env);
}

/** The same behind something else. */
export async function startInstancesBehind<T extends Front>(
  startFront: (ports: readonly number[]) => Promise<T>,
  env: Record<string, string>,
): Promise<Instances<T>> {
  const ports = [await freePort(), await freePort()];
  const balancer = await startFront(ports);
  const running = new Map<number, ServerProcess>();
  const environment = (port: number) => ({
    PORT: String(port),
    PORCHLIGHT_PUBLIC_URL: balancer.url,
    PORCHLIGHT_SECRET: 'the-secret-of-two-instances-long-enough',
    PORCHLIGHT_DRAIN_SECONDS: '1',
    TRUSTED_PROXIES: '127.0.0.1',
    ...env,
  });

  async function start(port: number): Promise<void> {
    const server = await startProcess(environment(port));
    running.set(port, server);
    const said = await server.started;
    if (said !== null) throw new Error(said);
  }

  /** An instance that is asked for its inbox finishes what its own worker has taken: asked of both, all is delivered. */
  async function codeFor(email: string): Promise<string> {
    for (const port of ports) await readInbox(`http://127.0.0.1:${port}`, email);
    return newestCode(balancer.url, email);
  }

  const close = async () => {
    await balancer.close();
    await Promise.all([...running.values()].map(endProcess));
  };
  try {
    await Promise.all(ports.map(start));
    await balancer.untilReady(ports.length);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    balancer,
    ports,
    servers: () => [...running.values()],
    environment,
    async restart(port) {
      const server = running.get(port);
      server?.kill('SIGTERM');
      const code = (await server?.exited) ?? null;
      await start(port);
      return code;
    },
    visitor: (ip) => createVisitor({ url: balancer.url, codeFor }, ip),
    codeFor,
    close,
  };
}
