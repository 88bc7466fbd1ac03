import { MINUTE_MS } from '../text/duration.ts';

/** The hand-off to a module (HND-01). */

/** Milliseconds that a hand-off token is valid. */
export const HANDOFF_LIFE_MS = MINUTE_MS;
/** JOSE header `typ`: its own, so that it is never accepted as an ID or access token. */
export const HANDOFF_TOKEN_TYPE = 'handoff+jwt';
/** Three hand-offs to one module within this time stop with an explanation (HND-04). */
export const HANDOFF_LOOP_WINDOW_MS = 30_000;
export const HANDOFF_LOOP_COUNT = 3;

/** The signed claims; the values in the query are hints that must agree with them. */
export type HandoffClaims = {
  readonly appState: string;
  readonly userId: number;
  readonly roleId: number;
  readonly loggenInId: string;
  readonly roleIds: readonly number[];
  readonly subtenantId: number;
  readonly amr: readonly string[];
  readonly auth_time: number;
};

/** Returns the module's address with the hand-off query (RED-12, HND-01). `token` is a compact JWT. */
export function handoffUrl(
  moduleUrl: string,
  token: string,
  claims: Pick<HandoffClaims, 'appState' | 'userId' | 'roleId' | 'loggenInId'>,
): string {
  const url = new URL(moduleUrl);
  url.searchParams.set('token', btoa(token));
  url.searchParams.set('appState', claims.appState);
  url.searchParams.set('userId', String(claims.userId));
  url.searchParams.set('roleId', String(claims.roleId));
  url.searchParams.set('loggenInId', claims.loggenInId);
  return url.href;
}
