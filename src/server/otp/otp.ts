import { randomInt } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
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
  type OtpType,
} from '#domain/otp.ts';
import { later } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/schema.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, Visit } from '../http/visit-cookie.ts';
import type { ServerContext } from '../context.ts';
import { RATE_LIMITS } from '../abuse/rate-limit-rules.ts';
import { randomId } from '../crypto/secret-box.ts';

/** Whom a code is for, and what it will allow: found through the visit, never taken from a body. */
export type Recipient = {
  readonly userId: number;
  readonly type: OtpType;
  readonly registrationId: string | null;
  readonly signInId: string | null;
  readonly email: string;
  readonly phone: string;
  readonly firstName: string;
  readonly subtenantId: number;
  readonly signUpPlatform: number;
  /** The account that this one stands in for (enumeration `strict`): nothing that anybody types is right then. */
  readonly decoyOf: number | null;
};

export type SentCode = {
  readonly id: string;
  readonly medium: OtpMedium;
  readonly sentTo: { readonly email: string | null; readonly phone: string | null };
  readonly remainingMs: number;
  readonly canExtend: boolean;
};

export type OtpCode = Selectable<Tables['otp_codes']>;

type Claim = { readonly id: string; readonly userId: number };

export type Otp = {
  /** Sends a code, or answers with the one that is still on its way. @throws AppError */
  send(recipient: Recipient, medium: OtpMedium, caller: Caller): Promise<SentCode>;
  /** Sends a new code once the countdown is over. @throws AppError TOO_SOON, TOO_MANY */
  resend(recipient: Recipient, medium: OtpMedium, caller: Caller): Promise<SentCode>;
  /** Checks a code; @throws AppError INVALID_OTP, OTP_EXPIRED, OTP_DEAD, CONFLICT, FORBIDDEN */
  verify(claim: Claim & { readonly otp: number | string }, caller: Caller): Promise<OtpCode>;
  /** "I need more time". @throws AppError OTP_LIFE_OVER */
  extend(claim: Claim, visit: Visit): Promise<{ remainingMs: number; canExtend: boolean }>;
};

export type OtpPorts = {
  readonly queueOtp: (
    db: Db,
    recipient: Recipient,
    code: {
      readonly id: string;
      readonly digits: string;
      readonly medium: OtpMedium;
      readonly expiresAt: Date;
      readonly textRefusal: DeliveryReason | null;
    },
  ) => Promise<void>;
  /** Why no text goes to this number now; counts one text. */
  readonly textRefusal: (phone: string) => Promise<DeliveryReason | null>;
  /** Whether the code can still arrive by one of its ways. */
  readonly isComing: (db: Db, otpId: string) => Promise<boolean>;
  /** What a right code changes, in the transaction that accepts it. */
  readonly onVerified: (db: Db, code: OtpCode) => Promise<void>;
};

/** One-time codes: HMAC at rest, five tries, newest only, single use, bound to visit, user and type (SRV-05). */
export function createOtp(context: ServerContext, ports: OtpPorts): Otp {
  const { db, clock, secretBox, rateLimits, audit, outbox } = context;
  const macOf = (id: string, digits: string) => secretBox.hmac('otp', `${id}:${digits}`);
  const isMacOf = (code: OtpCode, digits: string) =>
    secretBox.verifyHmac('otp', `${code.id}:${digits}`, code.code_hmac);

  type Asked = {
    readonly recipient: Recipient;
    readonly medium: OtpMedium;
    readonly caller: Caller;
    /** What to say when a parallel request of this visit was faster. */
    readonly onOpen: (open: OtpCode, now: Date) => SentCode;
  };

  async function issue({ recipient, medium, caller, onOpen }: Asked): Promise<SentCode> {
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
      const open = await findOpen(transaction, recipient, caller.visit);
      if (open && (await isOnItsWay(transaction, open, now))) return onOpen(open, now);
      await closeOpenCodes(transaction, recipient, caller.visit, now);
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
          code_hmac: recipient.decoyOf === null ? macOf(id, digits) : '',
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
    return toSent({ id, medium, sent_at: now, expires_at: expiresAt }, recipient, now);
  }

  /** Newest only: what was sent before for the same purpose counts no more. At sign-up, other visits keep theirs. */
  async function closeOpenCodes(
    transaction: Db,
    { userId, type }: Recipient,
    visit: Visit,
    now: Date,
  ): Promise<void> {
    await transaction
      .updateTable('otp_codes')
      .set({ closed_at: now })
      .where('user_id', '=', userId)
      .where('type', '=', type)
      .$if(type === 'USER_ACTIVATION', (query) => query.where('visit_id', '=', visit.id))
      .where('closed_at', 'is', null)
      .where('verified_at', 'is', null)
      .execute();
  }

  /** A code that is dead, or that no provider took, frees the way at once: waiting for nothing helps nobody. */
  async function isOnItsWay(source: Db, open: OtpCode, now: Date): Promise<boolean> {
    const isAlive = open.tries < OTP_TRIES && open.expires_at > now;
    return isAlive && (await ports.isComing(source, open.id));
  }

  async function findOpen(
    source: Db,
    recipient: Recipient,
    visit: Visit,
  ): Promise<OtpCode | undefined> {
    return source
      .selectFrom('otp_codes')
      .selectAll()
      .where('visit_id', '=', visit.id)
      .where('user_id', '=', recipient.userId)
      .where('type', '=', recipient.type)
      .where('registration_id', 'is not distinct from', recipient.registrationId)
      .where('sign_in_id', 'is not distinct from', recipient.signInId)
      .where('closed_at', 'is', null)
      .where('verified_at', 'is', null)
      .orderBy('sent_at', 'desc')
      .executeTakeFirst();
  }

  async function explain(claim: Claim, visit: Visit, digits: string): Promise<OtpCode> {
    const code = await db
      .selectFrom('otp_codes')
      .selectAll()
      .where('id', '=', claim.id)
      .where('visit_id', '=', visit.id)
      .where('user_id', '=', claim.userId)
      .executeTakeFirst();
    if (!code) throw new AppError('FORBIDDEN');
    // Enter pressed three times: the same right code gets the same answer, until it is spent or its time is over.
    const isStillGood = code.verified_at && !code.closed_at && isInTime(code, clock.now());
    if (isStillGood && isMacOf(code, digits)) return code;
    // Right once, and what it opened is done: another tab was faster.
    if (code.verified_at && code.closed_at) throw new AppError('CONFLICT');
    if (code.tries >= OTP_TRIES) throw new AppError('OTP_DEAD');
    throw new AppError('OTP_EXPIRED');
  }

  async function typeOf(id: string): Promise<string | undefined> {
    const row = await db
      .selectFrom('otp_codes')
      .select('type')
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.type;
  }

  return {
    async send(recipient, medium, caller) {
      const now = clock.now();
      const onOpen = (open: OtpCode, at: Date) =>
        toSent({ ...open, medium: open.medium as OtpMedium }, recipient, at);
      const open = await findOpen(db, recipient, caller.visit);
      if (open && (await isOnItsWay(db, open, now))) return onOpen(open, now);
      return issue({ recipient, medium, caller, onOpen });
    },

    async resend(recipient, medium, caller) {
      const now = clock.now();
      const onOpen = (open: OtpCode, at: Date): never => {
        throw new AppError('TOO_SOON', { retryAfterMs: open.expires_at.getTime() - at.getTime() });
      };
      const open = await findOpen(db, recipient, caller.visit);
      if (open && (await isOnItsWay(db, open, now))) return onOpen(open, now);
      const resends = [
        [RATE_LIMITS.resendPerAccount, accountOf(recipient)],
        [RATE_LIMITS.resendPerAccountADay, accountOf(recipient)],
      ] as const;
      await rateLimits.check(...resends);
      const sent = await issue({ recipient, medium, caller, onOpen });
      // Counted when it was sent: of a double click, one.
      await rateLimits.isWithin(...resends);
      return sent;
    },

    async verify({ id, userId, otp }, { visit, ip }) {
      const digits = normalizeOtp(otp) ?? '';
      const type = await typeOf(id);
      const wrongCodes = [RATE_LIMITS.wrongCodePerAccount, accountKey(userId, type)] as const;
      const hasFailed = await rateLimits.check(wrongCodes);
      const now = clock.now();
      // The try is counted before the code is compared, in one statement: a burst never gets a sixth look.
      const code = await db
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
      if (!code) return explain({ id, userId }, visit, digits);

      if (!isMacOf(code, digits)) {
        await rateLimits.isWithin(wrongCodes);
        await audit({
          kind: 'otp.wrong',
          userId,
          visitId: visit.id,
          ip,
          details: { tries: code.tries },
        });
        throw new AppError(code.tries >= OTP_TRIES ? 'OTP_DEAD' : 'INVALID_OTP');
      }
      const isAccepted = await db.transaction().execute(async (transaction) => {
        const accepted = await transaction
          .updateTable('otp_codes')
          .set({ verified_at: now })
          .where('id', '=', code.id)
          .where('closed_at', 'is', null)
          .where('verified_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (!accepted) return false;
        await ports.onVerified(transaction, code);
        await audit({ kind: 'otp.verified', userId, visitId: visit.id, ip }, transaction);
        return true;
      });
      // The same code twice at once, or a newer one sent meanwhile.
      if (!isAccepted) return explain({ id, userId }, visit, digits);
      if (hasFailed) await rateLimits.clear(wrongCodes);
      return { ...code, verified_at: now };
    },

    async extend({ id, userId }, visit) {
      const now = clock.now();
      const code = await db
        .selectFrom('otp_codes')
        .selectAll()
        .where('id', '=', id)
        .where('visit_id', '=', visit.id)
        .where('user_id', '=', userId)
        .where('closed_at', 'is', null)
        .where('verified_at', 'is', null)
        .executeTakeFirst();
      if (!code) throw new AppError('FORBIDDEN');
      if (code.expires_at <= now) throw new AppError('OTP_LIFE_OVER');
      const sentAt = code.sent_at.getTime();
      const expiry = extendedExpiry(sentAt, code.expires_at.getTime(), now.getTime());
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
function accountOf({ registrationId, userId, type }: Recipient): string {
  return registrationId ?? accountKey(userId, type);
}

/** A code that anybody can ask for by the address alone counts apart: it must not use up what the owner's sign-in needs. */
function accountKey(userId: number, type: string | undefined): string {
  return type === 'VERIFY_CONTACT' ? `contact:${userId}` : String(userId);
}

function isInTime(code: { readonly expires_at: Date }, now: Date): boolean {
  return code.expires_at > later(now, -OTP_GRACE_MS);
}

/** What a browser may know of a code: where it went, masked, and how long it lives. */
export function toSent(
  code: {
    readonly id: string;
    readonly medium: OtpMedium;
    readonly sent_at: Date;
    readonly expires_at: Date;
  },
  recipient: Pick<Recipient, 'email' | 'phone'>,
  now: Date,
): SentCode {
  const channels = channelsOf(code.medium);
  return {
    id: code.id,
    medium: code.medium,
    sentTo: {
      email: channels.includes('email') ? maskEmail(recipient.email) : null,
      phone: channels.some((channel) => channel !== 'email') ? maskPhone(recipient.phone) : null,
    },
    remainingMs: Math.max(0, code.expires_at.getTime() - now.getTime()),
    canExtend: code.expires_at.getTime() < code.sent_at.getTime() + OTP_MAX_LIFE_MS,
  };
}
