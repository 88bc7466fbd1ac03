import type { CallOffer } from '#domain/delivery.ts';
import { entryProblem, recoveryDigits } from '#domain/app-code.ts';
import { OTP_MEDIUM, otpDigits, type OtpMedium } from '#domain/otp.ts';
import { pathOf, type ScreenName } from '#domain/screens.ts';
import { later } from '../clock.ts';
import type { ServerContext } from '../context.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { Otps } from '../otp/otp-ports.ts';
import { findOpenOtp } from '../otp/otp-store.ts';
import type { Recipients } from '../otp/recipients.ts';
import { toSentOtp } from '../otp/send-otp.ts';
import { type AccountAnswer, type Me, problemOf, textOf } from './account-page.ts';

/** The age of a proof that still changes a way in, in milliseconds (ACC-01). */
const FRESH_MS = 10 * 60 * 1000;

export type StepUp = {
  /** Returns whether a proof is younger than ten minutes. */
  isFresh(provedAt: Date | null): boolean;
  /** Returns the masked destinations of the code that this visit's page waits for; `null` for none. */
  codeSentTo(userId: number, visit: Visit): Promise<string | null>;
  /** Returns the call that may say this code; `null` for none. */
  callOffer(userId: number, visit: Visit): Promise<CallOffer | null>;
  /** Sends, says or checks the code, and leads back to the same page. A refusal is told there. */
  run(screen: ScreenName, me: Me, sent: FormData, caller: Caller): Promise<AccountAnswer>;
};

/** Creates the step-up: one code on the page of a change, when the sign-in is older than ten minutes. */
export function createStepUp(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  {
    otps,
    recipients,
  }: {
    readonly otps: Pick<Otps, 'send' | 'verify' | 'call' | 'callOffer'>;
    readonly recipients: Recipients;
  },
): StepUp {
  async function openCode(userId: number, visit: Visit) {
    const recipient = await recipients.find('STEP_UP', userId, visit);
    const open = await findOpenOtp(db, recipient, visit.id);
    return open && { open, recipient };
  }

  async function check(userId: number, typed: string, caller: Caller): Promise<void> {
    const recipient = await recipients.find('STEP_UP', userId, caller.visit);
    // Nothing is sent for an app: its page asks for the code at once.
    const open = recipient.asksApp
      ? await otps.send(recipient, OTP_MEDIUM.app, caller)
      : await findOpenOtp(db, recipient, caller.visit.id);
    if (!open) throw new AppError('OTP_EXPIRED');
    const otp = recipient.asksApp ? recoveryDigits(typed) : otpDigits(typed);
    if (entryProblem(open.medium, otp)) throw new AppError('INVALID_OTP');
    await otps.verify({ id: open.id, userId, otp }, caller);
  }

  return {
    isFresh: (provedAt) => provedAt !== null && provedAt > later(clock.now(), -FRESH_MS),

    async codeSentTo(userId, visit) {
      const code = await openCode(userId, visit);
      if (!code) return null;
      const { open, recipient } = code;
      const sent = { ...open, medium: open.medium as OtpMedium };
      const { sentTo } = toSentOtp(sent, recipient, clock.now());
      return [sentTo.email, sentTo.phone].filter((each) => each !== null).join(', ');
    },

    async callOffer(userId, visit) {
      return otps.callOffer(await recipients.find('STEP_UP', userId, visit), visit);
    },

    async run(screen, { loggedInUserId: userId }, sent, caller) {
      try {
        const step = textOf(sent, 'step');
        if (step === 'send') {
          const recipient = await recipients.find('STEP_UP', userId, caller.visit);
          await otps.send(recipient, OTP_MEDIUM.both, caller);
        } else if (step === 'call') {
          const code = await openCode(userId, caller.visit);
          if (!code) throw new AppError('OTP_EXPIRED');
          await otps.call(code.recipient, code.open.id, caller);
        } else {
          await check(userId, textOf(sent, 'code'), caller);
        }
      } catch (error) {
        return { problems: { code: problemOf(error) }, typed: {} };
      }
      return { page: pathOf(screen) };
    },
  };
}
