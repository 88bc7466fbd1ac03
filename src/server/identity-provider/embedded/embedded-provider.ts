import type { FastifyReply } from 'fastify';
import { INTERACTION_PATH } from '#contract/routes.ts';
import { ACR } from '#openid-provider/acr.ts';
import { createOpenIdProvider } from '#openid-provider/openid-provider.ts';
import { endAccount } from '#openid-provider/sessions.ts';
import type { ProviderKeys, Log, SessionEnded } from '#openid-provider/ports.ts';
import { setPasswordHash } from '../../accounts/account-store.ts';
import type { Captcha } from '../../abuse/captcha.ts';
import { CLAIMS_BESIDE, claimsOf } from '../../accounts/claims.ts';
import { currentRequest, recordInRequest } from '../../audit/request-context.ts';
import { isDatabaseAway } from '../../db/availability.ts';
import type { Hashing } from '../../proofs/password/hashing.ts';
import { PORTAL_CLIENT_ID } from '../../config/client-file.ts';
import type { Consents } from '../oauth-clients/consents.ts';
import type { Client, ClientRegistry } from '../oauth-clients/registry.ts';
import { visitorIpOf, mountProvider, requestIdOf } from '../../http/provider-mount.ts';
import { recordFault } from '../../http/request-id.ts';
import { createGuardedFetch } from '../../http/guarded-fetch.ts';
import type { VisitCookie } from '../../http/visit-cookie.ts';
import type { Subtenants } from '../../subtenants/subtenants.ts';
import type { Otps } from '../../proofs/otp/otp-ports.ts';
import type { otpRecipientOf } from '../../proofs/otp/recipients.ts';
import { createManagedUsers, type ManagedUserPorts } from './managed-users.ts';
import { createOneTimeCodes } from './otp-codes.ts';
import { createProviderStore } from './provider-store.ts';
import { createRegistrations, type RegistrationServices } from './registrations.ts';
import type { SigningKeys } from '../../crypto/signing-keys.ts';
import type { ServerContext } from '../../core/context.ts';
import type { Config } from '../../config/config.ts';
import type { CodeExchangeOptions } from '../../sign-in/code-exchange.ts';
import type { PasswordCheck } from '../../sign-in/password-check.ts';
import type { SignIns } from '../../sign-in/sign-ins.ts';
import type { IdentityProvider, IdentityProviderAccounts, ProviderCredentials } from '../port.ts';
import { DEFAULT_REALM } from '../../config/auth0-tenant-config.ts';
import { cookiesIn } from '../../core/cookies.ts';

/**
 * The query with which the provider sends a signed-out browser back, so that the portal does not send it there again.
 */
const PROVIDER_LOGOUT_DONE = 'hosted=done';
export const EMBEDDED_CLIENT_ID = PORTAL_CLIENT_ID;

type Deps = RegistrationServices &
  ManagedUserPorts & {
    readonly signIns: SignIns;
    readonly visits: VisitCookie;
    readonly passwordCheck: PasswordCheck;
    /** A visit sends its captcha solution before its password. */
    readonly captcha: Pick<Captcha, 'consume'>;
    readonly keys: SigningKeys;
    readonly clients: ClientRegistry;
    readonly otps: Otps;
    readonly otpRecipientOf: typeof otpRecipientOf;
    readonly consents: Pick<Consents, 'scopesOf'>;
    readonly subtenants: Pick<Subtenants, 'findNamed'>;
    readonly credentials: ProviderCredentials;
    readonly sessionEnded: (event: SessionEnded) => Promise<void>;
    readonly log: Log;
  };

/** Accounts of the portal and users of the embedded provider are the same rows. */
export const EMBEDDED_ACCOUNTS: IdentityProviderAccounts = {
  accountOf: async ({ sub }) => Number(sub),
  isSessionFirst: false,
  activated: async () => undefined,
  hasPassword: async () => false,
  isBeingMade: async () => false,
};

/** Returns the issuer, with a trailing slash, as Auth0 writes it. */
export const embeddedIssuer = (publicUrl: string) => `${publicUrl}/idp/`;

/** Returns the provider for the exchange of codes. `fetch`: of this process to itself. */
export const embeddedExchange = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  fetch: CodeExchangeOptions['fetch'] & {},
) => ({ issuer: embeddedIssuer(publicUrl), clientId: EMBEDDED_CLIENT_ID, fetch });

/** Creates the operations on passwords and accounts: rows of our own, without a running provider. */
export function createEmbeddedCredentials(
  { db }: ServerContext,
  { hashing, sessionEnded }: { readonly hashing: Hashing } & Pick<Deps, 'sessionEnded'>,
): ProviderCredentials {
  const { payloads } = createProviderStore(db);
  return {
    passwords: {
      isCurrent: (account, password) => hashing.verify(account.password_hash, password),
      async change(account, password) {
        const passwordHash = await hashing.hash(password);
        return async (transaction) => {
          await setPasswordHash(transaction, account.id, passwordHash);
        };
      },
    },
    endAccount: (userId) => endAccount(payloads, { sessionEnded }, String(userId)),
  };
}

/** Creates the identity provider in this process, on the portal's own origin. */
export function createEmbeddedProvider(context: ServerContext, deps: Deps): IdentityProvider {
  const { db, clock, config } = context;
  const { signIns, visits, passwordCheck, captcha, keys, clients, log } = deps;
  const { consents, subtenants } = deps;
  const { publicUrl, timers } = config;
  const issuer = embeddedIssuer(publicUrl);
  const store = createProviderStore(db, CLAIMS_BESIDE);
  const provider = createOpenIdProvider({
    issuer,
    accounts: {
      verifyPassword(userName, password, { ip, cookieHeader }) {
        const cookies = cookiesIn(cookieHeader);
        return passwordCheck.verify(userName, password, {
          ip,
          cookies,
          async consumeSolution() {
            const visit = await visits.find(cookies);
            return visit !== null && captcha.consume('signIn', visit);
          },
          readVisit: () => visits.find(cookies),
        });
      },
      claimsOf: (accountId) => claimsOf(db, Number(accountId)),
    },
    users: createManagedUsers(context, deps),
    codes: createOneTimeCodes(context, deps.otps, deps.otpRecipientOf),
    registrations: createRegistrations(context, deps),
    audit: ({ kind, accountId, clientId, ip, reason }) =>
      context.audit({
        kind,
        userId: accountId ? Number(accountId) : null,
        ip,
        ...(clientId !== null && { actor: `client:${clientId}` }),
        details: { clientId, ...(reason !== undefined && { reason }) },
      }),
    sessionLife: {
      idleSeconds: timers.sessionIdleMs / 1000,
      seconds: timers.sessionMs / 1000,
    },
    isPasswordGrantOn: config.isPasswordGrantOn,
    apis: config.apis,
    defaultAudience: config.defaultAudience ?? undefined,
    store,
    events: {
      async passwordAccepted({ accountId, state, cookieHeader }) {
        const visit = await visits.find(cookiesIn(cookieHeader));
        return visit !== null && signIns.acceptPassword(visit, state, Number(accountId));
      },
      async signedOut({ cookieHeader, addCookie }) {
        const cookies = cookiesIn(cookieHeader);
        const visit = await visits.find(cookies);
        if (!visit) return;
        await signIns.endVisit(visit);
        for (const line of await visits.renewFor(cookies)) addCookie(line);
      },
      sessionEnded: deps.sessionEnded,
    },
    clients,
    consents,
    async findOrganization(nameOrId) {
      const id = await subtenants.findNamed(nameOrId);
      return id === null ? null : String(id);
    },
    interactionPath: INTERACTION_PATH,
    keys: providerKeys(keys),
    now: () => clock.now(),
    acceptsKeys: config.keys !== null,
    log,
    isStoreAway: isDatabaseAway,
    fetch: createGuardedFetch({ isDemo: config.mode === 'demo' }),
    clientIp: visitorIpOf,
    requestId: requestIdOf,
    recordFault: (error) => recordFault(currentRequest(), error),
    recordRefusal: (mistake) => recordInRequest({ mistake }),
    tellsCauses: config.mode === 'demo',
  });
  keys.onChange(() => provider.useKeys(providerKeys(keys)));

  return {
    settings: {
      base: issuer,
      clientId: EMBEDDED_CLIENT_ID,
      realm: DEFAULT_REALM,
      audience: null,
      organization: null,
      endsWithApi: true,
    },
    origins: [],
    ...deps.credentials,
    interactions: provider,
    async mount(fastify, renderPage, finish) {
      provider.usePages(renderPage);
      await mountProvider(fastify, provider, finish);
    },
    codeVerified: ({ userId, amr, isOfApp }, request, reply) =>
      provider.establishSession(request.raw, cookieSink(reply), {
        accountId: String(userId),
        amr,
        ...(isOfApp && { acr: ACR.passwordAndAppCode }),
        ...(amr.includes('fed') && { acr: ACR.organisation }),
        authTime: new Date(),
      }),
    endSession: (request, reply) => provider.endSession(request.raw, cookieSink(reply)),
  };
}

/** Returns the portal as a client of the embedded provider. */
export function portalClient(publicUrl: string): Client {
  return {
    clientId: EMBEDDED_CLIENT_ID,
    name: 'Porchlight',
    firstParty: true,
    type: 'web',
    redirectUris: [`${publicUrl}/account/Redirect`],
    postLogoutRedirectUris: [
      `${publicUrl}/account/Signout`,
      `${publicUrl}/account/Signout?${PROVIDER_LOGOUT_DONE}`,
    ],
    webOrigins: [publicUrl],
    grants: ['authorization_code'],
    responseTypes: ['code'],
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    auth: { method: 'none' },
    pkce: 'required',
    dpop: 'optional',
    backChannelLogoutUri: null,
    initiateLoginUri: null,
    subtenantId: null,
    idTokenAlg: 'ES256',
    apis: [],
  };
}

function providerKeys(keys: SigningKeys): ProviderKeys {
  return {
    signing: [...keys.current('es256'), ...keys.current('rs256')].map((key) => key.jwk),
    cookies: keys.current('cookies').map((key) => key.jwk.k ?? ''),
  };
}

/** Sets cookies on the reply: Fastify overwrites the headers of the raw response. */
function cookieSink(reply: FastifyReply) {
  return { appendHeader: (name: string, value: string) => reply.header(name, value) };
}
