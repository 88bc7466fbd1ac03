/**
 * Auth0's password grants at /oauth/token. The operator has to enable them twice, for the provider and for the client
 * (RFC 9700, 2.4). A right password gives no tokens: it gives an `mfa_token`, which asks for the one-time code.
 */

import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { ClientDirectory } from '../clients.ts';
import { mayUse, PASSWORD, PASSWORD_REALM } from '../grants.ts';
import type { Accounts, Visitor } from '../ports.ts';
import { refuse, refuseGrant, refuseTooMany, refuseUnverified, WRONG_PASSWORD } from './answers.ts';
import { CONNECTION } from './management/profile.ts';
import type { Mfa } from './mfa.ts';
import { parameterText } from '../text.ts';

type Dependencies = {
  readonly provider: Provider;
  readonly accounts: Accounts;
  readonly clients: ClientDirectory;
  readonly mfa: Mfa;
  readonly isOn: boolean;
  readonly visitorOf: (ctx: KoaContextWithOIDC) => Visitor;
};

const PARAMETERS = ['username', 'password', 'realm', 'scope', 'audience'];
const MAX_PASSWORD_LENGTH = 1024;

/** Registers the password grants at the token endpoint. */
export function installPasswordGrants(deps: Dependencies): void {
  const { provider, accounts, clients, mfa, isOn, visitorOf } = deps;

  async function handle(ctx: KoaContextWithOIDC): Promise<void> {
    const { client, params = {} } = ctx.oidc;
    const known = await clients.find(client?.clientId);
    if (!isOn || !known || !mayUse(known, 'password')) {
      return refuseGrant(ctx, parameterText(params.grant_type));
    }
    const text = (name: string): string => parameterText(params[name]);
    const [username, password] = [text('username').trim(), text('password')];
    if (!username || !password || password.length > MAX_PASSWORD_LENGTH) {
      return refuse(ctx, 400, 'invalid_request', 'A field is missing or malformed.');
    }
    if (params.grant_type === PASSWORD_REALM && text('realm') !== CONNECTION) {
      return refuse(ctx, 403, 'unauthorized_client', 'Unknown or invalid realm.');
    }
    const verdict = await accounts.verifyPassword(username, password, visitorOf(ctx));
    if (verdict.kind === 'blocked') return refuseTooMany(ctx, verdict.retryAfterSeconds);
    if (verdict.kind === 'proofNeeded') return refuseUnverified(ctx);
    const isRefused = verdict.kind === 'wrong' || verdict.isSuspended;
    if (isRefused) return refuse(ctx, 403, 'invalid_grant', WRONG_PASSWORD);
    const token = await mfa.begin(known, verdict.accountId, {
      scope: text('scope'),
      audience: text('audience'),
    });
    refuse(ctx, 403, 'mfa_required', 'Multifactor authentication required');
    ctx.body = { ...(ctx.body as object), mfa_token: token };
  }

  for (const grant of [PASSWORD, PASSWORD_REALM])
    provider.registerGrantType(grant, handle, PARAMETERS);
}
