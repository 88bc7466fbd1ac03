import { canonicalEmail } from '#domain/validation.ts';
import type { Use } from '../abuse/rate-limits.ts';
import { RATE_LIMITS } from '../config/limits.ts';
import type { Caller } from '../http/visit-cookie.ts';
import { comparisonsOf } from './otp-digits.ts';
import type { Otp } from './otp-store.ts';
import type { OtpRecipient } from './recipients.ts';

/** Sent behind a right password; the others anybody can ask for by an address, so they count apart. */
export const isSignIn = (type: string) => type === 'TWOFACTORAUTHENTICATION';

/** Names a browser that has completed a sign-in with the account, `null` for a stranger. */
export type LaneOf = (userId: number, cookieHeader: string | undefined) => Promise<string | null>;

/** Which limits count the sending of an OTP, and the tries at it. */
export function createOtpLimits(browserOf: LaneOf) {
  /** Returns what a sent code counts in until it is used: its network, its browser, and whom it is sent to. */
  async function usesOf(
    recipient: OtpRecipient,
    { ip, visit, cookieHeader }: Caller,
  ): Promise<readonly Use[]> {
    const { registrationId: registration, userId, type } = recipient;
    const account = await laneOf({ registration, userId, type }, cookieHeader);
    const uses: Use[] = [
      [RATE_LIMITS.codePerVisit, visit.id],
      [RATE_LIMITS.codePerAccount, ...account],
      [RATE_LIMITS.codePerAccountADay, ...account],
    ];
    // Behind a right password: a crowd at one address waits for its codes at the same time.
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
   * Whose limits a code counts in. A sign-up's are those of its own form: strangers who type the same address use up
   * theirs. A sign-in's are the account's; a browser that is known to it has its own (PRF-05).
   */
  async function laneOf(
    code: { readonly registration: string | null; readonly userId: number; readonly type: string },
    cookieHeader: string | undefined,
  ): Promise<readonly string[]> {
    const { registration, userId, type } = code;
    if (registration !== null) return ['form', registration];
    const browser = isSignIn(type) ? await browserOf(userId, cookieHeader) : null;
    return browser === null ? [type, String(userId)] : [type, String(userId), browser];
  }

  /** Returns what a try counts in: the wrong ones in a row, and every comparison. */
  async function guessesOf(otp: Otp, cookieHeader: string | undefined) {
    const { registration_id: registration, user_id: userId, type } = otp;
    const lane = await laneOf({ registration, userId, type }, cookieHeader);
    const streak = [RATE_LIMITS.wrongCodePerAccount, ...lane] as const;
    const ofDay = [RATE_LIMITS.comparedCodePerAccountADay, ...lane] as const;
    // A try against two codes is two comparisons: with both, no guess has better odds in the end.
    const comparisons = Array.from({ length: comparisonsOf(otp) }, () => [streak, ofDay]).flat();
    return { streak, comparisons };
  }

  return { usesOf, guessesOf };
}

export type OtpLimits = ReturnType<typeof createOtpLimits>;
