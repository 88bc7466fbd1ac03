import type { ActivationLink } from '#domain/proofs/activation-link.ts';
import type { ActivationProof } from '#domain/flow/visit.ts';
import type { Db } from '../db/database.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { insertOtp } from '../otp/otp-store.ts';

export type LinkVerdict =
  | { readonly kind: 'invalid' }
  | { readonly kind: 'expired' }
  | {
      readonly kind: 'valid';
      /** The account is active already: a used link shows success, not an error (SRV-15). */
      readonly isDone: boolean;
      /** The link came by mail: its button proves the address as the OTP would (decision 059). */
      readonly canConfirm: boolean;
      /** No account is active yet: a code to the form's contacts is an alternative (ACT-03). */
      readonly canSendOtp: boolean;
      readonly linkId: string;
      readonly userId: number;
      readonly subtenantId: number;
      readonly phone: string;
      readonly email: string;
    };

export type ActivationLinks = {
  /** Creates a link for a mail, in the mail's transaction; it works on any device. */
  forMail(
    db: Db,
    registration: { readonly id: string; readonly userId: number },
    platform: number,
  ): Promise<string>;
  /** Creates a link that finishes a sign-up, for a mail; returns `null` when there is no open form. */
  forPending(
    db: Db,
    userId: number,
    visit: Visit,
  ): Promise<{
    readonly url: string;
    readonly email: string;
    readonly firstName: string;
    readonly subtenantId: number;
  } | null>;
  /** Creates a link for a program to pass on, for the open form; returns `null` when the account waits for no proof. */
  ticket(userId: number, lifeMs: number): Promise<string | null>;
  /**
   * Creates the link of 'Verify here.' for this browser only; it proves nothing. Returns `null` when the visit has no
   * pending account.
   */
  forVisit(visit: Visit): Promise<string | null>;
  /** Checks a link without using it up (SRV-15). The visit remembers a valid one. */
  validate(link: ActivationLink, visit: Visit, ip: string): Promise<LinkVerdict>;
  /** Confirms a mailed link: proves what its OTP would, for this visit and the mail's form. */
  confirm(link: ActivationLink, visit: Visit, ip: string): Promise<ActivationProof | RefusedLink>;
  /**
   * Handles "I did not sign up": deletes the form with its OTPs and links, and an account that only a text has
   * activated.
   */
  reject(link: ActivationLink, visit: Visit, ip: string): Promise<boolean>;
};

type RefusedLink = { readonly kind: 'invalid' | 'expired' | 'done' };

export type Ports = {
  readonly insertOtp: typeof insertOtp;
  /** Ends the hosted login's sessions and tokens of an account. */
  readonly endProviderSessions: (userId: number) => Promise<void>;
};
