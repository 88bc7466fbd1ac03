/** Signatures of cookies: those of Keygrip, which browsers hold, at a fifth of its work (decision 137). */

import { createHmac, createSecretKey } from 'node:crypto';
import { isSame } from './hashed-id.ts';

/** What Koa asks of the keys of its cookies. */
export type CookieKeys = {
  /** By the first key. */
  sign(data: string): string;
  /** Of the key that signed it; -1: none of these. */
  index(data: string, signature: string): number;
  verify(data: string, signature: string): boolean;
};

/** @param secrets the first one signs, all of them verify */
export function createCookieKeys(secrets: readonly string[]): CookieKeys {
  const signers = secrets.map((secret) => {
    const key = createSecretKey(Buffer.from(secret));
    return (data: string) => createHmac('sha1', key).update(data).digest('base64url');
  });
  const index: CookieKeys['index'] = (data, signature) =>
    signers.findIndex((sign) => isSame(sign(data), signature));
  const [first] = signers;
  if (!first) throw new Error('Cookies need a key.');
  return { sign: first, index, verify: (data, signature) => index(data, signature) !== -1 };
}
