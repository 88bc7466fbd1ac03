/** The options and the interface of the OpenID provider. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  Accounts,
  Consents,
  Log,
  LogoutNotice,
  OneTimeCodes,
  ProviderAuditEvent,
  ProviderKeys,
  Registrations,
  SignInEvents,
} from './ports.ts';
import type { Acr } from './acr.ts';
import type { Api, ClientSource } from './client-port.ts';
import type { ProviderStore } from './store-port.ts';
import type { FirstPage } from './first-page.ts';
import type { UserDirectory } from './user-directory.ts';

/** Seconds that a session lives without use, and in all since the sign-in. */
export type SessionLife = { readonly idleSeconds: number; readonly seconds: number };

export type OpenIdProviderOptions = {
  /** With a trailing slash, as Auth0 writes it: `http://localhost:3000/idp/`. Its path is the mount path. */
  readonly issuer: string;
  readonly accounts: Accounts;
  readonly store: ProviderStore;
  readonly events: SignInEvents;
  /** Security R22: no longer than the portal's own sessions live. */
  readonly sessionLife: SessionLife;
  readonly clients: ClientSource;
  /** Behind the Management API under `api/v2/`. */
  readonly users: UserDirectory;
  /** APIs that clients may ask access tokens for. */
  readonly apis?: readonly Api[] | undefined;
  /** Auth0's "default audience": the API of a request that names none. */
  readonly defaultAudience?: string | undefined;
  /** One-time codes for the grants without a browser. */
  readonly codes: OneTimeCodes;
  /** Behind `dbconnections/…`. */
  readonly registrations: Registrations;
  /** Whether Auth0's password grants are enabled (RFC 9700, 2.4 advises against them). */
  readonly isPasswordGrantOn: boolean;
  readonly audit: (event: ProviderAuditEvent) => Promise<void>;
  /** The keys at the start; `useKeys` replaces them later. */
  readonly keys: ProviderKeys;
  readonly consents: Consents;
  /** The `org_id` of an active subtenant, by its id or name. */
  readonly findOrganization: (nameOrId: string) => Promise<string | null>;
  /** Path to which the browser is sent for an interaction; its uid follows after a slash. */
  readonly interactionPath: string;
  /** Our own clock. The provider library reads the machine's (SRV-24). */
  readonly now: () => Date;
  /** Passkeys open a sign-in here. Default: false. */
  readonly acceptsKeys?: boolean;
  readonly log: Log;
  /**
   * Returns whether an error means that the store is unavailable, so that a retry makes sense. Default: no error does.
   */
  readonly isStoreAway?: ((error: unknown) => boolean) | undefined;
  /** Fetches clients' keys (`jwksUri`). Default: the provider's way, which reaches no private address. */
  readonly fetch?:
    | ((input: string | URL | Request, init?: RequestInit) => Promise<Response>)
    | undefined;
  /** Returns the id by which a person can name a request to the help desk; the log has it. */
  readonly requestId: (req: IncomingMessage) => string;
  /** Receives an unexpected error while its request runs. */
  readonly recordFault?: (error: unknown) => void;
  /** Receives a request whose refusal only a page can show, with the page's reference. Default: none. */
  readonly recordRefusal?: ((refusal: RefusedRequest) => void) | undefined;
  /** Whether pages show the cause of a refusal, for a developer who reads them. */
  readonly tellsCauses: boolean;
  /** The visitor's address as the server sees it behind its trusted proxies. Default: the socket's peer. */
  readonly clientIp?: (req: IncomingMessage) => string;
};

/** A refused request of an application. It contains nothing of the request's own text. */
export type RefusedRequest = {
  /** `null`: the request named no client, or an unknown one. */
  readonly clientId: string | null;
  /** The OAuth error and its description, in the provider's words. */
  readonly reason: string;
};

/** An authorization request that waits for the portal's screens. */
export type PendingInteraction = {
  readonly uid: string;
  readonly clientId: string;
  readonly step: 'signIn' | 'choose' | 'consent';
  /** The session that the request came with does not suffice (prompt=login, max_age, another account). */
  readonly requiresReauthentication: boolean;
  /** The account whose right password the application's own page handed over: only the OTP is missing (H3). */
  readonly passwordOf: string | null;
  readonly scopes: readonly string[];
  /** The page on which the application wants the person to begin: sign-in, sign-up, or forgotten password. */
  readonly firstPage: FirstPage;
  readonly loginHint: string | null;
  /** `ui_locales` of the request. */
  readonly locales: string | null;
  /** As the client wrote it: an id or a name. */
  readonly organization: string | null;
  readonly secondsLeft: number;
};

export type InteractionAnswer =
  | { readonly kind: 'signedIn' | 'allowed'; readonly accountId: string }
  | { readonly kind: 'denied' };

export type InteractionOutcome =
  /** The address where the browser continues. */
  | { readonly kind: 'goOn'; readonly url: string }
  /** There is no session, it is another account's, or it is older than the request allows. */
  | { readonly kind: 'signInAgain' }
  | { readonly kind: 'gone' };

/** A page in the portal's look, for the few responses that are not a screen of the portal. */
export type DrawnPage = {
  readonly html: string;
  readonly contentSecurityPolicy: string;
};

/** The error of a request; the cause only where pages show it. */
export type Refusal = { readonly reference: string; readonly cause: string | null };

export type DrawPage = (
  page: 'interactionOver' | 'confirmSignOut',
  req: IncomingMessage,
  details: {
    readonly form?: {
      readonly action: string;
      readonly xsrf: string;
      readonly target: string | null;
    };
    readonly refusal?: Refusal;
  },
) => Promise<DrawnPage | null>;

/** A verified sign-in: `amr` names the factors (RFC 8176), for example `['pwd', 'otp']`. */
export type VerifiedSignIn = {
  readonly accountId: string;
  readonly amr: readonly string[];
  /** Where `amr` does not tell it. */
  readonly acr?: Acr;
  readonly authTime: Date;
};

/**
 * The target of Set-Cookie headers. A plain ServerResponse is one; for a Fastify reply that sets cookies of its own
 * pass `{ appendHeader: (name, value) => reply.header(name, value) }`, because Fastify writes its headers over those of
 * `reply.raw`.
 */
export type CookieSink = {
  appendHeader(name: string, value: string): unknown;
};

export type OpenIdProvider = {
  /** Answers all requests under the mount path; gets the full original URL, with an unread body. */
  handle(req: IncomingMessage, res: ServerResponse): void;
  /** Uses these keys from the next request on; running requests finish with the old ones. */
  useKeys(keys: ProviderKeys): void;
  /**
   * Renders its pages in the portal's look from now on; before that, and when `renderPage` returns null, they are plain.
   */
  usePages(renderPage: DrawPage): void;
  /**
   * Starts a session: adds its Set-Cookie headers to the response of the call that verified the code.
   * @returns its `uid`, which is no secret
   */
  establishSession(req: IncomingMessage, res: CookieSink, signIn: VerifiedSignIn): Promise<string>;
  /** Ends the session of this browser, if there is one, and clears its cookies. */
  endSession(req: IncomingMessage, res: CookieSink): Promise<void>;
  /** Ends every session, grant and token of one account (password reset, end of the account). */
  endAccount(accountId: string): Promise<void>;
  /** Revokes the tokens and codes of one client for one account. */
  endClient(accountId: string, clientId: string): Promise<void>;
  /** The interaction of this browser; null when it has ended or is another browser's. */
  findInteraction(req: IncomingMessage, uid: string): Promise<PendingInteraction | null>;
  answerInteraction(
    req: IncomingMessage,
    uid: string,
    answer: InteractionAnswer,
  ): Promise<InteractionOutcome>;
  /** A logout token, signed now; null when the client no longer exists. */
  logoutToken(notice: LogoutNotice): Promise<string | null>;
};

/** The part that the server needs for other applications: answer their interactions, revoke their tokens. */
export type AuthorizationInteractions = Pick<
  OpenIdProvider,
  'findInteraction' | 'answerInteraction' | 'endClient' | 'logoutToken'
>;
