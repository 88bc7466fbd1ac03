import { parseCookie } from 'cookie';

/** The cookies of a request by their names. */
export type Cookies = Readonly<Record<string, string | undefined>>;

/** Reads a `Cookie` header that Fastify has not read. */
export const cookiesIn = (header = ''): Cookies => parseCookie(header);

/** Returns whether the value of a cookie can be one of our random tokens: 256 bits in base64url. */
export const isToken = (value: string): boolean => /^[\w-]{43}$/.test(value);
