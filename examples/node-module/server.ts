/**
 * A Porchlight module for Node: receives a visitor, starts a session of its own, is signed out both ways.
 * docs/modules.md tells what it does and why, README.md how to start it. No dependency.
 */

import { createPublicKey, type JsonWebKey, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type Json = Record<string, unknown>;
type Person = {
  userId: number;
  memberName: string;
  roleId: number;
  appState: string;
  loggedInId: string;
};

const { PORTAL = '', MODULE = '', SECRET = '', ORIGIN = '', PORT = '8080' } = process.env;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const HINTS = ['appState', 'userId', 'roleId', 'loggenInId'];
const LEEWAY_S = 30;
const KEYS_MS = 5 * 60_000;
const ASK_AGAIN_MS = 60_000;
const SESSION_MS = 8 * 3600_000;
const FORM_BYTES = 16_384;
const IS_HTTPS = ORIGIN.startsWith('https:');
const COOKIE = IS_HTTPS ? '__Host-session' : 'session';

/** The visitor is told to sign in again; the reason is for the log. */
class Refused extends Error {}

let keys: (JsonWebKey & { kid?: string })[] = [];
let keysAt = Number.NEGATIVE_INFINITY;
const sessions = new Map<string, { until: number; person: Person }>();

/** Kept for five minutes; an unknown `kid` asks again, at most once a minute. */
async function keyOf(kid: unknown) {
  const find = () => keys.find((key) => key.kid === kid);
  const age = performance.now() - keysAt;
  if (age > KEYS_MS || (!find() && age > ASK_AGAIN_MS)) {
    const response = await fetch(`${PORTAL}/api/Handoff/Keys`, {
      signal: AbortSignal.timeout(10_000),
    });
    keys = ((await response.json()) as { keys: typeof keys }).keys;
    keysAt = performance.now();
  }
  const key = find();
  if (!key) throw new Refused('the token is signed by no key of the portal');
  return createPublicKey({ key, format: 'jwk' });
}

const decode = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Json;

/** The claims of a token that the portal signed for this module. Throws Refused. */
async function claimsOf(token: string, kind: string): Promise<Json> {
  const [head = '', body = '', signature = '', ...more] = token.split('.');
  let header: Json;
  let claims: Json;
  try {
    [header, claims] = [decode(head), decode(body)];
  } catch {
    throw new Refused('the token is none');
  }
  if (more.length > 0 || header.alg !== 'ES256' || header.typ !== kind) {
    throw new Refused('the token is of another kind');
  }
  const key = { key: await keyOf(header.kid), dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))) {
    throw new Refused('the token was changed');
  }
  const now = Date.now() / 1000;
  if (claims.iss !== PORTAL) throw new Refused('the token is of another portal');
  if (claims.aud !== MODULE) throw new Refused('the token is for another module');
  if (!(Number(claims.exp) > now - LEEWAY_S)) throw new Refused('the token has expired');
  if (!(Number(claims.nbf ?? claims.iat) < now + LEEWAY_S))
    throw new Refused('the token is of the future');
  return claims;
}

/** The token of a visitor whose address is as the portal made it. Throws Refused. */
async function verifyArrival(query: URLSearchParams): Promise<string> {
  const token = Buffer.from(query.get('token') ?? '', 'base64').toString('latin1');
  const claims = await claimsOf(token, 'handoff+jwt');
  for (const name of HINTS) {
    if (query.get(name) !== String(claims[name]))
      throw new Refused(`${name} was changed on the way`);
  }
  if (!Array.isArray(claims.amr) || !claims.amr.includes('otp')) {
    throw new Refused('the sign-in had no second factor');
  }
  return token;
}

/** Who it is; once, from server to server. Throws Refused. */
async function redeem(token: string): Promise<Person> {
  const response = await fetch(`${PORTAL}/api/Handoff/Redeem`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${MODULE}:${SECRET}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ token }),
    signal: AbortSignal.timeout(10_000),
  });
  // A proxy that stands between may have answered with a page.
  const answer = (await response.json().catch(() => ({}))) as { errorFlag?: string; data?: Person };
  if (!response.ok || !answer.data)
    throw new Refused(`Redeem: ${response.status} ${answer.errorFlag}`);
  return answer.data;
}

/** A session of this module's own. Old ones go. */
function beginSession(person: Person): string {
  const key = randomBytes(32).toString('base64url');
  for (const [old, { until }] of sessions) if (until < performance.now()) sessions.delete(old);
  sessions.set(key, { until: performance.now() + SESSION_MS, person });
  return key;
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://module');
  if (request.method === 'POST' && url.pathname === '/signed-out')
    return signedOut(request, response);
  const isKnown = ['/', '/login', '/sign-out'].includes(url.pathname);
  if (request.method !== 'GET' || !isKnown) return answer(response, 404, 'There is nothing here.');
  if (url.searchParams.has('token')) {
    const key = beginSession(await redeem(await verifyArrival(url.searchParams)));
    const secure = IS_HTTPS ? '; Secure' : '';
    return redirect(response, '/', `${COOKIE}=${key}; Path=/; HttpOnly; SameSite=Lax${secure}`);
  }
  const pairs = (request.headers.cookie ?? '').split(/; */).map((pair) => pair.split('='));
  const key = pairs.find(([name]) => name === COOKIE)?.[1] ?? '';
  const session = sessions.get(key);
  if (!session || session.until < performance.now()) {
    return answer(response, 401, 'Nobody is signed in here.', `${PORTAL}/account/signin`);
  }
  const { appState, loggedInId, roleId, userId, memberName } = session.person;
  if (url.pathname === '/sign-out') {
    sessions.delete(key);
    const ids = {
      appState,
      loggenInId: loggedInId,
      roleId: String(roleId),
      userId: String(userId),
    };
    const query = new URLSearchParams({ success: 'true', ...ids });
    return redirect(
      response,
      `${PORTAL}/account/Signout?${query}`,
      `${COOKIE}=; Path=/; Max-Age=0`,
    );
  }
  return answer(response, 200, `Welcome, ${memberName}. Role ${roleId}.`, '/sign-out');
}

/** The portal's session is over: so is what began with it. A person may have other sessions. */
async function signedOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) {
    body += chunk;
    if (body.length > FORM_BYTES) return answer(response, 400, 'That is too long.');
  }
  try {
    const claims = await claimsOf(
      new URLSearchParams(body).get('logout_token') ?? '',
      'logout+jwt',
    );
    const isEvent = LOGOUT_EVENT in Object(claims.events);
    if (!isEvent || !claims.sid) throw new Refused('it does not say that a session is over');
    for (const [key, { person }] of sessions) {
      const isIt = person.loggedInId === claims.sid && String(person.userId) === claims.sub;
      if (isIt) sessions.delete(key);
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    log('/signed-out', error);
    return answer(response, 400, 'That is no logout token for this module.');
  }
  return answer(response, 200, 'It is over.');
}

function log(path: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  process.stdout.write(`${path} refused: ${reason}\n`);
}

const GUARD = {
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

function redirect(response: ServerResponse, location: string, cookie: string): void {
  response.writeHead(303, { ...GUARD, location, 'set-cookie': cookie }).end();
}

function answer(response: ServerResponse, status: number, text: string, link = ''): void {
  const escape = (each: string) => each.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const more = link ? `<p><a href="${escape(link)}">Go on</a></p>` : '';
  response
    .writeHead(status, { ...GUARD, 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><title>${MODULE}</title><p>${escape(text)}</p>${more}`);
}

createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    // The path alone: the query has the token. A portal that cannot be reached ends here, too.
    const [path = ''] = (request.url ?? '').split('?');
    log(path, error);
    answer(response, 403, 'Please sign in again.', `${PORTAL}/account/signin`);
  });
}).listen(Number(PORT), '127.0.0.1');
