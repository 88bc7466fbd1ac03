import type { Boot, Waking } from '#contract/boot.ts';
import { EXPIRED_QUERY } from '#domain/flow/screens.ts';
import { servedScreen } from '#domain/flow/served-screens.ts';

/**
 * Returns when a screen hydrates (decisions 131 and 261). A screen that counts down, queries, sends or fills in without
 * interaction does so right after the first paint. `pre-hydration.ts` checks conditions that only the browser knows.
 * Used only by the server.
 */
export function wakingOf({ screen, visit, isSubtenantNamed }: Boot, search: string): Waking {
  // The dialog of a time-out, an application's login hint, the session's subtenant (GEN-11).
  const hasMore =
    search.toLowerCase().includes(EXPIRED_QUERY) ||
    Boolean(visit.client?.loginHint) ||
    // A device is told of a removed key.
    search.includes('removed=') ||
    isSubtenantNamed;
  return hasMore ? 'atOnce' : (servedScreen(screen).wakes ?? 'atOnce');
}
