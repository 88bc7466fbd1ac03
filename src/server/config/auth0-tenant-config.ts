import * as z from 'zod';
import { isLoopbackHost } from '#domain/hand-off/loopback.ts';
import { secret, setting, type ValuesOf } from './setting.ts';

/** A real Auth0 tenant in place of the embedded hosted login (ARC-05). */
export type TenantConfig = NonNullable<ReturnType<typeof auth0TenantOf>>;

/** The connection's name in every new tenant. */
export const DEFAULT_REALM = 'Username-Password-Authentication';

const PREFIX = 'PORCHLIGHT_HOSTED_LOGIN_';
const DOMAIN = `${PREFIX}DOMAIN`;
const NEEDED = [
  `${PREFIX}CLIENT_ID`,
  `${PREFIX}BACKEND_CLIENT_ID`,
  `${PREFIX}BACKEND_CLIENT_SECRET`,
];

const webUrl = z.url({ protocol: /^https?$/ });
/** `login.example.org` or an address with a path; plain http only to this machine. */
const address = z
  .string()
  .transform((text) => (/^https?:/i.test(text) ? text : `https://${text}`))
  .pipe(webUrl)
  .refine((text) => text.startsWith('https:') || isThisMachine(new URL(text).hostname), {
    message: 'must be reached by https',
  })
  .refine((text) => !/[?#@]/.test(text), {
    message: 'must be without query, fragment, user name or password',
  })
  .transform((text) => `${new URL(text).href.replace(/\/+$/, '')}/`);
const name = z.string().min(1).max(200);

/** The rows of a tenant in the table of settings. */
export const tenantSettings = {
  PORCHLIGHT_HOSTED_LOGIN_DOMAIN: setting('hostedLogin.domain', address.optional()),
  PORCHLIGHT_HOSTED_LOGIN_TENANT_DOMAIN: setting('hostedLogin.tenantDomain', address.optional()),
  PORCHLIGHT_HOSTED_LOGIN_ISSUER: setting('hostedLogin.issuer', webUrl.optional()),
  PORCHLIGHT_HOSTED_LOGIN_CLIENT_ID: setting('hostedLogin.clientId', name.optional()),
  PORCHLIGHT_HOSTED_LOGIN_REALM: setting('hostedLogin.realm', name.default(DEFAULT_REALM)),
  PORCHLIGHT_HOSTED_LOGIN_AUDIENCE: setting('hostedLogin.audience', name.optional()),
  PORCHLIGHT_HOSTED_LOGIN_ORGANIZATION: setting('hostedLogin.organization', name.optional()),
  PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_ID: setting(
    'hostedLogin.backend.clientId',
    name.optional(),
  ),
  PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_SECRET: secret(
    'hostedLogin.backend.clientSecret',
    z.string().min(16).max(500).optional(),
  ),
};

/**
 * Half a tenant would be dropped without a word, or be found out at the first sign-in; `called`: how the operator names
 * a setting.
 */
export function tenantFaults(given: NodeJS.ProcessEnv, called: (name: string) => string) {
  if (given[DOMAIN]) {
    return NEEDED.filter((key) => !given[key]).map(
      (key) => `${called(key)} is required with ${called(DOMAIN)}`,
    );
  }
  return Object.keys(tenantSettings)
    .filter((key) => given[key])
    .map((key) => `${called(DOMAIN)} is required with ${called(key)}`);
}

/** The tenant that the settings name; `null`: the embedded hosted login. */
export function auth0TenantOf(values: ValuesOf<typeof tenantSettings>) {
  const base = values.PORCHLIGHT_HOSTED_LOGIN_DOMAIN;
  if (!base) return null;
  return {
    /** Where browsers reach it: with a slash at its end. */
    base,
    /** What stands in its tokens as `iss`. */
    issuer: values.PORCHLIGHT_HOSTED_LOGIN_ISSUER ?? base,
    clientId: values.PORCHLIGHT_HOSTED_LOGIN_CLIENT_ID ?? '',
    /** The database connection that holds the passwords. */
    realm: values.PORCHLIGHT_HOSTED_LOGIN_REALM,
    audience: values.PORCHLIGHT_HOSTED_LOGIN_AUDIENCE ?? null,
    organization: values.PORCHLIGHT_HOSTED_LOGIN_ORGANIZATION ?? null,
    /** The backend's own client, for accounts and passwords. */
    backend: {
      /** The tenant's own address, also when browsers use a custom domain: with a slash at its end. */
      base: values.PORCHLIGHT_HOSTED_LOGIN_TENANT_DOMAIN ?? base,
      clientId: values.PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_ID ?? '',
      clientSecret: values.PORCHLIGHT_HOSTED_LOGIN_BACKEND_CLIENT_SECRET ?? '',
    },
  };
}

/** RFC 6761, 6.3: every name under `localhost` is this machine. */
export function isThisMachine(hostname: string): boolean {
  return isLoopbackHost(hostname) || hostname.endsWith('.localhost');
}
