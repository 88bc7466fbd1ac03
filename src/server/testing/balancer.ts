/** A load balancer as far as the instances can tell: it asks who is ready and sends requests round and round. */

import {
  Agent,
  createServer,
  get,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';

export type Balancer = {
  readonly url: string;
  /** How many requests each target got, by port. */
  readonly sent: ReadonlyMap<number, number>;
  /** Resolves when this many targets are ready. */
  untilReady(count: number): Promise<void>;
  close(): Promise<void>;
};

export type BalancerOptions = {
  /** Sends to those that are not ready, too: what they answer then is what is looked at. */
  readonly isBlind?: boolean;
  /** Sees each answer that passes; 502 is the balancer's own. */
  readonly onAnswer?: (status: number, path: string, retryAfter: string | undefined) => void;
};

const ASK_MS = 100;

/** Forwards to the ready ones of `targets` (ports of this machine); nothing is ever tried twice. */
export async function startBalancer(
  targets: readonly number[],
  { isBlind = false, onAnswer = () => undefined }: BalancerOptions = {},
): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const sent = new Map<number, number>();
  let ready: readonly number[] = [];
  let turn = 0;
  let waiting: { count: number; resolve: () => void }[] = [];

  function isReady(port: number): Promise<boolean> {
    return new Promise((resolve) => {
      get({ host: '127.0.0.1', port, path: '/api/health/ready', agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      }).once('error', () => resolve(false));
    });
  }

  async function ask(): Promise<void> {
    const answers = await Promise.all(targets.map(isReady));
    ready = targets.filter((_, at) => answers[at]);
    for (const { count, resolve } of waiting) if (ready.length >= count) resolve();
    waiting = waiting.filter(({ count }) => ready.length < count);
  }

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    turn += 1;
    const open = isBlind ? targets : ready;
    const port = open[turn % Math.max(1, open.length)];
    const fail = () => {
      onAnswer(502, incoming.url ?? '', undefined);
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    };
    if (port === undefined) return fail();
    sent.set(port, (sent.get(port) ?? 0) + 1);
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers, agent });
    onward.once('response', (answer) => {
      const { connection: _hopByHop, ...kept } = answer.headers;
      onAnswer(answer.statusCode ?? 502, url ?? '', kept['retry-after']);
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(outgoing);
      // A killed instance leaves half of its answer.
      answer.once('close', () => void (answer.complete || outgoing.destroy()));
    });
    onward.once('error', fail);
    incoming.pipe(onward);
    return undefined;
  }

  const timer = setInterval(() => void ask(), ASK_MS);
  // Connections are kept: one that is closed as it is used again would look like an instance's fault.
  const server = createServer({ keepAliveTimeout: 0 }, forward);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://localhost:${port}`,
    sent,
    untilReady: (count) => new Promise((resolve) => waiting.push({ count, resolve })),
    async close() {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
