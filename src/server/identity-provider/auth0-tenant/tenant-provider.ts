import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { ServerContext } from '../../core/context.ts';
import { AppError } from '../../http/app-error.ts';
import { fetchOther } from '../../http/loopback.ts';
import type { Hashing } from '../../proofs/password/hashing.ts';
import type { AccountCredentials, IdentityProvider, Passwords } from '../port.ts';
import type { TenantConfig } from '../../config/auth0-tenant-config.ts';
import { createTenantAccounts, type TenantAccounts } from './accounts.ts';
import { createTenantApi, type TenantApi, TenantError } from './api.ts';
import { createTenantUsers, type TenantUsers } from './users.ts';

type Deps = {
  readonly api: TenantApi;
  readonly users: TenantUsers;
  readonly accounts: TenantAccounts;
  readonly hashing: Pick<Hashing, 'verify'>;
  readonly onError: (error: unknown) => void;
};

/** Creates a real Auth0 tenant in place of the embedded hosted login (ARC-05); `null` where none is configured. */
export function createTenant(
  context: ServerContext,
  hashing: Deps['hashing'],
  log: Pick<FastifyBaseLogger, 'error'>,
) {
  const { tenant: settings, providerTimeoutMs, timers } = context.config;
  if (!settings) return null;
  const api = createTenantApi(settings, fetchOther, providerTimeoutMs);
  const users = createTenantUsers(api, settings.realm);
  const accounts = createTenantAccounts(context, users);
  for (const job of accounts.jobs) context.outbox.define(job);
  const onError = (error: unknown) => log.error({ err: error }, 'tenant failed');
  return {
    accounts,
    exchange: tenantExchange(settings, timers),
    login: createTenantProvider(settings, { api, users, accounts, hashing, onError }),
  };
}

function createTenantProvider(config: TenantConfig, deps: Deps): IdentityProvider {
  const { base, clientId, realm, audience, organization } = config;
  const nothing = async () => undefined;
  return {
    settings: { base, clientId, realm, audience, organization, endsWithApi: false },
    origins: [new URL(base).origin],
    passwords: createPasswords(deps),
    interactions: null,
    mount: nothing,
    // The tenant made its session with the password; the sign-in attempt stores the code's proof.
    codeVerified: async () => null,
    // Only a visit of the tenant's logout address ends the session in the browser.
    endSession: nothing,
    endAccount: (userId) => deps.accounts.endSessions(userId),
  };
}

/** Returns the tenant for the exchange of codes. */
const tenantExchange = (
  { base, issuer, clientId, realm, audience, organization }: TenantConfig,
  { sessionMs }: Config['timers'],
) => ({
  issuer,
  clientId,
  realm,
  tenantBase: base,
  maxAgeSeconds: sessionMs / 1000,
  ...(audience && { audience }),
  ...(organization && { organization }),
  fetch: fetchOther,
});

function createPasswords({ api, users, accounts, hashing, onError }: Deps): Passwords {
  /** Maps the tenant's refusals to those of PWD-08. */
  async function asked<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      onError(error);
      if (!(error instanceof TenantError)) throw error;
      if (error.status === 400) throw new AppError('RESET_REFUSED');
      if (error.status === 401 || error.status === 403) throw new AppError('RESET_UNAUTHORIZED');
      if (error.status === 404) throw new AppError('RESET_UNKNOWN');
      throw new AppError('UNAVAILABLE');
    }
  }

  async function userOf(account: AccountCredentials) {
    if (account.hosted_user_id) return { id: account.hosted_user_id, isVerified: true };
    return users.find(account.email);
  }

  return {
    isCurrent: (account, password, ip) =>
      asked(async () => {
        // The tenant's user does not exist yet; compare with the hash of the sign-up.
        const { hosted_user_id: tenantUserId, password_hash: hash } = account;
        if (!tenantUserId) return hash !== null && hashing.verify(hash, password);
        // `null` when the tenant rate-limits the check; the new password is accepted then.
        return (await api.isPassword(account.email, password, ip)) ?? false;
      }),

    async change(account, password) {
      const user = await asked(() => userOf(account));
      return async (transaction) => {
        const id = await asked(async () => {
          if (!user) return users.create(account.email, password);
          await users.setPassword(user.id, password);
          // Setting a password by a mailed link verifies the address.
          if (!user.isVerified) await users.setVerified(user.id);
          return user.id;
        });
        if (id !== account.hosted_user_id) await accounts.link(transaction, account.id, id);
      };
    },
  };
}
