/** The plans of all that a database really executes, cascades of foreign keys included: PostgreSQL's auto_explain tells them. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
};

export type Executed = { readonly statement: string; readonly plan: PlanNode };

export type PlanWatch = {
  /** The database address of the watched server. The role has to be a superuser. */
  readonly url: string;
  /** Returns the statements since the last call. */
  take(): readonly Executed[];
  close(): Promise<void>;
};

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  // As messages to the client: the server's log is elsewhere.
  'auto_explain.log_level': 'notice',
};
const NOTICE = 'N'.charCodeAt(0);
const HEADER = 5;

/** Stands before a database, hands everything on, and reads the plans among the answers. */
export async function watchPlans(databaseUrl: string): Promise<PlanWatch> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let executed: Executed[] = [];
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    const upstream = keep(connect(Number(target.port || 5432), target.hostname));
    client.pipe(upstream).pipe(client);
    const read = messageReader((fields) => {
      const [, json] = /^duration: [^{]*plan:\s*(\{.*)$/s.exec(fields.get('M') ?? '') ?? [];
      if (!json) return;
      const { 'Query Text': statement, Plan: plan } = JSON.parse(json) as {
        'Query Text': string;
        Plan: PlanNode;
      };
      executed.push({ statement, plan });
    });
    upstream.on('data', read);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const options = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value}`);
  url.searchParams.set('options', options.join(' '));
  return {
    // A plus sign would be read as one.
    url: url.href.replaceAll('+', '%20'),
    take() {
      const taken = executed;
      executed = [];
      return taken;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Calls back with the fields of each notice in a stream of PostgreSQL's messages. */
function messageReader(onNotice: (fields: ReadonlyMap<string, string>) => void) {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk: Buffer): void => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER) {
      const length = rest.readUInt32BE(1) + 1;
      if (rest.length < length) return;
      if (rest[0] === NOTICE) {
        const fields = rest.subarray(HEADER, length).toString().split('\0');
        onNotice(
          new Map(fields.filter(Boolean).map((field) => [field.slice(0, 1), field.slice(1)])),
        );
      }
      rest = rest.subarray(length);
    }
  };
}

type Limits = {
  /** Tables with many rows. */
  readonly big: ReadonlySet<string>;
  /** How many rows of a big table one statement may look at. */
  readonly mostRows: number;
};

/** Statements that read a big table whole, or far more of it than they need: each once, in words. */
export function findScans(all: readonly Executed[], { big, mostRows }: Limits): readonly string[] {
  const found = new Set<string>();
  for (const { statement, plan } of all) {
    for (const node of nodesOf(plan)) {
      const table = node['Relation Name'];
      if (table === undefined || !big.has(table)) continue;
      const loops = node['Actual Loops'] ?? 1;
      const seen = node['Node Type'].includes('Modify')
        ? 0
        : loops *
          ((node['Actual Rows'] ?? 0) +
            (node['Rows Removed by Filter'] ?? 0) +
            (node['Rows Removed by Index Recheck'] ?? 0));
      const isWhole = node['Node Type'] === 'Seq Scan' && loops > 0;
      if (!isWhole && seen <= mostRows) continue;
      const text = statement.replaceAll(/\s+/g, ' ').trim();
      found.add(`${node['Node Type']} of ${table}, ${isWhole ? 'whole' : 'too much'}: ${text}`);
    }
  }
  return [...found].toSorted();
}

function* nodesOf(node: PlanNode): Iterable<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* nodesOf(child);
}
