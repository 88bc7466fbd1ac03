import type { FastifyReply, FastifyRequest } from 'fastify';
import { DISPLAY_COOKIE, DISPLAY_COOKIE_SECONDS } from '#domain/looks/display.ts';
import { findAccount } from '../accounts/account-store.ts';
import type { Db } from '../db/database.ts';
import type { Devices } from './devices.ts';

type SignedIn = { readonly userId: number; readonly isBrowserKnown: boolean };

/** Returns the stored value of the browser for the account; '' on a shared device. */
export type RememberBrowser = (
  signedIn: SignedIn,
  isShared: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<string>;

/** Records the browser of a complete sign-in, and shows it the choices that travel with the account. */
export function createRememberBrowser(
  db: Db,
  { rememberBrowser }: Devices,
  isHttps: boolean,
): RememberBrowser {
  /** A browser with choices of its own keeps them. */
  async function showAsChosen(userId: number, { headers }: FastifyRequest, reply: FastifyReply) {
    if (headers.cookie?.includes(`${DISPLAY_COOKIE}=`)) return;
    const account = await findAccount(db, userId);
    if (!account?.display) return;
    reply.setCookie(DISPLAY_COOKIE, account.display, {
      path: '/',
      sameSite: 'lax',
      secure: isHttps,
      maxAge: DISPLAY_COOKIE_SECONDS,
    });
  }

  return async ({ userId, isBrowserKnown }, isShared, request, reply) => {
    const device = await rememberBrowser(userId, {
      cookies: request.cookies,
      setCookie: (name, value, options) => void reply.setCookie(name, value, options),
      userAgent: request.headers['user-agent'] ?? '',
      isSeenAgain: isBrowserKnown,
      isShared,
    });
    await showAsChosen(userId, request, reply);
    return device;
  };
}
