/** The port behind the Management API: accounts as applications see them. The server implements it. */

export type Metadata = Readonly<Record<string, unknown>>;

export type ManagedUser = {
  /** The same as `sub` in every token. */
  readonly userId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly givenName: string;
  readonly familyName: string;
  /** With its dial code; null when there is none. */
  readonly phone: string | null;
  readonly phoneVerified: boolean;
  readonly isBlocked: boolean;
  readonly userMetadata: Metadata;
  readonly appMetadata: Metadata;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Other accounts of the same person. */
  readonly linked: readonly { readonly userId: string; readonly email: string }[];
};

export type NewUser = {
  readonly email: string;
  readonly password: string;
  readonly isEmailVerified: boolean;
  readonly givenName: string;
  readonly familyName: string;
  readonly phone: string | null;
  readonly userMetadata: Metadata;
  readonly appMetadata: Metadata;
};

/** Omitted members stay unchanged; a null in metadata deletes the member. */
export type UserChange = {
  readonly givenName?: string | undefined;
  readonly familyName?: string | undefined;
  readonly isBlocked?: boolean | undefined;
  readonly isEmailVerified?: true | undefined;
  readonly userMetadata?: Metadata | undefined;
  readonly appMetadata?: Metadata | undefined;
  /** Ends every session and token of the account, as a reset does. */
  readonly password?: string | undefined;
};

/** Who asked, for the audit log. `accountId` is null for a machine. */
export type Actor = {
  readonly clientId: string;
  readonly accountId: string | null;
  readonly ip: string;
};

export type UserOutcome =
  | { readonly kind: 'done'; readonly user: ManagedUser }
  | { readonly kind: 'unknown' | 'exists' | 'weakPassword' | 'guessablePassword' | 'invalid' };

/** What happened to an account, for the operator's programs: ids and kinds, never a secret. */
export type UserEvent = {
  readonly id: string;
  readonly at: Date;
  /** The account that it happened to, if any. */
  readonly userId: string | null;
  /** As in the audit log: `signIn.complete`. */
  readonly kind: string;
  readonly isFailure: boolean;
  readonly reason: string | null;
  readonly ip: string | null;
  readonly clientId: string | null;
};

/** Whom a ticket is for, and how it is. */
export type TicketRequest = {
  readonly kind: 'password' | 'email';
  readonly user: { readonly userId: string } | { readonly email: string };
  readonly lifeSeconds: number;
  /** Whether using it proves the mailbox. */
  readonly isMailed: boolean;
  /** Where it leads to: a client's sign-in, or an address of any client. */
  readonly clientId: string | null;
  readonly resultUrl: string | null;
};

export type TicketOutcome =
  | { readonly kind: 'made'; readonly url: string }
  /** `nothingToDo`: the account is not active, or its address is proven. `unregistered`: no client has this address. */
  | { readonly kind: 'unknown' | 'nothingToDo' | 'unregistered' };

/** Pages from the newest on, or what came after an entry. */
export type EventQuery =
  | { readonly page: number; readonly perPage: number; readonly isCounted: boolean }
  | { readonly after: string; readonly take: number };

export type UserDirectory = {
  find(userId: string): Promise<ManagedUser | null>;
  /** In the order of creation; `page` counts from 0. */
  list(query: {
    readonly email: string | null;
    readonly page: number;
    readonly perPage: number;
    readonly isNewestFirst: boolean;
  }): Promise<{ readonly users: readonly ManagedUser[]; readonly total: number }>;
  create(user: NewUser, by: Actor): Promise<UserOutcome>;
  update(userId: string, change: UserChange, by: Actor): Promise<UserOutcome>;
  /** Records that both accounts are one person's; each keeps its own sign-in. */
  link(userId: string, otherId: string, by: Actor): Promise<UserOutcome>;
  unlink(userId: string, otherId: string, by: Actor): Promise<UserOutcome>;
  /** Deletes everything that is kept about the person, for good; false when there is nobody. */
  remove(userId: string, by: Actor): Promise<boolean>;
  /** Ends every session, token, code and link of an account, here and at its applications; false when there is nobody. */
  endSessions(userId: string, by: Actor): Promise<boolean>;
  /** Ends what the portal has by one of the provider's sessions, known by its `uid`. */
  endSession(userId: string, sessionId: string, by: Actor): Promise<void>;
  /** A link to pass on; the program's part is to bring it to the right person. */
  createTicket(ticket: TicketRequest, by: Actor): Promise<TicketOutcome>;
  /** What happened to everybody; `total` ends at a thousand, as at Auth0. */
  allEvents(
    query: EventQuery,
  ): Promise<{ readonly events: readonly UserEvent[]; readonly total: number }>;
  findEvent(id: string): Promise<UserEvent | null>;
  /** The newest first; `page` counts from 0. */
  events(
    userId: string,
    query: { readonly page: number; readonly perPage: number },
  ): Promise<{ readonly events: readonly UserEvent[]; readonly total: number }>;
  /** Counts a call against the rate limits; returns the seconds to wait, 0 when there is no need. */
  countCall(by: Actor): Promise<number>;
};
