import type { FastifyRequest } from 'fastify';
import { pathOf, screenAt } from '#domain/flow/screens.ts';

/** The fixed words in paths of the hosted login; every other part is an id, a key, or a mistake. */
const HOSTED_LOGIN_WORDS = new Set(
  [
    'idp .well-known openid-configuration oauth-authorization-server jwks.json',
    'authorize resume oauth token par introspect revoke userinfo co authenticate',
    'oidc logout confirm success v2 api users users-by-email logs sessions identities auth0',
    'mfa challenge passwordless start verify verify_redirect dbconnections signup change_password',
  ].flatMap((line) => line.split(' ')),
);

/** Returns the template of a request's address, never the address itself; `null` for an unknown one. */
export function routeTemplate({ url, routeOptions }: FastifyRequest): string | null {
  // Undefined when the address itself is unreadable.
  const route = routeOptions?.url;
  const [path = ''] = url.split('?', 1);
  if (route === '/idp/*') {
    const parts = path.split('/').slice(1);
    return `/${parts.map((part) => (HOSTED_LOGIN_WORDS.has(part) ? part : '*')).join('/')}`;
  }
  if (route !== undefined && !route.endsWith('*')) return route;
  const screen = screenAt(path);
  return screen && pathOf(screen);
}
