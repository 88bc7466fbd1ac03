/** The sessions of one account, and their end (decision 126). Each end is one transaction, with its event. */

import type { Entrance } from '#domain/people/role-routing.ts';
import { type Account, findActiveAccount, lockAccount } from '../accounts/account-store.ts';
import type { Db } from '../db/database.ts';
import { createNotifyModules } from '../hand-off/sign-out-notices.ts';
import {
  createHostedSessions,
  type HostedSession,
} from '../identity-provider/embedded/hosted-sessions.ts';
import { createNotifyClients } from '../identity-provider/oauth-clients/back-channel.ts';
import { createClientRegistry, fromSettings } from '../identity-provider/oauth-clients/registry.ts';
import { createEndAccess } from '../sign-in/end-access.ts';
import { isAlive } from '../sign-in/session-lifetime.ts';
import { endAttempts } from '../sign-in/move-attempts.ts';
import type { DeedContext } from './context.ts';
import { inTransaction } from '../db/in-transaction.ts';

/** One session of an account, without any credential. */
export type OpenSession = HostedSession & {
  /** The browser's family, such as "Firefox on Windows". */
  readonly browser: string | null;
  /** The address by its network (R50). */
  readonly network: string | null;
  /** The portal's entry point; `null`: at the hosted login alone, or an application with a refresh token. */
  readonly entrance: Entrance | null;
  /** The session of the hosted login in the same browser. */
  readonly hostedUid: string | null;
  /** When the person last proved by a code that it is they: at the sign-in, or by a step-up. */
  readonly provedAt: Date | null;
};

/** Returns the receivers of ended sessions: in the same transaction, by the outbox of a running server. */
export function sessionEndings(context: DeedContext, transaction: Db) {
  const { config, outbox } = context;
  const clients = createClientRegistry(transaction, fromSettings(config.clients));
  return {
    hosted: createHostedSessions(transaction),
    recordEnded: createNotifyModules({ outbox }, config.modules),
    sessionEnded: createNotifyClients({ db: transaction, outbox }, clients),
  };
}

/** Ends every session, OTP, token and reset link of an account, and queues the notices to modules and applications. */
export async function endAllAccess(
  context: DeedContext,
  transaction: Db,
  userId: number,
): Promise<void> {
  const { hosted, recordEnded, sessionEnded } = sessionEndings(context, transaction);
  await createEndAccess(recordEnded)(transaction, userId, context.clock.now());
  await hosted.endAll(userId, sessionEnded);
}

/** The newest first. */
export async function listSessions(
  { db, clock, config }: Pick<DeedContext, 'db' | 'clock' | 'config'>,
  { id: userId }: Pick<Account, 'id'>,
): Promise<readonly OpenSession[]> {
  const account = await findActiveAccount(db, userId);
  const hosted = await createHostedSessions(db).list(userId);
  const attempts = await db
    .selectFrom('sign_ins')
    .selectAll()
    .where('user_id', '=', userId)
    .where('stage', '=', 'complete')
    .where('ended_at', 'is', null)
    .execute();
  const { timers } = config;
  const asked = { now: clock.now(), timers, roleIds: account?.roleIds };
  const living = attempts.filter((each) => isAlive(each, asked));
  const ofPortal = living.map((row) => ({
    id: row.id,
    startedAt: row.completed_at ?? row.created_at,
    seenAt: row.seen_at,
    browser: row.browser,
    network: row.network,
    entrance: row.entrance,
    clients: hosted.find((session) => session.id === row.hosted_uid)?.clients ?? [],
    hostedUid: row.hosted_uid,
    provedAt: row.stepped_up_at ?? row.verified_at,
  }));
  const others = hosted
    .filter((session) => !living.some(({ hosted_uid: uid }) => uid === session.id))
    .map((session) => {
      // The portal's own session ended first, by idling.
      const begunBy = attempts.find(({ hosted_uid: uid }) => uid === session.id);
      const { browser = null, network = null } = begunBy ?? {};
      const unknown = { entrance: null, provedAt: null };
      return { ...session, browser, network, ...unknown, hostedUid: session.id };
    });
  return [...ofPortal, ...others].toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
}

/**
 * Ends one session of an account, or all of them, and notifies modules and applications. Requests for one account wait
 * for each other, so that each end is told once.
 * @param sessionId the id of a session of the portal or of the hosted login; `null` for all
 * @returns how many of the list have ended; `null` when there is no such session
 */
export async function signOut(
  context: DeedContext,
  { id: userId }: Pick<Account, 'id'>,
  sessionId: string | null,
): Promise<number | null> {
  const { clock, config, audit } = context;
  return inTransaction(context.db, async (transaction) => {
    await lockAccount(transaction, userId);
    const open = await listSessions({ db: transaction, clock, config }, { id: userId });
    const one = open.find(({ id, hostedUid }) => id === sessionId || hostedUid === sessionId);
    if (sessionId !== null && !one) return null;
    const { hosted, recordEnded, sessionEnded } = sessionEndings(context, transaction);
    const ended = await endAttempts(
      transaction,
      (eb) => {
        const ofAccount = eb('user_id', '=', userId);
        if (!one) return ofAccount;
        const isIt = eb.or([eb('id', '=', one.id), eb('hosted_uid', '=', one.hostedUid)]);
        return eb.and([ofAccount, isIt]);
      },
      { now: clock.now(), recordEnded },
    );
    if (!one) await hosted.endAll(userId, sessionEnded);
    else if (one.hostedUid !== null) await hosted.end(one.hostedUid, sessionEnded);
    const count = one ? 1 : open.length;
    if (count + ended.length === 0) return 0;
    const details = { count, ...(one && { session: one.id }) };
    await audit({ kind: 'account.signedOut', userId, details }, transaction);
    return count;
  });
}

/**
 * Ends all sessions of an account but one, and every sign-in that is not complete: what a new password and 'Sign out
 * everywhere else' do. The caller is in a transaction.
 */
export async function endOtherSessions(
  context: DeedContext,
  userId: number,
  keptId: string,
): Promise<void> {
  const open = await listSessions(context, { id: userId });
  for (const { id } of open) if (id !== keptId) await signOut(context, { id: userId }, id);
  await endIncompleteSignIns(context, userId);
}

/**
 * Ends the sign-ins of an account that wait for their next step, here and at the hosted login: what was right before no
 * longer opens anything (PRF-25). The caller is in a transaction.
 */
export async function endIncompleteSignIns(context: DeedContext, userId: number): Promise<void> {
  const { db, clock } = context;
  const { hosted, recordEnded } = sessionEndings(context, db);
  await endAttempts(
    db,
    (eb) => eb.and([eb('user_id', '=', userId), eb('stage', '!=', 'complete')]),
    {
      now: clock.now(),
      recordEnded,
    },
  );
  await hosted.endIncomplete(userId);
}
