import type { FastifyRequest } from 'fastify';
import { pathOf, screenAt } from '#domain/screens.ts';

/** Words that paths of the hosted login are made of; every other part is an id, a key, or a mistake. */
const HOSTED_LOGIN_WORDS = new Set(
  [
    'idp .well-known openid-configuration oauth-authorization-server jwks.json',
    'authorize resume oauth token par introspect revoke userinfo co authenticate',
    'oidc logout confirm success v2 api users users-by-email logs sessions identities auth0',
    'mfa challenge passwordless start verify verify_redirect dbconnections signup change_password',
  ].flatMap((line) => line.split(' ')),
);

/** The template of a request's address, never the address itself; `null`: it leads nowhere. */
export function routeOf({ url, routeOptions }: FastifyRequest): string | null {
  // None yet where the address itself cannot be read.
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
