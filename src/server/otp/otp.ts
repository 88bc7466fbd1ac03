import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { DeliveryReason } from '#domain/delivery.ts';
import {
  channelsOf,
  extendedExpiry,
  maskEmail,
  maskPhone,
  normalizeOtp,
  OTP_COUNTDOWN_MS,
  OTP_GRACE_MS,
  OTP_LENGTH,
  OTP_MAX_LIFE_MS,
  OTP_TRIES,
  type OtpMedium,
} from '#domain/otp.ts';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../context.ts';
import { RATE_LIMITS } from '../abuse/rate-limit-rules.ts';
import { randomId } from '../crypto/secret-box.ts';
import {
  closeOpenOtps,
  findOpenOtp,
  findOtp,
  type Otp,
  type OtpClaim,
  typeOfOtp,
} from './otp-store.ts';
import type { OtpRecipient } from './recipients.ts';

export type SentOtp = {
  readonly id: string;
  readonly medium: OtpMedium;
  readonly sentTo: { readonly email: string | null; readonly phone: string | null };
  readonly remainingMs: number;
  readonly canExtend: boolean;
};

export type Otps = {
  /** Sends an OTP, or answers with the one that is still on its way. @throws AppError */
  send(recipient: OtpRecipient, medium: OtpMedium, caller: Caller): Promise<SentOtp>;
  /** Sends a new OTP once the countdown is over. @throws AppError TOO_SOON, TOO_MANY */
  resend(recipient: OtpRecipient, medium: OtpMedium, caller: Caller): Promise<SentOtp>;
  /** Checks an OTP; @throws AppError INVALID_OTP, OTP_EXPIRED, OTP_DEAD, CONFLICT, FORBIDDEN */
  verify(claim: OtpClaim & { readonly otp: number | string }, caller: Caller): Promise<Otp>;
  /** "I need more time". @throws AppError OTP_LIFE_OVER */
  extend(claim: OtpClaim, visit: Visit): Promise<{ remainingMs: number; canExtend: boolean }>;
};

export type OtpPorts = {
  readonly queueOtp: (
    db: Db,
    recipient: OtpRecipient,
    otp: {
      readonly id: string;
      readonly digits: string;
      readonly medium: OtpMedium;
      readonly expiresAt: Date;
      readonly textRefusal: DeliveryReason | null;
    },
  ) => Promise<void>;
  /** Why no text goes to this number now; counts one text. */
  readonly textRefusal: (phone: string) => Promise<DeliveryReason | null>;
  /** Whether the OTP can still arrive by one of its ways. */
  readonly isComing: (db: Db, otpId: string) => Promise<boolean>;
  /** What a right OTP changes, in the transaction that accepts it. */
  readonly onVerified: (db: Db, otp: Otp) => Promise<void>;
};

/** One-time codes (OTPs): HMAC at rest, five tries, newest only, single use, bound to visit, user and type (SRV-05). */
export function createOtps(context: ServerContext, ports: OtpPorts): Otps {
  const { db, clock, secretBox, rateLimits, audit, outbox } = context;
  const hmacOf = (id: string, digits: string) => secretBox.hmac('otp', `${id}:${digits}`);
  const isHmacOf = (otp: Otp, digits: string) =>
    secretBox.verifyHmac('otp', `${otp.id}:${digits}`, otp.code_hmac);

  type Asked = {
    readonly recipient: OtpRecipient;
    readonly medium: OtpMedium;
    readonly caller: Caller;
    /** What to say when a parallel request of this visit was faster. */
    readonly onOpen: (open: Otp, now: Date) => SentOtp;
  };

  async function issue({ recipient, medium, caller, onOpen }: Asked): Promise<SentOtp> {
    await rateLimits.take(
      [RATE_LIMITS.codePerIp, caller.ip],
      [RATE_LIMITS.codePerIpADay, caller.ip],
      [RATE_LIMITS.codePerVisit, caller.visit.id],
      [RATE_LIMITS.codePerAccount, accountOf(recipient)],
    );
    const hasText = channelsOf(medium).some((channel) => channel !== 'email');
    const textRefusal = hasText ? await ports.textRefusal(recipient.phone) : null;
    const now = clock.now();
    const id = randomId();
    const digits = String(randomInt(0, 10 ** OTP_LENGTH)).padStart(OTP_LENGTH, '0');
    const expiresAt = later(now, OTP_COUNTDOWN_MS);
    const faster = await db.transaction().execute(async (transaction) => {
      // One request of a visit at a time: a double click sends one message, not two.
      await transaction
        .selectFrom('visits')
        .select('id')
        .where('id', '=', caller.visit.id)
        .forNoKeyUpdate()
        .execute();
      const open = await findOpenOtp(transaction, recipient, caller.visit.id);
      if (open && (await isOnItsWay(transaction, open, now))) return onOpen(open, now);
      await closeOpenOtps(transaction, recipient, caller.visit.id, now);
      await transaction
        .insertInto('otp_codes')
        .values({
          id,
          visit_id: caller.visit.id,
          user_id: recipient.userId,
          registration_id: recipient.registrationId,
          sign_in_id: recipient.signInId,
          type: recipient.type,
          medium,
          code_hmac: recipient.decoyOf === null ? hmacOf(id, digits) : '',
          sent_at: now,
          expires_at: expiresAt,
          verified_at: null,
          closed_at: null,
        })
        .execute();
      await ports.queueOtp(transaction, recipient, {
        id,
        digits,
        medium,
        expiresAt,
        textRefusal,
      });
      await audit(
        {
          kind: 'otp.sent',
          userId: recipient.userId,
          visitId: caller.visit.id,
          ip: caller.ip,
          details: { type: recipient.type, medium },
        },
        transaction,
      );
      return null;
    });
    if (faster) return faster;
    outbox.wake();
    return toSentOtp({ id, medium, sent_at: now, expires_at: expiresAt }, recipient, now);
  }

  /** An OTP that is used up, expired or undeliverable may be replaced at once, without waiting for the countdown. */
  async function isOnItsWay(source: Db, open: Otp, now: Date): Promise<boolean> {
    const isAlive = open.tries < OTP_TRIES && open.expires_at > now;
    return isAlive && (await ports.isComing(source, open.id));
  }

  async function explain(claim: OtpClaim, visit: Visit, digits: string): Promise<Otp> {
    const otp = await findOtp(db, claim, visit.id);
    if (!otp) throw new AppError('FORBIDDEN');
    // Enter pressed three times: the same right OTP gets the same answer until it is used or has expired.
    const isStillGood = otp.verified_at && !otp.closed_at && isInTime(otp, clock.now());
    if (isStillGood && isHmacOf(otp, digits)) return otp;
    // It was right once and is used up: another tab was faster.
    if (otp.verified_at && otp.closed_at) throw new AppError('CONFLICT');
    if (otp.tries >= OTP_TRIES) throw new AppError('OTP_DEAD');
    throw new AppError('OTP_EXPIRED');
  }

  return {
    async send(recipient, medium, caller) {
      const now = clock.now();
      const onOpen = (open: Otp, at: Date) =>
        toSentOtp({ ...open, medium: open.medium as OtpMedium }, recipient, at);
      const open = await findOpenOtp(db, recipient, caller.visit.id);
      if (open && (await isOnItsWay(db, open, now))) return onOpen(open, now);
      return issue({ recipient, medium, caller, onOpen });
    },

    async resend(recipient, medium, caller) {
      const now = clock.now();
      const onOpen = (open: Otp, at: Date): never => {
        throw new AppError('TOO_SOON', { retryAfterMs: open.expires_at.getTime() - at.getTime() });
      };
      const open = await findOpenOtp(db, recipient, caller.visit.id);
      if (open && (await isOnItsWay(db, open, now))) return onOpen(open, now);
      const resends = [
        [RATE_LIMITS.resendPerAccount, accountOf(recipient)],
        [RATE_LIMITS.resendPerAccountADay, accountOf(recipient)],
      ] as const;
      await rateLimits.check(...resends);
      const sent = await issue({ recipient, medium, caller, onOpen });
      // Counted after sending, so that a double click counts once.
      await rateLimits.isWithin(...resends);
      return sent;
    },

    async verify({ id, userId, otp: typed }, { visit, ip }) {
      const digits = normalizeOtp(typed) ?? '';
      const type = await typeOfOtp(db, id);
      const wrongOtps = [RATE_LIMITS.wrongCodePerAccount, accountKey(userId, type)] as const;
      const hasFailed = await rateLimits.check(wrongOtps);
      const now = clock.now();
      // One statement counts the try before the OTP is compared: parallel requests never get a sixth try.
      const otp = await db
        .updateTable('otp_codes')
        .set({ tries: sql`tries + 1` })
        .where('id', '=', id)
        .where('visit_id', '=', visit.id)
        .where('user_id', '=', userId)
        .where('closed_at', 'is', null)
        .where('verified_at', 'is', null)
        .where('tries', '<', OTP_TRIES)
        .where('expires_at', '>', later(now, -OTP_GRACE_MS))
        .returningAll()
        .executeTakeFirst();
      if (!otp) return explain({ id, userId }, visit, digits);

      if (!isHmacOf(otp, digits)) {
        await rateLimits.isWithin(wrongOtps);
        await audit({
          kind: 'otp.wrong',
          userId,
          visitId: visit.id,
          ip,
          details: { tries: otp.tries },
        });
        throw new AppError(otp.tries >= OTP_TRIES ? 'OTP_DEAD' : 'INVALID_OTP');
      }
      const isAccepted = await db.transaction().execute(async (transaction) => {
        const accepted = await transaction
          .updateTable('otp_codes')
          .set({ verified_at: now })
          .where('id', '=', otp.id)
          .where('closed_at', 'is', null)
          .where('verified_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (!accepted) return false;
        await ports.onVerified(transaction, otp);
        await audit({ kind: 'otp.verified', userId, visitId: visit.id, ip }, transaction);
        return true;
      });
      // The same OTP twice at once, or a newer one sent meanwhile.
      if (!isAccepted) return explain({ id, userId }, visit, digits);
      if (hasFailed) await rateLimits.clear(wrongOtps);
      return { ...otp, verified_at: now };
    },

    async extend({ id, userId }, visit) {
      const now = clock.now();
      const otp = await findOtp(db, { id, userId }, visit.id);
      const isOpen = otp && otp.closed_at === null && otp.verified_at === null;
      if (!isOpen) throw new AppError('FORBIDDEN');
      if (otp.expires_at <= now) throw new AppError('OTP_LIFE_OVER');
      const sentAt = otp.sent_at.getTime();
      const expiry = extendedExpiry(sentAt, otp.expires_at.getTime(), now.getTime());
      await db
        .updateTable('otp_codes')
        .set({ expires_at: new Date(expiry) })
        .where('id', '=', id)
        .execute();
      return {
        remainingMs: expiry - now.getTime(),
        canExtend: expiry < sentAt + OTP_MAX_LIFE_MS,
      };
    },
  };
}

/** Strangers who type the same address at sign-up use up their own registration, never the owner's account. */
function accountOf({ registrationId, userId, type }: OtpRecipient): string {
  return registrationId ?? accountKey(userId, type);
}

/** An OTP that anybody can ask for by the address alone counts apart: it must not use up what the owner's sign-in needs. */
function accountKey(userId: number, type: string | undefined): string {
  return type === 'VERIFY_CONTACT' ? `contact:${userId}` : String(userId);
}

function isInTime(otp: { readonly expires_at: Date }, now: Date): boolean {
  return otp.expires_at > later(now, -OTP_GRACE_MS);
}

/** What a browser may know of an OTP: where it went, masked, and how long it lives. */
export function toSentOtp(
  otp: {
    readonly id: string;
    readonly medium: OtpMedium;
    readonly sent_at: Date;
    readonly expires_at: Date;
  },
  recipient: Pick<OtpRecipient, 'email' | 'phone'>,
  now: Date,
): SentOtp {
  const channels = channelsOf(otp.medium);
  return {
    id: otp.id,
    medium: otp.medium,
    sentTo: {
      email: channels.includes('email') ? maskEmail(recipient.email) : null,
      phone: channels.some((channel) => channel !== 'email') ? maskPhone(recipient.phone) : null,
    },
    remainingMs: Math.max(0, otp.expires_at.getTime() - now.getTime()),
    canExtend: otp.expires_at.getTime() < otp.sent_at.getTime() + OTP_MAX_LIFE_MS,
  };
}
