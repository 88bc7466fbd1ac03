/** A provider that is not ours: oidc-provider with its own defaults, whose person signs in without a page. */

import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

type Client = { readonly id: string; readonly secret: string; readonly redirectUri: string };

/** Starts a provider with one client on this machine. `as` names the person who signs in. */
export async function createForeignProvider(client: Client) {
  let person = 'person-1';
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const issuer = `http://localhost:${(server.address() as { port: number }).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
      },
    ],
    cookies: { keys: ['a key of the cookies of this test'] },
    ttl: {
      AccessToken: 60,
      IdToken: 60,
      AuthorizationCode: 60,
      Grant: 600,
      Interaction: 600,
      Session: 600,
    },
    features: { devInteractions: { enabled: false } },
    claims: { email: ['email'], profile: ['name'] },
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@rosewood.example`, name: `Person ${id}` }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  });
  const handle = provider.callback();

  async function interact(...[request, response]: Parameters<typeof handle>): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      const login = { accountId: person, amr: ['mfa'] };
      return provider.interactionFinished(request, response, { login });
    }
    const grant = new provider.Grant({
      accountId: session?.accountId ?? '',
      clientId: String(params.client_id),
    });
    grant.addOIDCScope(String(params.scope));
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(request, response, { consent });
  }

  server.on('request', (request, response) => {
    const work = request.url?.startsWith('/interaction/')
      ? interact(request, response)
      : handle(request, response);
    work.catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  return {
    issuer,
    as: (name: string) => (person = name),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
