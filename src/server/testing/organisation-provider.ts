/** An organisation's OpenID Connect provider, which a test makes honest or forging. */

import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { importJWK, SignJWT } from 'jose';
import { type Key, makeKey, publicPart } from './forged-tokens.ts';
import type { Visitor } from './visitor.ts';

export const ORGANISATION_SECRET = 'a secret that the organisation gave us';

/** What an answer says; a test changes a part of it. */
export type Forged = {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: { readonly alg?: string; readonly typ?: string; readonly kid?: string };
  readonly key?: Key | Uint8Array;
  /** Parameters of the answer to the browser, in place of the honest ones; `null` takes one away. */
  readonly query?: Readonly<Record<string, string | null>>;
  /** The status of the token endpoint. */
  readonly tokenStatus?: number;
  /** Says in its metadata that answers have `iss`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly isDown?: boolean;
};

type Pending = { readonly nonce: string; readonly challenge: string; readonly redirectUri: string };

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Starts a provider on this machine. */
export async function createOrganisationProvider(clientId = 'porchlight') {
  const key = await makeKey('RS256', 'k1');
  const pending = new Map<string, Pending>();
  const state = { forged: {} as Forged, subject: 'person-1', asked: [] as URLSearchParams[] };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const issuer = `http://localhost:${(server.address() as { port: number }).port}`;
  const json = (response: ServerResponse, body: object, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { forged } = state;
    const url = new URL(request.url ?? '', issuer);
    if (forged.isDown) return response.writeHead(503).end();
    if (url.pathname === '/.well-known/openid-configuration') {
      return json(response, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['pairwise'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...forged.metadata,
      });
    }
    if (url.pathname === '/keys') return json(response, { keys: [publicPart(key, 'RS256')] });
    if (url.pathname === '/authorize') return authorize(url.searchParams, response);
    return token(request, response);
  }

  function authorize(asked: URLSearchParams, response: ServerResponse) {
    const redirectUri = asked.get('redirect_uri') ?? '';
    if (asked.get('client_id') !== clientId) return response.writeHead(400).end();
    state.asked.push(asked);
    const code = randomUUID();
    pending.set(code, {
      nonce: asked.get('nonce') ?? '',
      challenge: asked.get('code_challenge') ?? '',
      redirectUri,
    });
    const to = new URL(redirectUri);
    const honest = { code, state: asked.get('state'), iss: issuer };
    for (const [name, value] of Object.entries({ ...honest, ...state.forged.query })) {
      if (value !== null) to.searchParams.set(name, value);
    }
    return response.writeHead(302, { location: to.href }).end();
  }

  async function token(request: IncomingMessage, response: ServerResponse) {
    let body = '';
    for await (const part of request) body += String(part);
    const sent = new URLSearchParams(body);
    const of = pending.get(sent.get('code') ?? '');
    pending.delete(sent.get('code') ?? '');
    const basic = Buffer.from(`${clientId}:${encodeURIComponent(ORGANISATION_SECRET)}`);
    const given = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64').toString();
    const isKnown =
      decodeURIComponent(given.replaceAll('+', ' ')) === decodeURIComponent(String(basic));
    if (!isKnown) return json(response, { error: 'invalid_client' }, 401);
    const isRight =
      of?.challenge === sha256(sent.get('code_verifier') ?? '') &&
      of.redirectUri === sent.get('redirect_uri');
    if (!of || !isRight) return json(response, { error: 'invalid_grant' }, 400);
    const { forged } = state;
    if (forged.tokenStatus) return json(response, { error: 'server_error' }, forged.tokenStatus);
    return json(response, {
      access_token: randomUUID(),
      token_type: 'Bearer',
      id_token: await idToken(of.nonce),
    });
  }

  async function idToken(nonce: string): Promise<string> {
    const { forged, subject } = state;
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      sub: subject,
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce,
      email: `${subject}@rosewood.example`,
      ...forged.claims,
    };
    const header = { alg: 'RS256', kid: 'k1', ...forged.header };
    if (header.alg === 'none') {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part(header)}.${part(claims)}.`;
    }
    const signing = forged.key ?? key;
    const secret = signing instanceof Uint8Array ? signing : await importJWK(signing, header.alg);
    return new SignJWT(claims).setProtectedHeader(header).sign(secret);
  }

  return {
    issuer,
    key,
    /** The queries of the authorization requests. */
    asked: state.asked,
    /** The person who signs in over there. */
    as: (subject: string) => (state.subject = subject),
    forge: (forged: Forged) => (state.forged = forged),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Presses the button of an organisation. @returns the address to which the browser goes, or the page of ours */
export async function press(
  visitor: Visitor,
  id: string,
  fields: Readonly<Record<string, string>> = {},
  to: 'start' | 'invitation' = 'start',
): Promise<string> {
  const response = await visitor.request(`/account/organization/${id}/${to}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  const page = await response.text();
  const [, away = ''] = /content="0;url=([^"]*)"/.exec(page) ?? [];
  return response.headers.get('location') ?? away.replaceAll('&#38;', '&');
}

/** Signs in over there. @returns the address of the answer */
export async function signInThere(address: string): Promise<string> {
  const response = await fetch(address, { redirect: 'manual' });
  await response.body?.cancel();
  return response.headers.get('location') ?? '';
}

/** Opens the address of an answer, as a browser that comes from there. @returns the page that follows */
export async function comeBack(visitor: Visitor, address: string): Promise<string> {
  const headers = { origin: '', 'sec-fetch-site': 'cross-site' };
  const response = await visitor.request(address, { headers });
  return response.headers.get('location') ?? `${response.status}`;
}

/** Presses the button, signs in over there and comes back. @returns the page that follows */
export async function signInBy(
  visitor: Visitor,
  id: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  return comeBack(visitor, await signInThere(await press(visitor, id, fields)));
}
