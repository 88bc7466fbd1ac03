import type { ClientSource, HostedLoginClient } from '../ports.ts';

/** Clients that are known when the server starts. */
export function fixedClients(clients: readonly HostedLoginClient[]): ClientSource {
  const byId = new Map(clients.map((client) => [client.clientId, client]));
  return {
    find: async (clientId) => byId.get(clientId) ?? null,
    list: async () => clients,
  };
}
