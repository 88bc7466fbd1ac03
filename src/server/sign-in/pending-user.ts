import { maskEmail, maskPhone } from '#domain/proofs/otp.ts';
import { canonicalEmail } from '#domain/typed/validation.ts';
import type { ServerContext } from '../core/context.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { SignIns } from './sign-ins.ts';

/**
 * Creates the lookup of the person whose password this visit has just entered, or of the account that it has to verify;
 * contacts are masked (D16).
 */
export function createFindPendingUser(
  { db }: ServerContext,
  signIns: Pick<SignIns, 'currentWithAccount'>,
) {
  /** Returns the pending account that this visit has to verify (PWD-04). */
  async function unverified({ id }: Visit) {
    const account = await db
      .selectFrom('visits')
      .innerJoin('users', 'users.id', 'visits.unverified_user_id')
      .selectAll('users')
      .where('visits.id', '=', id)
      .executeTakeFirst();
    return account ? { id, account } : null;
  }

  return async (email: string, visit: Visit) => {
    const current = await signIns.currentWithAccount(visit);
    const isPending = current?.account && current.attempt.stage !== 'password';
    const found = isPending
      ? { id: current.attempt.id, account: current.account }
      : await unverified(visit);
    if (!found) return null;
    const { id, account } = found;
    if (email !== '' && canonicalEmail(email) !== canonicalEmail(account.email_canonical))
      return null;
    return {
      id,
      userId: account.id,
      signUpPlatform: account.sign_up_platform,
      emailId: maskEmail(account.email),
      mobileNo: account.mobile && maskPhone(account.mobile),
      userName: maskEmail(account.email),
    };
  };
}
