/**
 * Nobody is signed in before the one-time code is verified (SRV-08).
 * Three lines of defence: no session exists before (login-ticket.ts); a session without the code is refused here at
 * /authorize; a code or token without it is refused here at /oauth/token.
 */

import { interactionPolicy } from 'oidc-provider';
import type { Account, AccountClaims as ProviderClaims, FindAccount } from 'oidc-provider';
import { isTicketRefused } from './auth0/login-ticket.ts';
import type { ClientDirectory } from './clients.ts';
import { mayEnter } from './factors.ts';
import { isOfAnotherOrganization } from './organization.ts';
import type { Accounts } from './ports.ts';

/** The provider's own policy and four reasons more to ask for a sign-in. All answer `login_required` to a silent check. */
export function createPolicy(
  clients: ClientDirectory,
  findOrganization: (nameOrId: string) => Promise<string | null>,
): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  const { Check, Prompt } = interactionPolicy;
  // OIDC Core 3.1.2.1: the person says who they are, also when a session lives.
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  policy.get('login')?.checks.push(
    new Check(
      'second_factor',
      'a verified one-time code is required',
      'login_required',
      async ({ oidc }) =>
        Boolean(oidc.session?.accountId) &&
        !mayEnter(await clients.find(oidc.client?.clientId), oidc.session?.amr),
    ),
    // Without this the provider would go on with a session whose account is gone, and fail without an answer.
    new Check(
      'account_gone',
      'the account can no longer sign in',
      'login_required',
      ({ oidc }) => Boolean(oidc.session?.accountId) && !oidc.account,
    ),
    // Somebody has just typed a password here; an older session in this browser is not the answer to that.
    new Check(
      'organization',
      'the person belongs to another organization',
      'login_required',
      (ctx) => isOfAnotherOrganization(ctx, findOrganization),
    ),
    new Check('login_ticket', 'the login ticket is not valid', 'login_required', (ctx) =>
      isTicketRefused(ctx),
    ),
  );
  return policy;
}

/** `findAccount` of the provider. An account that is not found turns a code or token into `invalid_grant`. */
export function createFindAccount(accounts: Accounts, clients: ClientDirectory): FindAccount {
  return async (_ctx, accountId, source): Promise<Account | undefined> => {
    // Only an access token carries no `amr`: it was made from a code that passed here.
    if (source && source.kind !== 'AccessToken') {
      const { amr, clientId } = source as { amr?: readonly string[]; clientId?: string };
      if (!mayEnter(await clients.find(clientId), amr)) return undefined;
    }
    const claims = await accounts.claimsOf(accountId);
    if (!claims) return undefined;
    // Ties a client's own session to this one; it opens nothing (OIDC Back-Channel Logout 2.1).
    const sid = (source as { sessionUid?: string } | undefined)?.sessionUid;
    // Auth0's SDKs compare an organization that does not begin with `org_` with this claim and with no other.
    const named = claims.org_id ? { org_name: claims.org_id.toLowerCase() } : {};
    const all = { ...claims, ...named, ...(sid ? { sid } : {}) };
    return { accountId, claims: () => all as ProviderClaims };
  };
}
