/** What the hosted login is given and what it gives back. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  Accounts,
  Api,
  ClientSource,
  HostedKeys,
  Log,
  ProviderStore,
  SignInEvents,
} from './ports.ts';
import type { UserDirectory } from './user-directory.ts';

export interface HostedLoginOptions {
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
  /** Those of the start; `useKeys` replaces them later. */
  readonly keys: HostedKeys;
  /** Our own clock. The provider library reads the machine's (decisions 4, "Dev clock"). */
  readonly now: () => Date;
  readonly log: Log;
  /** The visitor's address as the server sees it behind its trusted proxies. Default: the socket's peer. */
  readonly clientIp?: (req: IncomingMessage) => string;
}

/** A verified sign-in: `amr` names the factors (RFC 8176), for example `['pwd', 'otp']`. */
export interface VerifiedSignIn {
  readonly accountId: string;
  readonly amr: readonly string[];
  readonly authTime: Date;
}

/**
 * Where Set-Cookie headers go. A plain ServerResponse is one; for a Fastify reply that sets cookies of its own give
 * `{ appendHeader: (name, value) => reply.header(name, value) }`, because Fastify writes its headers over those of `reply.raw`.
 */
export interface CookieSink {
  appendHeader(name: string, value: string): unknown;
}

export interface HostedLogin {
  /** Answers everything under the mount path; gets the full original URL, before anything has read the body. */
  handle(req: IncomingMessage, res: ServerResponse): void;
  /** From the next request on these keys count; requests under way end with those they began with. */
  useKeys(keys: HostedKeys): void;
  /** Adds Set-Cookie headers for a fresh hosted session to the response of the call that verified the code. */
  establishSession(req: IncomingMessage, res: CookieSink, signIn: VerifiedSignIn): Promise<void>;
  /** Ends the hosted session of this browser, if there is one, and clears its cookies. */
  endSession(req: IncomingMessage, res: CookieSink): Promise<void>;
  /** Ends every session, grant and token of one account (password reset). */
  endAccount(accountId: string): Promise<void>;
}
