import { DAY_MS } from '#domain/text/duration.ts';
import { textsIn } from '#locales/catalogue.ts';
import { isLanguage, ORIGINAL } from '#locales/languages.ts';
import { findAccount } from '../accounts/account-store.ts';
import * as appCodes from '../proofs/authenticator/app-code-store.ts';
import { endLink } from '../accounts/organisation-links.ts';
import * as helpers from '../accounts/helper-store.ts';
import * as passkeys from '../proofs/passkeys/key-store.ts';
import { later } from '../core/clock.ts';
import type { Db } from '../db/database.ts';

/** A store of ways into an account beside the password: passkeys, app codes, helpers, links. */
type WayInStore = {
  /** Removes those added since a moment. @returns their names, for a mail */
  removeAddedSince(db: Db, userId: number, since: Date, now: Date): Promise<readonly string[]>;
  /** Restores those removed since a moment, and removes those added since. */
  restoreSince(db: Db, userId: number, since: Date, now: Date): Promise<void>;
};

/** An app code has no name of its own: a mail names it in the person's language. */
const namedAppCodes: WayInStore = {
  restoreSince: appCodes.restoreSince,
  async removeAddedSince(db, userId, since, now) {
    if (!(await appCodes.removeAddedSince(db, userId, since, now))) return [];
    const account = await findAccount(db, userId);
    const language = account?.language;
    return [textsIn(isLanguage(language) ? language : ORIGINAL).appCodes.title];
  },
};

/** Links to an organisation: one that has ended never returns by itself (ORG-11). */
const links: WayInStore = {
  removeAddedSince: (db, userId, since, now) => endLink(db, userId, now, since),
  restoreSince: async (db, userId, since, now) => void (await endLink(db, userId, now, since)),
};

/** Every such store: an undo of a changed contact restores them, and a reset by mail removes the new ones. */
const WAYS_IN: readonly WayInStore[] = [namedAppCodes, helpers, passkeys, links];

/** Restores the ways in of a moment. */
export async function restoreWays(db: Db, userId: number, since: Date, now: Date): Promise<void> {
  for (const ways of WAYS_IN) await ways.restoreSince(db, userId, since, now);
}

/** Removes the keys and app codes of an account. */
export async function removeKeysAndApps(db: Db, userId: number, now: Date): Promise<void> {
  for (const ways of [namedAppCodes, passkeys]) {
    await ways.removeAddedSince(db, userId, new Date(0), now);
  }
}

/** The age in milliseconds below which a reset by mail removes a way in. */
const NEW_WAY_MS = 30 * DAY_MS;

/** Removes the ways in of the last 30 days: a thief may have added them. @returns their names, for the mail of a reset */
export async function removeNewWays(db: Db, userId: number, now: Date): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const ways of WAYS_IN) {
    removed.push(...(await ways.removeAddedSince(db, userId, later(now, -NEW_WAY_MS), now)));
  }
  return removed;
}
