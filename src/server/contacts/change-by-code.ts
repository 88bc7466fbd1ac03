import { recordOlderProof } from '../accounts/contact-changes.ts';
import type { FullContext } from '../access/context.ts';
import { AppError } from '../http/app-error.ts';
import type { RightCodes } from '../proofs/otp/otp-ports.ts';
import { applyOwnChange } from './change-contact.ts';
import { applyStaffChange } from './apply-staff-change.ts';

/**
 * Returns what a right code of a plain form does to a person's contacts. Its code names its subject: one of an earlier
 * question does nothing (PRF-24).
 * @throws AppError (when called) OTP_EXPIRED, EMAIL_IN_USE
 */
export function changesByCode(
  context: FullContext,
): Pick<RightCodes, 'NEW_CONTACT' | 'RECOVERY' | 'STAFF_CHANGE'> {
  const asLongAsOpen = (isDone: boolean) => {
    if (!isDone) throw new AppError('OTP_EXPIRED');
  };
  return {
    NEW_CONTACT: (db, { user_id: userId, sign_in_id: signInId, subject }) =>
      applyOwnChange({ ...context, db }, db, {
        userId,
        signInId: signInId ?? '',
        changeId: subject ?? '',
      }),
    RECOVERY: async (db, { subject }) =>
      asLongAsOpen(await recordOlderProof(db, subject ?? '', context.clock.now())),
    STAFF_CHANGE: async (db, { subject }) =>
      asLongAsOpen(await applyStaffChange({ ...context, db }, subject ?? '', { by: 'phone' })),
  };
}
