import { sql } from 'kysely';
import { type Contact, normalizeOtp, OTP_GRACE_MS, OTP_TRIES } from '#domain/otp.ts';
import { later } from '../clock.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../context.ts';
import type { OtpDigits } from './otp-digits.ts';
import type { OtpLimits } from './otp-limits.ts';
import { findOtp, type Otp, type OtpClaim } from './otp-store.ts';
import type { OtpPorts, Otps } from './otp-ports.ts';

/** The row to compare with when no code was sent. */
const DUMMY = {
  id: 'none',
  visitId: '00000000-0000-0000-0000-000000000000',
  code_hmac: 'x'.repeat(43),
  phone_code_hmac: '',
} as const;

/** Creates the check of entered digits against the open OTP. */
export function createCheckOtp(
  { db, clock, rateLimits, audit, outbox }: ServerContext,
  { onVerified }: Pick<OtpPorts, 'onVerified'>,
  { contactRead }: OtpDigits,
  { guessesOf }: OtpLimits,
): Pick<Otps, 'verify' | 'dummyVerify'> {
  /** Counts the try in one statement before the comparison: parallel requests never get a sixth try. */
  function countTry({ id, userId }: OtpClaim, visitId: string, now: Date) {
    return db
      .updateTable('otp_codes')
      .set({ tries: sql`tries + 1` })
      .where('id', '=', id)
      .where('visit_id', '=', visitId)
      .where('user_id', '=', userId)
      .where('closed_at', 'is', null)
      .where('verified_at', 'is', null)
      .where('tries', '<', OTP_TRIES)
      .where('expires_at', '>', later(now, -OTP_GRACE_MS))
      .returningAll()
      .executeTakeFirst();
  }

  /**
   * Marks a right OTP as used, with all its consequences.
   * @returns `null` when another request was faster
   */
  async function accept(
    { id, user_id: userId, type, medium }: Otp,
    proven: Contact | null,
    { caller, now }: { readonly caller: Caller; readonly now: Date },
  ): Promise<Otp | null> {
    const event = {
      kind: 'otp.verified',
      userId,
      visitId: caller.visit.id,
      ip: caller.ip,
      details: { proven, type, medium },
    };
    const accepted = await db.transaction().execute(async (transaction) => {
      const verified = await transaction
        .updateTable('otp_codes')
        .set({ verified_at: now, proven })
        .where('id', '=', id)
        .where('closed_at', 'is', null)
        .where('verified_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      if (!verified) return null;
      await onVerified(transaction, verified);
      await audit(event, transaction);
      return verified;
    });
    if (accepted) outbox.wake();
    return accepted;
  }

  async function undoTry(id: string): Promise<void> {
    await db
      .updateTable('otp_codes')
      .set({ tries: sql`tries - 1` })
      .where('id', '=', id)
      .execute();
  }

  async function explain(claim: OtpClaim, visit: Visit, digits: string): Promise<Otp> {
    const otp = await findOtp(db, claim, visit.id);
    if (!otp) throw new AppError('FORBIDDEN');
    // Enter pressed three times: the same right OTP gets the same answer until it is used or has expired.
    const isStillGood = otp.verified_at && !otp.closed_at && isInTime(otp, clock.now());
    if (isStillGood && contactRead(otp, digits)) return otp;
    // It was right before and is used up: another tab was faster.
    if (otp.verified_at && otp.closed_at) throw new AppError('CONFLICT');
    if (otp.tries >= OTP_TRIES) throw new AppError('OTP_DEAD');
    throw new AppError('OTP_EXPIRED');
  }

  return {
    async verify({ id, userId, otp: typed }, caller) {
      const { visit, ip } = caller;
      const digits = normalizeOtp(typed) ?? '';
      const now = clock.now();
      const otp = await countTry({ id, userId }, visit.id, now);
      if (!otp) return explain({ id, userId }, visit, digits);
      const { streak, comparisons } = await guessesOf(otp, caller.cookieHeader);
      try {
        // Counted before the comparison: parallel tries at several codes of one account share one count.
        await rateLimits.consume(...comparisons);
      } catch (error) {
        await undoTry(id);
        throw error;
      }

      const read = contactRead(otp, digits);
      if (read === null) {
        await audit({
          kind: 'otp.wrong',
          userId,
          visitId: visit.id,
          ip,
          details: { tries: otp.tries },
        });
        throw new AppError(otp.tries >= OTP_TRIES ? 'OTP_DEAD' : 'INVALID_OTP');
      }
      const accepted = await accept(otp, read === 'unknown' ? null : read, { caller, now }).catch(
        async (error: unknown) => {
          await rateLimits.release(...comparisons);
          throw error;
        },
      );
      // A right code ends the wrong ones in a row; those of the day stay counted, whichever browser entered them.
      await rateLimits.releaseAndRefund({
        release: comparisons,
        ...(accepted && { refund: otp.counted, clear: [streak] }),
      });
      // Two requests with the same OTP, or a newer one was sent meanwhile.
      return accepted ?? explain({ id, userId }, visit, digits);
    },

    async dummyVerify(limitSubject, { code, tries }, ip) {
      await countTry({ id: DUMMY.id, userId: 0 }, DUMMY.visitId, clock.now());
      try {
        await rateLimits.consume(
          [RATE_LIMITS.wrongCodePerAccount, ...limitSubject],
          [RATE_LIMITS.comparedCodePerAccountADay, ...limitSubject],
        );
      } catch (error) {
        await undoTry(DUMMY.id);
        throw error;
      }
      contactRead(DUMMY, normalizeOtp(code) ?? '');
      await audit({ kind: 'otp.wrong', ip, details: { tries } });
    },
  };
}

function isInTime(otp: { readonly expires_at: Date }, now: Date): boolean {
  return otp.expires_at > later(now, -OTP_GRACE_MS);
}
