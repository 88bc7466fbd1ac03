/**
 * No session before the one-time code is verified (SRV-08). Three defences: no session exists before (login-ticket.ts);
 * /authorize refuses a session without the code; /oauth/token refuses a grant without it.
 */

import { interactionPolicy } from 'oidc-provider';
import type { Account, AccountClaims as ProviderClaims, FindAccount } from 'oidc-provider';
import { isTicketRefused, passwordGivenIn } from './auth0/login-ticket.ts';
import type { ClientDirectory } from './clients.ts';
import { mustSignInForAcr } from './acr.ts';
import { acceptsSignIn } from './factors.ts';
import { isOfAnotherOrganization } from './organization.ts';
import type { OpenIdProviderOptions } from './options.ts';
import type { Accounts } from './ports.ts';
import type { AccountClaims } from './claims.ts';
import { claimsKey, takeAhead } from './read-ahead.ts';

/**
 * The provider's default policy with six more reasons to ask for a sign-in. Each answers a silent check with
 * `login_required`.
 */
export function createPolicy(
  clients: ClientDirectory,
  {
    findOrganization,
    acceptsKeys,
  }: Pick<OpenIdProviderOptions, 'findOrganization' | 'acceptsKeys'>,
): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  const { Check, Prompt } = interactionPolicy;
  // OIDC Core 3.1.2.1: asks for the account even when there is a session.
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  // Registered, so that a request may have it; first-page.ts turns it into a sign-in before the policy runs.
  policy.add(new Prompt({ name: 'create', requestable: true }));
  policy.get('login')?.checks.push(
    new Check(
      'second_factor',
      'a verified one-time code is required',
      'login_required',
      async ({ oidc }) =>
        Boolean(oidc.session?.accountId) &&
        !acceptsSignIn(
          await clients.find(oidc.client?.clientId),
          oidc.session?.amr,
          oidc.session?.acr,
        ),
    ),
    // Without this check a session whose account is gone would make the provider fail without a response.
    new Check(
      'account_gone',
      'the account can no longer sign in',
      'login_required',
      ({ oidc }) => Boolean(oidc.session?.accountId) && !oidc.account,
    ),
    // After a new password an older session of this browser must not answer the request (login_ticket).
    new Check(
      'organization',
      'the person belongs to another organization',
      'login_required',
      (ctx) => isOfAnotherOrganization(ctx, findOrganization),
    ),
    new Check('acr', 'another kind of sign-in is required', 'login_required', (ctx) =>
      mustSignInForAcr(ctx, acceptsKeys),
    ),
    new Check('login_ticket', 'the login ticket is not valid', 'login_required', (ctx) =>
      isTicketRefused(ctx),
    ),
    // A password alone is no sign-in, but the interaction need not ask for it again (H3).
    new Check(
      'password_given',
      'a verified one-time code is required',
      'login_required',
      (ctx) => passwordGivenIn(ctx) !== undefined,
      (ctx) => ({ passwordGiven: passwordGivenIn(ctx) }),
    ),
  );
  return policy;
}

/** The fields of a code or token that say how its person signed in. */
type Factored = {
  readonly amr?: readonly string[];
  readonly acr?: string;
  readonly clientId?: string;
};

/** Creates the provider's `findAccount`. An account that is not found turns a code or token into `invalid_grant`. */
export function createFindAccount(accounts: Accounts, clients: ClientDirectory): FindAccount {
  return async (_ctx, accountId, source): Promise<Account | undefined> => {
    // Only access tokens have no `amr`; the code they were issued for passed this check.
    if (source && source.kind !== 'AccessToken') {
      const { amr, acr, clientId } = source as Factored;
      if (!acceptsSignIn(await clients.find(clientId), amr, acr)) return undefined;
    }
    const read = takeAhead<AccountClaims | null>(claimsKey(accountId));
    const claims = read === undefined ? await accounts.claimsOf(accountId) : read;
    if (!claims) return undefined;
    // No `sid`: a client's own stands in its ID and logout tokens, and Auth0's /userinfo has none (IDP-31).
    const { extra } = (source ?? {}) as { readonly extra?: { readonly acr?: string } };
    // Auth0's SDKs compare an organization that does not begin with `org_` with this claim and with no other.
    const named = claims.org_id ? { org_name: claims.org_id.toLowerCase() } : {};
    const all = { ...claims, ...named, ...extra };
    return { accountId, claims: () => all as ProviderClaims };
  };
}
