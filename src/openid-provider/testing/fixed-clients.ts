import type { ClientSource, OAuthClient } from '../client-port.ts';

/** Clients that are known when the server starts. */
export function fixedClients(clients: readonly OAuthClient[]): ClientSource {
  const byId = new Map(clients.map((client) => [client.clientId, client]));
  return {
    find: async (clientId) => byId.get(clientId) ?? null,
    list: async () => clients,
  };
}
