import type { FastifyRequest } from 'fastify';
import {
  EXPIRED_QUERY,
  INTERACTION_QUERY,
  NEXT_QUERY,
  returnPageIn,
  type NextPage,
  pathOf,
  screenAt,
  SCREENS,
} from '#domain/flow/screens.ts';
import type { VisitState } from '#domain/flow/visit.ts';
import type { Boot } from '#contract/boot.ts';

export const isSignInFor = ({ client }: VisitState) =>
  client?.step === 'signIn' || client?.step === 'choose';

/** Returns the page of My account that an address is, or to which it returns; `null` for neither. */
export function nextPageOf(path: string, query: URLSearchParams): NextPage | null {
  const asked = screenAt(path);
  return asked && SCREENS[asked].needs === 'account' ? asked : returnPageIn(query);
}

/** The screen that the visit is really at; it goes on with the same application's request, and returns to `next`. */
export function toScreen(
  { screen, entrance, visit, subtenant, isSubtenantNamed }: Boot,
  next: NextPage | null,
): string {
  const query = new URLSearchParams({
    ...(isSubtenantNamed && { subtenantId: String(subtenant.id) }),
    ...(visit.client && { [INTERACTION_QUERY]: visit.client.id }),
    ...(next && { [NEXT_QUERY]: next }),
    // The requested step's session ended by idling, which sign-in shows (SIN-04).
    ...(screen === 'signIn' && visit.hasTimedOut && { [EXPIRED_QUERY]: '1' }),
  });
  return pathOf(screen, entrance) + (query.size > 0 ? `?${String(query)}` : '');
}

/** Returns the parts of a request's address. */
export function requestAddress({ url }: FastifyRequest) {
  const [path = '/', search = ''] = url.split('?', 2);
  return { path, query: new URLSearchParams(search), search: search ? `?${search}` : '' };
}
