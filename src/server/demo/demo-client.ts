import { clientSchema } from '../config/client-file.ts';
import { fromSettings, type Client } from '../identity-provider/oauth-clients/registry.ts';
import type { ServerContext } from '../core/context.ts';
import { hashToken } from '../crypto/secret-box.ts';

const CLIENT_ID = 'demo-garden-club';

/** The demo's third party, registered as the file would have it; its secret is made from the demo's own. */
export function setUpDemoClient({
  config,
  secretBox,
}: Pick<ServerContext, 'config' | 'secretBox'>) {
  const home = `${config.publicUrl}/demo/relying-party`;
  const secret = secretBox.hmac('demo-client', CLIENT_ID);
  const [client] = fromSettings([
    clientSchema({ isDemo: true }).parse({
      id: CLIENT_ID,
      name: 'Garden Club',
      redirectUris: [`${home}/callback`],
      postLogoutRedirectUris: [home],
      initiateLoginUri: `${home}/start`,
      auth: { method: 'client_secret_basic', secretHash: hashToken(secret) },
    }),
  ]);
  return { client: client as Client, secret };
}
