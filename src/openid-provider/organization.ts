/** The subtenant of a request: Auth0's parameter `organization` or our `subtenantId`, each an id or a name. */

import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { organizationOf } from './interactions.ts';

type FindOrganization = (nameOrId: string) => Promise<string | null>;

/** Refuses a request for an unknown or closed subtenant, before a person signs in for it. */
export function refuseUnknownOrganization(find: FindOrganization) {
  return async (_ctx: unknown, value: string | undefined): Promise<void> => {
    if (value !== undefined && (await find(value)) === null)
      throw new errors.InvalidRequest('organization is unknown or closed');
  };
}

/** Whether the current session belongs to an account of another subtenant. */
export async function isOfAnotherOrganization(
  { oidc }: KoaContextWithOIDC,
  find: FindOrganization,
): Promise<boolean> {
  const named = organizationOf(oidc.params);
  if (named === null || !oidc.account) return false;
  const claims = await oidc.account.claims('id_token', 'openid', {}, []);
  return claims.org_id !== (await find(named));
}
