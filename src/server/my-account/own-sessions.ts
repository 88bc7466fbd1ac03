import { textsIn } from '#locales/catalogue.ts';
import type { Language } from '#locales/languages.ts';
import type { AccountData, EndedDevice } from '#contract/my-account.ts';
import { DAY_MS, MINUTE_MS } from '#domain/text/duration.ts';
import { deviceText, deviceSystem } from '../accounts/device-text.ts';
import type { Account } from '../accounts/account-store.ts';
import { listSessions, type OpenSession } from '../access/sessions.ts';
import { later } from '../core/clock.ts';
import type { ServerContext } from '../core/context.ts';
import type { Visit } from '../http/visit-cookie.ts';
import { momentText } from '../notifications/moments.ts';
import type { Me } from '../forms/account-page.ts';

/** Returns the sessions of a person, and the one of this page. */
export async function ownSessions(context: ServerContext, { loggedInUserId, signInId }: Me) {
  const sessions = await listSessions(context, { id: loggedInUserId });
  return { sessions, own: sessions.find(({ id }) => id === signInId) };
}

/** So long the page of devices shows a session that has ended. */
const ENDED_SHOWN_MS = 2 * MINUTE_MS;

/** Visits, and the sign-ins in them, are kept for 30 days. */
const ALL_KEPT_MS = 29 * DAY_MS;

type Reader = { readonly visit: Visit; readonly language: Language };

/** Returns the sessions of an account that ended in the last minutes, but for those of this browser. */
export async function endedLately(
  { db, clock }: ServerContext,
  { id, visit, language }: Reader & { readonly id: number },
): Promise<readonly EndedDevice[]> {
  const rows = await db
    .selectFrom('sign_ins')
    .select(['id', 'browser'])
    .where('user_id', '=', id)
    .where('completed_at', 'is not', null)
    .where('ended_at', '>', later(clock.now(), -ENDED_SHOWN_MS))
    .where('visit_id', '!=', visit.id)
    .orderBy('ended_at', 'desc')
    .execute();
  return rows.map(({ id: sessionId, browser }) => ({
    id: sessionId,
    name: browser && deviceText(textsIn(language), browser),
    system: browser ? deviceSystem(browser) : null,
  }));
}

type Signed = Reader & { readonly account: Account; readonly own: OpenSession | undefined };

/** Returns the sign-in before the one of this page; 'none': there was none; `null`: unknown. */
export async function signInBefore(
  { db, clock, config }: ServerContext,
  { account, visit, own, language }: Signed,
): Promise<AccountData['lastSignIn']> {
  if (!own) return null;
  const now = clock.now();
  const last = await db
    .selectFrom('sign_ins')
    .select(['completed_at', 'browser', 'visit_id'])
    .where('user_id', '=', account.id)
    .where('completed_at', '<', own.startedAt)
    .orderBy('completed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last?.completed_at) {
    const isNew = account.created_at > later(now, -ALL_KEPT_MS);
    return isNew ? 'none' : null;
  }
  const { completed_at: at, browser, visit_id } = last;
  const texts = textsIn(language);
  return {
    when: momentText(texts, { at, now }, config.timeZone),
    agoMs: Math.max(0, now.getTime() - at.getTime()),
    device: browser && deviceText(texts, browser),
    isHere: visit_id === visit.id,
  };
}
