/**
 * /userinfo for access tokens of an API. oidc-provider refuses them; Auth0 accepts them when they have the scope
 * `openid` (IDP-11). All other tokens are left to oidc-provider.
 */

import type { Provider } from 'oidc-provider';
import type { ClientDirectory } from '../clients.ts';
import type { Context } from '../context.ts';
import { allowOrigin } from '../cross-origin.ts';
import type { OwnTokens } from '../own-tokens.ts';
import type { Accounts } from '../ports.ts';
import { refuse } from './answers.ts';
import { type AccountClaims, roleClaims } from '../claims.ts';

type Dependencies = {
  readonly provider: Provider;
  readonly accounts: Accounts;
  readonly clients: ClientDirectory;
  readonly tokens: OwnTokens;
  readonly audience: string;
  readonly managementAudience: string;
};

type Found = {
  readonly accountId: string;
  readonly clientId: string;
  readonly grantId: string;
  readonly scopes: readonly string[];
  /** The `acr` of the sign-in (acr.ts). */
  readonly acr: unknown;
};

function visible(claims: AccountClaims, { scopes, acr }: Found): object {
  const { sub, email, email_verified, name, given_name, family_name, org_id } = claims;
  const { phone_number, phone_number_verified } = claims;
  return {
    sub,
    ...(org_id && { org_id }),
    ...(typeof acr === 'string' && { acr }),
    ...(scopes.includes('profile') && { name, given_name, family_name }),
    ...(scopes.includes('email') && { email, email_verified }),
    ...(scopes.includes('phone') && { phone_number, phone_number_verified }),
    ...(scopes.includes('roles') && roleClaims(claims)),
  };
}

/** Creates the handler; it returns true when it has answered. */
export function createUserInfo(deps: Dependencies): (ctx: Context) => Promise<boolean> {
  const { provider, accounts, clients, tokens, audience, managementAudience } = deps;

  async function find(value: string): Promise<Found | 'provider' | null> {
    if (value.includes('.')) {
      const claims = await tokens.read(value, { typ: 'at+jwt', audience });
      const { sub, scope, client_id: clientId, grant: grantId, acr, cnf } = claims ?? {};
      // Bound to a key (RFC 9449): no bearer token.
      if (!sub || typeof scope !== 'string' || cnf) return null;
      return {
        accountId: sub,
        clientId: String(clientId),
        grantId: String(grantId),
        scopes: scope.split(' '),
        acr,
      };
    }
    const token = await provider.AccessToken.find(value);
    if (!token?.isValid || token.aud !== managementAudience) return 'provider';
    if (token.isSenderConstrained()) return null;
    const { accountId, clientId = '', grantId, scopes, extra } = token;
    return { accountId, clientId, grantId, scopes: [...scopes], acr: extra?.acr };
  }

  /** The signature outlives a sign-out and a reset; the grant does not. */
  async function claimsOf({ accountId, clientId, grantId, scopes }: Found) {
    const grant = await provider.Grant.find(grantId);
    const isOwn = grant?.accountId === accountId && grant.clientId === clientId;
    return isOwn && scopes.includes('openid') ? accounts.claimsOf(accountId) : null;
  }

  return async (ctx) => {
    const [, value] = /^Bearer ([\w~+/.-]{1,4000}=*)$/i.exec(ctx.get('Authorization')) ?? [];
    if (!value) return false;
    const found = await find(value);
    if (found === 'provider') return false;
    const client = found ? await clients.find(found.clientId) : undefined;
    allowOrigin(ctx, clients, client);
    const claims = found && client ? await claimsOf(found) : null;
    if (!found || !claims) {
      ctx.set('WWW-Authenticate', 'Bearer error="invalid_token"');
      refuse(ctx, 401, 'invalid_token', 'invalid token provided');
      return true;
    }
    ctx.status = 200;
    ctx.body = visible(claims, found);
    return true;
  };
}
