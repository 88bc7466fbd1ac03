import { isOwnProof } from '#domain/proofs/factors.ts';
import { MINUTE_MS } from '#domain/text/duration.ts';
import { type Account, lockAccount } from '../accounts/account-store.ts';
import { openChanges } from '../accounts/contact-changes.ts';
import { hasOrganisationMailbox } from '../accounts/organisation-links.ts';
import { later } from '../core/clock.ts';
import type { Session } from '../core/context.ts';
import type { DeedContext } from './context.ts';
import type { Db } from '../db/database.ts';
import { inTransaction } from '../db/in-transaction.ts';
import { AppError } from '../http/app-error.ts';

/** The age of a proof that still changes a way in, in milliseconds (ACC-01). */
const FRESH_MS = 10 * MINUTE_MS;

type Context = Pick<DeedContext, 'db' | 'clock'>;

/** How new a proof has to be, and which codes are one. */
export type Freshness = {
  /** Milliseconds; ten minutes unless named. */
  readonly withinMs?: number | undefined;
  /**
   * In a session without password and key a code to the organisation's own mailbox is one, too: for what changes no way in.
   */
  readonly byAnyCode?: boolean | undefined;
};

/** Returns the proofs of a session that has not ended. */
export const findSession = (db: Db, { userId, signInId }: Session) =>
  db
    .selectFrom('sign_ins')
    .select(['verified_at', 'stepped_up_at', 'amr'])
    .where('id', '=', signInId)
    .where('user_id', '=', userId)
    .where('stage', '=', 'complete')
    .executeTakeFirst();

/**
 * Locks the account of a session for the rest of the transaction: a new password elsewhere ends the session before the
 * act, or after it.
 * @throws AppError NO_SESSION
 */
export async function lockInSession(db: Db, session: Session): Promise<Account> {
  const account = await lockAccount(db, session.userId);
  const isOpen = account?.status === 'active' && (await findSession(db, session)) !== undefined;
  if (!isOpen) throw new AppError('NO_SESSION');
  return account;
}

/**
 * Runs an act in a transaction, under the account's lock and while the proof of its session is fresh (ACC-12).
 * @throws AppError NO_SESSION
 */
export const whileFresh = <Result>(
  context: Context,
  session: Session,
  act: (db: Db, account: Account) => Promise<Result>,
): Promise<Result> =>
  inTransaction(context.db, async (db) => {
    const account = await lockInSession(db, session);
    if (!(await freshProof({ ...context, db }, session))) throw new AppError('NO_SESSION');
    return act(db, account);
  });

/**
 * Returns when the person of a session last proved by a code or key that it is they, unless that is too long ago, or only
 * a contact that was changed within 72 hours proved it. Asked where a change takes effect (ACC-12).
 */
export async function freshProof(
  { db, clock }: Context,
  { userId, signInId }: Session,
  { withinMs = FRESH_MS, byAnyCode = false }: Freshness = {},
): Promise<Date | null> {
  const now = clock.now();
  const since = later(now, -withinMs);
  const session = await findSession(db, { userId, signInId });
  if (!session) return null;
  const isOwn = isOwnProof(session.amr);
  const provedAt = provedAtOf(session, isOwn);
  if (provedAt === null || provedAt <= since) return null;
  const isMailWorthless = !isOwn && !byAnyCode && (await hasOrganisationMailbox(db, userId));
  const changes = await openChanges(db, userId, now);
  if (changes.length === 0 && !isMailWorthless) return provedAt;
  const codes = await db
    .selectFrom('otp_codes')
    .select(['type', 'proven', 'verified_at'])
    .where('sign_in_id', '=', signInId)
    .where('type', 'in', ['TWOFACTORAUTHENTICATION', 'STEP_UP'])
    .where('verified_at', '>', since)
    .execute();
  if (isMailWorthless && !codes.some(isOfAnother)) return null;
  const isNew = (code: Code) => changes.some((change) => isOfChanged(code, change));
  return codes.length === 0 || codes.some((code) => !isNew(code)) ? provedAt : null;
}

/**
 * Returns whether a fresh proof of a session was by what no mailbox gives: a saved key, or the codes of an app that was
 * there before (HOU-05).
 */
export async function isStrongProof(
  context: Context,
  session: Session,
  freshness: Freshness,
): Promise<boolean> {
  const provedAt = await freshProof(context, session, freshness);
  if (provedAt === null) return false;
  const found = await findSession(context.db, session);
  if (found?.amr.includes('pop') && found.stepped_up_at === null) return true;
  const app = await context.db
    .selectFrom('app_codes')
    .select('id')
    .where('user_id', '=', session.userId)
    .where('confirmed_at', '<', provedAt)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  // With an app no code is ever sent in its place.
  return app !== undefined;
}

/** Returns when a session last proved its person; an organisation's answer is no such proof. */
const provedAtOf = (
  { stepped_up_at: stepped, verified_at: verified }: Proofs,
  isOwn: boolean,
): Date | null => stepped ?? (isOwn ? verified : null);

type Proofs = { readonly stepped_up_at: Date | null; readonly verified_at: Date | null };

type Code = {
  readonly type: string;
  readonly proven: string | null;
  readonly verified_at: Date | null;
};

/** Returns whether a code reached a contact after its change. */
const isOfChanged = (
  { proven, verified_at: verifiedAt }: Code,
  {
    contact,
    changed_at: changedAt,
  }: { readonly contact: string; readonly changed_at: Date | null },
): boolean =>
  contact === proven && verifiedAt !== null && changedAt !== null && verifiedAt > changedAt;

/** Matches a code of the step-up that reached another place than the mailbox: the code of the sign-in proves nothing here. */
const isOfAnother = ({ type, proven }: Code) => type === 'STEP_UP' && proven !== 'email';
