/**
 * A client's authentication at the token endpoint (OIDC Core 9). Of a secret only the SHA-256 is stored (base64url).
 */
export type ClientAuth =
  | { readonly method: 'none' }
  | { readonly method: 'client_secret_basic' | 'client_secret_post'; readonly secretHash: string }
  | {
      readonly method: 'private_key_jwt';
      readonly jwks: { readonly keys: readonly Readonly<Record<string, unknown>>[] };
    }
  | { readonly method: 'private_key_jwt'; readonly jwksUri: string };

/** An API that access tokens can be asked for (Auth0's "API"; RFC 8707). */
export type Api = {
  /** Auth0's identifier, the `audience` of a request: any text, usually an address. */
  readonly identifier: string;
  readonly scopes: readonly string[];
  /** At most ten minutes, which is also the default (security R25). */
  readonly tokenSeconds?: number | undefined;
};

/** A registered client (RFC 6749, 2). */
export type OAuthClient = {
  readonly clientId: string;
  /** The name that people see. Default: the id. */
  readonly name?: string;
  /** Only a native application may use any port of its own machine (RFC 8252, 7.3). Default: web. */
  readonly type?: 'web' | 'native';
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  /** Origins whose pages may post a password (Auth0's "Allow Cross-Origin Authentication" and "Web Origins"). */
  readonly webOrigins: readonly string[];
  /** An application of the operator: consent is implied, and its password step moves the portal's sign-in attempt. */
  readonly firstParty: boolean;
  /** Default: the code flow and nothing else (RFC 9700, 2.1). */
  readonly grants?: readonly string[];
  /** Default: `code`. */
  readonly responseTypes?: readonly string[];
  /** The scopes it may request; others are dropped. Default: all. */
  readonly scopes?: readonly string[];
  /** Default: a public client. */
  readonly auth?: ClientAuth;
  /** `optional` only for a client with a secret or a key, whose library knows no PKCE. Default: required (PRF-07). */
  readonly pkce?: 'required' | 'optional';
  /** `required`: it gets no token without a proof of its key (RFC 9449). Default: it may send one. */
  readonly dpop?: 'required' | 'optional';
  /** Whether it accepts an organisation's sign-in as it does password and code. Default: yes. */
  readonly organisation?: boolean | undefined;
  /** The address that receives logout notices (OIDC Back-Channel Logout 1.0). */
  readonly backChannelLogoutUri?: string | null;
  /** The start of its own sign-in (OIDC Core 4). */
  readonly initiateLoginUri?: string | null;
  /** The subtenant of its people, unless the request names another. */
  readonly subtenantId?: number | null;
  /** ES256 costs a quarter of RS256 (performance S6); RS256 is what auth0-js and most clients expect. */
  readonly idTokenAlg?: 'ES256' | 'RS256';
  /** Lifetime of its refresh tokens: without use, and in all since the sign-in. Default: as long as a session. */
  readonly refreshLife?: { readonly idleSeconds: number; readonly seconds: number } | undefined;
  /** The APIs it may request tokens for, with the scopes it can get (Auth0's "client grants"). */
  readonly apis?: readonly { readonly audience: string; readonly scopes: readonly string[] }[];
};

/** The registered clients, looked up for each request, so that a removed one is refused at once. */
export type ClientSource = {
  find(clientId: string): Promise<OAuthClient | null>;
  list(): Promise<readonly OAuthClient[]>;
};
