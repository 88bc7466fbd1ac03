/** The provider's sessions: the only place that starts one, and every way to end one. */

import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { acrOf } from './acr.ts';
import type { Context } from './context.ts';
import { hasSecondFactor } from './factors.ts';
import type { CookieSink, SessionLife, VerifiedSignIn } from './options.ts';
import type { SignInEvents } from './ports.ts';
import type { ProviderStore, StoredPayload } from './store-port.ts';

type Session = InstanceType<Provider['Session']>;
type Authorizations = Record<string, { readonly sid?: string; readonly grantId?: string }>;
type BrowserContext = Pick<Context, 'req' | 'res' | 'cookies'>;

export type CookieOptions = {
  readonly signed: true;
  readonly httpOnly: true;
  readonly sameSite: 'lax';
  readonly overwrite: true;
  readonly secure: boolean;
  /** The whole site: the API sets this cookie when the code is verified and clears it at sign-out. */
  readonly path: '/';
};

export type ProviderSessions = {
  /** @returns the session's `uid` */
  establish(req: IncomingMessage, res: CookieSink, signIn: VerifiedSignIn): Promise<string>;
  /** Does the same for a request that the provider itself answers. */
  establishInBrowser(ctx: BrowserContext, signIn: VerifiedSignIn): Promise<string>;
  end(req: IncomingMessage, res: CookieSink): Promise<void>;
  /** Ends the session of the browser that sent this request and clears its cookies. */
  endInBrowser(ctx: BrowserContext): Promise<void>;
  endClient(accountId: string, clientId: string): Promise<void>;
  /** Returns the session of the browser that sent this request; without an account when there is none. */
  ofBrowser(req: IncomingMessage): Promise<Session>;
};

/** Finds a session by its `uid`, its public name. */
export type FindSession = (
  uid: string,
) => Promise<Pick<Session, 'accountId' | 'authorizations'> | null>;

const epochSeconds = (): number => Math.floor(Date.now() / 1000);

/** Returns the seconds that a session may live from now on, at least 1: the idle limit, within its whole life. */
export function sessionLifeSeconds(
  loginTs: number | undefined,
  { idleSeconds, seconds }: SessionLife,
): number {
  if (loginTs === undefined) return idleSeconds;
  return Math.max(1, Math.min(idleSeconds, loginTs + seconds - epochSeconds()));
}

/** Creates the service that starts and ends sessions. */
export function createSessions(
  provider: Provider,
  store: ProviderStore['payloads'],
  events: SignInEvents,
  cookieOptions: CookieOptions,
  life: SessionLife,
): ProviderSessions {
  /**
   * Creates a provider context for a request to the API. Its cookies go to a scratch response; `handOver` copies them.
   */
  function browserOf(req: IncomingMessage): {
    ctx: BrowserContext;
    handOver(res: CookieSink): void;
  } {
    const scratch = new ServerResponse(req);
    const ctx = provider.createContext(req, scratch);
    ctx.cookies.secure = cookieOptions.secure;
    return {
      ctx,
      handOver(res) {
        for (const cookie of [scratch.getHeader('set-cookie') ?? []].flat())
          res.appendHeader('set-cookie', String(cookie));
      },
    };
  }

  async function destroy(session: Session): Promise<void> {
    const grantIds = grantsOf(session);
    await notifyClients(session, events);
    await session.destroy();
    for (const grantId of grantIds) await endGrant(store, grantId);
  }

  async function endInBrowser(ctx: BrowserContext): Promise<void> {
    const session = await provider.Session.get(ctx as KoaContextWithOIDC);
    if (session.accountId) await destroy(session);
    // Also without a session: for a cookie without a session the provider would store an empty one.
    if (ctx.cookies.get(provider.cookieName('session'), { signed: false })) {
      ctx.cookies.set(provider.cookieName('session'), null, cookieOptions);
    }
  }

  async function establishInBrowser(
    ctx: BrowserContext,
    { accountId, amr, acr = acrOf(amr), authTime }: VerifiedSignIn,
  ): Promise<string> {
    if (!hasSecondFactor(amr, acr)) throw new Error('A session needs a verified one-time code.');
    // Each sign-in gets a new session id, and the browser's previous session ends (ASVS 7.2.4).
    await endInBrowser(ctx);
    const session = new provider.Session();
    // The demo can move our clock ahead but not the provider's, which must not see a sign-in in the future.
    const loginTs = Math.min(Math.floor(authTime.getTime() / 1000), epochSeconds());
    // Transient: the cookie ends when the browser closes, as a shared computer needs.
    session.loginAccount({
      accountId,
      amr: [...amr],
      acr,
      loginTs,
      transient: true,
    });
    await session.save(sessionLifeSeconds(loginTs, life));
    ctx.cookies.set(provider.cookieName('session'), session.jti, cookieOptions);
    return session.uid;
  }

  return {
    endInBrowser,

    async establish(req, res, signIn) {
      const { ctx, handOver } = browserOf(req);
      const uid = await establishInBrowser(ctx, signIn);
      handOver(res);
      return uid;
    },

    establishInBrowser,

    async end(req, res) {
      const { ctx, handOver } = browserOf(req);
      await endInBrowser(ctx);
      handOver(res);
    },

    endClient: (accountId, clientId) => store.destroyByAccountAndClient(accountId, clientId),

    ofBrowser: (req) => provider.Session.get(browserOf(req).ctx as KoaContextWithOIDC),
  };
}

/** Runs before any deletion: a superfluous notice does no harm, a lost one does. */
async function notifyClients(
  { accountId, authorizations }: Partial<Session> | StoredPayload,
  events: Pick<SignInEvents, 'sessionEnded'>,
) {
  const clients = Object.entries((authorizations ?? {}) as Authorizations).flatMap(
    ([clientId, { sid }]) => (sid ? [{ clientId, sid }] : []),
  );
  if (clients.length > 0) await events.sessionEnded({ accountId: String(accountId), clients });
}

/** Reports a sign-out; its listener may add cookies to the response. */
export async function notifySignedOut(
  { req, res }: Pick<Context, 'req' | 'res'>,
  events: Pick<SignInEvents, 'signedOut'>,
): Promise<void> {
  await events.signedOut({
    cookieHeader: req.headers.cookie,
    addCookie: (line) => void res.appendHeader('set-cookie', line),
  });
}

const grantsOf = ({ authorizations }: Pick<Session, 'authorizations'> | StoredPayload) =>
  Object.values((authorizations ?? {}) as Authorizations).flatMap(({ grantId }) => grantId ?? []);

/** Ends all tokens and codes of one grant. */
export async function endGrant(store: ProviderStore['payloads'], grantId: string): Promise<void> {
  for (const model of ['AuthorizationCode', 'AccessToken', 'RefreshToken']) {
    await store.revokeByGrantId(model, grantId);
  }
  await store.destroy('Grant', grantId);
}

/** Ends one session with its grants and notifies the clients. It needs no running provider. */
export async function endSession(
  store: ProviderStore['payloads'],
  events: Pick<SignInEvents, 'sessionEnded'>,
  uid: string,
): Promise<void> {
  const found = await store.findByUid('Session', uid);
  if (!found) return;
  await notifyClients(found.payload, events);
  await store.destroy('Session', found.id);
  for (const grantId of grantsOf(found.payload)) await endGrant(store, grantId);
}

/** Ends every session, grant and token of one account and notifies the clients. It needs no running provider. */
export async function endAccount(
  store: ProviderStore['payloads'],
  events: Pick<SignInEvents, 'sessionEnded'>,
  accountId: string,
): Promise<void> {
  for (const session of await store.listByAccount('Session', accountId)) {
    await notifyClients(session, events);
  }
  await store.destroyByAccount(accountId);
}
