/** When a key of the server signs and how long it verifies: rules without I/O. */

import { later } from '../clock.ts';
import type { KeyUse } from '../db/schema.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** What a key is for. */
export const KEY_USES = ['es256', 'rs256', 'cookies', 'handoff'] as const satisfies KeyUse[];

/** The longest life of what each key signs. */
const SIGNED_LIFE_MS: Record<KeyUse, number> = {
  // An ID token is shown again at sign-out, as long as the hosted session can last (security R22).
  es256: 12 * HOUR_MS,
  rs256: 12 * HOUR_MS,
  cookies: 12 * HOUR_MS,
  // A minute, and the leeway that a module may allow.
  handoff: 2 * MINUTE_MS,
};

/** How long others may keep a published key set: a key is published this long before it signs (security R30). */
export const CACHE_LIFE_MS = 24 * HOUR_MS;
/** Instances read the ring this often. */
export const REFRESH_MS = 30_000;
/** In a hurry a key still has to be known to every instance before the first one signs with it. */
export const HURRY_MS = 4 * REFRESH_MS;

export type KeyTimes = {
  readonly generation: number;
  readonly signsFrom: Date;
  /** Null until a successor is there. */
  readonly endsAt: Date | null;
};

export type KeyState = 'next' | 'signs' | 'verifies' | 'over';

/** The key that signs: the newest whose time has come. `keys` oldest first. */
export function signerOf<T extends KeyTimes>(keys: readonly T[], now: Date): T | undefined {
  // Another instance's clock may be a moment ahead of ours; at a first start there is only its key.
  return keys.findLast((key) => key.signsFrom <= now) ?? keys[0];
}

export function stateOf(key: KeyTimes, keys: readonly KeyTimes[], now: Date): KeyState {
  const signer = signerOf(keys, now);
  if (signer?.generation === key.generation) return 'signs';
  if (key.signsFrom > now) return 'next';
  return key.endsAt && key.endsAt <= now ? 'over' : 'verifies';
}

/** Keys to publish, the one that signs first; what is over is left out. `keys` oldest first. */
export function inOrder<T extends KeyTimes>(keys: readonly T[], now: Date): readonly T[] {
  const ranks = { signs: 0, next: 1, verifies: 2, over: 3 };
  return keys
    .map((key) => ({ key, rank: ranks[stateOf(key, keys, now)] }))
    .filter(({ rank }) => rank < ranks.over)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ key }) => key);
}

/** When a key ends whose successor signs from a moment on: its last token has ended and nobody caches the key. */
export function endOf(use: KeyUse, successorSigns: Date): Date {
  return later(successorSigns, SIGNED_LIFE_MS[use] + CACHE_LIFE_MS);
}

/** When the successor of the newest key signs, if it is time to publish it; null otherwise. */
export function dueSuccessor(newest: KeyTimes, now: Date, maxAgeMs: number): Date | null {
  const signs = later(newest.signsFrom, maxAgeMs);
  if (later(signs, -CACHE_LIFE_MS) > now) return null;
  return new Date(Math.max(signs.getTime(), now.getTime() + CACHE_LIFE_MS));
}
