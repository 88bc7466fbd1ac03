/**
 * Every place where this room changes or reads internals of oidc-provider, which is more than its documentation
 * promises. All of it was written for the version below; provider-patches.test.ts fails when the library changes there.
 */

import { createHash } from 'node:crypto';
import type { Client, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { Provider as AnyProvider } from 'oidc-provider';
import { LOGOUT_EVENT } from '#domain/hand-off/logout-token.ts';
import type { Context } from './context.ts';
import type { LogoutNotice } from './ports.ts';

/**
 * Before this changes, read each function below beside the library's new source.
 * @internal
 */
export const WRITTEN_FOR_VERSION = '9.13.3';

type IdTokenInstance = InstanceType<Provider['IdToken']>;

/** What the published types leave out. */
export type Internals = {
  readonly Client: {
    readonly prototype: {
      readonly clientId: string;
      readonly clientSecret: string | undefined;
      compareClientSecret(shown: string): boolean;
      backchannelLogout(accountId: string, sid: string): Promise<void>;
      includeSid(): boolean;
    };
    readonly Schema: {
      readonly prototype: {
        readonly redirect_uris?: readonly string[];
        invalidate(message: string, code?: string): void;
      };
    };
  };
  readonly IdToken: {
    validate(token: string, client: Client): Promise<unknown>;
  };
  readonly RefreshToken: { readonly prototype: { generateTokenId(): string } };
  readonly Session: { readonly prototype: { touched: boolean; resetIdentifier(): void } };
};

export const internalsOf = (provider: Provider) => provider as unknown as Internals;

/**
 * Compares client secrets by `isSecret`. The library compares them as they stand, and this server knows only their
 * hashes (decision 041).
 */
export function compareClientSecrets(
  provider: Provider,
  isSecret: (shown: string, stored: string | undefined) => boolean,
): void {
  internalsOf(provider).Client.prototype.compareClientSecret = function compare(shown) {
    return isSecret(shown, this.clientSecret);
  };
}

/**
 * Lets clients whose redirect addresses are all `isLocal` take tokens in the front channel over http. The library
 * demands https of them, and a page on the developer's own machine has none.
 */
export function allowLocalImplicitClients(
  provider: Provider,
  isLocal: (redirectUri: string) => boolean,
): void {
  const schema = internalsOf(provider).Client.Schema.prototype;
  const { invalidate } = schema;
  schema.invalidate = function judge(message, code) {
    const areLocal = this.redirect_uris?.every(isLocal) ?? false;
    if (code?.startsWith('implicit-') && areLocal) return;
    invalidate.call(this, message, code);
  };
}

/**
 * Hands logout notices to `queue` (OIDC Back-Channel Logout 1.0). The library would send each once, and forget a
 * receiver that is down.
 */
export function queueLogoutNotices(
  provider: Provider,
  queue: (notice: Omit<LogoutNotice, 'jti'>) => Promise<void>,
): void {
  internalsOf(provider).Client.prototype.backchannelLogout = async function notify(accountId, sid) {
    await queue({ accountId, clientId: this.clientId, sid });
  };
}

/**
 * Issues the logout token of a notice as the library's own `backchannelLogout` does, anew for each attempt because it is
 * valid for two minutes; `null` for an unknown client. The server's outbox sends it.
 */
export async function logoutTokenFor(
  provider: Provider,
  { accountId, clientId, sid, jti }: LogoutNotice,
): Promise<string | null> {
  const client = await provider.Client.find(clientId);
  if (!client) return null;
  const token = new provider.IdToken({ sub: accountId }, { client });
  Object.assign(token, { mask: { sub: null } });
  token.set('events', { [LOGOUT_EVENT]: {} });
  token.set('sid', sid);
  token.set('jti', jti);
  return token.issue({ use: 'logout' });
}

/** Sets what the library's grants set before they issue an ID token: all claims of `scope`, none left out. */
export function setIdTokenScope(token: IdTokenInstance, scope: string): void {
  Object.assign(token, { scope, mask: {}, rejected: [] });
}

/**
 * Refuses an `id_token_hint` that fails `isIdToken`. The library checks signature, issuer and audience; an access token
 * or a logout token would pass (RFC 8725, 3.11).
 */
export function restrictIdTokenHints(
  provider: Provider,
  isIdToken: (token: string) => boolean,
): void {
  const { IdToken } = internalsOf(provider);
  const validate = IdToken.validate.bind(IdToken);
  IdToken.validate = async (hint, client) => {
    if (!isIdToken(hint)) throw new Error('not an ID token');
    return validate(hint, client);
  };
}

/**
 * Derives the id of a rotated refresh token from its predecessor's by `successorOf`; the library draws a random one
 * (refresh-rotation.ts says why).
 */
export function deriveRefreshTokenIds(
  provider: Provider,
  successorOf: (predecessorId: string) => string,
): void {
  const { prototype } = internalsOf(provider).RefreshToken;
  const random = prototype.generateTokenId;
  prototype.generateTokenId = function generate() {
    const predecessor = AnyProvider.ctx?.oidc.entities.RotatedRefreshToken;
    return predecessor ? successorOf(predecessor.jti) : random.call(this);
  };
}

/**
 * Keeps the id of a session. Each sign-in here makes a session with its own id. The library would change it when it
 * resumes an interaction, by deleting and inserting the row, and would so undo a concurrent password reset, which
 * deletes the row.
 */
export function keepSessionIds(provider: Provider): void {
  internalsOf(provider).Session.prototype.resetIdentifier = function keep() {
    this.touched = true;
  };
}

/** Puts `sid` into the ID tokens of every client, as Auth0 does; the library leaves it out without back-channel logout. */
export function nameSessions(provider: Provider): void {
  internalsOf(provider).Client.prototype.includeSid = () => true;
}

/** Calls `change` with each successful authorization response, before the library sends it. */
export function changeAuthorizationResponse(
  provider: Provider,
  change: (ctx: KoaContextWithOIDC, response: Record<string, unknown>) => void,
): void {
  provider.on('authorization.success', (ctx, response = {}) => change(ctx, response));
}

export type SignOutForm = {
  readonly action: string;
  readonly xsrf: string;
  /** The address after the sign-out; null for the page of this server. */
  readonly target: string | null;
};

/**
 * Returns the fields that the answer to the sign-out question has to carry. The library gives `logoutSource` only
 * finished HTML.
 */
export function signOutFormOf({ oidc }: KoaContextWithOIDC): SignOutForm {
  const { secret, postLogoutRedirectUri } = (oidc.session?.state ?? {}) as {
    secret?: string;
    postLogoutRedirectUri?: string;
  };
  if (!secret) throw new Error('The session has no sign-out under way.');
  return {
    action: oidc.urlFor('end_session_confirm'),
    xsrf: secret,
    target: postLogoutRedirectUri ?? null,
  };
}

/** Returns whether the answer is the page that posts an authorization response to its parent window. */
export function isWebMessagePage({ body }: { readonly body: unknown }): boolean {
  return typeof body === 'string' && body.includes('authorization_response');
}

/**
 * Leaves the window of such a page open, as Auth0 does: its script closes it right after the message, and the page that
 * opened it may see the closed window first. That page closes it when the message has come.
 */
export function leaveWindowOpen(ctx: Pick<Context, 'body' | 'response' | 'set'>): void {
  const body = String(ctx.body);
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(body) ?? [];
  const open = script.replace('win.close();', '');
  ctx.body = body.replace(script, () => open);
  const policy = ctx.response.get('content-security-policy');
  ctx.set('content-security-policy', policy.replace(digestOf(script), digestOf(open)));
}

const digestOf = (script: string) => createHash('sha256').update(script).digest('base64');
