import { OTP_MEDIUM } from '#domain/proofs/otp.ts';
import type { Account } from '../accounts/account-store.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { Otps } from '../proofs/otp/otp-ports.ts';
import { findOpenOtp } from '../proofs/otp/otp-store.ts';
import { type OtpRecipient, otpRecipientOf } from '../proofs/otp/recipients.ts';
import { textOf } from '../forms/account-page.ts';
import { verifyOpenCode } from '../forms/open-code.ts';

/** The code by text that proves an older phone, on the page of a mailed link. */
export type PhoneProof = ReturnType<typeof createPhoneProof>;

/** Creates the proof by an older phone. `hasTexts`: a provider sends texts; else no phone proves anything. */
export function createPhoneProof(
  db: Db,
  { otps, hasTexts }: { readonly otps: Pick<Otps, 'send' | 'verify'>; readonly hasTexts: boolean },
) {
  return {
    /** Returns what the page shows. `recipient`: `null` when no phone may prove it. */
    async shown(recipient: OtpRecipient | null, visit: Visit | null) {
      if (!recipient || !hasTexts) return { phone: null, isCodeSent: false };
      const open = visit && (await findOpenOtp(db, recipient, visit.id));
      return { phone: recipient.phone.slice(-2), isCodeSent: Boolean(open) };
    },

    /**
     * Sends the code, or checks it: a right one does at once what it was asked for.
     * @returns whether it was right
     * @throws AppError BAD_REQUEST without a phone, INVALID_OTP, OTP_EXPIRED, OTP_DEAD, TOO_MANY
     */
    async run(recipient: OtpRecipient | null, sent: FormData, caller: Caller): Promise<boolean> {
      if (!recipient || !hasTexts) throw new AppError('BAD_REQUEST');
      if (textOf(sent, 'do') === 'send') {
        await otps.send(recipient, OTP_MEDIUM.sms, caller);
        return false;
      }
      await verifyOpenCode({ db, otps }, recipient, sent, caller);
      return true;
    },
  };
}

/** Returns the recipient of a code to the account's phone, only by text, for one link. */
export const byText = (
  account: Account,
  question: Pick<OtpRecipient, 'type' | 'subject'>,
): OtpRecipient => otpRecipientOf(account, { ...question, mailRule: 'never', asksApp: false });
