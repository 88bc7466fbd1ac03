import type { Boot } from '#contract/boot.ts';
import { EXPIRED_QUERY, type ScreenName } from '#domain/flow/screens.ts';

/**
 * Screens without any action before an interaction. `pre-hydration.ts` checks conditions that only the browser knows.
 */
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
  'myAccount',
  'myName',
  'myDevices',
  'myApps',
  'myHelpers',
  'myPeople',
  'myKeys',
  'sharedDevice',
  'counterNext',
  'ownDevice',
  'keyFailed',
  'notFound',
]);

/**
 * Returns whether a screen counts down, queries, sends or fills in without interaction: then its scripts run right
 * after the first paint (decision 131). Used only by the server.
 */
export function needsHydration({ screen, visit, isSubtenantNamed }: Boot, search: string): boolean {
  // The dialog of a time-out, an application's login hint, the session's subtenant (GEN-11).
  const hasMore =
    search.toLowerCase().includes(EXPIRED_QUERY) ||
    Boolean(visit.client?.loginHint) ||
    // A device is told of a removed key.
    search.includes('removed=') ||
    isSubtenantNamed;
  return !STILL.has(screen) || hasMore;
}
