/** Fetches addresses that other people name: clients' keys, and the sign-in of an organization (ORG-03). */

import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isWebAddress } from '../config/client-file.ts';
import { asCall } from './tracing/span.ts';

type GuardedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
type Lookup = (
  host: string,
  options: LookupOptions,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

const WHOLE_ANSWER_MS = 5000;
const LONGEST_ANSWER = 64 * 1024;
const TLS_PORT = 443;
/** Below it are services of the system, such as mail. */
const FIRST_FREE_PORT = 1024;

const isPublic = (address: string) =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'unicast';

/**
 * Creates a fetch that connects only to public addresses, over https, and follows no redirect. It looks at the address
 * of the connection itself: a name cannot change its address in between. A demo may also fetch from this machine.
 * @throws Error (the fetch) when an address is refused, or has no whole answer of 64 KiB within 5 s
 */
export function createGuardedFetch({
  isDemo,
  lookup = (host, options, done) => systemLookup(host, { ...options, all: true }, done),
}: {
  readonly isDemo: boolean;
  readonly lookup?: Lookup;
}): GuardedFetch {
  /** Refuses a name with any address that is not public. */
  const publicLookup = (
    host: string,
    options: LookupOptions,
    done: (error: Error | null, addresses: LookupAddress[]) => void,
  ) =>
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const isRefused = !error && !addresses.every(({ address }) => isPublic(address));
      done(isRefused ? refused(host) : error, isRefused ? [] : addresses);
    });

  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const isHere = url.protocol === 'http:' && isWebAddress(url.href, { isDemo });
    if (!isHere) requirePublic(url);
    const { method = 'GET', signal, body } = init;
    const limit = AbortSignal.timeout(WHOLE_ANSWER_MS);
    const { hostname } = url;
    return asCall(
      method,
      { 'server.address': hostname },
      (trace, span) =>
        new Promise<Response>((resolve, reject) => {
          const call = (isHere ? requestHttp : requestHttps)(url, {
            method,
            headers: { ...Object.fromEntries(new Headers(init.headers)), ...trace },
            agent: false,
            signal: signal ? AbortSignal.any([limit, signal]) : limit,
            // The types know the form for one address only.
            ...(!isHere && { lookup: publicLookup as never }),
          });
          call.on('error', reject);
          call.on('response', (answer) => {
            span?.setAttribute('http.response.status_code', answer.statusCode ?? 0);
            readAnswer(answer).then(resolve, reject);
          });
          // A form or a text: no caller sends anything else.
          const isForm = body instanceof URLSearchParams;
          call.end(isForm || typeof body === 'string' ? body.toString() : undefined);
        }),
    );
  };
}

const refused = (host: string) => new Error(`${host} is no public address`);

/** @throws Error for another scheme than https, a port of the system, or an address in the URL that is not public */
function requirePublic({ protocol, port, hostname }: URL): void {
  const number = Number(port) || TLS_PORT;
  const isPort = number === TLS_PORT || number >= FIRST_FREE_PORT;
  const bare = hostname.replaceAll(/[[\]]/g, '');
  const isName = isIP(bare) === 0;
  if (protocol !== 'https:' || !isPort || !(isName || isPublic(bare))) throw refused(hostname);
}

async function readAnswer(answer: IncomingMessage): Promise<Response> {
  const { statusCode: status = 500, headers } = answer;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    // Leaving the loop closes the connection.
    if (size > LONGEST_ANSWER) throw new Error('the answer is longer than 64 KiB');
    parts.push(part);
  }
  if (status >= 300 && status < 400) throw new Error('the answer is a redirect');
  const { date, 'content-type': type } = headers;
  const isEmpty = status === 204 || status === 205;
  return new Response(isEmpty ? null : Buffer.concat(parts), {
    status,
    headers: { ...(type && { 'content-type': type }), ...(date && { date }) },
  });
}
