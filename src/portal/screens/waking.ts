import type { Boot, Waking } from '#contract/boot.ts';
import { EXPIRED_QUERY, type ScreenName } from '#domain/flow/screens.ts';

/** Screens of text and links. */
const STILL: ReadonlySet<ScreenName> = new Set([
  'interactionOver',
  'congratulation',
  'passwordDone',
  'invalidLink',
  'help',
  'guide',
  'counterNext',
  'ownDevice',
  'notFound',
]);

/** Screens without any action before an interaction. */
const QUIET: ReadonlySet<ScreenName> = new Set([
  'signIn',
  'clientSignIn',
  'consent',
  'confirmSignOut',
  'forgotPassword',
  'setPassword',
  'signUp',
  'myAccount',
  'myName',
  'myDevices',
  'myApps',
  'myHelpers',
  'myPeople',
  'myKeys',
  'sharedDevice',
  'keyFailed',
]);

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
  if (hasMore) return 'atOnce';
  if (STILL.has(screen)) return 'whenPressed';
  return QUIET.has(screen) ? 'whenUsed' : 'atOnce';
}
