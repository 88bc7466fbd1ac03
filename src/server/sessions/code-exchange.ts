/** The backend's half of the code flow: decisions 1.6 and 2, seed section 7 (token errors). Tokens never leave this file. */

export interface CodeExchangeOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** When given, the ID token's `org_id` must be this. */
  readonly organization?: string;
  readonly audience?: string;
  /** For a provider that lives in this process: the wiring points it at the loopback address. */
  readonly fetch?: typeof fetch;
}

/** What the server keeps in its sign-in record between the two steps. */
export interface CodeExpectation {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface BegunExchange extends CodeExpectation {
  readonly authorizeUrl: string;
}

export interface HostedIdentity {
  readonly sub: string;
  readonly amr: readonly string[];
  /** Seconds since 1970 (OIDC Core 2). */
  readonly authTime: number | undefined;
  readonly sid: string | undefined;
  readonly email: string | undefined;
  readonly orgId: string | undefined;
}

export type ExchangeResult =
  | { readonly kind: 'ok'; readonly identity: HostedIdentity }
  /** The provider said no, or a check failed; `message` is the seed's text where it has one. */
  | { readonly kind: 'refused'; readonly error: string; readonly message: string }
  /** The provider could not be reached or was at fault; worth a retry. */
  | { readonly kind: 'unavailable'; readonly message: string };

export interface CodeExchange {
  begin(): Promise<BegunExchange>;
  exchange(answer: { readonly code: string; readonly state: string; readonly expected: CodeExpectation }): Promise<ExchangeResult>;
}

export function createCodeExchange(_options: CodeExchangeOptions): CodeExchange {
  throw new Error('The code exchange is not built yet.');
}
