import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Returns the stored form of a bearer value, so that a copy of the database reveals no usable session. `kind` separates
 * the ids of different records. The values are long and random and need neither salt nor key (security S11).
 */
export function hashedId(kind: string, value: string): string {
  return createHash('sha256').update(`${kind}:${value}`).digest('base64url');
}

/** Compares two secrets in constant time. */
export function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
