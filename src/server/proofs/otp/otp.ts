import { extendedExpiry, type OtpMedium } from '#domain/proofs/otp.ts';
import { AppError } from '../../http/app-error.ts';
import type { ServerContext } from '../../core/context.ts';
import { createCallOtp, otpTimeLeft } from './call-otp.ts';
import { createCheckOtp } from './check-otp.ts';
import { createOtpDigits } from './otp-digits.ts';
import { createOtpLimits } from './otp-limits.ts';
import type { OtpPorts, Otps } from './otp-ports.ts';
import { findOtp, type Otp } from './otp-store.ts';
import { createSendOtp, toSentOtp } from './send-otp.ts';

/**
 * One-time codes (OTPs): HMAC at rest, five tries, newest only, single use, bound to visit, user and type (SRV-05).
 * The mail and the text of one step carry different digits, so that the server knows which was read (PRF-01).
 */
export function createOtps(context: ServerContext, ports: OtpPorts): Otps {
  const { db, clock } = context;
  const digits = createOtpDigits(context.secretBox);
  const limits = createOtpLimits(ports.limitSubjectOf);
  const send = createSendOtp(context, ports, digits, limits);

  return {
    ...createCheckOtp(context, ports, digits, limits),
    ...createCallOtp(context, ports.calls, digits),

    send(recipient, medium, caller) {
      const onOpen = (open: Otp, at: Date) =>
        toSentOtp({ ...open, medium: open.medium as OtpMedium }, recipient, at);
      return send({ recipient, medium, caller, onOpen });
    },

    resend(recipient, medium, caller) {
      const onOpen = (open: Otp, at: Date): never => {
        throw new AppError('TOO_SOON', { retryAfterMs: open.expires_at.getTime() - at.getTime() });
      };
      return send({ recipient, medium, caller, onOpen });
    },

    async extend({ id, userId }, visit) {
      const now = clock.now();
      const otp = await findOtp(db, { id, userId }, visit.id);
      const isOpen = otp && otp.closed_at === null && otp.verified_at === null;
      if (!isOpen) throw new AppError('FORBIDDEN');
      if (otp.expires_at <= now) throw new AppError('OTP_LIFE_OVER');
      const expiry = extendedExpiry(otp.sent_at.getTime(), otp.expires_at.getTime());
      const changed = { expires_at: new Date(expiry) };
      await db.updateTable('otp_codes').set(changed).where('id', '=', id).execute();
      return otpTimeLeft({ ...otp, ...changed }, now);
    },
  };
}
