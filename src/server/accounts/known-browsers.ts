import { DAY_MS } from '#domain/text/duration.ts';
import { type Clock, later } from '../core/clock.ts';
import type { Config } from '../config/config.ts';
import { randomToken, type SecretBox } from '../crypto/secret-box.ts';
import type { Db } from '../db/database.ts';
import { type Cookies, isToken } from '../core/cookies.ts';

export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>;

/** Milliseconds, the maximum of browsers (RFC 6265bis: 400 days). */
export const BROWSER_LIFE_MS = 400 * DAY_MS;

/** Creates the store of browsers that have completed a sign-in with an account (decision 058). */
export function createKnownBrowsers(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: Pick<Config, 'publicUrl'>;
  readonly secretBox: Pick<SecretBox, 'hmac' | 'hmacs'>;
}) {
  const { db, clock, config, secretBox } = deps;
  const isSecure = config.publicUrl.startsWith('https://');
  const name = isSecure ? '__Host-device' : 'device';
  const given = ({ [name]: token = '' }: Cookies) => (isToken(token) ? token : undefined);
  /** Returns the stored value for a browser and an account: without the cookie, a browser's rows cannot be linked. */
  const hashOf = (userId: number, text: string): string =>
    secretBox.hmac('device', `${userId}:${text}`);

  return {
    /** The cookie that identifies a browser. */
    cookie: { name, isSecure },
    /**
     * Updates the browser's last-seen time at a complete sign-in.
     * @returns whether the account knew it already
     */
    async seeAgain(source: Db, userId: number, cookies: Cookies = {}): Promise<boolean> {
      const known = given(cookies);
      if (known === undefined) return false;
      const now = clock.now();
      const seen = await source
        .updateTable('known_devices')
        .set({ seen_at: now })
        .where('user_id', '=', userId)
        .where('device_hash', '=', hashOf(userId, known))
        .where('seen_at', '>', later(now, -BROWSER_LIFE_MS))
        .returning('device_hash')
        .executeTakeFirst();
      return seen !== undefined;
    },
    /** Returns the token of a browser; a new one if its cookies have none. */
    tokenOf: (cookies: Cookies): string => given(cookies) ?? randomToken(),
    hashOf,
    /**
     * Returns the browser's rate-limit subject, if it has completed a sign-in with this account (PRF-05); `null` for an
     * unknown one. Costs the same for an account that does not exist.
     */
    async limitSubjectOf(userId: number, cookies: Cookies = {}): Promise<string | null> {
      const known = given(cookies);
      if (known === undefined) return null;
      const row = await db
        .selectFrom('known_devices')
        .select('device_hash')
        .where('user_id', '=', userId)
        .where('device_hash', 'in', secretBox.hmacs('device', `${userId}:${known}`))
        .where('seen_at', '>', later(clock.now(), -BROWSER_LIFE_MS))
        .executeTakeFirst();
      return row?.device_hash ?? null;
    },
  };
}
