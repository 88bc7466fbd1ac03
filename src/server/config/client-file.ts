import * as z from 'zod';
import { isLoopbackHost } from '#domain/hand-off/loopback.ts';
import { type Document, readDocument } from './document.ts';
import { originFault, originIn } from './origin.ts';
import { type Fault, readValue } from './setting.ts';

/** The portal itself; its id is reserved. */
export const PORTAL_CLIENT_ID = 'porchlight-portal';

/** What no id can be is not looked for: a database takes no zero byte. */
export const CLIENT_ID = /^[\w.-]{3,100}$/;

/** `password` and `passwordless` stand for Auth0's grants of these kinds (decision 028). */
const GRANTS = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'password',
  'passwordless',
] as const;
const RESPONSE_TYPES = ['code', 'id_token', 'id_token token', 'token'] as const;
const SCOPES = ['openid', 'profile', 'email', 'phone', 'roles', 'offline_access'] as const;

/** Members of a JWK that only its owner may have (RFC 7518, 6). */
export const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

export const NO_SUCH_URL = 'must be an https address without fragment or user name';

export type Rules = {
  /** A demo may also talk to this machine over http. */
  readonly isDemo: boolean;
};

function parse(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.username || url.password || text.includes('#')) return null;
  // What is stored is compared letter by letter: an address that a browser would write another way never matches.
  return url.href === text || url.href === `${text}/` ? url : null;
}

const isLoopback = (url: URL) => url.protocol === 'http:' && isLoopbackHost(url.hostname);

/** Https; in a demo also this very machine. */
export function isWebAddress(text: string, { isDemo }: Rules): boolean {
  const url = parse(text);
  return url !== null && (url.protocol === 'https:' || (isDemo && isLoopback(url)));
}

/** RFC 8252: https, a loopback address, or a scheme of the maker's own, which has a dot in it. */
function isNativeAddress(text: string): boolean {
  const url = parse(text);
  if (!url) return false;
  return (
    url.protocol === 'https:' || isLoopback(url) || /^[a-z][\w+-]*\.[\w.+-]+:$/.test(url.protocol)
  );
}

/** Compared letter by letter with what browsers send. */
const webOrigin = (rules: Rules) =>
  z
    .string()
    .max(2000)
    .refine((text) => isWebAddress(text, rules) && originIn(text) === text, {
      error({ input }) {
        const text = String(input);
        const isNear = URL.canParse(text) && isWebAddress(new URL(text).origin, rules);
        return isNear ? originFault(text) : NO_SUCH_URL;
      },
    });

function authSchema(rules: Rules) {
  const jwk = z
    .record(z.string(), z.unknown())
    .refine((key) => typeof key.kty === 'string' && key.kty !== 'oct', 'must be a public key')
    .refine((key) => PRIVATE_MEMBERS.every((name) => !(name in key)), 'holds a private key');
  return z.union([
    z.strictObject({ method: z.literal('none') }),
    z.strictObject({
      method: z.enum(['client_secret_basic', 'client_secret_post']),
      secretHash: z.string().regex(/^[\w-]{43}$/, 'must be the SHA-256 of the secret, base64url'),
    }),
    z.strictObject({
      method: z.literal('private_key_jwt'),
      jwks: z.strictObject({ keys: z.array(jwk).min(1) }),
    }),
    z.strictObject({
      method: z.literal('private_key_jwt'),
      jwksUri: z.string().refine((text) => isWebAddress(text, rules), NO_SUCH_URL),
    }),
  ]);
}

/** RFC 6749, 3.3. */
const scope = z.string().regex(/^[!#-[\]-~]{1,100}$/);

/** An API that tokens can be asked for. */
export const apiSchema = z.strictObject({
  identifier: z.string().min(1).max(200),
  scopes: z.array(scope).default([]),
  tokenSeconds: z.int().min(30).max(600).optional(),
});

export type ApiEntry = z.output<typeof apiSchema>;

/** Days: a consent must not be older. */
const lifeDays = z.int().min(1).max(365);

/** One application, as the file and the command spell it. */
export function clientSchema(rules: Rules) {
  const address = z.string().max(2000);
  const webAddress = address.refine((text) => isWebAddress(text, rules), NO_SUCH_URL);
  return z
    .strictObject({
      id: z
        .string()
        .regex(CLIENT_ID)
        .refine((id) => id !== PORTAL_CLIENT_ID, 'is the portal itself'),
      name: z
        .string()
        .trim()
        .min(1)
        .max(80)
        .regex(/^[^\p{C}\p{Zl}\p{Zp}<>]*$/u, 'must be one plain line'),
      firstParty: z.boolean().default(false),
      type: z.enum(['web', 'native']).default('web'),
      redirectUris: z.array(address).default([]),
      postLogoutRedirectUris: z.array(address).default([]),
      webOrigins: z.array(webOrigin(rules)).default([]),
      grants: z.array(z.enum(GRANTS)).min(1).default(['authorization_code']),
      responseTypes: z.array(z.enum(RESPONSE_TYPES)).default(['code']),
      scopes: z
        .array(z.enum(SCOPES))
        .default(['openid', 'profile', 'email'])
        .refine((scopes) => scopes.includes('openid'), 'must contain openid'),
      auth: authSchema(rules).default({ method: 'none' }),
      pkce: z.enum(['required', 'optional']).default('required'),
      dpop: z.enum(['required', 'optional']).default('optional'),
      organisation: z.boolean().optional(),
      backChannelLogoutUri: z.nullable(webAddress).default(null),
      initiateLoginUri: z.nullable(webAddress).default(null),
      subtenantId: z.nullable(z.int().positive()).default(null),
      idTokenAlg: z.enum(['RS256', 'ES256']).default('RS256'),
      refreshTokenLifeDays: lifeDays.optional(),
      refreshTokenIdleDays: lifeDays.optional(),
      apis: z
        .array(z.strictObject({ audience: z.string().min(1).max(200), scopes: z.array(scope) }))
        .default([]),
    })
    .superRefine((client, context) => {
      const isAddress = (text: string) =>
        client.type === 'native' ? isNativeAddress(text) : isWebAddress(text, rules);
      for (const list of ['redirectUris', 'postLogoutRedirectUris'] as const) {
        for (const [index, uri] of client[list].entries()) {
          if (isAddress(uri)) continue;
          context.addIssue({ code: 'custom', path: [list, index], message: NO_SUCH_URL });
        }
      }
      for (const [isSo, field, message] of RULES) {
        if (isSo(client)) context.addIssue({ code: 'custom', path: [field], message });
      }
    });
}

export type ClientEntry = z.output<ReturnType<typeof clientSchema>>;

type Rule = readonly [
  isBroken: (client: ClientEntry) => boolean,
  field: keyof ClientEntry,
  message: string,
];

const givesBearer = ({ grants, responseTypes }: ClientEntry) =>
  grants.some((grant) => grant === 'password' || grant === 'passwordless') ||
  responseTypes.some((type) => type.split(' ').includes('token'));

/** Fields that do not go together. */
const RULES: readonly Rule[] = [
  [
    ({ grants, auth }) => grants.includes('client_credentials') && auth.method === 'none',
    'auth',
    'must not be none',
  ],
  [
    ({ pkce, auth }) => pkce === 'optional' && auth.method === 'none',
    'pkce',
    'is required without a secret',
  ],
  [
    (client) => client.dpop === 'required' && givesBearer(client),
    'dpop',
    'cannot be required: password, passwordless and token give bearer tokens',
  ],
  [
    ({ refreshTokenLifeDays: life, refreshTokenIdleDays: idle }) =>
      idle !== undefined && (life === undefined || idle > life),
    'refreshTokenIdleDays',
    'needs refreshTokenLifeDays, which must not be shorter',
  ],
  [
    ({ refreshTokenLifeDays: life, grants }) =>
      life !== undefined && !grants.includes('refresh_token'),
    'refreshTokenLifeDays',
    'needs refresh_token among the grants',
  ],
  [
    ({ grants, redirectUris }) =>
      grants.includes('authorization_code') && redirectUris.length === 0,
    'redirectUris',
    'needs an address',
  ],
];

/** A list in a file; an unreadable one is a fault like any other, and so is an entry that stands there twice. */
function readList<Entry>(
  document: Document | undefined,
  schema: z.ZodType<Entry>,
  idOf: (entry: Entry) => string,
) {
  const given = readDocument(document ?? { value: [] });
  if ('fault' in given) return { entries: [], faults: [given.fault], warnings: [] };
  const { value, ...read } = readValue(z.array(schema), given.value);
  const entries: readonly Entry[] = value ?? [];
  const ids = entries.map(idOf);
  const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map(
    (id): Fault => ({ at: [ids.lastIndexOf(id)], says: `${id} stands there twice` }),
  );
  return { entries, faults: [...read.faults, ...twice], warnings: read.warnings };
}

/** Reads the operator's list of clients. */
export const readClients = (document: Document | undefined, rules: Rules) =>
  readList(document, clientSchema(rules), ({ id }) => id);

/** Reads the operator's list of APIs. */
export const readApis = (document: Document | undefined) =>
  readList(document, apiSchema, ({ identifier }) => identifier);
