/** An address of PostgreSQL with one host or several, spelled as libpq has it. */

import { isDecodable } from './credentials.ts';

const SHAPE = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([/?#].*)?$/;
const WANTED = 'target_session_attrs';
/** Sign-in needs writes, so libpq's other values are refused. */
const WRITABLE = ['read-write', 'primary'];

/**
 * `postgres://user:password@one:5432,two:5432/name?target_session_attrs=read-write` as an address for each host.
 * @throws Error when it is none, or asks for a server that need not be writable
 */
export function databaseAddresses(url: string): readonly string[] {
  const [, before, hosts = '', after = ''] = SHAPE.exec(url) ?? [];
  if (before === undefined) throw new Error('no address of PostgreSQL');
  const each = hosts.split(',');
  return each.map((host) => {
    // Alone it may be a parameter instead: the folder of a socket.
    if (host === '' && each.length > 1) throw new Error('a host is missing');
    const address = new URL(`${before}${host}${after}`);
    if (!isDecodable(address.host + address.pathname)) throw new Error('no percent coding');
    const wanted = address.searchParams.get(WANTED);
    if (wanted !== null && !WRITABLE.includes(wanted)) throw new Error(`${WANTED}=${wanted}`);
    address.searchParams.delete(WANTED);
    return address.href;
  });
}

export function isDatabaseUrl(url: string): boolean {
  try {
    return databaseAddresses(url).length > 0;
  } catch {
    return false;
  }
}
