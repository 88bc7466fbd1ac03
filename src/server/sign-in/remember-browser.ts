import type { FastifyReply, FastifyRequest } from 'fastify';
import { DISPLAY_COOKIE, DISPLAY_COOKIE_SECONDS } from '#domain/looks/display.ts';
import { browserName } from '#domain/text/browser-name.ts';
import { findAccount, lockAccount, accountRecipient } from '../accounts/account-store.ts';
import { BROWSER_LIFE_MS, type KnownBrowsers } from '../accounts/known-browsers.ts';
import { later } from '../core/clock.ts';
import type { Db } from '../db/database.ts';
import type { ServerContext } from '../core/context.ts';
import type { Notifications } from '../notifications/notifications.ts';

/**
 * Records the browser of a complete sign-in, and notifies the account's owner of a new one.
 * @returns the browser's stored value for this account; '' on a shared device, which is not remembered
 */
export type RememberBrowser = (
  signedIn: {
    readonly userId: number;
    /** Whether the statement that completed the sign-in found it among the account's own. */
    readonly isBrowserKnown: boolean;
  },
  isShared: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<string>;

/**
 * Recognises a browser without tracking people (decision 058): a random cookie that scripts cannot read, sent only to
 * us, and a keyed hash of it for each account. Nothing about the machine is collected. The browser also gets the
 * choices that travel with the account.
 */
export function createRememberBrowser(
  { db, clock, secretBox, outbox }: ServerContext,
  { cookie, tokenOf, hashOf }: KnownBrowsers,
  { newSignIn }: Pick<Notifications, 'newSignIn'>,
): RememberBrowser {
  const shared = { path: '/', sameSite: 'lax', secure: cookie.isSecure } as const;

  const remember: RememberBrowser = async (signedIn, isShared, request, reply) => {
    const { userId, isBrowserKnown } = signedIn;
    const token = tokenOf(request.cookies);
    const hash = isShared ? '' : hashOf(userId, token);
    const maxAge = BROWSER_LIFE_MS / 1000;
    if (!isShared) reply.setCookie(cookie.name, token, { ...shared, httpOnly: true, maxAge });
    // A known browser needs no notice.
    if (isBrowserKnown && !isShared) return hash;
    const at = clock.now();
    await db.transaction().execute(async (transaction) => {
      // One sign-in of an account at a time, so that two concurrent ones are not both the first.
      const account = await lockAccount(transaction, userId);
      if (!account) return;
      const known = await transaction
        .selectFrom('known_devices')
        .select('device_hash')
        .where('user_id', '=', userId)
        .where('seen_at', '>', later(at, -BROWSER_LIFE_MS))
        .execute();
      if (!isShared) await insertBrowser(transaction, userId, hash, at);
      const isKnown = known.some(({ device_hash }) =>
        secretBox.verifyHmac('device', `${userId}:${token}`, device_hash),
      );
      // The owner needs no notice of the first sign-in.
      if (isKnown || known.length === 0) return;
      const cause = `${userId}:${hash}:${at.getTime()}`;
      const signIn = { at, browser: browserName(request.headers['user-agent'] ?? '') };
      await newSignIn(transaction, accountRecipient(account), signIn, cause);
    });
    outbox.wake();
    return hash;
  };

  /** A browser with choices of its own keeps them. */
  async function showAsChosen(userId: number, { headers }: FastifyRequest, reply: FastifyReply) {
    if (headers.cookie?.includes(`${DISPLAY_COOKIE}=`)) return;
    const account = await findAccount(db, userId);
    if (!account?.display) return;
    reply.setCookie(DISPLAY_COOKIE, account.display, { ...shared, maxAge: DISPLAY_COOKIE_SECONDS });
  }

  return async (signedIn, isShared, request, reply) => {
    const device = await remember(signedIn, isShared, request, reply);
    await showAsChosen(signedIn.userId, request, reply);
    return device;
  };
}

async function insertBrowser(transaction: Db, userId: number, hash: string, at: Date) {
  await transaction
    .insertInto('known_devices')
    .values({ user_id: userId, device_hash: hash, first_seen_at: at, seen_at: at })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'device_hash']).doUpdateSet({ seen_at: at }),
    )
    .execute();
}
