import { operationsByClient } from '../people/by-client.ts';
import { createEmbeddedProvider } from '../identity-provider/embedded/embedded-provider.ts';
import { logoutNoticeJob } from '../identity-provider/oauth-clients/back-channel.ts';
import { isAddressOf } from '../identity-provider/oauth-clients/registry.ts';
import { otpRecipientOf } from '../proofs/otp/recipients.ts';
import type { Passwords } from './passwords.ts';

export type HostedLogin = ReturnType<typeof addHostedLogin>;

/** Adds the hosted login, and its notices to other applications. */
export function addHostedLogin(before: Passwords) {
  const { context, clients, notifyClients, fastify, tenant, toLoopback } = before;
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
  return { ...before, identityProvider };
}
