/** The caller of the Management API. It comes from the token, never from the path or the body. */

import type { Provider } from 'oidc-provider';
import type { ClientDirectory } from '../../clients.ts';
import type { Context } from '../../context.ts';
import { hasSecondFactor } from '../../factors.ts';
import type { Accounts } from '../../ports.ts';
import type { OAuthClient } from '../../client-port.ts';
import { insufficientScope, ManagementProblem } from './problems.ts';

export type Caller = {
  readonly client: OAuthClient;
  /** Null for a machine. */
  readonly accountId: string | null;
  readonly scopes: ReadonlySet<string>;
  /** Time of the person's sign-in, in seconds since 1970; null for a machine. */
  readonly signedInAt: number | null;
};

type Dependencies = {
  readonly provider: Provider;
  readonly clients: ClientDirectory;
  readonly accounts: Accounts;
  readonly audience: string;
};

const badToken = (): ManagementProblem =>
  new ManagementProblem(401, 'invalid_token', 'Invalid token');

/** Creates the function that reads a request's caller from its bearer token. */
export function createCallerOf(deps: Dependencies): (ctx: Context) => Promise<Caller> {
  const { provider, clients, accounts, audience } = deps;

  async function clientOf(clientId: string | undefined): Promise<OAuthClient> {
    const client = await clients.find(clientId);
    if (!client) throw badToken();
    return client;
  }

  async function person(value: string): Promise<Caller | null> {
    const token = await provider.AccessToken.find(value);
    if (!token) return null;
    // A token for another API, or for /userinfo alone, is not valid here.
    if (!token.isValid || token.aud !== audience || token.isSenderConstrained()) throw badToken();
    const [grant, claims] = await Promise.all([
      provider.Grant.find(token.grantId ?? ''),
      accounts.claimsOf(token.accountId),
    ]);
    if (!grant || !claims) throw badToken();
    const session = token.sessionUid ? await provider.Session.findByUid(token.sessionUid) : null;
    const isSigned =
      session?.accountId === token.accountId && hasSecondFactor(session.amr, session.acr);
    return {
      client: await clientOf(token.clientId),
      accountId: token.accountId,
      scopes: token.scopes,
      signedInAt: isSigned ? (session.loginTs ?? null) : null,
    };
  }

  async function machine(value: string): Promise<Caller | null> {
    const token = await provider.ClientCredentials.find(value);
    if (!token) return null;
    if (!token.isValid || token.aud !== audience || token.isSenderConstrained()) throw badToken();
    const client = await clientOf(token.clientId);
    // Refuses rights at once after the operator has removed them.
    if (!client.grants?.includes('client_credentials')) throw badToken();
    const may = client.apis?.find((api) => api.audience === audience)?.scopes ?? [];
    const scopes = new Set([...token.scopes].filter((scope) => may.includes(scope)));
    return { client, accountId: null, scopes, signedInAt: null };
  }

  return async (ctx) => {
    // Bearer tokens only: a token that is bound to a key needs a proof, which is not read here.
    const [, value] = /^Bearer ([\w~+/.-]{1,2000}=*)$/i.exec(ctx.get('Authorization')) ?? [];
    if (!value) {
      throw new ManagementProblem(401, 'missing_token', 'Missing authentication');
    }
    const caller = (await person(value)) ?? (await machine(value));
    if (!caller) throw badToken();
    return caller;
  };
}

/**
 * Requires a scope: people reach only their own account, machines every account.
 * @throws ManagementProblem 403
 */
export function requireScope(
  caller: Caller,
  userId: string,
  scopes: { readonly person: readonly string[]; readonly machine: string },
): void {
  if (caller.accountId === null) return requireMachineScope(caller, scopes.machine);
  const hasScope = scopes.person.some((scope) => caller.scopes.has(scope));
  if (!hasScope || caller.accountId !== userId) throw insufficientScope(scopes.machine);
}

/** Requires a machine with this scope. @throws ManagementProblem 403, also for people. */
export function requireMachineScope(caller: Caller, scope: string): void {
  if (caller.accountId !== null || !caller.scopes.has(scope)) throw insufficientScope(scope);
}
