import { extendedExpiry, OTP_MAX_LIFE_MS, OTP_TRIES, type OtpMedium } from '#domain/otp.ts';
import { callOffer, isCallOffered } from '#domain/voice.ts';
import { AppError } from '../http/app-error.ts';
import type { ServerContext } from '../context.ts';
import type { OtpDigits } from './otp-digits.ts';
import { findOpenOtp, lockVisit, type Otp } from './otp-store.ts';
import type { CallPorts, Otps, OtpTime } from './otp-ports.ts';

/** Creates the calls that say the phone's code: the same digits as in its text (decision 183). */
export function createCallOtp(
  { db, clock, rateLimits, audit, outbox }: ServerContext,
  ports: CallPorts,
  { hmacOf, phoneDigits }: OtpDigits,
): Pick<Otps, 'call' | 'callOffer' | 'digitsToSay'> {
  /** @throws AppError OTP_EXPIRED, OTP_DEAD */
  function requireAlive(otp: Otp, now: Date): void {
    if (otp.tries >= OTP_TRIES) throw new AppError('OTP_DEAD');
    if (otp.expires_at <= now) throw new AppError('OTP_EXPIRED');
  }

  return {
    async call(recipient, otpId, { visit, ip }) {
      const { userId, phone } = recipient;
      const open = await findOpenOtp(db, recipient, visit.id);
      if (open?.id !== otpId) throw new AppError('FORBIDDEN');
      if (!ports || !recipient.mayBeCalled) throw new AppError('CALL_REFUSED');
      requireAlive(open, clock.now());
      const [last] = await ports.list(db, otpId);
      if (callOffer(last, clock.now()).againMs > 0) return timeOf(open, clock.now());
      const digits = phoneDigits(open);
      if (digits === null) throw new AppError('CALL_REFUSED');
      const counted = await ports.take(phone, { ip, userId });
      const now = clock.now();
      const { time, isNew } = await db.transaction().execute(async (transaction) => {
        // Requests of a visit run one at a time: a double click makes one call, not two.
        await lockVisit(transaction, visit.id);
        const otp = await findOpenOtp(transaction, recipient, visit.id);
        if (otp?.id !== otpId) throw new AppError('CONFLICT');
        const calls = await ports.list(transaction, otpId);
        if (callOffer(calls[0], now).againMs > 0) return { time: timeOf(otp, now), isNew: false };
        const sentAt = otp.sent_at.getTime();
        const expiresAt = new Date(extendedExpiry(sentAt, otp.expires_at.getTime()));
        await transaction
          .updateTable('otp_codes')
          // Without a text these digits counted for nothing until now.
          .set({
            expires_at: expiresAt,
            phone_code_hmac: otp.phone_code_hmac || hmacOf(otpId, digits),
          })
          .where('id', '=', otpId)
          .execute();
        await ports.queue(transaction, recipient, { otpId, nth: calls.length + 1 });
        const event = { kind: 'otp.called', userId, visitId: visit.id, ip };
        await audit({ ...event, details: { type: otp.type } }, transaction);
        return { time: timeOf({ ...otp, expires_at: expiresAt }, now), isNew: true };
      });
      if (isNew) outbox.wake();
      // Nothing else gives a call back: a right code costs as much as a wrong one (VOI-06).
      else await rateLimits.refund(counted);
      return time;
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

function timeOf({ sent_at, expires_at }: Pick<Otp, 'sent_at' | 'expires_at'>, now: Date): OtpTime {
  return {
    remainingMs: expires_at.getTime() - now.getTime(),
    canExtend: expires_at.getTime() < sent_at.getTime() + OTP_MAX_LIFE_MS,
  };
}
