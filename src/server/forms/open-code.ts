import { entryProblem, recoveryDigits } from '#domain/proofs/authenticator.ts';
import { codeIn, OTP_MEDIUM } from '#domain/proofs/otp.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller } from '../http/visit-cookie.ts';
import type { Otps } from '../proofs/otp/otp-ports.ts';
import { findOpenOtp } from '../proofs/otp/otp-store.ts';
import type { OtpRecipient } from '../proofs/otp/recipients.ts';

/**
 * Checks the digits of a plain form against the open code of this visit, or against the person's own app.
 * @throws AppError INVALID_OTP, OTP_EXPIRED, OTP_DEAD, TOO_MANY
 */
export async function verifyOpenCode(
  { db, otps }: { readonly db: Db; readonly otps: Pick<Otps, 'send' | 'verify'> },
  recipient: OtpRecipient,
  sent: FormData,
  caller: Caller,
): Promise<void> {
  // Nothing is sent for an app: its page asks for the code at once.
  const open = recipient.asksApp
    ? await otps.send(recipient, OTP_MEDIUM.app, caller)
    : await findOpenOtp(db, recipient, caller.visit.id);
  if (!open) throw new AppError('OTP_EXPIRED');
  // Six boxes of one name.
  const parts = sent.getAll('code').filter((part) => typeof part === 'string');
  const typed = parts.join('');
  const otp = recipient.asksApp ? recoveryDigits(typed) : codeIn(typed);
  if (entryProblem(open.medium, otp)) throw new AppError('INVALID_OTP');
  await otps.verify({ id: open.id, userId: recipient.userId, otp }, caller);
}
