/** The proxies of `deploy/`, with their examples as they stand there, in front of instances of this machine. */

import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { ROOT } from './server-process.ts';

export type ProxyName = 'nginx' | 'haproxy';

export type Proxy = {
  readonly url: string;
  /** Everything it has logged. */
  log(): string;
  /** Resolves when it sends requests to each of its targets. */
  untilReady(): Promise<void>;
  close(): Promise<void>;
};

const ASK_MS = 100;

/** Another machine has other addresses, and TLS is not what is tried here: each of these has to be in the example. */
type Changes = readonly (readonly [from: string | RegExp, to: string])[];

type Recipe = {
  readonly file: string;
  readonly changes: Changes;
  /** How a line of the log names a target. */
  readonly names: readonly string[];
  command(folder: string, config: string): readonly [string, ...string[]];
  /** The example is a part of a whole configuration. */
  whole?(folder: string, config: string): string;
};

function recipe(name: ProxyName, port: number, spare: number, targets: readonly number[]): Recipe {
  const [one = 0, two = 0] = targets;
  const servers: Changes = [
    ['10.0.0.11:3000', `127.0.0.1:${one}`],
    ['10.0.0.12:3000', `127.0.0.1:${two}`],
  ];
  if (name === 'haproxy') {
    return {
      file: 'deploy/haproxy/haproxy.cfg',
      changes: [
        ...servers,
        ['bind :80\n', `bind 127.0.0.1:${spare}\n`],
        [/bind :443 ssl .*\n/g, `bind 127.0.0.1:${port}\n`],
        [/ {4}http-request redirect scheme https .*\n/g, ''],
      ],
      names: ['porchlight/one', 'porchlight/two'],
      command: (_folder, config) => ['haproxy', '-db', '-f', config],
    };
  }
  return {
    file: 'deploy/nginx/porchlight.conf',
    changes: [
      ...servers,
      ['listen 80;', `listen 127.0.0.1:${spare};`],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
      [/ {4}ssl_certificate .*\n {4}ssl_certificate_key .*\n/g, ''],
      ['/var/log/nginx/porchlight.log', '/dev/stdout'],
    ],
    names: [`127.0.0.1:${one}`, `127.0.0.1:${two}`],
    command: (folder, config) => ['nginx', '-p', folder, '-c', config],
    whole: (folder, config) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${folder}/${kind};`,
      );
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      return `${user} daemon off; pid ${folder}/pid; error_log /dev/stderr; events { worker_connections 4096; } http { ${temporary.join(' ')} ${config} }`;
    },
  };
}

/** Throws when the example has no such place any more: it would be tried as something else than it is. */
function changed(text: string, changes: Changes): string {
  return changes.reduce((changing, [from, to]) => {
    const next = changing.replaceAll(from, to);
    if (next === changing) throw new Error(`The example has no ${String(from)}`);
    return next;
  }, text);
}

/** `targets` are two ports of this machine. Throws when the proxy does not start. */
export async function startProxy(name: ProxyName, targets: readonly number[]): Promise<Proxy> {
  const port = await freePort();
  const { file, changes, names, command, whole } = recipe(name, port, await freePort(), targets);
  const folder = mkdtempSync(join(tmpdir(), `porchlight-${name}-`));
  const config = changed(readFileSync(join(ROOT, file), 'utf8'), changes);
  const configFile = join(folder, 'config');
  writeFileSync(configFile, whole ? whole(folder, config) : config);

  const [program, ...args] = command(folder, configFile);
  // A file, for nginx opens its standard output anew.
  const logFile = join(folder, 'log');
  const logTo = openSync(logFile, 'a');
  const child = spawn(program, args, {
    env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
    stdio: ['ignore', logTo, logTo],
  });
  closeSync(logTo);
  const log = () => readFileSync(logFile, 'utf8');
  let isGone = false;
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      isGone = true;
      resolve();
    };
    child.once('error', end).once('close', end);
  });

  const url = `http://localhost:${port}`;
  async function untilReady(): Promise<void> {
    const from = log().length;
    for (;;) {
      if (isGone) throw new Error(`${name} ended: ${log()}`);
      await fetch(`${url}/api/health/ready`).then(
        (answer) => answer.arrayBuffer(),
        () => undefined,
      );
      const answered = log()
        .slice(from)
        .split('\n')
        .filter((line) => line.includes(' 200 '));
      if (names.every((target) => answered.some((line) => line.includes(target)))) return;
      await sleep(ASK_MS);
    }
  }

  return {
    url,
    log,
    untilReady,
    async close() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
