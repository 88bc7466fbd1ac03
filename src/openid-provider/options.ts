/** What the hosted login is given and what it gives back. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  Accounts,
  Api,
  ClientSource,
  Codes,
  Consents,
  HostedKeys,
  Log,
  LogoutNotice,
  ProviderStore,
  Registrations,
  SignInEvents,
  WireEvent,
} from './ports.ts';
import type { UserDirectory } from './user-directory.ts';

export type HostedLoginOptions = {
  /** With a trailing slash, as Auth0 writes it: `http://localhost:3000/idp/`. Its path is the mount path. */
  readonly issuer: string;
  readonly accounts: Accounts;
  readonly store: ProviderStore;
  readonly events: SignInEvents;
  readonly clients: ClientSource;
  /** Behind the management calls under `api/v2/`. */
  readonly users: UserDirectory;
  /** APIs that clients may ask access tokens for. */
  readonly apis?: readonly Api[] | undefined;
  /** Auth0's "default audience": the API of a request that names none. */
  readonly defaultAudience?: string | undefined;
  /** Codes for sign-ins by calls alone. */
  readonly codes: Codes;
  /** Behind `dbconnections/…`. */
  readonly registrations: Registrations;
  /** Auth0's password grants; off unless the operator wants them (RFC 9700, 2.4). */
  readonly isPasswordGrantOn: boolean;
  readonly audit: (event: WireEvent) => Promise<void>;
  /** Those of the start; `useKeys` replaces them later. */
  readonly keys: HostedKeys;
  readonly consents: Consents;
  /** The `org_id` of an active subtenant, by its id or name. */
  readonly findOrganization: (nameOrId: string) => Promise<string | null>;
  /** Where a person is sent with a waiting request; its uid follows after a slash. */
  readonly requestPath: string;
  /** Default, and when it gives nothing: a plain page. */
  readonly drawPage?: DrawPage;
  /** Our own clock. The provider library reads the machine's (SRV-24). */
  readonly now: () => Date;
  readonly log: Log;
  /** Fetches clients' keys (`jwksUri`). Default: the provider's way, which reaches no private address. */
  readonly fetch?:
    | ((input: string | URL | Request, init?: RequestInit) => Promise<Response>)
    | undefined;
  /** The visitor's address as the server sees it behind its trusted proxies. Default: the socket's peer. */
  readonly clientIp?: (req: IncomingMessage) => string;
};

/** An authorization request that the portal's screens have to answer. */
export type WaitingRequest = {
  readonly uid: string;
  readonly clientId: string;
  readonly step: 'signIn' | 'choose' | 'consent';
  /** The session of the beginning does not do (prompt=login, max_age, another person's). */
  readonly isFresh: boolean;
  readonly scopes: readonly string[];
  readonly loginHint: string | null;
  /** As the client wrote it: an id or a name. */
  readonly organization: string | null;
  readonly secondsLeft: number;
};

export type RequestAnswer =
  | { readonly kind: 'signedIn' | 'allowed'; readonly accountId: string }
  | { readonly kind: 'denied' };

export type RequestOutcome =
  /** Where the browser goes on. */
  | { readonly kind: 'goOn'; readonly url: string }
  /** The hosted session is not there, is another person's, or is older than the request allows. */
  | { readonly kind: 'signInAgain' }
  | { readonly kind: 'gone' };

/** A page in the portal's look, for the few answers that are no screen of the portal. */
export type DrawnPage = {
  readonly html: string;
  readonly contentSecurityPolicy: string;
};

export type DrawPage = (
  page: 'requestOver' | 'confirmSignOut',
  req: IncomingMessage,
  form: { readonly action: string; readonly xsrf: string; readonly target: string | null } | null,
) => Promise<DrawnPage | null>;

/** A verified sign-in: `amr` names the factors (RFC 8176), for example `['pwd', 'otp']`. */
export type VerifiedSignIn = {
  readonly accountId: string;
  readonly amr: readonly string[];
  readonly authTime: Date;
};

/**
 * Where Set-Cookie headers go. A plain ServerResponse is one; for a Fastify reply that sets cookies of its own give
 * `{ appendHeader: (name, value) => reply.header(name, value) }`, because Fastify writes its headers over those of `reply.raw`.
 */
export type CookieSink = {
  appendHeader(name: string, value: string): unknown;
};

export type HostedLogin = {
  /** Answers everything under the mount path; gets the full original URL, before anything has read the body. */
  handle(req: IncomingMessage, res: ServerResponse): void;
  /** From the next request on these keys count; requests under way end with those they began with. */
  useKeys(keys: HostedKeys): void;
  /** Adds Set-Cookie headers for a fresh hosted session to the response of the call that verified the code. */
  establishSession(req: IncomingMessage, res: CookieSink, signIn: VerifiedSignIn): Promise<void>;
  /** Ends the hosted session of this browser, if there is one, and clears its cookies. */
  endSession(req: IncomingMessage, res: CookieSink): Promise<void>;
  /** Ends every session, grant and token of one account (password reset, end of the account). */
  endAccount(accountId: string): Promise<void>;
  /** Ends what one client was given of one account. */
  endClient(accountId: string, clientId: string): Promise<void>;
  /** The request that this very browser brought; null when it is over or another browser's. */
  findRequest(req: IncomingMessage, uid: string): Promise<WaitingRequest | null>;
  answerRequest(req: IncomingMessage, uid: string, answer: RequestAnswer): Promise<RequestOutcome>;
  /** A logout token, signed now; null when there is no such client any more. */
  logoutToken(notice: LogoutNotice): Promise<string | null>;
};

/** What the provider lets its host do for other applications: answer their waiting requests, end what they were given. */
export type AuthorizationInteractions = Pick<
  HostedLogin,
  'findRequest' | 'answerRequest' | 'endClient' | 'logoutToken'
>;
