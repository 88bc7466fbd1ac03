/** When a key of the server signs and how long it verifies: rules without I/O. */

import { HOUR_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { later } from '../core/clock.ts';
import type { KeyUse } from '../db/schema.ts';

/** The uses of keys. */
export const KEY_USES = ['es256', 'rs256', 'cookies', 'handoff'] as const satisfies KeyUse[];

/** Milliseconds: the longest life of each use's signatures. */
const SIGNED_LIFE_MS: Record<KeyUse, number> = {
  // An ID token is sent again at sign-out, as long as the hosted session can last (security R22).
  es256: 12 * HOUR_MS,
  rs256: 12 * HOUR_MS,
  cookies: 12 * HOUR_MS,
  // A minute, and a module's leeway.
  handoff: 2 * MINUTE_MS,
};

/** Milliseconds that others may cache a key set: a key is published this long before it signs (security R30). */
export const CACHE_LIFE_MS = 24 * HOUR_MS;
/** Milliseconds between an instance's reads of the keys. */
export const REFRESH_MS = 30_000;
/** Milliseconds: in an emergency, too, every instance has to know a key before the first one signs with it. */
export const HURRY_MS = 4 * REFRESH_MS;

export type KeyTimes = {
  readonly generation: number;
  readonly signsFrom: Date;
  /** Null until there is a successor. */
  readonly endsAt: Date | null;
};

export type KeyState = 'next' | 'signs' | 'verifies' | 'over';

/** Returns the signing key: the newest whose time has come. `keys` oldest first. */
export function signingKeyAt<T extends KeyTimes>(keys: readonly T[], now: Date): T | undefined {
  // Another instance's clock may be slightly ahead of ours; at a first start there is only its key.
  return keys.findLast((key) => key.signsFrom <= now) ?? keys[0];
}

/** Returns the state of a key among the keys of its use. */
export function signingKeyState(key: KeyTimes, keys: readonly KeyTimes[], now: Date): KeyState {
  const signer = signingKeyAt(keys, now);
  if (signer?.generation === key.generation) return 'signs';
  if (key.signsFrom > now) return 'next';
  return key.endsAt && key.endsAt <= now ? 'over' : 'verifies';
}

/** Returns the keys to publish, the signing one first, without ended ones. `keys` oldest first. */
export function inOrder<T extends KeyTimes>(keys: readonly T[], now: Date): readonly T[] {
  const ranks = { signs: 0, next: 1, verifies: 2, over: 3 };
  return keys
    .map((key) => ({ key, rank: ranks[signingKeyState(key, keys, now)] }))
    .filter(({ rank }) => rank < ranks.over)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ key }) => key);
}

/** Returns the end of a key after its successor began to sign: its last token has expired, and no cache has the key. */
export function signingKeyEnd(use: KeyUse, successorSigns: Date): Date {
  return later(successorSigns, SIGNED_LIFE_MS[use] + CACHE_LIFE_MS);
}

/** Returns the time from which the newest key's successor signs, if it has to be published now; else null. */
export function dueSuccessor(newest: KeyTimes, now: Date, maxAgeMs: number): Date | null {
  const signs = later(newest.signsFrom, maxAgeMs);
  if (later(signs, -CACHE_LIFE_MS) > now) return null;
  return new Date(Math.max(signs.getTime(), now.getTime() + CACHE_LIFE_MS));
}
