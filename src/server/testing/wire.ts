/** Applications that use the hosted login from outside, as an SDK would. */

import { createHash, randomBytes } from 'node:crypto';
import { webMessage } from '#openid-provider/testing/test-provider.ts';
import type { Visitor } from './visitor.ts';
import { clientSchema } from '../config/client-file.ts';
import type { Config } from '../config/config.ts';
import type { TestApp } from './test-app.ts';

/** A single-page application of the house: implied consent, refresh tokens, every grant that a client can have. */
export const SPA = 'spa';
/** Like it, but given nothing beside the code flow. */
export const PLAIN = 'plain';
/** For Auth0's older SDKs: tokens in the front channel. */
export const LEGACY = 'legacy';
export const MACHINE = 'machine';
/** Gets no token without a proof of its key. */
export const BOUND = 'bound';
export const MACHINE_SECRET = 'the secret of a machine in the tests';
export const SPA_ORIGIN = 'https://app.example';
export const API = 'https://api.example/';
/** Auth0's identifiers need not be addresses. */
export const NAMED_API = 'orders service';

const SELF_SCOPES = [
  'read:current_user',
  'update:current_user_metadata',
  'update:current_user_identities',
];

export const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

export const wireClients = (url: string): Partial<Config> => {
  const page = {
    redirectUris: [`${SPA_ORIGIN}/callback`],
    postLogoutRedirectUris: [`${SPA_ORIGIN}/`],
    webOrigins: [SPA_ORIGIN],
    firstParty: true,
  };
  const management = `${url}/idp/api/v2/`;
  const read = (id: string, entry: object) =>
    clientSchema({ isDemo: true }).parse({ id, name: id, ...entry });
  const scopes = ['openid', 'profile', 'email', 'phone', 'offline_access'];
  return {
    apis: [
      { identifier: API, scopes: ['read:messages', 'write:messages'], tokenSeconds: 300 },
      { identifier: NAMED_API, scopes: ['read:orders'] },
    ],
    clients: [
      read(SPA, {
        ...page,
        scopes,
        grants: ['authorization_code', 'refresh_token', 'password', 'passwordless'],
        apis: [
          // The last one is for machines: listing it must not open it to people.
          { audience: management, scopes: [...SELF_SCOPES, 'read:users'] },
          { audience: API, scopes: ['read:messages'] },
          { audience: NAMED_API, scopes: ['read:orders'] },
        ],
      }),
      read(PLAIN, page),
      read(BOUND, {
        ...page,
        scopes,
        grants: ['authorization_code', 'refresh_token'],
        dpop: 'required',
      }),
      read(LEGACY, { ...page, responseTypes: ['code', 'id_token', 'id_token token', 'token'] }),
      read(MACHINE, {
        grants: ['client_credentials'],
        auth: { method: 'client_secret_post', secretHash: hashOf(MACHINE_SECRET) },
        apis: [
          {
            audience: management,
            scopes: [
              'read:users',
              'create:users',
              'update:users',
              'delete:users',
              'read:logs',
              'read:sessions',
              'delete:sessions',
              'create:user_tickets',
            ],
          },
          { audience: API, scopes: ['read:messages'] },
        ],
      }),
    ],
  };
};

export type Tokens = {
  readonly status: number;
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
  readonly scope?: string;
  readonly expires_in?: number;
  readonly token_type?: string;
  readonly error?: string;
  readonly error_description?: string;
  readonly mfa_token?: string;
};

export type Wire = ReturnType<typeof createWire>;

export function createWire({ url: home }: Pick<TestApp, 'url'>) {
  const issuer = `${home}/idp/`;

  /** POST as an SDK does it: JSON, from its own origin. */
  async function post(
    path: string,
    body: object,
    { ip = '10.9.0.1', origin = SPA_ORIGIN, ...headers }: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(new URL(path, issuer), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': ip,
        ...(origin && { origin }),
        ...headers,
      },
      body: JSON.stringify(body),
    });
  }

  async function token(body: object, headers?: Record<string, string>): Promise<Tokens> {
    const response = await post('oauth/token', body, headers);
    return { ...((await response.json()) as Tokens), status: response.status };
  }

  function authorization(extra: Record<string, string | undefined> = {}) {
    const random = () => randomBytes(32).toString('base64url');
    const [state, nonce, verifier] = [random(), random(), random()];
    const params = {
      client_id: SPA,
      response_type: 'code',
      redirect_uri: `${SPA_ORIGIN}/callback`,
      scope: 'openid profile email offline_access',
      state,
      nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      prompt: 'none',
      response_mode: 'web_message',
      ...extra,
    };
    const given = Object.entries(params).filter((entry): entry is [string, string] => !!entry[1]);
    const url = `${issuer}authorize?${new URLSearchParams(given).toString()}`;
    return { url, state, nonce, verifier, clientId: params.client_id };
  }

  /** What the silent check of a signed-in browser posts to its page. */
  async function silently(visitor: Visitor, extra: Record<string, string | undefined> = {}) {
    const asked = authorization(extra);
    const page = await visitor.request(asked.url);
    const shown = page.clone();
    const message = await webMessage(page);
    if (!message) throw new Error(`No message: ${shown.status} ${await shown.text()}`);
    return { ...asked, answer: message.response };
  }

  /** Tokens for an application, in a browser that is signed in at the portal. */
  async function tokens(
    visitor: Visitor,
    extra: Record<string, string | undefined> = {},
    headers: Record<string, string> = {},
  ): Promise<Tokens> {
    const { answer, verifier, clientId } = await silently(visitor, extra);
    if (!answer.code) throw new Error(`No code: ${answer.error} ${answer.error_description}`);
    const request = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: answer.code,
      code_verifier: verifier,
      redirect_uri: `${SPA_ORIGIN}/callback`,
    };
    return token(request, headers);
  }

  /** No browser, and so no Origin. */
  const machine = (extra: object = {}, headers: Record<string, string> = {}) =>
    token(
      {
        grant_type: 'client_credentials',
        client_id: MACHINE,
        client_secret: MACHINE_SECRET,
        audience: `${issuer}api/v2/`,
        ...extra,
      },
      { origin: '', ...headers },
    );

  async function manage(accessToken: string, method: string, path: string, body?: object) {
    const response = await fetch(new URL(`api/v2/${path}`, issuer), {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, body: answer };
  }

  return { issuer, post, token, authorization, silently, tokens, machine, manage };
}
