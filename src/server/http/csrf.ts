import type { FastifyRequest } from 'fastify';
import { XSRF_HEADER } from '#contract/routes.ts';
import { AppError } from './app-error.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses requests that another site made a browser send (security D33), by the fetch metadata and the Origin.
 * @throws AppError FORBIDDEN
 */
export function refuseOtherSites({ method, headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') throw new AppError('FORBIDDEN');
  if (SAFE_METHODS.has(method)) return;
  const { origin, host } = headers;
  if (site !== 'same-origin' && origin && hostOf(origin) !== host) throw new AppError('FORBIDDEN');
}

/**
 * Refuses requests without the double-submitted token that is bound to the visit. A request without a visit has no
 * authority to abuse.
 * @throws AppError FORBIDDEN
 */
export function refuseForgery(
  { method, headers }: FastifyRequest,
  isOwnToken: (sent: string) => boolean,
): void {
  if (SAFE_METHODS.has(method)) return;
  const sent = headers[XSRF_HEADER];
  if (typeof sent !== 'string' || !isOwnToken(sent)) throw new AppError('FORBIDDEN');
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
