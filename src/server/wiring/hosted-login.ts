import { operationsByClient } from '../administration/by-client.ts';
import { createEmbeddedProvider } from '../identity-provider/embedded/embedded-provider.ts';
import { logoutNoticeJob } from '../oauth-clients/back-channel.ts';
import { createPendingInteractions } from '../oauth-clients/pending-interactions.ts';
import { isAddressOf } from '../oauth-clients/registry.ts';
import { otpRecipientOf } from '../otp/recipients.ts';
import type { Codes } from './codes.ts';
import type { Core } from './core.ts';
import type { Clients, Credentials, Tenant } from './credentials.ts';
import type { Delivery } from './delivery.ts';
import type { Passwords } from './passwords.ts';
import type { SignIn } from './sign-in.ts';
import type { SignUp } from './sign-up.ts';

/** Creates the store of other applications' requests; `null` where they go to a tenant. */
export const createRequests = (
  { context }: Core,
  tenant: Tenant,
  { clients, consents, issuer }: Clients,
  { signIns }: SignIn,
) => (tenant ? null : createPendingInteractions(context, { clients, consents, issuer, signIns }));

/** Everything that stands before the hosted login. */
type Before = Core & Delivery & Clients & Credentials & SignIn & SignUp & Codes & Passwords;

/** Creates the hosted login, and its notices to other applications. */
export function createIdentityProvider(tenant: Tenant, before: Before) {
  const { context, clients, notifyClients, fastify, toLoopback } = before;
  const identityProvider =
    tenant?.login ??
    createEmbeddedProvider(context, {
      ...before,
      ...operationsByClient(context),
      isAddressOf,
      otpRecipientOf,
      sessionEnded: notifyClients,
      log: fastify.log,
    });
  const { interactions } = identityProvider;
  context.outbox.define(logoutNoticeJob(context, { clients, interactions, fetch: toLoopback }));
  return identityProvider;
}
