import type { VisitState } from '#domain/visit.ts';
import { removeItems } from '../lib/storage.ts';

/** Without a complete sign-in every bearer is dead. Where the server redirects, no 401 comes to clear it (GEN-12). */
export function forgetDeadBearer({ signIn }: VisitState): void {
  if (signIn?.stage !== 'complete') removeItems('AuthToken');
}
