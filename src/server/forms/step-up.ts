import type { StepUpCode } from '#contract/my-account.ts';
import type { CallOffer } from '#domain/proofs/delivery.ts';
import { OTP_MEDIUM, type OtpMedium } from '#domain/proofs/otp.ts';
import { pathOf, type ScreenName } from '#domain/flow/screens.ts';
import type { Language } from '#locales/languages.ts';
import { type Freshness, findSession, freshProof } from '../access/freshness.ts';
import { isOwnProof } from '#domain/proofs/factors.ts';
import { hasOrganisationMailbox } from '../accounts/organisation-links.ts';
import type { ServerContext } from '../core/context.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import { lostCodeText } from '../notifications/delivery-status.ts';
import type { Otps } from '../proofs/otp/otp-ports.ts';
import { findOpenOtp } from '../proofs/otp/otp-store.ts';
import type { OtpRecipient, Recipients } from '../proofs/otp/recipients.ts';
import { toSentOtp } from '../proofs/otp/send-otp.ts';
import { verifyOpenCode } from './open-code.ts';
import { type AccountAnswer, idsOf, type Me, problemOf, textOf } from './account-page.ts';

/** No code is needed, or none can be sent. */
export const NO_CODE: StepUpCode = { canBeSent: false, sentTo: null, lost: null };

export type StepUp = ReturnType<typeof createStepUp>;

type Ports = {
  readonly otps: Pick<Otps, 'send' | 'verify' | 'call' | 'callOffer'>;
  readonly recipients: Recipients;
};

/** Creates the step-up: one code on the page of a change, when the sign-in is older than ten minutes. */
export function createStepUp(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  { otps, recipients }: Ports,
) {
  /** Returns `null` when no contact may prove it: each was changed lately. */
  const recipientOf = (userId: number, visit: Visit): Promise<OtpRecipient | null> =>
    recipients.find('STEP_UP', userId, visit).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'FORBIDDEN') return null;
      throw error;
    });

  /** Returns whether the only code that can be sent proves nothing: to the organisation's mailbox, in its own session. */
  async function isWorthless({ userId, signInId, mailRule, asksApp }: OtpRecipient) {
    if (mailRule !== 'only' || asksApp) return false;
    const session = await findSession(db, { userId, signInId: signInId ?? '' });
    return session && !isOwnProof(session.amr) && (await hasOrganisationMailbox(db, userId));
  }

  async function call(recipient: OtpRecipient, caller: Caller): Promise<void> {
    const open = await findOpenOtp(db, recipient, caller.visit.id);
    if (!open) throw new AppError('OTP_EXPIRED');
    await otps.call(recipient, open.id, caller);
  }

  return {
    /**
     * Returns whether the person of a session proved lately that it is they, by no contact that was changed within 72
     * hours.
     */
    async isFreshIn(me: Me, freshness?: Freshness): Promise<boolean> {
      return (await freshProof({ db, clock }, idsOf(me), freshness)) !== null;
    },

    /** Returns what a page shows of the code. */
    async code(
      userId: number,
      visit: Visit,
      language: Language,
      { byAnyCode = false }: Pick<Freshness, 'byAnyCode'> = {},
    ): Promise<StepUpCode> {
      const recipient = await recipientOf(userId, visit);
      if (!recipient || (!byAnyCode && (await isWorthless(recipient)))) return NO_CODE;
      const open = await findOpenOtp(db, recipient, visit.id);
      if (!open) return { canBeSent: true, sentTo: null, lost: null };
      const sent = { ...open, medium: open.medium as OtpMedium };
      const { email, phone } = toSentOtp(sent, recipient, clock.now()).sentTo;
      const sentTo = [email, phone].filter((each) => each !== null).join(', ');
      return { canBeSent: true, sentTo, lost: await lostCodeText(db, open.id, language) };
    },

    /** Returns the call that may say this code; `null` for none. */
    async callOffer(userId: number, visit: Visit): Promise<CallOffer | null> {
      const recipient = await recipientOf(userId, visit);
      return recipient && otps.callOffer(recipient, visit);
    },

    /** Sends, says or checks the code, and leads back to the same page. A refusal is told there. */
    async run(screen: ScreenName, me: Me, sent: FormData, caller: Caller): Promise<AccountAnswer> {
      try {
        const recipient = await recipientOf(me.loggedInUserId, caller.visit);
        // The page says why.
        if (!recipient) return { page: pathOf(screen) };
        const step = textOf(sent, 'step');
        if (step === 'send') await otps.send(recipient, OTP_MEDIUM.both, caller);
        else if (step === 'call') await call(recipient, caller);
        else await verifyOpenCode({ db, otps }, recipient, sent, caller);
      } catch (error) {
        return { problems: { code: problemOf(error) }, typed: {} };
      }
      return { page: pathOf(screen) };
    },
  };
}
