/** Another application, played by openid-client, and the browser that goes back and forth between it and us. */

import * as oidc from 'openid-client';
import type { ClientEntry } from '../config/client-file.ts';
import { clientSchema } from '../config/client-file.ts';
import { hashToken } from '../crypto/secret-box.ts';
import type { Visitor } from './visitor.ts';

export const SECRET_OF_CLIENT = 'a-secret-of-the-relying-party-000000000000000';
export const CALLBACK = 'http://localhost:4999/callback';
export const SIGNED_OUT = 'http://localhost:4999/signed-out';

/** A client of the settings, as the file would have it. */
export function clientEntry(entry: object = {}): ClientEntry {
  return clientSchema({ isDemo: true }).parse({
    id: 'garden-club',
    name: 'Garden Club',
    redirectUris: [CALLBACK],
    postLogoutRedirectUris: [SIGNED_OUT],
    auth: { method: 'client_secret_basic', secretHash: hashToken(SECRET_OF_CLIENT) },
    ...entry,
  });
}

/** Where a browser has come to: back at the client, or at a page of ours. */
export type Place = {
  readonly url: URL;
  readonly isClient: boolean;
  /** The handle of the request that the page is about. */
  readonly request: string;
};

const MOVES = [301, 302, 303, 307];

/** Follows redirects as a browser does, as far as our own pages or the client's door. */
export async function follow(visitor: Visitor, start: string | URL, home: string): Promise<Place> {
  let url = new URL(start, home);
  for (let hops = 0; hops < 10; hops += 1) {
    const request = url.searchParams.get('request') ?? '';
    if (url.origin !== home) return { url, isClient: true, request };
    const response = await visitor.request(url.href);
    await response.body?.cancel();
    if (!MOVES.includes(response.status)) return { url, isClient: false, request };
    url = new URL(response.headers.get('location') ?? '', url);
  }
  throw new Error(`Sent in circles: ${url.href}`);
}

type Begun = { readonly url: URL; readonly checks: oidc.AuthorizationCodeGrantChecks };

export async function createRelyingParty(
  home: string,
  id = 'garden-club',
  auth: oidc.ClientAuth = oidc.ClientSecretBasic(SECRET_OF_CLIENT),
) {
  const config = await oidc.discovery(new URL(`${home}/idp/`), id, {}, auth, {
    execute: [oidc.allowInsecureRequests],
  });
  oidc.enableNonRepudiationChecks(config);

  async function parameters(extra: Record<string, string>) {
    const verifier = oidc.randomPKCECodeVerifier();
    const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
    const params = {
      redirect_uri: CALLBACK,
      scope: 'openid profile email',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...extra,
    };
    const maxAge = extra.max_age ? { maxAge: Number(extra.max_age) } : {};
    const checks = {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      ...maxAge,
    };
    return { params, checks };
  }

  const party = {
    config,
    async begin(extra: Record<string, string> = {}): Promise<Begun> {
      const { params, checks } = await parameters(extra);
      return { url: oidc.buildAuthorizationUrl(config, params), checks };
    },
    async push(extra: Record<string, string> = {}): Promise<Begun> {
      const { params, checks } = await parameters(extra);
      return { url: await oidc.buildAuthorizationUrlWithPAR(config, params), checks };
    },
    redeem: ({ checks }: Begun, answer: URL) => oidc.authorizationCodeGrant(config, answer, checks),

    /** The whole way of a person who types everything and allows everything. */
    async signIn(visitor: Visitor, who: string, extra: Record<string, string> = {}) {
      const begun = await party.begin(extra);
      const place = await party.goThrough(visitor, who, begun.url);
      return { begun, place, tokens: await party.redeem(begun, place.url) };
    },

    async goThrough(visitor: Visitor, who: string, start: URL): Promise<Place> {
      let place = await follow(visitor, start, home);
      if (place.url.pathname === '/account/AppSignIn') {
        await visitor.signIn(who);
        const { url } = await visitor.ok('continueInteraction', {
          body: { request: place.request },
        });
        place = await follow(visitor, url, home);
      }
      if (place.url.pathname === '/account/Consent') {
        const { url } = await visitor.ok('allowInteraction', { body: { request: place.request } });
        place = await follow(visitor, url, home);
      }
      return place;
    },
  };
  return party;
}
