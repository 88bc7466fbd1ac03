import type { Db } from '../db/database.ts';
import type { JobDefinition } from '../jobs/outbox.ts';
import type { Passwords } from '../identity-provider/port.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { MailRecipient } from '../notifications/notifications.ts';
import type { IsGuessable } from './guessable-password.ts';

export type AskAnswer =
  /** `sentAt`: no mail was sent now, the newest one went then, and its link works. */
  | { readonly kind: 'sent'; readonly sentAt: Date | null }
  | { readonly kind: 'unknown' | 'notActive' };

/** The application that a person came from who forgot a password. */
export type WayBack = {
  readonly clientId: string;
  /** Its request that waits, of the visit that asked. */
  readonly request: string | null;
  /** An address of the application that is not its sign-in. */
  readonly resultUrl: string | null;
};

export type ResetUser = {
  readonly userId: number;
  readonly userName: string;
  readonly hostedUserId: string;
  readonly forgotPasswordId: string;
  readonly subtenantId: number;
  /** The account has no password yet: it was invited. */
  readonly isFirst: boolean;
  /** Handle of the request by which the visit goes back to the application it came from. */
  readonly request: string | null;
};

export type Ticket = {
  readonly userId: number;
  readonly lifeMs: number;
  /** Whether who used it has read the mailbox: the program mails it. */
  readonly isMailed: boolean;
  readonly from: WayBack | null;
};

/** The program that asked. */
export type Actor = { readonly clientId: string; readonly ip: string };

export type Update = {
  readonly forgotPasswordId: string;
  readonly userId: number;
  readonly userName: string;
  readonly hostedUserId: string | null;
  readonly password: string;
};

export type Resets = {
  /** Queues a link to the stored address; the work is the same for known and unknown (security D6). */
  ask(email: string, isTruthful: boolean, caller: Caller, from: WayBack | null): Promise<AskAnswer>;
  /** What is left of `ask` where nothing may be told: all that looks at an account comes after the answer. */
  readonly askJob: JobDefinition;
  /**
   * A link that a program passes on by itself; the account's other links end. @returns its address; `null` for an account
   * that is not active.
   */
  ticket(ticket: Ticket, actor: Actor): Promise<string | null>;
  /** Whose password a link may set; opening does not use it up. `null` when there is no such link, or it has expired. */
  open(key: string, caller: Caller): Promise<ResetUser | null>;
  /** Whether this visit tried one of its living links and failed. */
  hasFailed(visit: Visit): Promise<boolean>;
  /** Sets the password, once. @throws AppError RESET_REFUSED, RESET_UNKNOWN, RESET_UNAUTHORIZED, SAME_PASSWORD, PASSWORD_GUESSABLE */
  update(update: Update, caller: Caller): Promise<void>;
};

export type ResetPorts = {
  readonly passwords: Passwords;
  readonly isGuessable: IsGuessable;
  readonly queueLink: (db: Db, to: MailRecipient, url: string, cause: string) => Promise<void>;
  readonly queueNotice: (db: Db, to: MailRecipient, cause: string) => Promise<void>;
  /** Enumeration `strict`: what the page does not say, the mail does. */
  readonly queueHelp: (
    db: Db,
    asked: { readonly email: string; readonly pendingUserId: number | null },
    visit: Visit,
  ) => Promise<void>;
  /** Tells the owner of a suspended account whom to call. */
  readonly queueSuspended: (db: Db, to: MailRecipient, cause: string) => Promise<void>;
  /** Ends every session, OTP, token and reset link of an account here. */
  readonly endAccess: (db: Db, userId: number, now: Date) => Promise<void>;
  /** Ends the hosted login's sessions and tokens of an account. */
  readonly endProviderSessions: (userId: number) => Promise<void>;
  /** Forgets the wrong passwords of before: the owner has just proved the mailbox and need not wait. */
  readonly resetFailures: (email: string, from: Caller) => Promise<void>;
  /** The visit's request that leads back to an application; `null` for one that is not registered any more. */
  readonly wayBack: (visit: Visit, from: WayBack) => Promise<string | null>;
};
