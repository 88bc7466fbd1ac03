import {
  mediumChannels,
  type Contact,
  channelContact,
  maskEmail,
  maskPhone,
  mediumFor,
  OTP_COUNTDOWN_MS,
  OTP_MAX_LIFE_MS,
  OTP_MEDIUM,
  OTP_TRIES,
  type OtpMedium,
  remainingLife,
} from '#domain/proofs/otp.ts';
import { later } from '../../core/clock.ts';
import { randomId } from '../../crypto/secret-box.ts';
import type { Db } from '../../db/database.ts';
import type { Caller } from '../../http/visit-cookie.ts';
import type { ServerContext } from '../../core/context.ts';
import type { OtpDigits } from './otp-digits.ts';
import { isSignIn, type OtpLimits } from './otp-limits.ts';
import { closeOpenOtps, findOpenOtp, insertOtp, lockVisit, type Otp } from './otp-store.ts';
import type { OtpPorts, SentOtp } from './otp-ports.ts';
import type { OtpRecipient } from './recipients.ts';

type Asked = {
  readonly recipient: OtpRecipient;
  readonly medium: OtpMedium;
  readonly caller: Caller;
  /** Returns the answer when an OTP of this visit is on its way. */
  readonly onOpen: (open: Otp, now: Date) => SentOtp;
};

/** Creates the function that sends an OTP, or returns the one of this visit that is on its way. */
export function createSendOtp(
  { db, clock, rateLimits, audit, outbox }: ServerContext,
  ports: Pick<OtpPorts, 'hasTexts' | 'queueOtp' | 'takeSms' | 'isComing'>,
  { hmacOf, digitsFor }: OtpDigits,
  { usesOf }: OtpLimits,
) {
  /**
   * Returns false for an OTP that is used up, expired or undeliverable: it may be replaced before the countdown ends.
   */
  async function isOnItsWay(source: Db, open: Otp, now: Date): Promise<boolean> {
    const isAlive = open.tries < OTP_TRIES && remainingLife(open, now) > 0;
    if (!isAlive || open.medium === OTP_MEDIUM.app) return isAlive;
    return ports.isComing(source, open.id);
  }

  /** Returns the OTP of this visit that is on its way. */
  async function findComing(source: Db, recipient: OtpRecipient, { visit }: Caller) {
    const open = await findOpenOtp(source, recipient, visit.id);
    return open && (await isOnItsWay(source, open, clock.now())) ? open : null;
  }

  return async ({ recipient, medium: asked, caller, onOpen }: Asked): Promise<SentOtp> => {
    const coming = await findComing(db, recipient, caller);
    if (coming) return onOpen(coming, clock.now());
    const medium = recipient.asksApp
      ? OTP_MEDIUM.app
      : mediumFor(asked, recipient.mailRule, ports.hasTexts);
    // Counted before the sending, and released by the used code: limits count unused codes.
    const sent = await rateLimits.consume(...(await usesOf(recipient, caller)));
    const hasText = mediumChannels(medium).some((channel) => channel !== 'email');
    const from = { ip: caller.ip, isSignIn: isSignIn(recipient.type) };
    const text = hasText ? await ports.takeSms(recipient.phone, from) : null;
    const textRefusal = text?.refusal ?? null;
    const counted = [...sent, ...(text?.counted ?? [])];
    const now = clock.now();
    const id = randomId();
    const digits = digitsFor(id);
    const goesTo = new Set(mediumChannels(medium).map(channelContact));
    const hmacFor = (contact: Contact, isSent: boolean) =>
      isSent && recipient.standInOf === null ? hmacOf(id, digits[contact]) : '';
    // An app shows its code at once: nobody waits, so that the page stays as long as a code may live.
    const life = recipient.asksApp ? OTP_MAX_LIFE_MS : OTP_COUNTDOWN_MS;
    const expiresAt = later(now, life);
    const visitId = caller.visit.id;
    const { userId, registrationId, signInId, type, subject } = recipient;
    const other = await db.transaction().execute(async (transaction) => {
      // Requests of a visit run one at a time: a double click sends one message, not two.
      await lockVisit(transaction, visitId);
      const found = await findComing(transaction, recipient, caller);
      if (found) return found;
      await closeOpenOtps(transaction, recipient, visitId, now);
      await insertOtp(transaction, {
        id,
        visit_id: visitId,
        user_id: userId,
        registration_id: registrationId,
        sign_in_id: signInId,
        type,
        subject,
        medium,
        code_hmac: hmacFor('email', goesTo.has('email')),
        phone_code_hmac: hmacFor('phone', goesTo.has('phone') && textRefusal === null),
        sent_at: now,
        expires_at: expiresAt,
        counted: counted.map(({ key, until }) => ({ key, until })),
      });
      const kind = recipient.asksApp ? 'otp.askedOfApp' : 'otp.sent';
      const details = { type, medium };
      await audit({ kind, userId, visitId, ip: caller.ip, details }, transaction);
      if (recipient.asksApp) return null;
      const notice = { id, digits, medium, expiresAt, textRefusal };
      await ports.queueOtp(transaction, recipient, notice);
      return null;
    });
    if (other) {
      await rateLimits.refund(counted);
      return onOpen(other, now);
    }
    outbox.wake();
    return toSentOtp({ id, medium, sent_at: now, expires_at: expiresAt }, recipient, now);
  };
}

/** Returns the data of an OTP for a browser: its masked destinations and its remaining time. */
export function toSentOtp(
  otp: Pick<Otp, 'id' | 'sent_at' | 'expires_at'> & { readonly medium: OtpMedium },
  recipient: Pick<OtpRecipient, 'email' | 'phone'>,
  now: Date,
): SentOtp {
  const channels = mediumChannels(otp.medium);
  return {
    id: otp.id,
    medium: otp.medium,
    sentTo: {
      email: channels.includes('email') ? maskEmail(recipient.email) : null,
      phone: channels.some((channel) => channel !== 'email') ? maskPhone(recipient.phone) : null,
    },
    remainingMs: remainingLife(otp, now),
    canExtend: otp.expires_at.getTime() < otp.sent_at.getTime() + OTP_MAX_LIFE_MS,
  };
}
