import { recipientOf } from '../accounts/account-store.ts';
import { recordSignIn } from '../accounts/proven-contacts.ts';
import type { ServerContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
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

  async function prove(db: Db, otp: Otp, isPasswordKnown: boolean): Promise<void> {
    const at = clock.now();
    const read = { contact: otp.proven, isPasswordKnown };
    const newcomer = await recordSignIn(db, otp.user_id, read, at);
    if (!newcomer) return;
    await notifications.firstSignIn(db, { ...recipientOf(newcomer), id: newcomer.id }, at);
  }
  const acceptAndProve = async (db: Db, otp: Otp) => {
    await accept(db, otp);
    await prove(db, otp, false);
  };

  return {
    STEP_UP: (db, otp) => recordStepUp(db, otp.sign_in_id ?? '', clock.now()),
    // The activation that follows proves the contact.
    USER_ACTIVATION: async (db, otp) => void (await accept(db, otp)),
    async TWOFACTORAUTHENTICATION(db, otp) {
      const isPasswordKnown = (await accept(db, otp)).includes('pwd');
      if (isPasswordKnown) await acceptShownKeys?.(db, otp.user_id, otp.visit_id);
      await prove(db, otp, isPasswordKnown);
    },
    FORGOT_PASSWORD: acceptAndProve,
    VERIFY_CONTACT: acceptAndProve,
  };
}
