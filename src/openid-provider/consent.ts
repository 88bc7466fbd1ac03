/** The scopes that a client gets without a consent screen: it is first-party, or the person has consented before. */

import type { Grant, KoaContextWithOIDC } from 'oidc-provider';
import { OIDC_SCOPES } from './scopes.ts';
import type { ClientDirectory } from './clients.ts';
import type { Consents } from './ports.ts';

/** Returns the requested scopes: OpenID's own, and those of each API. */
function askedIn({ oidc }: KoaContextWithOIDC) {
  const asked = [...oidc.requestParamScopes];
  return {
    openid: asked.filter((scope) => OIDC_SCOPES.includes(scope)),
    resources: Object.entries(oidc.resourceServers ?? {}).map(([indicator, { scopes }]) => ({
      indicator,
      wanted: asked.filter((scope) => scopes.has(scope)),
    })),
  };
}

type Asked = ReturnType<typeof askedIn>;

function covers(grant: Grant, { openid, resources }: Asked): boolean {
  const has = (granted: string, wanted: readonly string[]) =>
    wanted.every((scope) => granted.split(' ').includes(scope));
  return (
    has(grant.getOIDCScope(), openid) &&
    resources.every(({ indicator, wanted }) => has(grant.getResourceScope(indicator), wanted))
  );
}

/**
 * Creates the provider's `loadExistingGrant`. The provider asks the person for the scopes that the returned grant
 * lacks.
 */
export function createLoadExistingGrant(clients: ClientDirectory, consents: Consents) {
  /** The scopes allowed without asking. Consent to an API's scopes ends with the session; the others are remembered. */
  async function allowed(accountId: string, clientId: string, asked: Asked): Promise<Asked> {
    if ((await clients.find(clientId))?.firstParty) return asked;
    const before = await consents.scopesOf(accountId, clientId);
    return { openid: asked.openid.filter((scope) => before.includes(scope)), resources: [] };
  }

  return async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { client, session, account, provider } = ctx.oidc;
    if (!client || !session || !account) return undefined;
    const { clientId } = client;
    const { accountId } = account;
    const given = ctx.oidc.result?.consent?.grantId ?? session.grantIdFor(clientId);
    const found = given ? await provider.Grant.find(given) : undefined;
    const asked = askedIn(ctx);
    if (found && covers(found, asked)) return found;
    const { openid, resources } = await allowed(accountId, clientId, asked);
    if (openid.length === 0 && resources.length === 0) return found;
    const grant = found ?? new provider.Grant({ accountId, clientId });
    grant.addOIDCScope(openid.join(' '));
    for (const { indicator, wanted } of resources)
      grant.addResourceScope(indicator, wanted.join(' '));
    await grant.save();
    return grant;
  };
}
