import { randomBytes } from 'node:crypto';
import * as oidc from 'openid-client';
import { frontPage, memberPage } from './garden-club.ts';
import type { Language } from '#locales/languages.ts';
import { refusalPage } from './pages.ts';
import type { ModuleAnswer, ModuleRequest } from './demo-modules.ts';

export type DemoRelyingPartyOptions = {
  /** The portal's own address, without a closing slash. */
  readonly portalUrl: string;
  readonly fetch: typeof fetch;
  readonly clientId: string;
  readonly secret: string;
};

type Begun = { readonly checks: oidc.AuthorizationCodeGrantChecks };
type SignedIn = {
  readonly person: Readonly<Record<string, unknown>>;
  readonly idToken: string;
};
type Visitor = Begun | SignedIn;

/** It forgets its visitors at a restart, and keeps this many at most. */
const VISITOR_LIMIT = 1000;
const COOKIE = 'demo-relying-party';

/**
 * A third party's app that signs people in here, as a real one should (docs/clients.md): a code with PKCE,
 * redeemed server to server; state and nonce belong to the browser that began; no token ever reaches the browser.
 */
export function createDemoRelyingParty(options: DemoRelyingPartyOptions) {
  const home = `${options.portalUrl}/demo/relying-party`;
  const issuer = new URL(`${options.portalUrl}/idp/`);
  const visitors = new Map<string, Visitor>();
  let known: Promise<oidc.Configuration> | null = null;

  /** Asked for at the first visit; one that failed is asked for again. */
  function provider(): Promise<oidc.Configuration> {
    known ??= oidc
      .discovery(issuer, options.clientId, {}, oidc.ClientSecretBasic(options.secret), {
        [oidc.customFetch]: options.fetch as oidc.CustomFetch,
        // A demo on this very machine has no https.
        execute: [oidc.allowInsecureRequests],
      })
      .catch((error: unknown) => {
        known = null;
        throw error;
      });
    return known;
  }

  /** A new id at each step: an attacker cannot plant a known one. */
  function remember(visitor: Visitor) {
    const id = randomBytes(32).toString('base64url');
    if (visitors.size >= VISITOR_LIMIT) visitors.delete(visitors.keys().next().value as string);
    visitors.set(id, visitor);
    return { name: COOKIE, value: id };
  }

  async function begin(query: URLSearchParams, language: Language): Promise<ModuleAnswer> {
    // OpenID Connect Core 4: it knows one provider, and begins with no other.
    if ((query.get('iss') ?? issuer.href) !== issuer.href)
      return { status: 400, html: refusalPage('another provider sent you', language) };
    const checks = {
      pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
      expectedState: oidc.randomState(),
      expectedNonce: oidc.randomNonce(),
      idTokenExpected: true,
    };
    const target = oidc.buildAuthorizationUrl(await provider(), {
      redirect_uri: `${home}/callback`,
      scope: 'openid profile email',
      state: checks.expectedState,
      nonce: checks.expectedNonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    return { status: 303, location: target.href, cookie: remember({ checks }) };
  }

  async function finish(
    query: URLSearchParams,
    visitor: Visitor | null,
    language: Language,
  ): Promise<ModuleAnswer> {
    if (!visitor || !('checks' in visitor))
      return { status: 400, html: refusalPage('this sign-in did not begin here', language) };
    const answer = new URL(`${home}/callback?${String(query)}`);
    const tokens = await oidc.authorizationCodeGrant(await provider(), answer, visitor.checks);
    const claims = tokens.claims();
    if (!claims || !tokens.id_token) throw new Error('An ID token was expected.');
    const told = await oidc.fetchUserInfo(await provider(), tokens.access_token, claims.sub);
    return {
      status: 303,
      location: home,
      cookie: remember({ person: { ...claims, ...told }, idToken: tokens.id_token }),
    };
  }

  async function signOut(visitor: Visitor | null): Promise<ModuleAnswer> {
    const target = oidc.buildEndSessionUrl(await provider(), {
      post_logout_redirect_uri: home,
      ...(visitor && 'idToken' in visitor && { id_token_hint: visitor.idToken }),
    });
    return { status: 303, location: target.href };
  }

  function show(visitor: Visitor | null, language: Language): ModuleAnswer {
    if (!visitor || !('person' in visitor)) return { status: 200, html: frontPage(null, language) };
    return { status: 200, html: memberPage(visitor.person, language) };
  }

  return {
    /** Answers a request under /demo/relying-party. */
    async answer(request: ModuleRequest): Promise<ModuleAnswer> {
      const { language } = request;
      const id = request.cookies[COOKIE] ?? '';
      const visitor = visitors.get(id) ?? null;
      // Whatever comes next has an id of its own.
      if (request.page !== 'root') visitors.delete(id);
      try {
        switch (request.page) {
          case 'root':
            return show(visitor, language);
          case 'start':
            return await begin(request.query, language);
          case 'callback':
            return await finish(request.query, visitor, language);
          case 'sign-out':
            return await signOut(visitor);
          default:
            return { status: 404, html: refusalPage('there is no such page', language) };
        }
      } catch (error) {
        if (error instanceof oidc.AuthorizationResponseError)
          return { status: 200, html: frontPage(error.error, language) };
        if (error instanceof oidc.ClientError || error instanceof oidc.ResponseBodyError)
          return { status: 403, html: refusalPage(error.message, language) };
        throw error;
      }
    },
  };
}
