/** Tokens for grants without a browser, and so without a session. The caller has verified the one-time code. */

import { errors } from 'oidc-provider';
import type { Account, FindAccount, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { type Acr, acrOf, recordAcr } from './acr.ts';
import { OIDC_SCOPES } from './scopes.ts';
import type { ApiDirectory } from './apis.ts';
import { scopesOf } from './clients.ts';
import { setIdTokenScope } from './provider-patches.ts';
import { parameterText } from './text.ts';

export type NonBrowserSignIn = {
  readonly accountId: string;
  readonly amr: readonly string[];
  /** Where `amr` does not tell it. */
  readonly acr?: Acr;
  readonly scope: string;
  readonly audience: string;
};

/**
 * Issues tokens; returns false when `claim` fails because another request or a password reset has used the proof up.
 * `claim` runs once the grant is saved: a concurrent reset deletes either the proof or the grant with all its tokens.
 */
export type IssueTokens = (
  ctx: KoaContextWithOIDC,
  signIn: NonBrowserSignIn,
  claim: () => Promise<boolean>,
) => Promise<boolean>;

type Dependencies = {
  readonly provider: Provider;
  readonly apis: ApiDirectory;
  /** Refuses a sign-in without the second factor (third line of defence in second-factor.ts). */
  readonly findAccount: FindAccount;
};

/** Returns the granted scopes of OpenID, and these with the requested ones of the API. */
function scopesIn(
  asked: string,
  may: readonly string[],
  resource: InstanceType<Provider['ResourceServer']> | null,
) {
  const names = asked.split(' ').filter(Boolean);
  const openid = names.filter((name) => OIDC_SCOPES.includes(name) && may.includes(name));
  const ofApi = names.filter((name) => !OIDC_SCOPES.includes(name) && resource?.scopes.has(name));
  return { openid, wanted: [...openid, ...ofApi] };
}

/** Creates the issuer of tokens for these grants. */
export function createNonBrowserTokens({ provider, apis, findAccount }: Dependencies): IssueTokens {
  /** The requested API with the scopes that the client can get. */
  async function resourceOf(ctx: KoaContextWithOIDC, audience: string) {
    const indicator = await apis.indicatorFor(ctx, audience);
    if (!indicator) return null;
    const info = await apis.describe(ctx, indicator, ctx.oidc.client);
    return new provider.ResourceServer(indicator, info);
  }

  async function idTokenFor(
    ctx: KoaContextWithOIDC,
    account: Account,
    scope: string,
    signIn: { acr: Acr; amr: readonly string[]; authTime: number },
  ) {
    const { acr, amr, authTime } = signIn;
    const claims = await account.claims('id_token', scope, {}, []);
    const token = new provider.IdToken(
      { ...claims, acr, amr: [...amr], auth_time: authTime },
      { ctx },
    );
    setIdTokenScope(token, scope);
    return token.issue({ use: 'idtoken' });
  }

  return async (ctx, { accountId, amr, acr = acrOf(amr), scope, audience }, claim) => {
    const { client } = ctx.oidc;
    if (!client) throw new errors.InvalidClient();
    const source = { kind: 'DirectSignIn', amr, acr, clientId: client.clientId };
    const account = await findAccount(ctx, accountId, source as never);
    if (!account) throw new errors.InvalidGrant('the account cannot sign in this way');

    const resource = await resourceOf(ctx, audience);
    const { openid, wanted } = scopesIn(scope, scopesOf(client), resource);
    const granted = resource ? wanted : openid;

    const grant = new provider.Grant({ accountId, clientId: client.clientId });
    grant.addOIDCScope(openid.join(' '));
    if (resource) grant.addResourceScope(resource.identifier(), wanted.join(' '));
    const grantId = await grant.save();
    if (!(await claim())) {
      await grant.destroy();
      return false;
    }
    ctx.oidc.entity('Grant', grant);
    ctx.oidc.entity('Account', account);

    recordAcr(ctx, acr);
    const authTime = Math.floor(Date.now() / 1000);
    const gty = parameterText(ctx.oidc.params?.grant_type);
    const shared = { accountId, client, grantId, gty };
    const token = new provider.AccessToken({ ...shared, scope: granted.join(' ') } as never);
    if (resource) token.resourceServer = resource;
    const accessToken = await token.save();

    const isRefreshed =
      client.grantTypeAllowed('refresh_token') && openid.includes('offline_access');
    const refresh = new provider.RefreshToken({
      ...shared,
      acr,
      amr: [...amr],
      authTime,
      ...(resource && { resource: resource.identifier() }),
      scope: wanted.join(' '),
      rotations: 0,
    } as never);

    ctx.body = {
      access_token: accessToken,
      ...(isRefreshed && { refresh_token: await refresh.save() }),
      ...(openid.includes('openid') && {
        id_token: await idTokenFor(ctx, account, openid.join(' '), { acr, amr, authTime }),
      }),
      scope: granted.join(' '),
      expires_in: token.expiration,
      token_type: 'Bearer',
    };
    return true;
  };
}
