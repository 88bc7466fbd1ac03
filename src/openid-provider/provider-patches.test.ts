/**
 * Fails when oidc-provider changes where provider-patches.ts relies on its internals. Then: read the new source beside
 * the patch, see whether the patch still holds (or is no longer needed), and only after that take over the new values.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Provider } from 'oidc-provider';
import type { Client as RegisteredClient, ClientMetadata } from 'oidc-provider';
import { expect, test, vi } from 'vitest';
import {
  allowLocalImplicitClients,
  changeAuthorizationResponse,
  compareClientSecrets,
  deriveRefreshTokenIds,
  internalsOf,
  isWebMessagePage,
  keepSessionIds,
  queueLogoutNotices,
  restrictIdTokenHints,
  signOutFormOf,
  WRITTEN_FOR_VERSION,
} from './provider-patches.ts';

// The library warns about keys and storage that are good enough for this test.
vi.spyOn(console, 'warn').mockReturnValue();

const newProvider = () =>
  new Provider('https://op.example', {
    features: { backchannelLogout: { enabled: true } },
    responseTypes: ['code', 'id_token'],
  });

const library = (path: string) =>
  readFileSync(fileURLToPath(new URL(path, import.meta.resolve('oidc-provider'))), 'utf8');

/** The first characters of the SHA-256 of a source, whatever its indentation. */
const fingerprint = (source: string) =>
  createHash('sha256').update(source.replace(/\s+/g, ' ')).digest('hex').slice(0, 16);

test('the library is the version that the patches were written for', () => {
  const { version } = JSON.parse(library('../package.json')) as { version: string };
  expect(version).toBe(WRITTEN_FOR_VERSION);
});

const original = internalsOf(newProvider());

test.each([
  [
    'Client#compareClientSecret',
    original.Client.prototype.compareClientSecret,
    1,
    'e9950d6443595167',
  ],
  ['Client#backchannelLogout', original.Client.prototype.backchannelLogout, 2, 'e6be45d175e819b1'],
  ['Client#includeSid', original.Client.prototype.includeSid, 0, 'a30e36711426a1df'],
  ['Client.Schema#invalidate', original.Client.Schema.prototype.invalidate, 2, '27777113cc615065'],
  ['IdToken.validate', original.IdToken.validate, 2, 'e1f05d1b8fa22ae7'],
  [
    'RefreshToken#generateTokenId',
    original.RefreshToken.prototype.generateTokenId,
    0,
    '7c129bfb167d37a8',
  ],
  ['Session#resetIdentifier', original.Session.prototype.resetIdentifier, 0, 'd5568bec55e4dd5e'],
])('%s is what its patch replaces', (_name, member, parameters, source) => {
  expect(member).toBeTypeOf('function');
  expect(member).toHaveLength(parameters);
  expect(fingerprint(String(member))).toBe(source);
});

test.each([
  [
    'the library asks for the secret through the patched method',
    'shared/client_auth.js',
    '5d07ce4e7c583fd7',
  ],
  [
    'the codes of the rules that local pages are spared',
    'helpers/client_schema.js',
    '60f455bdebdbaeae',
  ],
  [
    'what an ID token takes from `scope`, `mask` and `rejected`',
    'models/id_token.js',
    '4391bbb3c797169c',
  ],
  [
    'a rotated token is known before its successor is made',
    'actions/grants/refresh_token.js',
    '979034bc03ab8685',
  ],
  ['an id is drawn only for a token without one', 'models/base_model.js', '7ed23d9f6eee899d'],
  ['a response is sent after its event', 'actions/authorization/respond.js', 'a56cd5e71efff96d'],
  [
    'the state and the route of the sign-out question',
    'actions/end_session.js',
    '3e7388481bd81aee',
  ],
  ['the secret of the sign-out question', 'shared/xsrf.js', '3bb92dfc4d4ea52e'],
  [
    'the page that posts an authorization response',
    'response_modes/web_message.js',
    '29051f8fdeb47484',
  ],
])('unchanged: %s (%s)', (_what, path, source) => {
  expect(fingerprint(library(path))).toBe(source);
});

const metadata = (more: Partial<ClientMetadata> = {}) => ({
  client_id: 'garden',
  client_secret: 'hash',
  redirect_uris: ['https://garden.example/callback'],
  backchannel_logout_uri: 'https://garden.example/logout',
  ...more,
});

async function clientOf(provider: Provider, more?: Partial<ClientMetadata>) {
  const Client = provider.Client as unknown as new (given: object) => RegisteredClient;
  return new Client(metadata(more));
}

test('client secrets are compared by the given rule', async () => {
  const provider = newProvider();
  compareClientSecrets(provider, (shown, stored) => `${shown}:${stored}` === 'shown:hash');
  const client = await clientOf(provider);
  expect(client.compareClientSecret('shown')).toBe(true);
  expect(client.compareClientSecret('hash')).toBe(false);
});

test('only clients whose pages are all local take tokens over http', async () => {
  const provider = newProvider();
  const implicit = (...redirect_uris: string[]) =>
    clientOf(provider, { redirect_uris, response_types: ['id_token'], grant_types: ['implicit'] });
  const [local, other] = ['http://localhost:3000/callback', 'http://garden.example/callback'];
  await expect(implicit(local)).rejects.toThrow('invalid_redirect_uri');
  allowLocalImplicitClients(provider, (uri) => uri === local);
  await expect(implicit(local)).resolves.toMatchObject({ redirectUris: [local] });
  await expect(implicit(local, other)).rejects.toThrow('invalid_redirect_uri');
  await expect(clientOf(provider, { redirect_uris: [local], scope: 'none' })).rejects.toThrow(
    'invalid_client_metadata',
  );
});

test('a logout notice goes to the queue', async () => {
  const provider = newProvider();
  const queue = vi.fn<(notice: object) => Promise<void>>(async () => {});
  queueLogoutNotices(provider, queue);
  const client = await clientOf(provider);
  await (client as unknown as typeof original.Client.prototype).backchannelLogout('mary', 'sid-1');
  expect(queue).toHaveBeenCalledExactlyOnceWith({
    accountId: 'mary',
    clientId: 'garden',
    sid: 'sid-1',
  });
});

test('a hint that is no ID token is refused before the library looks at it', async () => {
  const provider = newProvider();
  const client = await clientOf(provider);
  restrictIdTokenHints(provider, (token) => token === 'ID token');
  await expect(provider.IdToken.validate('logout token', client)).rejects.toThrow(
    'not an ID token',
  );
  await expect(provider.IdToken.validate('ID token', client)).rejects.not.toThrow(
    'not an ID token',
  );
});

test('a refresh token that follows no other has a random id', () => {
  const provider = newProvider();
  deriveRefreshTokenIds(provider, (predecessor) => `after ${predecessor}`);
  const next = () => internalsOf(provider).RefreshToken.prototype.generateTokenId();
  expect(next()).toMatch(/^[\w-]{43}$/);
  expect(next()).not.toBe(next());
});

test('a session keeps its id and is saved all the same', () => {
  const provider = newProvider();
  keepSessionIds(provider);
  const session = new provider.Session();
  const { jti } = session;
  session.resetIdentifier();
  expect(session).toMatchObject({ jti, touched: true });
});

test('an authorization response can be changed before it is sent', () => {
  const provider = newProvider();
  changeAuthorizationResponse(provider, (_ctx, response) => {
    delete response.id_token;
  });
  const response = { access_token: 'a', id_token: 'b' };
  provider.emit('authorization.success', {} as never, response);
  expect(response).toEqual({ access_token: 'a' });
});

test('the sign-out form is made of the state of the session', () => {
  const ctxOf = (state: object | undefined) =>
    ({ oidc: { session: { state }, urlFor: (name: string) => `/${name}` } }) as never;
  expect(signOutFormOf(ctxOf({ secret: 's' }))).toEqual({
    action: '/end_session_confirm',
    xsrf: 's',
    target: null,
  });
  const target = 'https://garden.example/bye';
  expect(signOutFormOf(ctxOf({ secret: 's', postLogoutRedirectUri: target }))).toMatchObject({
    target,
  });
  expect(() => signOutFormOf(ctxOf(undefined))).toThrow('no sign-out under way');
});

test('a page of ours is no web message', () => {
  expect(isWebMessagePage({ body: '<title>We could not sign you in</title>' })).toBe(false);
  expect(isWebMessagePage({ body: { error: 'authorization_response' } })).toBe(false);
});
