import * as z from 'zod';
import { configFaults as texts } from '#locales/operator/config-faults.ts';
import { fill } from '#locales/fill.ts';

/**
 * Returns the origin of a web address that is nothing but an origin, as browsers write it; slashes at its end are no
 * path. `null`: it has a path, a query, a fragment, a user name or a password, or is no address.
 */
export function originIn(text: string): string | null {
  if (!URL.canParse(text) || /[?#@]/.test(text)) return null;
  const { pathname, origin } = new URL(text);
  return /^\/*$/.test(pathname) && origin !== 'null' ? origin : null;
}

/** Returns what is wrong with an address that has to be an origin, and what to write in its place. */
export const originFault = (address: string): string =>
  fill(texts.notOrigin, { origin: new URL(address).origin });

/** An address that pages, links and the issuer stand directly below. */
export const originSchema = z
  .url({ protocol: /^https?$/, abort: true })
  .refine((text) => originIn(text) !== null, {
    error: ({ input }) => originFault(String(input)),
    abort: true,
  })
  .transform((text) => originIn(text) ?? text);
