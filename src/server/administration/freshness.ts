import { openChanges } from '../accounts/contact-changes.ts';
import { later } from '../clock.ts';
import type { AdminContext } from '../context.ts';

/** The age of a proof that still changes a way in, in milliseconds (ACC-01). */
const FRESH_MS = 10 * 60 * 1000;

/**
 * Returns when the person of a session last proved by a code or key that it is they, unless that is too long ago, or only
 * a contact that was changed within 72 hours proved it. Asked where a change takes effect (ACC-12).
 * @param withinMs milliseconds; ten minutes unless named
 */
export async function freshProof(
  { db, clock }: Pick<AdminContext, 'db' | 'clock'>,
  { userId, signInId }: { readonly userId: number; readonly signInId: string },
  withinMs = FRESH_MS,
): Promise<Date | null> {
  const now = clock.now();
  const since = later(now, -withinMs);
  const session = await db
    .selectFrom('sign_ins')
    .select(['verified_at', 'stepped_up_at'])
    .where('id', '=', signInId)
    .where('user_id', '=', userId)
    .where('stage', '=', 'complete')
    .executeTakeFirst();
  const provedAt = session?.stepped_up_at ?? session?.verified_at ?? null;
  if (provedAt === null || provedAt <= since) return null;
  const changes = await openChanges(db, userId, now);
  if (changes.length === 0) return provedAt;
  const codes = await db
    .selectFrom('otp_codes')
    .select(['proven', 'verified_at'])
    .where('sign_in_id', '=', signInId)
    .where('type', 'in', ['TWOFACTORAUTHENTICATION', 'STEP_UP'])
    .where('verified_at', '>', since)
    .execute();
  const isOfChanged = (code: (typeof codes)[number]) =>
    changes.some(
      ({ contact, changed_at: changedAt }) =>
        contact === code.proven &&
        code.verified_at !== null &&
        changedAt !== null &&
        code.verified_at > changedAt,
    );
  return codes.length === 0 || codes.some((code) => !isOfChanged(code)) ? provedAt : null;
}
