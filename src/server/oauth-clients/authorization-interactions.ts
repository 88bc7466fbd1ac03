import type { IncomingMessage } from 'node:http';
import type { ClientStep } from '#domain/visit.ts';

/** A waiting authorization request, as the hosted login tells it. */
export type WaitingRequest = {
  readonly uid: string;
  readonly clientId: string;
  readonly step: ClientStep;
  readonly isFresh: boolean;
  readonly scopes: readonly string[];
  readonly loginHint: string | null;
  readonly organization: string | null;
  readonly secondsLeft: number;
};

export type Answer =
  | { readonly kind: 'signedIn' | 'allowed'; readonly accountId: string }
  | { readonly kind: 'denied' };

export type Outcome =
  | { readonly kind: 'goOn'; readonly url: string }
  | { readonly kind: 'signInAgain' }
  | { readonly kind: 'gone' };

export type LogoutNotice = {
  readonly accountId: string;
  readonly clientId: string;
  readonly sid: string;
  readonly jti: string;
};

/** What the hosted login lets us do for other applications. A real tenant has its own list of them: there is no door. */
export type ClientDoor = {
  findRequest(request: IncomingMessage, uid: string): Promise<WaitingRequest | null>;
  answerRequest(request: IncomingMessage, uid: string, answer: Answer): Promise<Outcome>;
  logoutToken(notice: LogoutNotice): Promise<string | null>;
  /** Ends what one client was given of one account. */
  endClient(accountId: string, clientId: string): Promise<void>;
};
