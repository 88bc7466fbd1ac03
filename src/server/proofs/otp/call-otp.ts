import { extendedExpiry, OTP_MAX_LIFE_MS, OTP_TRIES, type OtpMedium } from '#domain/proofs/otp.ts';
import { callOffer, isCallOffered } from '#domain/proofs/voice.ts';
import { AppError } from '../../http/app-error.ts';
import type { Caller } from '../../http/visit-cookie.ts';
import type { ServerContext } from '../../core/context.ts';
import type { OtpDigits } from './otp-digits.ts';
import { findOpenOtp, lockVisit, type Otp } from './otp-store.ts';
import type { CallPorts, Otps } from './otp-ports.ts';
import type { OtpRecipient } from './recipients.ts';

/** Creates the calls that say the phone's code: the same digits as in its text (decision 183). */
export function createCallOtp(
  { db, clock, rateLimits, audit, outbox }: ServerContext,
  ports: CallPorts,
  { hmacOf, phoneDigits }: OtpDigits,
): Pick<Otps, 'call' | 'callOffer' | 'digitsToSay'> {
  /**
   * Returns the digits that a call would say.
   * @throws AppError CALL_REFUSED, OTP_EXPIRED, OTP_DEAD
   */
  async function requireDigits({ mayBeCalled, phone }: OtpRecipient, otp: Otp): Promise<string> {
    if (!ports || !mayBeCalled) throw new AppError('CALL_REFUSED');
    if (otp.tries >= OTP_TRIES) throw new AppError('OTP_DEAD');
    if (otp.expires_at <= clock.now()) throw new AppError('OTP_EXPIRED');
    const found = await ports.look(phone);
    const isOffered = isCallOffered(otp.medium as OtpMedium, found?.isLandline ?? false);
    const digits = phoneDigits(otp);
    if (!isOffered || digits === null) throw new AppError('CALL_REFUSED');
    return digits;
  }

  /** Gives the OTP more time and queues the call; not when another request of the visit just did. */
  async function ring(recipient: OtpRecipient, otpId: string, digits: string, caller: Caller) {
    const { visit, ip } = caller;
    const now = clock.now();
    return db.transaction().execute(async (transaction) => {
      // Requests of a visit run one at a time: a double click makes one call, not two.
      await lockVisit(transaction, visit.id);
      const otp = await findOpenOtp(transaction, recipient, visit.id);
      if (!ports || otp?.id !== otpId) throw new AppError('CONFLICT');
      const calls = await ports.list(transaction, otpId);
      if (callOffer(calls[0], now).againMs > 0) return { otp, isNew: false };
      const expiry = extendedExpiry(otp.sent_at.getTime(), otp.expires_at.getTime());
      const changed = {
        expires_at: new Date(expiry),
        // Without a text these digits counted for nothing until now.
        phone_code_hmac: otp.phone_code_hmac || hmacOf(otpId, digits),
      };
      await transaction.updateTable('otp_codes').set(changed).where('id', '=', otpId).execute();
      await ports.queue(transaction, recipient, { otpId, nth: calls.length + 1 });
      const { userId } = recipient;
      const details = { type: otp.type };
      await audit({ kind: 'otp.called', userId, visitId: visit.id, ip, details }, transaction);
      return { otp: { ...otp, ...changed }, isNew: true };
    });
  }

  return {
    async call(recipient, otpId, caller) {
      const { userId, phone } = recipient;
      // Read before the code: a call that is seen here has given its time to the code that is read next.
      const [last] = (await ports?.list(db, otpId)) ?? [];
      const open = await findOpenOtp(db, recipient, caller.visit.id);
      if (open?.id !== otpId) throw new AppError('FORBIDDEN');
      const digits = await requireDigits(recipient, open);
      if (callOffer(last, clock.now()).againMs > 0) return otpTimeLeft(open, clock.now());
      const counted = (await ports?.take(phone, { ip: caller.ip, userId })) ?? [];
      const { otp, isNew } = await ring(recipient, otpId, digits, caller);
      if (isNew) outbox.wake();
      // Nothing else gives a call back: a right code costs as much as a wrong one (VOI-06).
      else await rateLimits.refund(counted);
      return otpTimeLeft(otp, clock.now());
    },

    async callOffer(recipient, visit) {
      if (!ports || !recipient.mayBeCalled) return null;
      const open = await findOpenOtp(db, recipient, visit.id);
      const phone = open && (await ports.look(recipient.phone));
      if (!phone || !isCallOffered(open.medium as OtpMedium, phone.isLandline)) return null;
      const [last] = await ports.list(db, open.id);
      return callOffer(last, clock.now());
    },

    async digitsToSay(otpId) {
      const otp = await db
        .selectFrom('otp_codes')
        .selectAll()
        .where('id', '=', otpId)
        .where('closed_at', 'is', null)
        .where('verified_at', 'is', null)
        .where('tries', '<', OTP_TRIES)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst();
      return otp ? phoneDigits(otp) : null;
    },
  };
}

/** Returns the time that an OTP still has. */
export function otpTimeLeft(
  { sent_at, expires_at }: Pick<Otp, 'sent_at' | 'expires_at'>,
  now: Date,
) {
  return {
    remainingMs: expires_at.getTime() - now.getTime(),
    canExtend: expires_at.getTime() < sent_at.getTime() + OTP_MAX_LIFE_MS,
  };
}
