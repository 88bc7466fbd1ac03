// oidc-provider with its own in-memory adapter and the same features as ours: what the protocol itself costs.
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { type Configuration, type Grant, type JWKS, Provider } from 'oidc-provider';

const url = process.env.PORCHLIGHT_PUBLIC_URL ?? '';
const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const key = { ...(await exportJWK(privateKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
const CLIENT_ID = 'porchlight-portal';

const configuration: Configuration = {
  jwks: { keys: [key] } as JWKS,
  clients: [
    {
      client_id: CLIENT_ID,
      redirect_uris: [`${url}/account/Redirect`],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
  ],
  routes: { authorization: '/authorize', token: '/oauth/token' },
  features: {
    devInteractions: { enabled: false },
    webMessageResponseMode: { enabled: true, ack: 'individual-draft-01' },
  },
  claims: { openid: ['sub', 'amr', 'acr'], profile: ['name'], email: ['email', 'email_verified'] },
  scopes: ['openid'],
  conformIdTokenClaims: false,
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  pkce: { required: () => true },
  cookies: { keys: ['a key of the bench'] },
  findAccount: (_ctx, accountId) => ({
    accountId,
    claims: () => ({ sub: accountId, name: 'Mary Hill', email: 'mary@example.test' }),
  }),
  async loadExistingGrant({ oidc }): Promise<Grant | undefined> {
    const { client, session, provider } = oidc;
    if (!client || !session?.accountId) return undefined;
    const known = session.grantIdFor(client.clientId);
    const found = known ? await provider.Grant.find(known) : undefined;
    if (found) return found;
    const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
};

const provider = new Provider(`${url}/idp/`, configuration);
provider.silent = true;
provider.use(async (ctx, next) => {
  if (ctx.path !== '/login') return next();
  const session = new provider.Session();
  session.loginAccount({ accountId: 'mary', amr: ['pwd', 'otp'], transient: true });
  await session.save(1800);
  ctx.cookies.set(provider.cookieName('session'), session.jti, { signed: true, path: '/' });
  ctx.body = {};
});

const callback = provider.callback();
const server = createServer((req, res) => {
  Object.assign(req, { originalUrl: req.url, url: req.url?.replace(/^\/idp/, '') });
  void callback(req, res);
});
process.on('SIGTERM', () => server.close());
server.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');
