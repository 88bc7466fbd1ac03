import { type Delivery, isComing, otherWays } from '#domain/proofs/delivery.ts';
import {
  type Channel,
  mediumChannels,
  OTP_TRIES,
  type OtpMedium,
  PLAIN_CODE_TYPES,
  remainingLife,
} from '#domain/proofs/otp.ts';
import { textsIn } from '#locales/catalogue.ts';
import type { Language } from '#locales/languages.ts';
import { findRegistration } from '../accounts/registration-store.ts';
import type { Db } from '../db/database.ts';
import type { Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../core/context.ts';
import type { Otp } from '../proofs/otp/otp-store.ts';

type Code = Pick<Otp, 'id' | 'type' | 'medium' | 'sent_at' | 'registration_id'>;

/** Creates the reader of delivery states for the code screen. `hasTexts`: a provider sends texts. */
export function createDeliveryStatus({ db, clock, config }: ServerContext, hasTexts: boolean) {
  const isStrict = config.enumerationProtection === 'strict';

  /** The real state is hidden where answers about addresses must be alike. */
  async function isByMailOnly(source: Db, { registration_id: id }: Code): Promise<boolean> {
    if (id === null) return false;
    const form = await findRegistration(source, id);
    return form?.by_mail_only ?? false;
  }

  async function messagesOf(source: Db, code: Code) {
    if (code.type === 'USER_ACTIVATION' && (isStrict || (await isByMailOnly(source, code)))) {
      return blindOf(code);
    }
    return messagesWith(source, code.id);
  }

  return {
    /** Returns whether a code can still arrive by one of its channels. */
    async isComing(source: Db, otpId: string): Promise<boolean> {
      const code = await source
        .selectFrom('otp_codes')
        .select(['id', 'type', 'medium', 'sent_at', 'registration_id'])
        .where('id', '=', otpId)
        .executeTakeFirst();
      return code !== undefined && isComing(await messagesOf(source, code));
    },

    /** Returns the delivery states of this visit's newest code; `null` when it waits for none. */
    async of(visit: Visit): Promise<Delivery | null> {
      const now = clock.now();
      const code = await db
        .selectFrom('otp_codes')
        .select(['id', 'type', 'medium', 'sent_at', 'registration_id', 'expires_at', 'tries'])
        .where('visit_id', '=', visit.id)
        .where('type', 'not in', PLAIN_CODE_TYPES)
        .where('closed_at', 'is', null)
        .where('verified_at', 'is', null)
        .orderBy('sent_at', 'desc')
        .executeTakeFirst();
      if (!code) return null;
      const messages = await messagesOf(db, code);
      const remainingMs = remainingLife(code, now);
      const ago = (at: Date) => Math.max(0, now.getTime() - at.getTime());
      const isSpent = remainingMs === 0 || code.tries >= OTP_TRIES;
      return {
        id: code.id,
        messages: messages.map((message) => ({
          channel: message.channel,
          state: message.state,
          reason: message.reason,
          agoMs: ago(
            message.delivered_at ?? message.failed_at ?? message.sent_at ?? message.queued_at,
          ),
          waitsForReceipt: message.state === 'sent' && message.has_receipts,
        })),
        otherWays: otherWays(code.medium as OtpMedium, messages, hasTexts),
        call: null,
        canAskNow: isSpent || !isComing(messages),
        remainingMs,
      };
    },
  };
}

/** Returns the mail and the text that carry a code; calls have a column of their own. */
function messagesWith(db: Db, otpId: string) {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('otp_id', '=', otpId)
    .$narrowType<{ channel: Channel }>()
    .orderBy('channel')
    .execute();
}

/** Returns why a code cannot arrive by any of its messages, in the page's language; `null` while it may. */
export async function lostCodeText(db: Db, otpId: string, language: Language) {
  const messages = await messagesWith(db, otpId);
  const [first] = messages;
  if (!first || isComing(messages)) return null;
  const { delivery: t } = textsIn(language);
  const [failed, reasons] =
    first.channel === 'email' ? [t.failedEmail, t.email] : [t.failedPhone, t.phone];
  return first.reason === null ? failed : `${failed} ${reasons[first.reason]}`;
}

/**
 * In `strict`, and above the limit of `balanced`, every sign-up looks alike: the mail's state would disclose an account
 * (decision 006).
 */
function blindOf({ medium, sent_at }: Code) {
  return mediumChannels(medium as OtpMedium).map((channel) => ({
    channel,
    state: 'sent' as const,
    reason: null,
    has_receipts: false,
    queued_at: sent_at,
    sent_at,
    delivered_at: null,
    failed_at: null,
  }));
}
