import { maskEmail, maskPhone } from '#domain/otp.ts';
import { canonicalEmail } from '#domain/validation.ts';
import { findAccount } from '../accounts/account-store.ts';
import type { ServerContext } from '../context.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { SignIns } from './sign-ins.ts';

/** Whom a visit waits with for an OTP, as far as a browser may know it. */
export type PendingUser = {
  readonly id: string;
  readonly userId: number;
  readonly signUpPlatform: number;
  readonly emailId: string;
  readonly mobileNo: string;
  readonly userName: string;
};

export type FindPendingUser = (email: string, visit: Visit) => Promise<PendingUser | null>;

/** Finds the person whose password this visit just gave, or the account it was told to verify: only masked (D16). */
export function createFindPendingUser(
  { db }: ServerContext,
  signIns: Pick<SignIns, 'current'>,
): FindPendingUser {
  /** The pending account this visit was told to verify (PWD-04). */
  const findUnverified = (visit: Visit) =>
    db
      .selectFrom('visits')
      .select(['id', 'unverified_user_id as user_id'])
      .where('id', '=', visit.id)
      .executeTakeFirst();

  return async (email, visit) => {
    const attempt = await signIns.current(visit);
    const isPending = attempt?.user_id && attempt.stage !== 'password';
    const own = isPending ? attempt : await findUnverified(visit);
    const account = own?.user_id ? await findAccount(db, own.user_id) : undefined;
    if (!own || !account) return null;
    if (email !== '' && canonicalEmail(email) !== account.email_canonical) return null;
    return {
      id: own.id,
      userId: account.id,
      signUpPlatform: account.sign_up_platform,
      emailId: maskEmail(account.email),
      mobileNo: account.mobile && maskPhone(account.mobile),
      userName: maskEmail(account.email),
    };
  };
}
