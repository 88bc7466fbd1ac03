import type { FinishPage } from '../http/provider-mount.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Data } from '#contract/index.ts';
import type { AuthorizationInteractions, DrawPage } from '#openid-provider/options.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Db } from '../db/database.ts';

export type { PasswordVerdict } from '#openid-provider/ports.ts';

/** The identity in a verified ID token. */
export type ProviderIdentity = {
  readonly sub: string;
  readonly amr: readonly string[];
  /** Seconds since 1970 (OIDC Core 2). */
  readonly authTime: number | undefined;
  readonly sid: string | undefined;
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly orgId: string | undefined;
};

/** The part of an account that its identity provider needs. */
export type AccountCredentials = Pick<Account, 'id' | 'email' | 'password_hash' | 'hosted_user_id'>;

export type Passwords = {
  /** Returns whether this is the account's current password (PWD-07). */
  isCurrent(account: AccountCredentials, password: string, ip: string): Promise<boolean>;
  /**
   * Prepares a new password. The returned function sets it, in the transaction that consumes the reset link.
   * @throws AppError RESET_REFUSED, RESET_UNAUTHORIZED, RESET_UNKNOWN, UNAVAILABLE; so does the returned function.
   */
  change(
    account: AccountCredentials,
    password: string,
  ): Promise<(transaction: Db) => Promise<void>>;
};

/** The relation of the portal's accounts to the users of the identity provider. */
export type IdentityProviderAccounts = {
  /** Returns the account of an identity; `null`: there is none. */
  accountOf(identity: ProviderIdentity): Promise<number | null>;
  /**
   * Whether the session starts before the code. A real tenant does not know our code: its session starts with the
   * password and only allows sending a code (SRV-08). The embedded provider's session starts after the code.
   */
  readonly isSessionFirst: boolean;
  /** Queues the provider's work for an account that became active. */
  activated(transaction: Db, userId: number): Promise<void>;
  /** Returns whether a user with this address, verified there, has a password at the provider that we do not have. */
  hasPassword(email: string): Promise<boolean>;
  /** Returns whether the account's user at the provider is still being created: no password is right yet. */
  isBeingMade(email: string): Promise<boolean>;
};

/** The operations of the portal's own rules on an account at its provider. */
export type ProviderCredentials = Pick<IdentityProvider, 'passwords' | 'endAccount'>;

/** Checks passwords and keeps sessions: the embedded provider, or a real Auth0 tenant. */
export type IdentityProvider = {
  /** The settings for browsers (API-04). */
  readonly settings: Omit<Data<'getSettings'>['hostedLogin'], 'scope'>;
  /** Other origins that pages call and frame. */
  readonly origins: readonly string[];
  readonly passwords: Passwords;
  /** For applications that sign people in through the portal; `null`: they use the tenant. */
  readonly interactions: AuthorizationInteractions | null;
  /** Mounts the provider's own routes; `renderPage` renders its pages, `finish` changes its plain ones. */
  mount(fastify: FastifyInstance, renderPage: DrawPage, finish: FinishPage): Promise<void>;
  /**
   * The last step was right: a provider whose session starts after it starts it with this response (SRV-08). `amr`: the
   * factors; `isOfApp`: the code was that of an app.
   * @returns the id of that session in its store; `null` when it is not kept here
   */
  codeVerified(
    of: {
      readonly userId: number;
      readonly amr: readonly string[];
      readonly isOfApp: boolean;
    },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | null>;
  /** Ends the provider's session of this browser as far as the backend can. */
  endSession(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Ends every session and token of an account. */
  endAccount(userId: number): Promise<void>;
};
