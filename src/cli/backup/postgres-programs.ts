/** PostgreSQL's own `pg_dump` and `pg_restore`, on the database that the settings name. */

import { spawn } from 'node:child_process';
import { backupCommand as texts } from '#locales/operator/backup-command.ts';
import { fill } from '#locales/fill.ts';
import { databaseAddresses } from '#server/config/database-url.ts';
import { OperatorError } from '#server/config/operator-error.ts';

type Program = 'pg_dump' | 'pg_restore';

/** Of our driver's TLS modes all but these two check certificate and name, whatever libpq means by them. */
const TLS_MODES: Readonly<Record<string, string>> = { disable: 'disable', 'no-verify': 'require' };
/** Parts of a URL that libpq knows by a variable of its own. */
const VARIABLES = {
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  options: 'PGOPTIONS',
} as const;

/**
 * Returns libpq's variables for a connection: every user of the machine could read arguments. Variables that are set
 * already count where the URL says nothing, as they do for our driver.
 */
export function connectionEnv(url: string): Readonly<Record<string, string>> {
  const each = databaseAddresses(url).map((address) => new URL(address));
  const [{ username, password, pathname, searchParams } = new URL(url)] = each;
  const text = (part: string) => decodeURIComponent(part);
  const hosts = each.map(({ hostname }) => text(hostname.replace(/^\[|\]$/g, ''))).join(',');
  const ports = each.map(({ port }) => port).join(',');
  const mode =
    searchParams.get('sslmode') ?? (searchParams.get('ssl') === 'true' ? 'verify-full' : null);
  const isCompatible = searchParams.get('uselibpqcompat') === 'true';
  const given: Record<string, string | null> = {
    PGHOST: searchParams.get('host') ?? (hosts || null),
    PGPORT: searchParams.get('port') ?? ports,
    PGTARGETSESSIONATTRS: each.length > 1 ? 'read-write' : null,
    PGUSER: text(username),
    PGPASSWORD: text(password),
    PGDATABASE: text(pathname.slice(1)),
    PGSSLMODE: mode && (isCompatible ? mode : (TLS_MODES[mode] ?? 'verify-full')),
    PGAPPNAME: 'porchlight-backup',
  };
  for (const [name, variable] of Object.entries(VARIABLES))
    given[variable] = searchParams.get(name);
  const set = Object.entries(given).filter((entry): entry is [string, string] => !!entry[1]);
  const defaults = {
    PGHOST: 'localhost',
    // The machine's own list of authorities: without it libpq reads a file that seldom exists.
    ...(given.PGSSLMODE === 'verify-full' && { PGSSLROOTCERT: 'system' }),
  };
  return { ...defaults, ...process.env, ...Object.fromEntries(set) };
}

/** @throws OperatorError when the program is not there, or is older than the server */
export async function requireProgram(program: Program, serverMajor: number): Promise<void> {
  const said = await run(program, ['--version'], { env: process.env });
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(said)?.[1]);
  if (!(major >= serverMajor)) {
    throw new OperatorError(fill(texts.oldProgram, { program, said: said.trim(), serverMajor }));
  }
}

type Options = {
  readonly env: NodeJS.ProcessEnv;
  /** Each line of the error stream, where progress is. */
  readonly onLine?: (line: string) => void;
};

/** @returns the program's output. @throws OperatorError with its last words when it failed */
export function run(program: Program, args: readonly string[], { env, onLine }: Options) {
  return new Promise<string>((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let rest = '';
    let last = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (/(error|fatal|detail):/i.test(line)) last = line;
        onLine?.(line);
      }
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      const said =
        error.code === 'ENOENT'
          ? fill(texts.noProgram, { program })
          : fill(texts.programFailed, { program, reason: error.message });
      reject(new OperatorError(said));
    });
    child.once('close', (code) => {
      if (code === 0) return resolve(out);
      const reason = last || rest || String(code);
      reject(new OperatorError(fill(texts.programFailed, { program, reason })));
    });
  });
}
