import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Data } from '#contract/index.ts';
import type { Db } from '../db/database.ts';

/** An account as far as its hosted login is concerned. */
export type HostedAccount = {
  readonly id: number;
  readonly email: string;
  readonly password_hash: string | null;
  readonly hosted_user_id: string | null;
};

export type Passwords = {
  /** Whether this is the account's password of today (PWD-07). */
  isCurrent(account: HostedAccount, password: string, ip: string): Promise<boolean>;
  /**
   * Prepares a new password; the returned function sets it, in the transaction that uses up the right to do so.
   * @throws AppError RESET_REFUSED, RESET_UNAUTHORIZED, RESET_UNKNOWN, UNAVAILABLE, both here and there.
   */
  change(account: HostedAccount, password: string): Promise<(transaction: Db) => Promise<void>>;
};

/** Where passwords are checked and hosted sessions live: the embedded provider, or a real Auth0 tenant. */
export type HostedLogin = {
  /** What browsers are told (API-04). */
  readonly settings: Omit<Data<'getSettings'>['hostedLogin'], 'scope'>;
  /** Origins besides our own that a page calls and frames. */
  readonly origins: readonly string[];
  readonly passwords: Passwords;
  mount(fastify: FastifyInstance): Promise<void>;
  /** The code was right: whoever makes sessions only now makes one with this answer (decisions 4). */
  codeVerified(userId: number, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Ends the hosted session of this browser as far as the backend can. */
  endSession(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Ends every hosted session and token of an account. */
  endAccount(userId: number): Promise<void>;
  /** Deletes what has expired; returns how much. */
  purge(): Promise<number>;
};
