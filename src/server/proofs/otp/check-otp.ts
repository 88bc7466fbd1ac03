import { sql } from 'kysely';
import {
  type Contact,
  normalizeOtp,
  OTP_GRACE_MS,
  OTP_MEDIUM,
  OTP_TRIES,
} from '#domain/proofs/otp.ts';
import type { AppCodeMatch } from '../authenticator/authenticator.ts';
import { later } from '../../core/clock.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import { AppError } from '../../http/app-error.ts';
import type { Caller, Visit } from '../../http/visit-cookie.ts';
import type { ServerContext } from '../../core/context.ts';
import type { OtpDigits } from './otp-digits.ts';
import type { OtpLimits } from './otp-limits.ts';
import {
  findOtp,
  findReplaced,
  isOfOtherSignIn,
  isOfWayIn,
  type Otp,
  type OtpClaim,
} from './otp-store.ts';
import type { OtpPorts, Otps } from './otp-ports.ts';

/** The row to compare with when no code was sent. */
const DUMMY = {
  id: 'none',
  visitId: '00000000-0000-0000-0000-000000000000',
  code_hmac: 'x'.repeat(43),
  phone_code_hmac: '',
} as const;

/** What right digits prove. */
type Reading = { readonly proven: Contact | null; readonly app: AppCodeMatch | null };

/** Digits of another minute: a code of the app that was used, or one of a phone whose clock is wrong. */
type OtherMinute = 'OTP_OTHER_MINUTE';

/** What became of a right OTP. */
type Accepted =
  | { readonly as: 'used'; readonly otp: Otp }
  /** The code of an app was used before. */
  | { readonly as: 'replayed' }
  /** Another request was faster, or a newer OTP was sent meanwhile. */
  | { readonly as: 'overtaken' };

/** Creates the check of entered digits against the open OTP. */
export function createCheckOtp(
  { db, clock, rateLimits, audit, outbox }: ServerContext,
  { rightCodes, appCodes }: Pick<OtpPorts, 'rightCodes' | 'appCodes'>,
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
      .where(isOfWayIn)
      .where('expires_at', '>', later(now, -OTP_GRACE_MS))
      .returningAll()
      .executeTakeFirst();
  }

  /** Returns what typed digits prove, or why they are wrong. */
  async function readingOf(
    otp: Otp,
    typed: number | string,
  ): Promise<Reading | OtherMinute | null> {
    if (otp.medium === OTP_MEDIUM.app) {
      const app = await appCodes.match(otp.user_id, typed);
      if (app === 'otherMinute') return 'OTP_OTHER_MINUTE';
      return app && { proven: null, app };
    }
    const proven = contactRead(otp, normalizeOtp(typed) ?? '');
    return proven && { proven, app: null };
  }

  /** Returns whether typed digits are those of a code that a newer one has replaced: no guess, but a late message. */
  async function isReplaced(
    otp: Pick<Otp, 'id' | 'visit_id' | 'user_id' | 'type'>,
    typed: number | string,
  ): Promise<boolean> {
    const digits = normalizeOtp(typed) ?? '';
    const replaced = await findReplaced(db, otp, clock.now());
    return replaced.some((each) => contactRead(each, digits) !== null);
  }

  /**
   * Marks a right OTP as used, with all its consequences.
   * @throws AppError as what it does
   */
  async function accept(
    { id, user_id: userId, type, medium }: Otp,
    { proven, app }: Reading,
    { caller, now }: { readonly caller: Caller; readonly now: Date },
  ): Promise<Accepted> {
    const event = {
      kind: 'otp.verified',
      userId,
      visitId: caller.visit.id,
      ip: caller.ip,
      details: { proven, type, medium },
    } as const;
    const accepted = await db.transaction().execute(async (transaction): Promise<Accepted> => {
      if (app && !(await appCodes.consume(transaction, userId, app))) return { as: 'replayed' };
      const verified = await transaction
        .updateTable('otp_codes')
        .set({ verified_at: now, proven })
        .where('id', '=', id)
        .where('closed_at', 'is', null)
        .where('verified_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      if (!verified) return { as: 'overtaken' };
      await rightCodes[verified.type](transaction, verified);
      await audit(event, transaction);
      return { as: 'used', otp: verified };
    });
    if (accepted.as === 'used') outbox.wake();
    return accepted;
  }

  async function undoTry(id: string): Promise<void> {
    await db
      .updateTable('otp_codes')
      .set({ tries: sql`tries - 1` })
      .where('id', '=', id)
      .execute();
  }

  async function refuseWrong(
    otp: Otp,
    { visit, ip }: Caller,
    why: OtherMinute | null,
    isReplayed = false,
  ): Promise<never> {
    await audit({
      kind: 'otp.wrong',
      userId: otp.user_id,
      visitId: visit.id,
      ip,
      details: { tries: otp.tries, ...(isReplayed && { isReplayed }) },
    });
    throw new AppError(otp.tries >= OTP_TRIES ? 'OTP_DEAD' : (why ?? 'INVALID_OTP'));
  }

  async function explain(claim: OtpClaim, visit: Visit, typed: number | string): Promise<Otp> {
    const otp = await findOtp(db, claim, visit.id);
    if (!otp) throw new AppError('FORBIDDEN');
    // Enter pressed three times: the same right OTP gets the same answer until it is used or has expired.
    const isStillGood = otp.verified_at && !otp.closed_at && isInTime(otp, clock.now());
    if (isStillGood && isRight(await readingOf(otp, typed))) return otp;
    // It was right before and is used up: another tab was faster.
    if (otp.verified_at && otp.closed_at) throw new AppError('CONFLICT');
    if (otp.tries >= OTP_TRIES) throw new AppError('OTP_DEAD');
    if (await isOfOtherSignIn(db, otp)) throw new AppError('OTHER_SIGN_IN');
    throw new AppError('OTP_EXPIRED');
  }

  return {
    async verify({ id, userId, otp: typed }, caller) {
      const { visit } = caller;
      const now = clock.now();
      const otp = await countTry({ id, userId }, visit.id, now);
      if (!otp) return explain({ id, userId }, visit, typed);
      const { streak, comparisons } = await guessesOf(otp, caller.cookies);
      try {
        // Counted before the comparison: parallel tries at several codes of one account share one count.
        await rateLimits.consume(...comparisons);
      } catch (error) {
        await undoTry(id);
        throw error;
      }

      const read = await readingOf(otp, typed);
      if (read === null && (await isReplaced(otp, typed))) {
        await undoTry(id);
        await rateLimits.release(...comparisons);
        throw new AppError('OTP_REPLACED');
      }
      if (!isRight(read)) return refuseWrong(otp, caller, read);
      const accepted = await accept(otp, read, { caller, now }).catch(async (error: unknown) => {
        await rateLimits.release(...comparisons);
        throw error;
      });
      if (accepted.as === 'replayed') {
        // The same form, sent twice, has one answer.
        const same = await findOtp(db, { id, userId }, visit.id);
        // Only an app shows the next code by itself.
        const why = read.app && 'step' in read.app ? 'OTP_OTHER_MINUTE' : null;
        return same?.verified_at ? same : refuseWrong(otp, caller, why, true);
      }
      // A right code ends the wrong ones in a row; those of the day stay counted, whichever browser entered them.
      await rateLimits.releaseAndRefund({
        release: comparisons,
        ...(accepted.as === 'used' && { refund: otp.counted, clear: [streak] }),
      });
      return accepted.as === 'used' ? accepted.otp : explain({ id, userId }, visit, typed);
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
      await isReplaced(
        { ...DUMMY, visit_id: DUMMY.visitId, user_id: 0, type: 'VERIFY_CONTACT' },
        code,
      );
      await audit({ kind: 'otp.wrong', ip, details: { tries } });
    },
  };
}

const isRight = (read: Reading | OtherMinute | null): read is Reading =>
  read !== null && typeof read === 'object';

function isInTime(otp: { readonly expires_at: Date }, now: Date): boolean {
  return otp.expires_at > later(now, -OTP_GRACE_MS);
}
