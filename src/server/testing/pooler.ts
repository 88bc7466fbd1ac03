import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inCluster } from './cluster.ts';
import { freePort } from './free-port.ts';

const START_MS = 30_000;

export type Pooler = {
  /** The address of the database behind the pooler. */
  readonly url: string;
  /** Opens the connections to the database anew, when those in use are free. */
  reload(): void;
  stop(): Promise<void>;
};

type Options = {
  /** A role that PostgreSQL lets in without a password. */
  readonly role: string;
  /** Connections to the database, at most. */
  readonly connections: number;
};

/** Starts PgBouncer in transaction mode before one database. It takes every password. */
export async function startPooler(
  databaseUrl: string,
  { role, connections }: Options,
): Promise<Pooler> {
  const { hostname, port: databasePort, pathname } = new URL(databaseUrl);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
${pathname.slice(1)} = user=${role} host=${hostname} port=${databasePort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
`,
  );
  // It does not run as root.
  const user = process.getuid?.() === 0 ? systemIds('nobody') : null;
  if (user) for (const path of [folder, file]) chownSync(path, user.uid, user.gid);
  const child = spawn('pgbouncer', [file], {
    ...user,
    env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
    stdio: 'ignore',
  });
  const url = `postgres://${role}@127.0.0.1:${port}${pathname}`;
  await untilAnswers(url);
  return {
    url,
    reload: () => void child.kill('SIGHUP'),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Throws what the last try said when it does not answer in time. */
async function untilAnswers(url: string): Promise<void> {
  const end = performance.now() + START_MS;
  for (;;) {
    try {
      return await inCluster(url, 'select 1');
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(50);
    }
  }
}

function systemIds(name: string) {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}
