// A PostgreSQL of our own for one test run: on the loopback interface only, in a temporary folder,
// without durability, gone afterwards.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../src/server/testing/free-port.ts';
import { canInstallPackages, installPackage } from './system-packages.ts';

const PREFIX = 'porchlight-pg-';
/** Linux keeps these files in memory. */
const MEMORY = '/dev/shm';
/** A cluster takes 0.1 to 0.3 GiB while all server tests run. */
const ROOM_BYTES = 2 * 1024 ** 3;
const START_MS = 30_000;

export type Postgres = {
  url: string;
  stop: () => Promise<void>;
};

/** A server that can stop and start again on its port, with its data. */
export type Cluster = Postgres & {
  /** As `pg_ctl stop` does it: `fast` ends the connections in order, `immediate` ends at once and recovers later. */
  halt: (mode: 'fast' | 'immediate') => Promise<void>;
  resume: () => Promise<void>;
  /** Of a standby: makes it the primary. Resolves when it takes writes. */
  promote: () => Promise<void>;
};

type ClusterOptions = {
  /** The address of a primary whose standby this is, under this name. */
  standbyOf?: { readonly url: string; readonly name: string };
  /** Programs of another version than the machine's newest. */
  bin?: string;
  /** Keeps committed data over an end of the server, though not over a power cut. */
  isDurable?: boolean;
  /** Of `postgresql.conf`, in place of ours. */
  settings?: Readonly<Record<string, string | number>>;
};

/** The database named in TEST_DATABASE_URL, or a fresh cluster. */
export async function startPostgres(signal: AbortSignal): Promise<Postgres> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: () => Promise.resolve() };
  return startCluster(signal);
}

/** A cluster of one's own, also beside one that TEST_DATABASE_URL names. */
export async function startCluster(
  signal: AbortSignal,
  options: ClusterOptions = {},
): Promise<Cluster> {
  const bin = options.bin ?? findBinaries() ?? (await installBinaries(signal));
  await removeStale();
  const identity = unprivilegedUser();
  const folder = makeClusterFolder(identity);
  const data = path.join(folder, 'data');
  let server: ChildProcess | undefined;
  const stop = async () => {
    // Immediate: open connections of an interrupted run would hold up a polite end.
    if (server) await stopServer(server, 'SIGQUIT');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await (options.standbyOf
      ? copyPrimary(path.join(bin, 'pg_basebackup'), data, identity, options.standbyOf)
      : initialise(path.join(bin, 'initdb'), data, identity));
    signal.throwIfAborted();
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const resume = async () => {
      server = spawn(path.join(bin, 'postgres'), serverArguments(data, port, options), {
        ...identity,
        cwd: folder,
        // Ctrl-C of the terminal must not end it before the tests that use it.
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await untilReady(server, url, signal);
    };
    await resume();
    return {
      url,
      stop,
      resume,
      async halt(mode) {
        if (server) await stopServer(server, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      },
      async promote() {
        const client = new Client({ connectionString: url });
        await client.connect();
        try {
          await client.query('select pg_promote(wait => true)');
        } finally {
          await client.end();
        }
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function serverArguments(data: string, port: number, options: ClusterOptions): string[] {
  const durable = options.isDurable ? 'on' : 'off';
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    // These data may be lost by a power cut.
    fsync: 'off',
    synchronous_commit: durable,
    full_page_writes: durable,
    shared_buffers: '64MB',
    autovacuum: 'off',
    log_min_messages: 'fatal',
    ...options.settings,
  };
  return ['-D', data, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])];
}

/** A database of its own in that cluster: fresh secrets need fresh data. */
export async function createDatabase(url: string, name: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`drop database if exists ${client.escapeIdentifier(name)}`);
    await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const database = new URL(url);
  database.pathname = `/${name}`;
  return database.href;
}

/** Debian keeps the server's programs out of PATH, one folder per major version. */
function findBinaries(): string | undefined {
  const versions = '/usr/lib/postgresql';
  const debian = existsSync(versions)
    ? readdirSync(versions)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => path.join(versions, version, 'bin'))
    : [];
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return [...debian, ...onPath].find((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(path.join(folder, program))),
  );
}

async function installBinaries(signal: AbortSignal): Promise<string> {
  if (canInstallPackages()) {
    // Debian would create a cluster and start it; ours is the only one wanted.
    const folder = '/etc/postgresql-common';
    const file = path.join(folder, 'createcluster.conf');
    if (!existsSync(file)) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, 'create_main_cluster = false\n');
    }
    await installPackage('postgresql', signal);
    const found = findBinaries();
    if (found) return found;
  }
  throw new Error(
    'The tests need PostgreSQL 15 or newer: install its server, or name a database in TEST_DATABASE_URL.',
  );
}

type Identity = {
  uid?: number;
  gid?: number;
};

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): Identity {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = ['postgres', 'nobody'].map((name) => users.find((fields) => fields[0] === name));
  const [, , uid, gid] = user.find((fields) => fields !== undefined) ?? [];
  if (uid === undefined || gid === undefined) {
    throw new Error('PostgreSQL cannot run as root and there is no user postgres or nobody.');
  }
  return { uid: Number(uid), gid: Number(gid) };
}

/** A folder that the next run removes if this one cannot, for the user that PostgreSQL runs as. */
export function makeClusterFolder(identity: Identity = unprivilegedUser()): string {
  const parent = hasRoom(MEMORY) ? MEMORY : temporaryFolder();
  const folder = mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`));
  if (identity.uid !== undefined && identity.gid !== undefined) {
    chownSync(folder, identity.uid, identity.gid);
  }
  return folder;
}

/** In memory the copy of a database, which each test begins with, takes a tenth of the work that it takes on a disk. */
function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ROOM_BYTES;
}

/** A TMPDIR of root's own would be closed to the user that PostgreSQL runs as. */
function temporaryFolder(): string {
  return process.getuid?.() === 0 ? '/tmp' : tmpdir();
}

async function initialise(initdb: string, data: string, identity: Identity): Promise<void> {
  const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'];
  await runProgram(initdb, ['--pgdata', data, ...options, '--no-sync'], data, identity);
}

/** `--write-recovery-conf` leaves the file that makes a standby of the copy. */
async function copyPrimary(
  program: string,
  data: string,
  identity: Identity,
  { url, name }: NonNullable<ClusterOptions['standbyOf']>,
): Promise<void> {
  const source = `${url}?application_name=${name}`;
  const args = ['--pgdata', data, '--dbname', source, '--write-recovery-conf', '--no-sync'];
  await runProgram(program, [...args, '--checkpoint=fast', '--wal-method=stream'], data, identity);
}

async function runProgram(
  program: string,
  args: readonly string[],
  data: string,
  identity: Identity,
): Promise<void> {
  const child = spawn(program, args, {
    ...identity,
    cwd: path.dirname(data),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${path.basename(program)} failed: ${errors}`);
}

async function untilReady(server: ChildProcess, url: string, signal: AbortSignal): Promise<void> {
  let log = '';
  server.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (log = (log + text).slice(-4000)));
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${log}`);
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch {
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  throw new Error(`PostgreSQL did not answer within ${START_MS / 1000} s: ${log}`);
}

async function stopServer(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const closed = once(server, 'exit');
  server.kill(signal);
  await closed;
}

/** A run that was killed outright could not clean up; its folder carries its process id. */
async function removeStale(): Promise<void> {
  const folders = [MEMORY, temporaryFolder()].filter((folder) => existsSync(folder));
  const found = folders.flatMap((folder) =>
    readdirSync(folder).map((name) => path.join(folder, name)),
  );
  for (const stale of found) {
    const owner = /\/porchlight-pg-(\d+)-[^/]*$/.exec(stale)?.[1];
    if (!owner || isAlive(Number(owner))) continue;
    const pid = postmasterOf(path.join(stale, 'data'));
    try {
      if (pid) {
        process.kill(pid, 'SIGQUIT');
        for (let tries = 0; tries < 100 && isAlive(pid); tries += 1) await sleep(50);
      }
      rmSync(stale, { recursive: true, force: true });
    } catch {
      // Another person's on a shared machine: not ours to remove.
    }
  }
}

/** Only a process that still holds this folder; the number may belong to another process by now. */
function postmasterOf(data: string): number | undefined {
  try {
    const pid = Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    if (!isAlive(pid)) return undefined;
    if (process.platform !== 'linux') return pid;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // In a container without an init process the dead stay listed: state Z, behind the name.
  return process.platform !== 'linux' || !/\) Z /.test(readText(`/proc/${pid}/stat`));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
