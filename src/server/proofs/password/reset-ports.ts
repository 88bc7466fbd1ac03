import type { Db } from '../../db/database.ts';
import type { Passwords } from '../../identity-provider/port.ts';
import type { Caller, Visit } from '../../http/visit-cookie.ts';
import type { Notifications } from '../../notifications/notifications.ts';
import type { IsGuessable } from './guessable-password.ts';

export type AskAnswer =
  /** `sentAt`: no mail was sent now; the newest one was sent then, and its link is valid. */
  | { readonly kind: 'sent'; readonly sentAt: Date | null }
  | { readonly kind: 'unknown' | 'notActive' };

/** The application that a person with a forgotten password came from. */
export type WayBack = {
  readonly clientId: string;
  /** Its open request in the visit that asked. */
  readonly request: string | null;
  /** An address of the application other than its sign-in. */
  readonly resultUrl: string | null;
};

export type Ticket = {
  readonly userId: number;
  readonly lifeMs: number;
  /** Whether the use of the link proves the mailbox: the program mails it. */
  readonly isMailed: boolean;
  readonly from: WayBack | null;
};

export type Update = {
  readonly forgotPasswordId: string;
  readonly userId: number;
  readonly userName: string;
  readonly hostedUserId: string | null;
  readonly password: string;
};

export type ResetPorts = {
  /** Returns the organisation by which the person of an open invitation may come in; `null` for none. */
  readonly organisationOfInvitation: (
    handle: string,
    visit: Visit,
  ) => Promise<{ readonly id: string; readonly label: string } | null>;
  readonly passwords: Passwords;
  readonly isGuessable: IsGuessable;
  readonly notifications: Pick<
    Notifications,
    'resetLink' | 'passwordChanged' | 'suspended' | 'byOrganisation'
  >;
  /** Removes the ways in of the last 30 days. @returns their names */
  readonly removeNewWays: (db: Db, userId: number, now: Date) => Promise<readonly string[]>;
  /** Enumeration `strict`: the mail has the answer that the page does not give. */
  readonly queueHelp: (
    db: Db,
    asked: { readonly email: string; readonly pendingUserId: number | null },
    visit: Visit,
  ) => Promise<void>;
  /** Ends every session, OTP, token and reset link of an account here. */
  readonly endAccess: (db: Db, userId: number, now: Date) => Promise<void>;
  /** Ends the hosted login's sessions and tokens of an account. */
  readonly endProviderSessions: (userId: number) => Promise<void>;
  readonly passwordCheck: {
    /** Resets earlier wrong passwords: the owner has just proven the mailbox and need not wait. */
    resetFailures(email: string, from: Caller): Promise<void>;
  };
  readonly requests: ClientRequests | null;
};

/** The requests of other applications that visits came with; `null` where they go to a tenant. */
export type ClientRequests = {
  /** Returns the application whose request the visit came with; `null` for another visit's request. */
  cameFrom(visit: Visit, request: string): Promise<WayBack | null>;
  /** Returns the visit's request that leads back to an application; `null` for one that is no longer registered. */
  wayBack(visit: Visit, from: WayBack): Promise<string | null>;
};
