import { canonicalEmail } from '#domain/typed/validation.ts';
import type { Use } from '../../abuse/rate-limits.ts';
import { RATE_LIMITS } from '../../config/limits.ts';
import type { Caller } from '../../http/visit-cookie.ts';
import { codeComparisons } from './otp-digits.ts';
import type { Otp } from './otp-store.ts';
import type { OtpRecipient } from './recipients.ts';
import type { Cookies } from '../../core/cookies.ts';

/**
 * Returns whether the code needed a right password; the others need only an address, so they have their own counters.
 * A new contact counts by its mailbox, like a sign-up: a session must not flood somebody else's.
 */
export const isSignIn = (type: string) => ['TWOFACTORAUTHENTICATION', 'STEP_UP'].includes(type);

/**
 * Returns the rate-limit subject of a browser that has completed a sign-in with the account, `null` for an unknown one.
 */
export type LimitSubjectOf = (
  userId: number,
  cookies: Cookies | undefined,
) => Promise<string | null>;

/** Creates the limits on sending OTPs and on tries at them. */
export function createOtpLimits(browserOf: LimitSubjectOf) {
  /** Returns the counters of a sent code until it is used: its network, its browser, and its recipient. */
  async function usesOf(
    recipient: OtpRecipient,
    { ip, visit, cookies }: Caller,
  ): Promise<readonly Use[]> {
    const { registrationId: registration, userId, type } = recipient;
    const account = await limitSubjectOf({ registration, userId, type }, cookies);
    const uses: Use[] = [
      [RATE_LIMITS.codePerVisit, visit.id],
      [RATE_LIMITS.codePerAccount, ...account],
      [RATE_LIMITS.codePerAccountADay, ...account],
    ];
    // After a right password: many people at one address wait for their codes at the same time.
    if (isSignIn(recipient.type)) {
      return [...uses, [RATE_LIMITS.signInCodePerIp, ip], [RATE_LIMITS.signInCodePerIpADay, ip]];
    }
    const mailbox = canonicalEmail(recipient.email);
    return [
      ...uses,
      [RATE_LIMITS.codePerIp, ip],
      [RATE_LIMITS.codePerIpADay, ip],
      [RATE_LIMITS.codePerMailbox, mailbox],
      [RATE_LIMITS.codePerMailboxADay, mailbox],
    ];
  }

  /**
   * Returns the rate-limit subject of a code. A sign-up counts by its own form: strangers with the same address use up
   * only their own limits. A sign-in counts by the account, and a known browser by itself (PRF-05).
   */
  async function limitSubjectOf(
    code: { readonly registration: string | null; readonly userId: number; readonly type: string },
    cookies: Cookies | undefined,
  ): Promise<readonly string[]> {
    const { registration, userId, type } = code;
    if (registration !== null) return ['form', registration];
    const browser = isSignIn(type) ? await browserOf(userId, cookies) : null;
    return browser === null ? [type, String(userId)] : [type, String(userId), browser];
  }

  /** Returns the counters of a try: the wrong ones in a row, and every comparison. */
  async function guessesOf(otp: Otp, cookies: Cookies | undefined) {
    const { registration_id: registration, user_id: userId, type } = otp;
    const limitSubject = await limitSubjectOf({ registration, userId, type }, cookies);
    const streak = [RATE_LIMITS.wrongCodePerAccount, ...limitSubject] as const;
    const ofDay = [RATE_LIMITS.comparedCodePerAccountADay, ...limitSubject] as const;
    // A try against two codes is two comparisons: with both, a guess has no better chance in the end.
    const comparisons = Array.from({ length: codeComparisons(otp) }, () => [streak, ofDay]).flat();
    return { streak, comparisons };
  }

  return { usesOf, guessesOf };
}

export type OtpLimits = ReturnType<typeof createOtpLimits>;
