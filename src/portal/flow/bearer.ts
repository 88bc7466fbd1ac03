import type { VisitState } from '#domain/flow/visit.ts';
import { removeItems } from '../lib/storage.ts';

/** Removes the bearer without a complete sign-in. When the server redirects, no 401 clears it (GEN-12). */
export function forgetDeadBearer({ signIn }: VisitState): void {
  if (signIn?.stage !== 'complete') removeItems('AuthToken');
}
