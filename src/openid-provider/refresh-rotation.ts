/**
 * The rule of refresh tokens (RFC 9700, 4.14.2; security R27; decision 029): each is used once and followed by one
 * successor; reuse revokes the whole family. Two tabs, or a lost response, send the same token twice within moments:
 * for three seconds that gives the same successor again. oidc-provider rotates and revokes; this file decides
 * lifetime, successor, grace and storage, and is coupled to it in provider.ts (`ttl`, `deriveRefreshTokenIds`),
 * adapter.ts (`createRefreshTokenStorage`) and mount.ts (`recordRequestReceived`).
 */

import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { errors, Provider } from 'oidc-provider';
import type { SessionLife } from './options.ts';
import type { FoundRecord, ProviderStore, StoredRecord } from './store-port.ts';
import { sessionLifeSeconds } from './sessions.ts';

export const REFRESH_TOKEN = 'RefreshToken';

const GRACE_MS = 3000;

type Ages = {
  /** When the first token of the family was issued, in seconds since 1970. */
  readonly iiat?: number | undefined;
  readonly authTime?: number | undefined;
};

/**
 * Returns the lifetime in seconds from now on; `life`: the client's own (IDP-18), or that of a session of the same
 * sign-in.
 */
export function refreshLifeSeconds({ iiat, authTime }: Ages, life: SessionLife): number {
  const now = Math.floor(Date.now() / 1000);
  return sessionLifeSeconds(Math.min(iiat ?? now, authTime ?? now), life);
}

/**
 * Returns the function that derives a token's successor, with a key of the server: every instance derives the same
 * successor from the same token, and none has to be stored in readable form.
 */
export function createSuccessorOf(key: string): (predecessorId: string) => string {
  return (predecessorId) =>
    createHmac('sha256', key).update(`successor:${predecessorId}`).digest('base64url');
}

const receivedAt = new WeakMap<IncomingMessage, number>();

/** Records when a request arrived. The grace is measured up to then, so that queueing does not shorten it. */
export function recordRequestReceived(req: IncomingMessage, at: number): void {
  receivedAt.set(req, at);
}

function isInGrace({ consumedAgoMs }: FoundRecord): boolean {
  const at = Provider.ctx && receivedAt.get(Provider.ctx.req);
  const waitedMs = at === undefined ? 0 : Date.now() - at;
  return consumedAgoMs !== null && consumedAgoMs - waitedMs <= GRACE_MS;
}

/** The storage of refresh tokens, where it differs from the provider's other records. */
export function createRefreshTokenStorage(store: ProviderStore['payloads']) {
  return {
    /**
     * Inserts and never replaces: several requests may save the same successor, and a late one must not reset its
     * use.
     */
    async save(record: StoredRecord): Promise<void> {
      await store.insert(record);
    },

    /** Returns the time of use in seconds since 1970; null while the token is unused or within its grace. */
    consumedAt: (found: FoundRecord): number | null => (isInGrace(found) ? null : found.consumed),

    /**
     * Marks the token as used.
     * @throws InvalidGrant when it was used longer ago than the grace
     */
    async consume(id: string): Promise<void> {
      if (await store.consume(REFRESH_TOKEN, id)) return;
      const found = await store.find(REFRESH_TOKEN, id);
      if (!found || !isInGrace(found)) throw new errors.InvalidGrant('already consumed');
    },
  };
}
