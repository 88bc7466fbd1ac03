import { lockAccount, accountRecipient } from '../accounts/account-store.ts';
import { contactsThatOpen, recordSignIn } from '../accounts/proven-contacts.ts';
import type { ServerContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { Otp } from '../proofs/otp/otp-store.ts';
import type { RightCodes } from '../proofs/otp/otp-ports.ts';
import { recordStepUp } from './move-attempts.ts';
import type { SignIns } from './sign-ins.ts';

type Deps = {
  readonly signIns: Pick<SignIns, 'acceptOtp'>;
  /** Trusts the keys that this visit showed beside a right password; where there are keys. */
  readonly acceptShownKeys: ((db: Db, userId: number, visitId: string) => Promise<void>) | null;
  readonly notifications: Pick<Notifications, 'firstSignIn'>;
};

/** Returns what a right code does to the sign-in that asked for it. */
export function signInsByCode(
  { clock }: Pick<ServerContext, 'clock'>,
  { signIns, acceptShownKeys, notifications }: Deps,
): Omit<RightCodes, 'NEW_CONTACT' | 'RECOVERY' | 'STAFF_CHANGE'> {
  const accept = async (db: Db, { sign_in_id: id }: Otp): Promise<readonly string[]> =>
    id ? signIns.acceptOtp(db, id) : [];

  async function prove(
    db: Db,
    userId: number,
    read: Parameters<typeof recordSignIn>[2],
  ): Promise<void> {
    const at = clock.now();
    const newcomer = await recordSignIn(db, userId, read, at);
    if (!newcomer) return;
    await notifications.firstSignIn(db, { ...accountRecipient(newcomer), id: newcomer.id }, at);
  }

  /** Opens the account by a contact alone, and proves no contact. @throws AppError OTP_EXPIRED when it may no longer */
  async function openByContact(db: Db, { user_id: userId, proven }: Otp): Promise<void> {
    // A change of the account takes effect before this, or after it.
    await lockAccount(db, userId);
    const opens = await contactsThatOpen(db, userId, clock.now());
    if (proven === null || !opens.has(proven)) throw new AppError('OTP_EXPIRED');
    await prove(db, userId, { contact: null, isPasswordKnown: false });
  }

  return {
    STEP_UP: (db, otp) => recordStepUp(db, otp.sign_in_id ?? '', clock.now()),
    // The activation that follows proves the contact.
    USER_ACTIVATION: async (db, otp) => void (await accept(db, otp)),
    async TWOFACTORAUTHENTICATION(db, otp) {
      const factors = await accept(db, otp);
      // The hosted login's own second factor has no sign-in here: its token stands for the right password.
      const isPasswordKnown = otp.sign_in_id === null || factors.includes('pwd');
      if (isPasswordKnown) await acceptShownKeys?.(db, otp.user_id, otp.visit_id);
      const isKnown = isPasswordKnown || factors.includes('pop') || factors.includes('fed');
      await prove(db, otp.user_id, { contact: isKnown ? otp.proven : null, isPasswordKnown });
    },
    FORGOT_PASSWORD: openByContact,
    VERIFY_CONTACT: openByContact,
  };
}
