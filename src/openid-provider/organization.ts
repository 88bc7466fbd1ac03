/** Which subtenant a request is for: `organization` as Auth0 calls it, `subtenantId` as we do; an id or a name. */

import { errors } from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { organizationOf } from './interactions.ts';

type FindOrganization = (nameOrId: string) => Promise<string | null>;

/** The client is told about a subtenant that is unknown or closed; it is not left to the person to find out. */
export function refuseUnknownOrganization(find: FindOrganization) {
  return async (_ctx: unknown, value: string | undefined): Promise<void> => {
    if (value !== undefined && (await find(value)) === null)
      throw new errors.InvalidRequest('organization is unknown or closed');
  };
}

/** Whether the living session is that of somebody from elsewhere. */
export async function isOfAnotherOrganization(
  { oidc }: KoaContextWithOIDC,
  find: FindOrganization,
): Promise<boolean> {
  const named = organizationOf(oidc.params);
  if (named === null || !oidc.account) return false;
  const claims = await oidc.account.claims('id_token', 'openid', {}, []);
  return claims.org_id !== (await find(named));
}
