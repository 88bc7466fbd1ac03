/** A module of our own that does everything right, but for what a test tells it to leave out. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  type CryptoKey,
  compactDecrypt,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwtVerify,
} from 'jose';
import { LOGOUT_EVENT } from '#domain/hand-off/logout-token.ts';
import { randomId } from '../crypto/secret-box.ts';

export type Sloppy = {
  readonly id: string;
  readonly portal: string;
  readonly secret: string;
  readonly port: number;
  /** By the name of the check that finds it. */
  readonly flaw: string | null;
  /** Opens the credential, where there is one. */
  readonly privateKey?: CryptoKey;
  /** How it takes its own sign-out; GET, if left out. */
  readonly signOutBy?: 'GET' | 'POST' | 'PUT';
};

type Session = Record<string, unknown>;

/** Resolves when it listens. @returns the function that stops it */
export async function startSloppyModule(sloppy: Sloppy) {
  const { id, portal, secret, port, flaw, privateKey, signOutBy = 'GET' } = sloppy;
  const sessions = new Map<string, Session>();
  const keys = createRemoteJWKSet(new URL('/api/Handoff/Keys', portal));
  const has = (name: string) => flaw === name;

  async function verified(token: string, kind: string, names: Record<string, string>) {
    if (has('keyCalls')) await fetch(new URL('/api/Handoff/Keys', portal));
    const { alg } = decodeProtectedHeader(token);
    const claims = decodeJwt(token);
    const isUnsigned = has(names.unsigned ?? '') && alg === 'none';
    const isSymmetric = has(names.symmetric ?? '') && alg === 'HS256';
    if (isUnsigned || isSymmetric) return claims;
    const currentDate = has(names.time ?? '') ? new Date((claims.iat ?? 0) * 1000) : new Date();
    const verifying = jwtVerify(token, keys, {
      algorithms: ['ES256'],
      currentDate,
      ...(kind === 'handoff+jwt' && !has('noBeginning') && { requiredClaims: ['nbf'] }),
      ...(!has(names.type ?? '') && { typ: kind }),
      ...(!has(names.issuer ?? '') && { issuer: portal }),
      ...(!has(names.audience ?? '') && { audience: id }),
    });
    const { payload } = await verifying.catch((error: unknown) => {
      const isForged = error instanceof errors.JWSSignatureVerificationFailed;
      if (isForged && has(names.signature ?? '')) return { payload: claims };
      throw error;
    });
    return payload;
  }

  async function arrive(
    query: URLSearchParams,
    response: ServerResponse,
    { isLogin, oldKey }: { readonly isLogin: boolean; readonly oldKey: string },
  ) {
    const token = Buffer.from(query.get('token') ?? '', 'base64').toString();
    const names = {
      unsigned: 'unsigned',
      symmetric: 'publicKeyAsSecret',
      signature: decodeJwt(token).subtenantId === 1 ? 'tampered' : 'foreignKey',
      time: (decodeJwt(token).nbf ?? 0) * 1000 > Date.now() ? 'early' : 'expired',
      type: 'type',
      issuer: 'issuer',
      audience: 'audience',
    };
    if (has('keys')) throw new Error('It never asked for keys');
    const claims = await verified(token, 'handoff+jwt', names);
    for (const name of ['appState', 'userId', 'roleId', 'loggenInId']) {
      if (has(`other${name[0]?.toUpperCase()}${name.slice(1)}`)) continue;
      if (query.get(name) !== String(claims[name])) throw new Error(name);
    }
    if (!has('factor') && !(claims.amr as string[]).includes('otp')) throw new Error('amr');
    const person = await redeem(token, claims);
    if (privateKey) await openCredential(query.get('credential'), claims, privateKey);
    if (has('redeems')) await redeem(token, claims).catch(() => null);
    if (has('arrives') || (has('arrivesAtLogin') && isLogin)) return respond(response, 404, '');
    const key = (has('freshSession') && oldKey) || randomId();
    sessions.set(key, person);
    const cookie = has('cookie') ? `s=${key}; Path=/` : `s=${key}; Path=/; HttpOnly; SameSite=Lax`;
    const kept = `/?kept&from=${encodeURIComponent(`/?${query.toString()}`)}`;
    const location = has('cleanAddress') ? `/?token=${key}&kept` : has('keptQuery') ? kept : '/';
    response.writeHead(303, {
      location,
      'set-cookie': cookie,
      ...(!has('referrer') && { 'referrer-policy': 'no-referrer' }),
    });
    return response.end();
  }

  async function openCredential(sealed: string | null, claims: Session, key: CryptoKey) {
    if (sealed === null && !has('withoutCredential')) return;
    if (has('credential')) throw new Error('It cannot open it');
    const { plaintext } = await compactDecrypt(sealed ?? '', key, {
      keyManagementAlgorithms: ['RSA-OAEP-256'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    const { txn, aud, pwd, iat } = JSON.parse(new TextDecoder().decode(plaintext)) as Session;
    if (typeof pwd !== 'string' || typeof iat !== 'number') throw new Error('no credential');
    if (!has('credentialSignIn') && txn !== claims.appState) throw new Error('txn');
    if (!has('credentialAudience') && aud !== id) throw new Error('aud');
  }

  async function redeem(token: string, claims: Session): Promise<Session> {
    const basic = Buffer.from(`${id}:${has('credentials') ? 'wrong' : secret}`).toString('base64');
    const response = await fetch(`${portal}/api/Handoff/Redeem`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
      redirect: has('redirected') ? 'follow' : 'manual',
    });
    const text = await response.text();
    const isTaken = (name: string, flag: string) => has(name) && text.includes(flag);
    if (isTaken('replay', 'CONFLICT') || isTaken('noCredential', 'MODULE_UNKNOWN')) return claims;
    if (isTaken('refusedToken', 'HANDOFF_INVALID') || isTaken('sessionOver', 'NO_SESSION')) {
      return claims;
    }
    if (isTaken('tooMany', 'TOO_MANY')) throw new Crash();
    if (isTaken('unavailable', 'UNAVAILABLE')) throw new Silence();
    if (has('badGateway') && text.startsWith('<')) throw new Crash();
    if (!response.ok) throw new Error(String(response.status));
    return (JSON.parse(text) as { data: Session }).data;
  }

  async function told(token: string, response: ServerResponse) {
    if (token === '' && has('emptyCall')) return respond(response, 500, '');
    const names = {
      signature: 'foreignCall',
      time: 'expiredCall',
      type: 'handOffCall',
      issuer: 'otherIssuerCall',
      audience: 'otherModuleCall',
    };
    const claims = await verified(token, 'logout+jwt', names);
    const isEvent = LOGOUT_EVENT in Object(claims.events);
    if (!has('eventlessCall') && !isEvent) throw new Error('no event');
    for (const [key, { loggedInId, userId }] of sessions) {
      const isOf = String(userId) === claims.sub || has('otherSubject');
      const isIt =
        (loggedInId === claims.sid && isOf) ||
        (has('otherSession') && String(userId) === claims.sub);
      if (isIt && !has('told')) sessions.delete(key);
    }
    return respond(response, has('toldAnswer') ? 202 : 204, '');
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? '/', portal);
    const key = request.headers.cookie?.slice('s='.length) ?? '';
    const person = sessions.get(key);
    if (pathname === '/sign-out') {
      if (request.method !== signOutBy) return respond(response, 405, '');
      if (!person) return respond(response, 401, '');
      if (!has('signOut')) sessions.delete(key);
      const { appState, loggedInId, roleId, userId } = person;
      const ids = { appState, loggenInId: loggedInId, roleId, userId } as Record<string, string>;
      const query = new URLSearchParams({ success: 'true', ...ids }).toString();
      return response.writeHead(303, { location: `${portal}/account/Signout?${query}` }).end();
    }
    if (request.method === 'POST') {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      return told(new URLSearchParams(body).get('logout_token') ?? '', response);
    }
    if (searchParams.has('token') && !searchParams.has('kept')) {
      const isLogin = pathname === '/login';
      return arrive(searchParams, response, { isLogin, oldKey: key }).catch((error: unknown) => {
        if (has('keptSession')) sessions.delete(key);
        throw error;
      });
    }
    if (has('nobody')) return respond(response, 200, 'Welcome');
    return respond(response, person ? 200 : 401, person ? String(person.memberName) : 'Nobody');
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (error instanceof Silence) request.socket.destroy();
      else
        respond(response, error instanceof Crash ? 500 : request.method === 'POST' ? 400 : 403, '');
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

class Crash extends Error {}
class Silence extends Error {}

const respond = (response: ServerResponse, status: number, text: string) =>
  response.writeHead(status, { 'content-type': 'text/html' }).end(text);
