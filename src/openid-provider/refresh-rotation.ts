/**
 * The whole rule of refresh tokens (RFC 9700, 4.14.2; security R27): each is used once and followed by one
 * successor, and a used one that comes back revokes its whole family. Two tabs, or a lost answer, show the same token
 * twice within moments: for three seconds that gets the same successor again.
 */

import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { errors, Provider } from 'oidc-provider';
import type { FoundRecord, ProviderStore, StoredRecord } from './ports.ts';
import { sessionLifeSeconds } from './sessions.ts';

export const REFRESH_TOKEN = 'RefreshToken';

const GRACE_MS = 3000;

type Ages = {
  /** When the first token of the family was issued, in seconds since 1970. */
  readonly iiat?: number | undefined;
  readonly authTime?: number | undefined;
};

/** Seconds that a refresh token may live: as long as a session of the same sign-in. */
export function refreshLifeSeconds({ iiat, authTime }: Ages): number {
  const now = Math.floor(Date.now() / 1000);
  return sessionLifeSeconds(Math.min(iiat ?? now, authTime ?? now));
}

/**
 * Returns the value of a token's successor, derived under a key of the server: every instance that is shown the old
 * token finds the same successor, and nothing readable has to be stored for that.
 */
export function createSuccessorOf(key: string): (predecessorId: string) => string {
  return (predecessorId) =>
    createHmac('sha256', key).update(`successor:${predecessorId}`).digest('base64url');
}

const receivedAt = new WeakMap<IncomingMessage, number>();

/** Notes when a request came in: the grace counts until then, so that a busy server takes nothing off it. */
export function noteRequestReceived(req: IncomingMessage, at: number): void {
  receivedAt.set(req, at);
}

/** Milliseconds since 1970; now for a request that nobody noted. */
const requestReceivedAt = (req: IncomingMessage): number => receivedAt.get(req) ?? Date.now();

function isInGrace({ consumedAgoMs }: FoundRecord): boolean {
  const waitedMs = Provider.ctx ? Date.now() - requestReceivedAt(Provider.ctx.req) : 0;
  return consumedAgoMs !== null && consumedAgoMs - waitedMs <= GRACE_MS;
}

/** How refresh tokens are stored, where that differs from everything else the provider stores. */
export function createRefreshTokenStorage(store: ProviderStore['payloads']) {
  return {
    /** Inserts and never replaces: several may save the same successor, and a late one must not make it unused again. */
    async save(record: StoredRecord): Promise<void> {
      await store.insert(record);
    },

    /** When the token was used up, in seconds since 1970; null while it may be shown, as within its grace. */
    consumedAt: (found: FoundRecord): number | null => (isInGrace(found) ? null : found.consumed),

    /** Uses the token up. @throws InvalidGrant when that was done before its grace. */
    async consume(id: string): Promise<void> {
      if (await store.consume(REFRESH_TOKEN, id)) return;
      const found = await store.find(REFRESH_TOKEN, id);
      if (!found || !isInGrace(found)) throw new errors.InvalidGrant('already consumed');
    },
  };
}
