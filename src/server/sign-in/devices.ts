import { browserName } from '#domain/text/browser-name.ts';
import { lockAccount, recipientOf } from '../accounts/account-store.ts';
import { BROWSER_LIFE_MS, type KnownBrowsers } from '../accounts/known-browsers.ts';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { ServerContext } from '../context.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { Cookies } from '../cookies.ts';

export type Devices = {
  /**
   * Records the browser of a sign-in, and notifies the account's owner of a new one.
   * @returns the browser's stored value for this account; '' on a shared device, which is not remembered
   */
  rememberBrowser(userId: number, browser: Browser): Promise<string>;
};

type Browser = {
  readonly cookies: Cookies;
  readonly setCookie: (name: string, value: string, options: CookieOptions) => void;
  readonly userAgent: string;
  /** Whether the statement that completed the sign-in found it among the account's own. */
  readonly isSeenAgain: boolean;
  readonly isShared: boolean;
};
type CookieOptions = {
  readonly path: '/';
  readonly httpOnly: true;
  readonly sameSite: 'lax';
  readonly secure: boolean;
  readonly maxAge: number;
};

/**
 * Recognises a browser without tracking people (decision 058): a random cookie that scripts cannot read, sent only to
 * us, and a keyed hash of it for each account. Nothing about the machine is collected.
 */
export function createDevices(
  { db, clock, secretBox, outbox }: ServerContext,
  { knownBrowsers }: { readonly knownBrowsers: KnownBrowsers },
  { newSignIn }: Pick<Notifications, 'newSignIn'>,
): Devices {
  const { cookie, tokenOf, hashOf } = knownBrowsers;
  const options: CookieOptions = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: cookie.isSecure,
    maxAge: BROWSER_LIFE_MS / 1000,
  };

  return {
    async rememberBrowser(userId, browser) {
      const { cookies, setCookie, userAgent, isSeenAgain, isShared } = browser;
      const token = tokenOf(cookies);
      const hash = isShared ? '' : hashOf(userId, token);
      if (!isShared) setCookie(cookie.name, token, options);
      // A known browser needs no notice.
      if (isSeenAgain && !isShared) return hash;
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
        if (!isShared) await remember(transaction, userId, hash, at);
        const isKnown = known.some(({ device_hash }) =>
          secretBox.verifyHmac('device', `${userId}:${token}`, device_hash),
        );
        // The owner needs no notice of the first sign-in.
        if (isKnown || known.length === 0) return;
        const cause = `${userId}:${hash}:${at.getTime()}`;
        const signIn = { at, browser: browserName(userAgent) };
        await newSignIn(transaction, recipientOf(account), signIn, cause);
      });
      outbox.wake();
      return hash;
    },
  };
}

async function remember(transaction: Db, userId: number, hash: string, at: Date): Promise<void> {
  await transaction
    .insertInto('known_devices')
    .values({ user_id: userId, device_hash: hash, first_seen_at: at, seen_at: at })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'device_hash']).doUpdateSet({ seen_at: at }),
    )
    .execute();
}
