/** What proves a change by staff: older ways in of the account, and what a session was opened with. */

import { type ChangeProof, effectOfProof, OLDER_DAYS } from '#domain/staff-change-proofs.ts';
import { OTP_MEDIUM } from '#domain/otp.ts';
import type { Account } from '../accounts/account-store.ts';
import type { StaffChange } from '../accounts/staff-change-store.ts';
import { findAppCode } from '../app-codes/app-code-store.ts';
import { later } from '../clock.ts';
import { listKeys } from '../saved-keys/key-store.ts';
import type { AdminContext } from './admin-context.ts';
import { freshProof } from './freshness.ts';

type Context = Pick<AdminContext, 'db' | 'clock'>;
type Session = { readonly loggedInUserId: number; readonly signInId: string };

/** The older ways in of an account, which may prove a change of the others. */
export type OlderWays = {
  /** The account has a saved key or an app code, however new. */
  readonly isStrong: boolean;
  readonly email: boolean;
  readonly phone: boolean;
  readonly appCode: boolean;
  /** When its older keys were used last. */
  readonly keysUsedAt: readonly Date[];
};

/** Returns the ways in that were there before a change was asked for, since the sign-up or for 30 days. */
export async function olderWays(
  { db, clock }: Context,
  account: Account,
  { asked_at: askedAt }: StaffChange,
): Promise<OlderWays> {
  const since = later(clock.now(), -OLDER_DAYS * 24 * 60 * 60 * 1000);
  const changes = await db
    .selectFrom('contact_changes')
    .select('contact')
    .where('user_id', '=', account.id)
    .where('changed_at', '>', since)
    .where('closed_at', 'is', null)
    .execute();
  const isOlder = (contact: 'email' | 'phone', provenAt: Date | null) =>
    provenAt !== null &&
    provenAt < askedAt &&
    account.recovery_since === null &&
    !changes.some((each) => each.contact === contact);
  const app = await findAppCode(db, account.id);
  const keys = await listKeys(db, account.id);
  const used = keys.filter((key) => key.added_at <= since).map((key) => key.last_used_at);
  return {
    isStrong: app !== undefined || keys.length > 0,
    email: isOlder('email', account.email_proven_at),
    phone: isOlder('phone', account.phone_proven_at),
    appCode: app !== undefined && app.added_at <= since,
    keysUsedAt: used.filter((at) => at !== null),
  };
}

/** Returns whether the session was opened, within ten minutes, with something older that makes the change take effect. */
export async function provesBySession(
  context: Context,
  change: StaffChange,
  ways: OlderWays,
  { loggedInUserId: userId, signInId }: Session,
): Promise<boolean> {
  const provedAt = await freshProof(context, { userId, signInId });
  if (provedAt === null || userId !== change.user_id) return false;
  const since = later(context.clock.now(), -10 * 60 * 1000);
  const codes = await context.db
    .selectFrom('otp_codes')
    .select(['medium', 'proven'])
    .where('sign_in_id', '=', signInId)
    .where('verified_at', '>', since)
    .execute();
  const shown: ChangeProof[] = codes.flatMap(({ medium, proven }) => {
    if (medium === OTP_MEDIUM.app) return ways.appCode ? (['appCode'] as const) : [];
    return proven !== null && ways[proven] ? [proven] : [];
  });
  if (ways.keysUsedAt.some((at) => at > since)) shown.push('key');
  return shown.some((proof) => effectOfProof(change.what, proof, ways.isStrong) === 'now');
}
