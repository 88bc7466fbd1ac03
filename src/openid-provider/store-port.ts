import type { AccountClaims } from './claims.ts';

export type StoredPayload = Record<string, unknown>;

/** One stored record of the provider: a session, grant, code or token. An id that is a bearer secret is hashed. */
export type StoredRecord = {
  readonly model: string;
  readonly id: string;
  readonly payload: StoredPayload;
  readonly grantId: string | null;
  readonly uid: string | null;
  readonly userCode: string | null;
  readonly accountId: string | null;
  /** Seconds from now on, by the store's clock; `null` for no expiry. The store does not return an expired record. */
  readonly secondsToLive: number | null;
};

/** A record as found. `consumed`: time of its use, in seconds since 1970. */
export type FoundRecord = {
  readonly id: string;
  readonly payload: StoredPayload;
  readonly consumed: number | null;
  /** Milliseconds since its use, by the store's own clock. */
  readonly consumedAgoMs: number | null;
};

/** One login ticket; only hashes are stored. */
export type TicketRecord = {
  readonly hash: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly coIdHash: string;
  /** The verified factors (RFC 8176), separated by spaces. */
  readonly amr: string;
  readonly expiresAt: Date;
};

/** A sign-in without a browser that waits for its one-time code. */
export type ChallengeRecord = {
  readonly hash: string;
  readonly clientId: string;
  /** Null for a contact without an account. */
  readonly accountId: string | null;
  /** The key by which the server finds the sent code. */
  readonly handle: string | null;
  readonly details: Readonly<Record<string, string>>;
  readonly expiresAt: Date;
};

/** Rows that one statement reads together with a record. */
type FoundBeside = {
  readonly grant: FoundRecord | null;
  /** The result of `claimsOf`; left out by a store that has no accounts. */
  readonly claims?: AccountClaims | null;
};

export type RecordToSave = { readonly record: StoredRecord; readonly isUpdate: boolean };

export type ProviderStore = {
  readonly payloads: {
    /** Saves all of them or none. With `isUpdate` a row that was deleted meanwhile is not restored. */
    save(records: readonly RecordToSave[]): Promise<void>;
    /** Returns false and changes nothing when the row exists. */
    insert(record: StoredRecord): Promise<boolean>;
    /** Returns an authorization code with its session, its grant and its account; null without the code. */
    findCode(
      id: string,
    ): Promise<
      (FoundBeside & { readonly code: FoundRecord; readonly session: FoundRecord | null }) | null
    >;
    /** Returns a session with the grant of one client and its account. */
    findSession(
      id: string,
      clientId: string,
    ): Promise<(FoundBeside & { readonly session: FoundRecord }) | null>;
    find(model: string, id: string): Promise<FoundRecord | null>;
    findByUid(model: string, uid: string): Promise<FoundRecord | null>;
    findByUserCode(model: string, userCode: string): Promise<FoundRecord | null>;
    /** Marks the record as used; returns true for exactly one of several concurrent callers. */
    consume(model: string, id: string): Promise<boolean>;
    destroy(model: string, id: string): Promise<void>;
    revokeByGrantId(model: string, grantId: string): Promise<void>;
    /** Returns an account's records of one model. */
    listByAccount(model: string, accountId: string): Promise<readonly StoredPayload[]>;
    /** Deletes an account's grants, codes and tokens of one client. */
    destroyByAccountAndClient(accountId: string, clientId: string): Promise<void>;
    /** Deletes an account's open login tickets and challenges, and its records: all of them, or those of one model. */
    destroyByAccount(accountId: string, model?: string): Promise<void>;
  };
  readonly tickets: {
    add(ticket: TicketRecord): Promise<void>;
    /** Deletes and returns the ticket in one statement, so that only one caller ever gets it; expired or not. */
    take(hash: string): Promise<TicketRecord | null>;
  };
  readonly challenges: {
    /** Replaces a challenge with the same hash. */
    put(challenge: ChallengeRecord): Promise<void>;
    /** Records the sent code; returns false when the challenge was deleted meanwhile. */
    recordSentCode(hash: string, handle: string): Promise<boolean>;
    find(hash: string): Promise<ChallengeRecord | null>;
    /** Adds to `details.tries` of a challenge that has no account. */
    countTry(hash: string, by: 1 | -1): Promise<void>;
    /** Deletes and returns it in one statement, so that only one caller ever gets it. */
    take(hash: string): Promise<ChallengeRecord | null>;
  };
};
