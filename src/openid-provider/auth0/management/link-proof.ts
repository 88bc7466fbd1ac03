/** Linking two accounts needs a recent sign-in to each, with a code (security D28). */

import { hasSecondFactor } from '../../factors.ts';
import type { OwnTokens } from '../../own-tokens.ts';
import type { Caller } from './caller.ts';

const RECENT_SECONDS = 10 * 60;

/**
 * Returns the account that `link_with` proves; null when a sign-in is too old, the token is not the client's, or both
 * are one.
 */
export function createLinkProof(
  tokens: OwnTokens,
): (idToken: string, caller: Caller) => Promise<string | null> {
  const isRecent = (at: unknown): boolean =>
    typeof at === 'number' && at >= Math.floor(Date.now() / 1000) - RECENT_SECONDS;

  return async (idToken, caller) => {
    const audience = caller.client.clientId;
    const claims = await tokens.read(idToken, { typ: 'JWT', audience });
    if (!claims?.sub || claims.sub === caller.accountId) return null;
    // A token with a second audience may come from that one (OIDC Core 3.1.3.7).
    if (claims.aud !== audience) return null;
    const {
      amr,
      acr,
      auth_time: signedInAt,
    } = claims as { amr?: string[]; acr?: string; auth_time?: number };
    if (!hasSecondFactor(amr, acr)) return null;
    return isRecent(signedInAt) && isRecent(caller.signedInAt) ? claims.sub : null;
  };
}
