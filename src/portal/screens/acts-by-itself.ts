import type { Boot } from '#contract/boot.ts';
import { EXPIRED_QUERY, type ScreenName } from '#domain/screens.ts';

/** Nothing on them happens before somebody touches them. What only the browser knows of is in `pre-hydration.ts`. */
const STILL: ReadonlySet<ScreenName> = new Set([
  'signIn',
  'clientSignIn',
  'consent',
  'interactionOver',
  'confirmSignOut',
  'congratulation',
  'forgotPassword',
  'setPassword',
  'passwordDone',
  'invalidLink',
  'help',
  'guide',
  'notFound',
]);

/**
 * Whether a screen counts, asks, sends or fills in untouched: then its scripts run as soon as it is painted, and not when
 * somebody begins to use it (decision 131). Only the server needs it.
 */
export function actsByItself({ screen, visit, isSubtenantNamed }: Boot, search: string): boolean {
  // The dialog of a time-out, the address that an application gave along, the subtenant that the session keeps (GEN-11).
  const hasMore =
    search.toLowerCase().includes(EXPIRED_QUERY) ||
    Boolean(visit.client?.loginHint) ||
    isSubtenantNamed;
  return !STILL.has(screen) || hasMore;
}
