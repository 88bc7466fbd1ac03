import { createHash } from 'node:crypto';

/**
 * The stored form of a bearer value, so that a copy of the database opens no session; `kind` keeps the ids of
 * different things apart. The values are random and long, and need neither salt nor key (security S11).
 */
export function hashedId(kind: string, value: string): string {
  return createHash('sha256').update(`${kind}:${value}`).digest('base64url');
}
