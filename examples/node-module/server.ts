/**
 * A Porchlight module for Node: receives a visitor, starts a session of its own, is signed out both ways.
 * docs/modules.md tells what it does and why, README.md how to start it. No dependency.
 */

import {
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  privateDecrypt,
  randomBytes,
  verify,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type Json = Record<string, unknown>;
type Person = {
  userId: number;
  memberName: string;
  roleId: number;
  appState: string;
  loggedInId: string;
};
/** Whether the password came along; the password itself is kept nowhere. */
type Visitor = Person & { hasPassword: boolean };

const { PORTAL = '', MODULE = '', SECRET = '', ORIGIN = '', PORT = '8080', KEY_FILE } = process.env;
/** Only a module that must have the password has one. */
const privateKey = KEY_FILE ? createPrivateKey(readFileSync(KEY_FILE)) : null;
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
const sessions = new Map<string, { until: number; person: Visitor }>();

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
  // A logout token has no nbf.
  const from = kind === 'handoff+jwt' ? claims.nbf : claims.iat;
  if (typeof from !== 'number' || from >= now + LEEWAY_S)
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
  if (!Array.isArray(claims.amr) || !claims.amr.some((each) => each === 'otp' || each === 'mfa')) {
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
    // Its target would get the secret, or the token.
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  });
  // A proxy that stands between may have answered with a page.
  const answer = (await response.json().catch(() => ({}))) as { errorFlag?: string; data?: Person };
  if (!response.ok || !answer.data)
    throw new Refused(`Redeem: ${response.status} ${answer.errorFlag}`);
  return answer.data;
}

/** The password of the sign-in that was redeemed; null when none came along. Throws Refused. */
function openCredential(sealed: string | null, { appState }: Person): string | null {
  if (!sealed || !privateKey) return null;
  let content: Json;
  try {
    const [head = '', ...rest] = sealed.split('.');
    const { alg, enc } = decode(head);
    const [wrapped, iv, body, tag, ...more] = rest.map((part) => Buffer.from(part, 'base64url'));
    const isKind = alg === 'RSA-OAEP-256' && enc === 'A256GCM' && more.length === 0;
    if (!isKind || !wrapped || !iv || !body || !tag) throw new Error('it is of another kind');
    const key = privateDecrypt({ key: privateKey, oaepHash: 'sha256' }, wrapped);
    const opener = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 });
    opener.setAAD(Buffer.from(head)).setAuthTag(tag);
    content = JSON.parse(Buffer.concat([opener.update(body), opener.final()]).toString()) as Json;
  } catch {
    throw new Refused('the credential does not open');
  }
  // Everybody has the public key: what binds it to this sign-in is inside.
  const { txn, aud, pwd } = Object(content) as Json;
  if (txn !== appState || aud !== MODULE) throw new Refused('the credential is of another sign-in');
  return String(pwd);
}

/** A session of this module's own. Old ones go. */
function beginSession(person: Visitor): string {
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
    const person = await redeem(await verifyArrival(url.searchParams));
    const password = openCredential(url.searchParams.get('credential'), person);
    // Here a module would use it, at once.
    const key = beginSession({ ...person, hasPassword: password !== null });
    const secure = IS_HTTPS ? '; Secure' : '';
    return redirect(response, '/', `${COOKIE}=${key}; Path=/; HttpOnly; SameSite=Lax${secure}`);
  }
  const pairs = (request.headers.cookie ?? '').split(/; */).map((pair) => pair.split('='));
  const key = pairs.find(([name]) => name === COOKIE)?.[1] ?? '';
  const session = sessions.get(key);
  if (!session || session.until < performance.now()) {
    return answer(response, 401, 'Nobody is signed in here.', `${PORTAL}/account/signin`);
  }
  const { appState, loggedInId, roleId, userId, memberName, hasPassword } = session.person;
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
  const more = hasPassword ? ' Your password came along.' : '';
  return answer(response, 200, `Welcome, ${memberName}. Role ${roleId}.${more}`, '/sign-out');
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
