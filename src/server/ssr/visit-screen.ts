import { EXPIRED_QUERY, INTERACTION_QUERY, pathOf } from '#domain/screens.ts';
import type { VisitState } from '#domain/visit.ts';
import type { Boot } from '#contract/boot.ts';

export const isSignInFor = ({ client }: VisitState) =>
  client?.step === 'signIn' || client?.step === 'choose';

/** The screen that the visit is really at; it goes on with the same application's request. */
export function toScreen({ screen, entrance, visit, subtenant, isSubtenantNamed }: Boot): string {
  const query = new URLSearchParams({
    ...(isSubtenantNamed && { subtenantId: String(subtenant.id) }),
    ...(visit.client && { [INTERACTION_QUERY]: visit.client.id }),
    // The requested step's session ended by idling, which sign-in shows (SIN-04).
    ...(screen === 'signIn' && visit.hasTimedOut && { [EXPIRED_QUERY]: '1' }),
  });
  return pathOf(screen, entrance) + (query.size > 0 ? `?${String(query)}` : '');
}
